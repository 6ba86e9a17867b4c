// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "report/view.h"

namespace forewarp::report {

/// The annotated listing, source text last, legend above; `*` marks the latency-bound path.
///
///     address  execs  class  pipe  latency  issue  *  waits for  instruction
class ListingView final : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "listing"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the annotated listing with the critical path";
  }
  [[nodiscard]] Section content(const Result& result) const override;
  [[nodiscard]] ResultDetail needs() const override {
    return {.listing = true, .stalls = false, .simulation = true};
  }
};

}  // namespace forewarp::report
