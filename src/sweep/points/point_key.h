// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/predictor.h"
#include "request/options/option_table.h"
#include "sweep/sweep.h"

namespace forewarp::sweep {

/// The board by what its file says, not by its name: every number with its path.
[[nodiscard]] std::string facts_key(const Gpu& gpu);

/// Size and time of change stand for the content of a file.
[[nodiscard]] std::string file_key(const std::string& file);

/// Keys of points by all that decides what is predicted: `prefix` says what no option does (the
/// program, its data, the code, the board), the options in effect the rest. Equal keys, equal
/// predictions. A key is a hash, a blank and, where it is short, the launch in words: launches of
/// one study lie side by side in an index of keys, which is then filled several times as fast.
class PointKeys {
 public:
  /// `changing` names the rows that differ from point to point; the others are those of `request`
  /// and `options` in every point.
  PointKeys(std::string_view prefix, const Case& request, const PredictOptions& options,
            const std::vector<const OptionRow*>& changing);

  [[nodiscard]] std::string key(const Case& request, const PredictOptions& options) const;

 private:
  struct Part {
    const OptionRow* row = nullptr;  ///< that is read anew; null: `text` stands for all points
    std::string text;
  };
  using Parts = std::vector<Part>;
  using AppendRow = void (*)(std::string& text, const OptionRow& row, const Case& request,
                             const PredictOptions& options);
  static std::string joined(const Parts& parts, AppendRow append, const Case& request,
                            const PredictOptions& options);

  Parts others_, launch_;  // what is no launch, what is one
  std::string hash_;       // of the former; empty: points differ there
};

/// The rows of the table that a sweep changes.
[[nodiscard]] std::vector<const OptionRow*> swept_rows(const Sweep& sweep);

}  // namespace forewarp::sweep
