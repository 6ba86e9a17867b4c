// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model_parameters.h"

#include <fmt/format.h>

#include "base/text.h"
#include "hardware/database.h"
#include "model/closed_form/formula_run.h"

namespace forewarp::cli {
Expected<Gpu> load_gpu(const std::string& name) {
  const auto database = HardwareDatabase::locate();
  if (!database) return database.error();
  return database->load(name);
}

Expected<int> show_parameters(const std::string& form, const std::string& gpu,
                              const std::string& preset) {
  const auto known = find_closed_form(form);
  if (!known) return known.error();
  const auto loaded = load_gpu(gpu);
  if (!loaded) return loaded.error();
  const auto found = machine_inputs(**known, *loaded, preset);
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
