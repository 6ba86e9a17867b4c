// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "command.h"
#include "model/closed_form/form_list.h"
#include "model/closed_form/formula_run.h"
#include "model/mix_formula.h"
#include "model/mix_model.h"
#include "model/model.h"
#include "model_parameters.h"

namespace forewarp::cli {
namespace {

Expected<int> list_models() {
  for (const auto& model : models().entries()) {
    fmt::print("{:21} {}\n", model->name(), model->sentence());
  }
  fmt::print("{:21} {}\n", "auto", "chooses among them by facts of the kernel (the default)");
  return 0;
}

Expected<int> show_model(const std::string& name) {
  const auto model = models().find(name);
  if (!model) return model.error();
  fmt::print("{}: {}\n  {}\n", (*model)->name(), (*model)->sentence(), (*model)->reference());
  fmt::print("  accounts for {}\n", fmt::join((*model)->accounts_for().names(), ", "));
  if ((*model)->options().empty()) return 0;
  fmt::print("\noptions, as --option {}.NAME=VALUE\n", (*model)->name());
  for (const ModelOption& option : (*model)->options()) {
    fmt::print("  {:12} {:24} default {:10} {}\n", option.name, option.kind, option.default_value,
               option.sentence);
    if (option.kind == "number") fmt::print("  {:12} {}\n", "", option.range.text());
  }
  return 0;
}

Expected<int> list_formulas() {
  for (const ClosedForm& form : closed_forms()) {
    fmt::print("{}: {} ({})\n", form.name, form.sentence, form.reference);
    for (const FormulaInput& input : form.inputs) {
      fmt::print("  {:20} {:10} {}{}\n", input.name, input.unit, input.sentence,
                 input.required ? "" : " (optional)");
    }
  }
  fmt::print("A model of the literature (forewarp model list) by name: its formula on a mix\n");
  for (const MixInput& input : mix_inputs()) {
    fmt::print("  {:20} {:12} {}{}\n", input.name, input.unit, input.sentence,
               input.required ? "" : " (optional)");
  }
  return 0;
}

Expected<int> calculate(const std::string& name, const std::vector<std::string>& assignments,
                        const std::string& gpu) {
  FormulaTexts inputs;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) {
      return Diagnostic{"model calc", "'" + assignment + "'", "NAME=NUMBER", ""};
    }
    inputs[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  std::optional<Gpu> machine;
  if (!gpu.empty()) {
    auto loaded = load_gpu(gpu);
    if (!loaded) return std::move(loaded).error();
    machine = std::move(*loaded);
  }
  const auto results = run_formula(name, inputs, machine ? &*machine : nullptr);
  if (!results) return results.error();
  for (const auto& [key, value] : *results) fmt::print("{} {:.12g}\n", key, value);
  return 0;
}

}  // namespace

Command model_command() {
  auto name = std::make_shared<std::string>();
  auto inputs = std::make_shared<std::vector<std::string>>();
  auto gpu = std::make_shared<std::string>();
  auto preset = std::make_shared<std::string>();
  Command list{"list", "names and sentences"};
  list.action = [] { return list_models(); };
  Command show{"show", "one model: reference and options"};
  show.flags = {{.names = "NAME", .target = name.get(), .help = "the model", .required = true}};
  show.action = [name] { return show_model(*name); };
  Command calc{"calc", "a closed formula on given numbers"};
  calc.flags = {
      {"FORMULA", name.get(), "the formula; without it, the list"},
      {"INPUTS", inputs.get(), "NAME=NUMBER .., preset=NAME"},
      {"--gpu", gpu.get(), "inputs of the machine that are not given come from its files"}};
  calc.action = [name, inputs, gpu] {
    return name->empty() ? list_formulas() : calculate(*name, *inputs, *gpu);
  };
  Command parameters{"parameters", "what a GPU's files give a formula, and what they lack"};
  parameters.flags = {
      {.names = "FORMULA", .target = name.get(), .help = "the formula", .required = true},
      {.names = "--gpu", .target = gpu.get(), .help = "the GPU", .required = true},
      {"--preset", preset.get(), "a set of the model's own constants"}};
  parameters.action = [name, gpu, preset] { return show_parameters(*name, *gpu, *preset); };
  Command command{"model", "the models: list, show, calc"};
  command.commands = {list, show, calc, parameters};
  return command;
}

}  // namespace forewarp::cli
