// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/fact_override.h"
#include "hardware/gpu.h"

namespace forewarp::request {

/// Where a calibrated value comes from.
struct CalibrationOrigin {
  std::string source, sha256;  ///< file of measurements as named, and hash of its content
  double points = 0;
  double spread = 0;                         ///< largest point's value over the least, less 1
  double error_before = 0, error_after = 0;  ///< mean |p - t| / t on these points
  std::vector<std::string> used;             ///< ids: set apart when validated with this file
};

/// Lambda of one kernel on one board under one model (Gajger 2017, eq. 4.4): estimated over
/// measured time of the launch alone. It is passed to the model's own option, else the model's time
/// is divided by it.
struct CalibratedFactor {
  std::string model, option;  ///< option: "lambda" or "weight"; empty: the model has neither
  std::string kernel;
  std::string gpu, cc;  ///< board, or capability: one of the two is given
  double value = 1;
  CalibrationOrigin origin;
};

/// A calibrated number of a board, as --set hw.PATH=VALUE takes it.
struct CalibratedNumber {
  std::string gpu, path, unit;
  double value = 0;
  CalibrationOrigin origin;
};

/// With so many digits, a number reads back unchanged.
inline constexpr int calibration_digits = 17;

/// The result of `forewarp calibrate`: schema "forewarp.calibration/1", docs/calibrate.md.
struct Calibration {
  std::string file;
  std::string forewarp;  ///< version that wrote it
  std::vector<CalibratedFactor> factors;
  std::vector<CalibratedNumber> numbers;

  /// The factor for a kernel under a model; null: none. An entry of the board wins over one of its
  /// capability.
  [[nodiscard]] const CalibratedFactor* factor(std::string_view model, std::string_view kernel,
                                               const Gpu& gpu) const;
  /// The board's numbers as overrides.
  [[nodiscard]] std::vector<FactOverride> overrides(std::string_view gpu) const;
};

}  // namespace forewarp::request
