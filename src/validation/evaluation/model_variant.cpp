// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/evaluation/model_variant.h"

#include <utility>

#include "base/text.h"

namespace forewarp::validation {

Expected<ModelVariant> parse_variant(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  auto model = models().find(parts.front());
  if (!model) {
    Diagnostic failure = model.error();
    failure.place = "--model";
    return failure;
  }
  std::vector<std::pair<std::string, std::string>> given;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string_view::npos) {
      return Diagnostic{"--model " + std::string(text), "'" + std::string(parts[i]) + "'",
                        "NAME:OPTION=VALUE:..", "'forewarp model show' lists the options"};
    }
    given.emplace_back(std::string(parts.front()) + "." + std::string(parts[i].substr(0, equals)),
                       parts[i].substr(equals + 1));
  }
  auto options = (*model)->parse_options(given);
  if (!options) return std::move(options).error();
  return ModelVariant{std::string(text), *model, std::move(*options)};
}

Expected<std::vector<ModelVariant>> parse_variants(const std::vector<std::string>& texts) {
  std::vector<ModelVariant> variants;
  for (const std::string& text : texts) {
    if (text == "all") {
      for (const auto& model : models().entries()) {
        auto variant = parse_variant(model->name());
        if (!variant) return std::move(variant).error();
        variants.push_back(std::move(*variant));
      }
      continue;
    }
    auto variant = parse_variant(text);
    if (!variant) return std::move(variant).error();
    variants.push_back(std::move(*variant));
  }
  return variants;
}

}  // namespace forewarp::validation
