// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model_parameters.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "hardware/database.h"
#include "model/closed_form/closed_form.h"

namespace forewarp::cli {
namespace {

Expected<Gpu> load_gpu(const std::string& name) {
  const auto database = HardwareDatabase::locate();
  if (!database) return database.error();
  return database->load(name);
}

/// The preset must be one of those that the GPU's files hold for the formula.
Expected<void> check_preset(const std::string& form, const Gpu& gpu, const std::string& preset) {
  if (preset.empty()) return {};
  const std::string own = "model." + form + ".";
  std::set<std::string> known;
  for (const auto& [path, fact] : gpu.facts) {
    if (!path.starts_with(own)) continue;
    const std::string rest = path.substr(own.size());
    if (const std::size_t dot = rest.find('.'); dot != rest.npos) known.insert(rest.substr(0, dot));
  }
  if (known.contains(preset)) return {};
  return Diagnostic{"model calc " + form, "preset '" + preset + "' is not in " + gpu.file,
                    known.empty() ? "no preset: it has none for this formula"
                                  : join({known.begin(), known.end()}, ", "),
                    ""};
}

Expected<std::vector<FormParameter>> parameters(const ClosedForm& form, const Gpu& gpu,
                                                const std::string& preset) {
  if (auto ok = check_preset(std::string(form.name), gpu, preset); !ok) return ok.error();
  return form_parameters(form, gpu, preset);
}

}  // namespace

Expected<void> add_gpu_inputs(const std::string& form, const std::string& gpu,
                              const std::string& preset, FormInputs& inputs) {
  if (gpu.empty() && preset.empty()) return {};
  if (gpu.empty()) {
    return Diagnostic{"model calc " + form, "preset '" + preset + "' without a GPU",
                      "--gpu ID: its files hold the presets", ""};
  }
  const auto known = find_closed_form(form);
  if (!known) return known.error();
  const auto loaded = load_gpu(gpu);
  if (!loaded) return loaded.error();
  const auto found = parameters(**known, *loaded, preset);
  if (!found) return found.error();
  for (const FormParameter& parameter : *found) {
    if (parameter.fact != nullptr) inputs.emplace(parameter.input->name, parameter.value);
  }
  return {};
}

Expected<int> show_parameters(const std::string& form, const std::string& gpu,
                              const std::string& preset) {
  const auto known = find_closed_form(form);
  if (!known) return known.error();
  const auto loaded = load_gpu(gpu);
  if (!loaded) return loaded.error();
  const auto found = parameters(**known, *loaded, preset);
  if (!found) return found.error();
  std::vector<std::string> missing;
  for (const FormParameter& parameter : *found) {
    if (parameter.fact == nullptr) {
      missing.emplace_back(parameter.input->name);
      continue;
    }
    fmt::print("{:18} {:>10} {:10} {} ({})\n", parameter.input->name,
               significant(parameter.value, 6), parameter.input->unit, parameter.fact->source,
               confidence_name(parameter.fact->confidence));
  }
  if (!missing.empty()) fmt::print("not in the files of {}: {}\n", loaded->id, join(missing, ", "));
  return 0;
}

}  // namespace forewarp::cli
