// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "hardware/gpu.h"
#include "model/model.h"

namespace forewarp::model {

/// The models to run. Without `automatic` the first of them gives the time.
struct ModelChoice {
  std::vector<const Model*> models;
  bool automatic = false;  ///< model/automatic/automatic_rule.h decides
  bool every = false;      ///< all are shown; else those that auto prefers
  std::size_t named = 0;   ///< how many, from the first, were asked for by name
};

/// Number of models that auto shows besides the one that it takes.
inline constexpr std::size_t models_beside = 3;

/// `names`: model names, "all" or "auto"; empty: auto. `with_simulations`: auto may also take a
/// model that simulates. Refuses unknown names.
Expected<ModelChoice> choose_models(const std::vector<std::string>& names,
                                    bool with_simulations = false);

/// Refuses a model option that none of the chosen models would read: "MODEL.NAME" of an unknown or
/// other model, or a bare "NAME" that none of them has. Values are not checked here: the model
/// itself refuses them.
Expected<void> check_model_options(const ModelChoice& choice,
                                   const std::vector<std::pair<std::string, std::string>>& given);

/// The rule set a model wants on this GPU: its own, that of the parameter set, or the default.
[[nodiscard]] const LatencyRules* rules_for(const Model& model, const Gpu& gpu);

}  // namespace forewarp::model
