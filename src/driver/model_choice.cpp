// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/model_choice.h"

#include <algorithm>

namespace forewarp {
namespace {

constexpr std::string_view general_model = "volkov";

void add_once(std::vector<const Model*>& list, const Model* model) {
  if (std::find(list.begin(), list.end(), model) == list.end()) list.push_back(model);
}

}  // namespace

Expected<ModelChoice> choose_models(const std::vector<std::string>& names) {
  ModelChoice choice;
  bool automatic = names.empty();
  bool all = false;
  for (const std::string& name : names) {
    if (name == "auto") {
      automatic = true;
    } else if (name == "all") {
      all = true;
    } else {
      auto model = models().find(name);
      if (!model) {
        Diagnostic failure = model.error();
        failure.place = "--model";
        failure.expected += ", all or auto";
        return failure;
      }
      add_once(choice.models, *model);
    }
  }
  if (automatic || (all && choice.models.empty())) {
    const auto general = models().find(general_model);
    std::erase(choice.models, *general);
    choice.models.insert(choice.models.begin(), *general);
    choice.because =
        "it accounts for waves, memory contention, caches' rates and launch cost, the others do "
        "not";
  } else {
    choice.because = "it was asked for";
  }
  if (automatic || all) {
    for (const auto& model : models().entries()) add_once(choice.models, model.get());
  }
  return choice;
}

const LatencyRules* rules_for(const Model& model, const Gpu& gpu) {
  if (!model.latency_rules().empty()) {
    if (const LatencyRules* own = gpu.rules_named(model.latency_rules())) return own;
  } else if (!gpu.parameter_set.empty()) {
    if (const LatencyRules* set = gpu.rules_named(gpu.parameter_set)) return set;
  }
  return gpu.rules_named("default");
}

}  // namespace forewarp
