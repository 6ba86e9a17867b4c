// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "characterise/findings/characterisation.h"

namespace forewarp::characterise {

/// A hardware parameter of the MWP-CWP models.
struct ModelParameter {
  std::string name, unit;
  double value = 0;
  std::optional<double> deviation;
  std::string fact, source, confidence, note;
};

/// The seven of Sánchez 2017, Table 3: instruction latencies (one for each class: their mean
/// depends on the application), clock, warp size, SIMD width, hit latencies of L1 and L2, latency
/// and bandwidth of device memory; then what these models need and no test says.
struct MwpParameters {
  std::vector<ModelParameter> known;
  std::vector<FactGap> missing;
};
[[nodiscard]] MwpParameters mwp_parameters(const Characterisation& found, const Gpu& like);

/// As TOML: [NAME] with value, unit, deviation, source, confidence, note; [missing] NAME = why.
[[nodiscard]] std::string mwp_text(const MwpParameters& parameters, const Characterisation& found);

}  // namespace forewarp::characterise
