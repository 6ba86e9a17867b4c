// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "result/validation.h"

namespace forewarp::result {

/// One configuration of a tuning space.
struct TunedPoint {
  std::vector<std::string> words;  ///< of the parameters, in their order
  bool refined = false;            ///< predicted once more, with a larger budget
  bool reached = false;            ///< false: the run was ended before it
  std::string error;               ///< why there is no prediction; empty: there is one
  PointRefusal refused = PointRefusal::none;
  double predicted_ms = 0, low_ms = 0, high_ms = 0;
  double expected_ms = 0;  ///< what it is ranked by: measured, else corrected, else predicted
  double unsure = 0;       ///< standard deviation of the logarithm of expected_ms
  double measured_ms = 0;  ///< 0: nobody measured it
  std::string limited_by, limit_label;  ///< the resource, and its name for people
  double warps_per_sm = 0, waves = 0;
  std::uint32_t registers = 0;

  [[nodiscard]] bool predicted() const { return reached && error.empty() && predicted_ms > 0; }
};

/// What measured configurations did to the times of the others.
struct TuningCorrection {
  enum class Kind : std::uint8_t { none, factor, residual };
  Kind kind = Kind::none;
  std::size_t measured = 0;   ///< configurations of the space that were measured
  std::size_t elsewhere = 0;  ///< rows of the file that are none of the space's
  std::size_t failed = 0;     ///< rows of the file without a time
  double factor = 1;          ///< measured over predicted, geometric mean
  double error_before = 0;  ///< of a measured one by its prediction: root mean square of logarithms
  double error_after = 0;   ///< the same of each, corrected by the others alone
};

/// Configurations that fail for the same reason, numbers aside.
struct RefusedGroup {
  PointRefusal refused = PointRefusal::none;
  std::string reason;  ///< of the first
  std::size_t count = 0;
};

struct Tuning {
  std::string title, kernel, gpu, gpu_name;
  std::string tool_version, options;
  std::vector<std::string> parameters;
  std::vector<std::vector<std::string>> values;  ///< of each parameter
  std::vector<std::string> problem_size;         ///< empty: not known
  double whole = 0;                              ///< configurations without restrictions
  std::vector<TunedPoint> points;                ///< in the order of the space
  std::vector<std::size_t> ranking;              ///< of the predicted ones, best first
  std::vector<std::size_t> next;                 ///< to be measured next, most worth first
  std::vector<RefusedGroup> refusals;            ///< most first
  std::size_t not_reached = 0;
  TuningCorrection correction;
  std::vector<std::string> notes;
};

}  // namespace forewarp::result
