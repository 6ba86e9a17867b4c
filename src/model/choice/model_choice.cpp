// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/choice/model_choice.h"

#include <algorithm>

#include "base/text.h"

namespace forewarp::model {
namespace {

void add_once(std::vector<const Model*>& list, const Model* model) {
  if (std::find(list.begin(), list.end(), model) == list.end()) list.push_back(model);
}

std::string names_of(const std::vector<const Model*>& list) {
  std::vector<std::string> names;
  for (const Model* model : list) names.emplace_back(model->name());
  return join(names, ", ");
}

/// The name before the dot must be a model that was asked for.
Expected<void> check_owner(const ModelChoice& choice, const std::string& key,
                           std::string_view owner) {
  if (const auto known = models().find(owner); !known) {
    Diagnostic failure = known.error();
    failure.place = "option " + key;
    return failure;
  }
  for (const Model* model : choice.models) {
    if (model->name() == owner) return {};
  }
  return Diagnostic{"option " + key, "the model " + std::string(owner) + " is not asked for",
                    "an option of " + names_of(choice.models), "name the model with --model"};
}

/// A name without a model must be an option of a model that was asked for.
Expected<void> check_bare_name(const ModelChoice& choice, const std::string& key) {
  std::vector<std::string> known;
  for (const Model* model : choice.models) {
    for (const ModelOption& option : model->options()) {
      if (option.name == key) return {};
      known.push_back(std::string(model->name()) + "." + std::string(option.name));
    }
  }
  return Diagnostic{"option " + key, "no such option of " + names_of(choice.models),
                    join(known, ", "), "'forewarp model show' tells what they do"};
}

}  // namespace

Expected<ModelChoice> choose_models(const std::vector<std::string>& names, bool with_simulations) {
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
  choice.named = choice.models.size();
  choice.every = all;
  choice.automatic = automatic || (all && choice.models.empty());
  if (automatic || all) {
    for (const auto& model : models().entries()) {
      if (all || with_simulations || !model->simulates()) add_once(choice.models, model.get());
    }
  }
  return choice;
}

Expected<void> check_model_options(const ModelChoice& choice,
                                   const std::vector<std::pair<std::string, std::string>>& given) {
  for (const auto& [key, text] : given) {
    const std::size_t dot = key.find('.');
    const auto checked = dot == std::string::npos
                             ? check_bare_name(choice, key)
                             : check_owner(choice, key, std::string_view(key).substr(0, dot));
    if (!checked) return checked;
  }
  return {};
}

const LatencyRules* rules_for(const Model& model, const Gpu& gpu) {
  if (!model.latency_rules().empty()) {
    if (const LatencyRules* own = gpu.rules_named(model.latency_rules())) return own;
  } else if (!gpu.parameter_set.empty()) {
    if (const LatencyRules* set = gpu.rules_named(gpu.parameter_set)) return set;
  }
  return gpu.rules_named("default");
}

}  // namespace forewarp::model
