// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trace/trace_format.h"

namespace forewarp::trace {

/// The text that the simulator Accel-Sim reads: a list of kernels and one file with every warp's
/// instructions. Follows what its parser accepts; for differences to its own tracer see
/// docs/trace.md.
class AccelSimFormat : public TraceFormat {
 public:
  static constexpr std::string_view list_name = "kernelslist.g";
  static constexpr std::string_view kernel_name = "kernel-1.traceg";

  [[nodiscard]] std::string_view name() const override { return "accel-sim"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the text that Accel-Sim reads: kernelslist.g, kernel-1.traceg";
  }
  [[nodiscard]] std::vector<std::string> files() const override {
    return {std::string(list_name), std::string(kernel_name)};
  }
  [[nodiscard]] std::vector<std::string> notes(const TraceHeader& header) const override;
  [[nodiscard]] Expected<std::unique_ptr<TraceWriter>> open(
      const std::filesystem::path& folder, const TraceSubject& subject) const override;
};

}  // namespace forewarp::trace
