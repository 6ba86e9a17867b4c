// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "report/content.h"
#include "report/text_style.h"
#include "result/result.h"
#include "result/result_detail.h"

namespace forewarp::report {

/// One way to look at a result. A view decides what is shown and in which order; it never formats
/// for one sink and never computes what a model should have computed. It must cope with any result:
/// fields that are empty, numbers that are not finite, a result that is an error.
class View {
 public:
  View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  virtual ~View() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view sentence() const = 0;  ///< for help
  [[nodiscard]] virtual Section content(const Result& result) const = 0;
  /// What of a result it shows that is not in every result.
  [[nodiscard]] virtual ResultDetail needs() const { return no_detail; }

  /// The view as lines of text, without newlines.
  [[nodiscard]] std::vector<std::string> lines(const Result& result, const TextStyle& style) const;
};

/// The views that exist, from the explicit list in builtin.cpp.
[[nodiscard]] const Registry<View>& views();

}  // namespace forewarp::report
