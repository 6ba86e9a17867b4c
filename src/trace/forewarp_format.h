// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trace/trace_format.h"

namespace forewarp::trace {

/// The format of docs/trace.md: records of every warp, in one compressed stream.
class ForewarpFormat : public TraceFormat {
 public:
  static constexpr std::string_view stream_name = "warps.gz";
  static constexpr std::string_view magic = "fwt1";  ///< first bytes of the stream

  [[nodiscard]] std::string_view name() const override { return "forewarp"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "compact records, compressed; docs/trace.md";
  }
  [[nodiscard]] std::vector<std::string> files() const override {
    return {std::string(stream_name)};
  }
  [[nodiscard]] Expected<std::unique_ptr<TraceWriter>> open(
      const std::filesystem::path& folder, const TraceSubject& subject) const override;
};

}  // namespace forewarp::trace
