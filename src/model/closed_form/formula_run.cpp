// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/closed_form/formula_run.h"

#include <cmath>
#include <set>

#include "base/text.h"
#include "model/mix_formula.h"
#include "model/mix_model.h"

namespace forewarp::model {
namespace {

constexpr std::string_view preset_key = "preset";
using Numbers = std::map<std::string, double, std::less<>>;

std::string place_of(std::string_view form) {
  return "model calc " + std::string(form);
}

/// The preset must be one that the GPU's files have for the formula.
Expected<void> check_preset(std::string_view form, const Gpu& gpu, const std::string& preset) {
  if (preset.empty()) return {};
  const std::string own = "model." + std::string(form) + ".";
  std::set<std::string> known;
  for (const auto& [path, fact] : gpu.facts) {
    if (!path.starts_with(own)) continue;
    const std::string rest = path.substr(own.size());
    if (const std::size_t dot = rest.find('.'); dot != rest.npos) known.insert(rest.substr(0, dot));
  }
  if (known.contains(preset)) return {};
  return Diagnostic{place_of(form), "preset '" + preset + "' is not in " + gpu.file,
                    known.empty() ? "no preset: it has none for this formula"
                                  : join({known.begin(), known.end()}, ", "),
                    ""};
}

Expected<Numbers> numbers_of(std::string_view name, const FormulaTexts& inputs,
                             std::string& preset) {
  Numbers numbers;
  for (const auto& [key, text] : inputs) {
    if (key == preset_key) {
      preset = text;
      continue;
    }
    const auto value = parse_number(text);
    if (!value || !std::isfinite(*value)) {
      return Diagnostic{place_of(name), "'" + key + "=" + text + "'", "NAME=NUMBER, finite", ""};
    }
    numbers[key] = *value;
  }
  return numbers;
}

Expected<void> add_machine_inputs(std::string_view name, const Gpu* gpu, const std::string& preset,
                                  Numbers& numbers) {
  if (gpu == nullptr && preset.empty()) return {};
  if (gpu == nullptr) {
    return Diagnostic{place_of(name), "preset '" + preset + "' without a GPU",
                      "--gpu ID: its files hold the presets", ""};
  }
  const auto form = find_closed_form(name);
  if (!form) return form.error();
  const auto found = machine_inputs(**form, *gpu, preset);
  if (!found) return found.error();
  for (const FormParameter& parameter : *found) {
    if (parameter.fact != nullptr) numbers.emplace(parameter.input->name, parameter.value);
  }
  return {};
}

}  // namespace

Expected<std::vector<FormParameter>> machine_inputs(const ClosedForm& form, const Gpu& gpu,
                                                    const std::string& preset) {
  if (auto ok = check_preset(form.name, gpu, preset); !ok) return ok.error();
  return form_parameters(form, gpu, preset);
}

Expected<std::vector<std::pair<std::string, double>>> run_formula(std::string_view name,
                                                                  const FormulaTexts& inputs,
                                                                  const Gpu* gpu) {
  if (const auto model = models().find(name); model && !find_closed_form(name)) {
    const auto* mix = dynamic_cast<const MixModel*>(*model);
    if (mix != nullptr) return evaluate_mix(*mix, inputs);
  }
  std::string preset;
  auto numbers = numbers_of(name, inputs, preset);
  if (!numbers) return std::move(numbers).error();
  if (auto ok = add_machine_inputs(name, gpu, preset, *numbers); !ok) return ok.error();
  const auto values = evaluate_closed_form(name, *numbers);
  if (!values) return values.error();
  std::vector<std::pair<std::string, double>> named;
  for (const auto& [key, value] : *values) named.emplace_back(key, value);
  return named;
}

}  // namespace forewarp::model
