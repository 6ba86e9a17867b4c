// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "request/case.h"
#include "request/options/option_table.h"
#include "request/predict_options.h"
#include "sweep/sweep_range.h"

namespace forewarp::sweep {

/// One thing that a sweep changes, with its values. A range is not expanded.
///   NAME=FROM:TO:STEP   FROM, FROM+STEP .. up to TO (down, where STEP is negative)
///   NAME=FROM:TO:*K     FROM, FROM*K .. up to TO
///   NAME=a,b,c          these; block and grid take XxYxZ, an argument anything that --arg takes
/// NAME: an option of the table that may stand in a sweep, hw.PATH, option.MODEL.NAME, else an
/// argument's name or index.
class SweepAxis {
 public:
  enum class Kind : std::uint8_t { argument, option, hardware, model_option };

  static Expected<SweepAxis> parse(std::string_view text);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The GPU or the code's registers change, not only the launch.
  [[nodiscard]] bool changes_binding() const;
  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// The value as the user would write it.
  [[nodiscard]] std::string text(std::uint64_t index) const;
  /// True when every value is a plain number: the axis can be drawn.
  [[nodiscard]] bool numeric() const { return numeric_; }
  /// The value as a number; 0 where it is none.
  [[nodiscard]] double number(std::uint64_t index) const;

  /// Writes the value into what is to be predicted; overwrites what an earlier call wrote.
  void apply(std::uint64_t index, Case& request, PredictOptions& options) const;

 private:
  struct Value {
    Argument argument;  // of an argument; a number for any other axis that has one
    std::string text;   // of a value that is no number: base, 32x4, gddr5
    bool numeric = true;
  };

  Expected<void> read_name(std::string_view name);
  Expected<void> read_values(std::string_view values, std::string_view option);
  Expected<void> check_range(std::string_view option) const;
  Expected<Value> read_value(std::string_view text) const;
  Expected<Value> read_option(std::string_view text) const;
  [[nodiscard]] static Expected<Value> read_sizes(std::string_view text);
  Expected<Value> read_fact(std::string_view text) const;
  [[nodiscard]] Value value(std::uint64_t index) const;

  Kind kind_ = Kind::argument;
  const OptionRow* row_ = nullptr;  // of an option
  std::string name_;                // as written: the title of the column
  NamedArgument target_;            // of an argument
  std::uint64_t count_ = 0;
  bool numeric_ = true;
  std::optional<SweepRange> range_;  // or
  std::vector<Value> listed_;
};

}  // namespace forewarp::sweep
