// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "characterise/estimators/estimator.h"
#include "characterise/numbers/number_list.h"
#include "characterise/samples/device.h"
#include "characterise/samples/samples_file.h"
#include "hardware/gpu.h"

namespace forewarp::characterise {

/// Whether a number is none of a GPU file: that of a link to the host (for data/links), or a figure
/// that a model asks for. Such numbers are reported, and are comments in the file.
[[nodiscard]] bool is_beside_gpu(std::string_view path);

/// A fact of the file that is made.
struct FoundFact {
  std::string path;
  Fact fact;
  std::optional<double> deviation;  ///< one standard deviation, in its unit
  std::string how;                  ///< estimator; empty: told by the driver or taken over
  std::vector<std::string> tests;
  std::vector<EstimatePoint> points;
};

/// A number that the samples do not say.
struct FactGap {
  std::string path;
  std::string reason;
  std::string filled;  ///< what a prediction takes instead, and whose it is; empty: nothing
};

/// What the samples of one run say of the device.
struct Characterisation {
  MeasuredDevice device;
  std::string name, like;
  std::vector<FoundFact> facts;  ///< ascending by path
  std::vector<FactGap> gaps;
  std::vector<std::string> notes;

  [[nodiscard]] const FoundFact* fact(std::string_view path) const;
};

/// Estimates every number of the list. What the driver told is taken as it is; what a GPU file
/// needs and neither says is that of `like`, as an assumption. A number that cannot be estimated is
/// a gap with its reason. Fails for an unknown estimator.
Expected<Characterisation> characterise_samples(const MeasuredDevice& device,
                                                const SampleTable& samples,
                                                const NumberList& numbers, const Gpu& like,
                                                std::string_view name);

}  // namespace forewarp::characterise
