// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "characterise/numbers/number_list.h"
#include "characterise/samples/record.h"
#include "characterise/statistics/straight_line.h"

namespace forewarp::characterise {

/// A record with the value of the argument that was swept.
struct SeriesPoint {
  double x = 0;
  const Record* record = nullptr;
};

/// Records of one test that differ in one argument only, ascending by it.
struct Series {
  std::string test, config;  ///< config: what they share
  std::vector<SeriesPoint> points;
};

/// What estimators see: the records, and facts by path.
class Evidence {
 public:
  using Facts = std::function<std::optional<double>(std::string_view)>;
  Evidence(const std::vector<Record>& records, Facts facts)
      : records_(records), facts_(std::move(facts)) {}

  /// Of the device, estimated before, or of the board that it is like.
  [[nodiscard]] std::optional<double> fact(std::string_view path) const { return facts_(path); }

  /// Records of the row's tests and this quantity. Fails where there are none, naming the tests.
  Expected<std::vector<const Record*>> records(const NumberRow& row,
                                               std::string_view quantity) const;
  /// The same by configuration without `over`; records without that argument have x = 1.
  Expected<std::vector<Series>> series(const NumberRow& row, std::string_view quantity,
                                       std::string_view over) const;

  /// The swept argument of a row: its own, else the one of passes and tours that its records have.
  [[nodiscard]] std::string swept(const NumberRow& row) const;

  /// MHz while it was measured: the record's, else the device's. Fails where neither is known.
  Expected<double> clock(const Record& record) const;
  /// SMs that had work, of a launch of so many blocks, and warps of the busiest of them.
  struct Load {
    double sms = 0, warps_per_sm = 0;
  };
  Expected<Load> load(const Record& record) const;

 private:
  const std::vector<Record>& records_;
  Facts facts_;
};

/// Median and its deviation (of a mean of so many) of a record.
[[nodiscard]] LinePoint point_of(double x, const Record& record, double factor);

/// The line through a series of times as they are, or in `cycles`: us at the clock of each record.
Expected<StraightLine> time_line(const Series& series, const Evidence& evidence, bool cycles);

}  // namespace forewarp::characterise
