// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <cmath>
#include <utility>

#include "base/text.h"

namespace forewarp::model {
namespace {

Expected<double> option_value(const ModelOption& option, std::string_view text,
                              std::string_view model, const Gpu* gpu) {
  const bool is_number = option.kind == "number";
  if (is_number) {
    const auto number = parse_number(text);
    if (number && std::isfinite(*number) && option.range.has(*number, gpu)) return *number;
  } else {
    double index = 0;
    for (const std::string_view word : split(option.kind, '|')) {
      if (word == text) return index;
      ++index;
    }
  }
  return Diagnostic{"option " + std::string(model) + "." + std::string(option.name),
                    "'" + std::string(text) + "' is not a value of it",
                    is_number ? option.range.text(gpu) : std::string(option.kind),
                    "'forewarp model show " + std::string(model) + "' tells what it does"};
}

}  // namespace

std::string option_text(const ModelOption& option, double value) {
  if (option.kind == "number") return significant(value, 6);
  return std::string(split(option.kind, '|')[static_cast<std::size_t>(value)]);
}

LoopCounting Model::loop_counting(const OptionValues& options) const {
  (void)options;
  return LoopCounting::strict;
}

std::shared_ptr<const SimulatedTime> Model::simulated(const ModelInput& input,
                                                      const OptionValues& options) const {
  (void)input;
  (void)options;
  return nullptr;
}

std::vector<ModelNumber> Model::numbers(const ModelInput& input, const OptionValues& options,
                                        const Prediction& prediction) const {
  (void)input;
  (void)options;
  (void)prediction;
  return {};
}

std::vector<StackPart> Model::stack(const ModelInput& input, const OptionValues& options,
                                    const Prediction& prediction) const {
  (void)input;
  (void)options;
  (void)prediction;
  return {};
}

Expected<OptionValues> Model::parse_options(
    const std::vector<std::pair<std::string, std::string>>& given, const Gpu* gpu) const {
  OptionValues values;
  for (const ModelOption& option : options()) {
    auto value = option_value(option, option.default_value, name(), gpu);
    if (!value) return std::move(value).error();
    values.push_back(*value);
  }
  for (const auto& [key, text] : given) {
    std::string_view option_name = key;
    if (const std::size_t dot = key.find('.'); dot != std::string::npos) {
      if (option_name.substr(0, dot) != name()) continue;
      option_name.remove_prefix(dot + 1);
    }
    std::size_t index = 0;
    while (index < options().size() && options()[index].name != option_name) ++index;
    if (index == options().size()) {
      if (key.find('.') == std::string::npos) continue;
      std::vector<std::string> names;
      for (const ModelOption& option : options()) names.emplace_back(option.name);
      return Diagnostic{"option " + key, "the model " + std::string(name()) + " has no such option",
                        join(names, ", "), ""};
    }
    auto value = option_value(options()[index], text, name(), gpu);
    if (!value) return std::move(value).error();
    values[index] = *value;
  }
  return values;
}

}  // namespace forewarp::model
