// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "model/mix_model.h"

namespace forewarp::model {

/// One number of a WarpMix that may be given by hand.
struct MixInput {
  std::string_view name, unit, sentence;
  bool required = false;
};

[[nodiscard]] std::span<const MixInput> mix_inputs();

/// A model's formula on numbers given by hand, without kernel or GPU; `inputs` also takes the
/// model's options as text. Gives cycles (of an SM per warp), needed_warps and the formula's own
/// figures. Refuses unknown names and missing ones with the list.
Expected<std::vector<std::pair<std::string, double>>> evaluate_mix(
    const MixModel& model, const std::map<std::string, std::string, std::less<>>& inputs);

}  // namespace forewarp::model
