// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/mix_formula.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/text.h"

namespace forewarp::model {
namespace {

using Texts = std::map<std::string, std::string, std::less<>>;

enum class Range : std::uint8_t { not_negative, positive };

struct Setter {
  MixInput input;
  double WarpMix::*member;
  Range range = Range::not_negative;
};

constexpr std::array<Setter, 14> setters{{
    {{"warps", "warps/SM", "resident", true}, &WarpMix::warps, Range::positive},
    {{"compute", "instructions", "of a warp that do not access memory", true}, &WarpMix::compute},
    {{"memory", "instructions", "accesses of a warp to global memory", true}, &WarpMix::memory},
    {{"compute_latency", "cycles", "of one instruction", true},
     &WarpMix::instruction_latency,
     Range::positive},
    {{"memory_latency", "cycles", "of one access", true}, &WarpMix::access_latency},
    {{"instruction_cycles", "cycles", "one instruction takes the SM; default 1", false},
     &WarpMix::instruction_cycles,
     Range::positive},
    {{"issue_units", "1/cycle", "instructions that the SM issues; default 1", false},
     &WarpMix::issue_units,
     Range::positive},
    {{"transactions", "1", "of all accesses; default one each", false}, &WarpMix::transactions},
    {{"sustained_cycles", "cycles", "one access takes the SM's share of bandwidth", false},
     &WarpMix::sustained_cycles},
    {{"pin_cycles", "cycles", "the same on paper; default: as sustained", false},
     &WarpMix::pin_cycles},
    {{"sms", "1", "SMs of the GPU; default 1", false}, &WarpMix::sms, Range::positive},
    {{"gbs_per_rate", "GB/s", "traffic at one warp per cycle and SM", false},
     &WarpMix::gbs_per_rate},
    {{"special", "instructions", "special functions among compute", false}, &WarpMix::special},
    {{"shared", "instructions", "shared-memory accesses among compute", false}, &WarpMix::shared},
}};

/// Contention a, b, c are members of a member.
constexpr std::array<MixInput, 3> contention_inputs{{
    {"a", "cycles", "contention: latency of an access without load", false},
    {"b", "cycles", "contention: growth", false},
    {"c", "GB/s", "contention: pole", false},
}};

const std::vector<MixInput>& inputs_list() {
  static const std::vector<MixInput> list = [] {
    std::vector<MixInput> all;
    for (const Setter& setter : setters) all.push_back(setter.input);
    all.insert(all.end(), contention_inputs.begin(), contention_inputs.end());
    return all;
  }();
  return list;
}

std::string known_names(const MixModel& model) {
  std::vector<std::string> names;
  for (const MixInput& input : inputs_list()) {
    names.push_back(std::string(input.name) + (input.required ? "" : " (optional)"));
  }
  for (const ModelOption& option : model.options()) names.emplace_back(option.name);
  return join(names, ", ");
}

struct Target {
  double* number = nullptr;
  Range range = Range::not_negative;
};

Target target_of(WarpMix& mix, std::string_view name) {
  for (const Setter& setter : setters) {
    if (setter.input.name == name) return {&(mix.*(setter.member)), setter.range};
  }
  if (name == "a") return {&mix.contention.unloaded};
  if (name == "b") return {&mix.contention.growth};
  if (name == "c") return {&mix.contention.pole, Range::positive};
  return {};
}

Expected<void> put(const Target& target, const std::string& place, const std::string& name,
                   const std::string& text) {
  const auto number = parse_number(text);
  const std::string found = "'" + name + "=" + text + "'";
  if (!number || !std::isfinite(*number)) {
    return Diagnostic{place, found, "NAME=NUMBER, finite", ""};
  }
  if (target.range == Range::positive && *number <= 0) {
    return Diagnostic{place, found, "a number above 0", ""};
  }
  if (*number < 0) return Diagnostic{place, found, "a number not below 0", ""};
  *target.number = *number;
  return {};
}

/// Fills in numbers that were not given: waits are those of dependent code, units have no limit
/// beyond the work asked of them.
void complete(WarpMix& mix, const Texts& given) {
  const auto has = [&](std::string_view name) { return given.find(name) != given.end(); };
  if (!has("instruction_cycles")) mix.instruction_cycles = 1;
  if (!has("sms")) mix.sms = 1;
  mix.active_sms = mix.sms;
  if (!has("transactions")) mix.transactions = mix.memory;
  if (!has("pin_cycles")) mix.pin_cycles = mix.sustained_cycles;
  mix.sustained_cycles *= mix.memory;
  mix.pin_cycles *= mix.memory;
  mix.reached_cycles = mix.sustained_cycles;
  mix.compute_wait = mix.compute * mix.instruction_latency;
  mix.memory_wait = mix.memory * mix.access_latency;
  mix.rounds = mix.memory;
  mix.issue_slot = 1 / mix.issue_units;
  mix.pipe_cycles = mix.compute * mix.instruction_cycles;
  mix.issue_cycles = mix.instructions() * mix.issue_slot;
  if (!has("a")) mix.contention = {};
  mix.contention4 = mix.contention;
}

}  // namespace

std::span<const MixInput> mix_inputs() {
  return inputs_list();
}

Expected<std::vector<std::pair<std::string, double>>> evaluate_mix(const MixModel& model,
                                                                   const Texts& inputs) {
  const std::string place = "model calc " + std::string(model.name());
  WarpMix mix;
  std::vector<std::pair<std::string, std::string>> options;
  for (const auto& [name, text] : inputs) {
    const Target target = target_of(mix, name);
    if (target.number == nullptr) {
      const bool known =
          std::any_of(model.options().begin(), model.options().end(),
                      [&, &n = name](const ModelOption& option) { return option.name == n; });
      if (!known) return Diagnostic{place, "has no input '" + name + "'", known_names(model), ""};
      options.emplace_back(name, text);
      continue;
    }
    if (auto done = put(target, place, name, text); !done) return done.error();
  }
  for (const MixInput& input : inputs_list()) {
    if (!input.required || inputs.find(input.name) != inputs.end()) continue;
    return Diagnostic{place, "input '" + std::string(input.name) + "' is missing",
                      known_names(model), ""};
  }
  auto values = model.parse_options(options);
  if (!values) return std::move(values).error();
  if (const std::string_view choice = model.beyond_mix(*values); !choice.empty()) {
    return Diagnostic{place, "'" + std::string(choice) + "' has terms of a kernel and a GPU",
                      "a choice that the numbers given determine",
                      "`forewarp predict --model " + std::string(model.name()) + " --option " +
                          std::string(model.name()) + "." + std::string(choice) + "`"};
  }
  if (mix.instructions() <= 0) {
    return Diagnostic{place, "'compute' and 'memory' are both 0", "instructions of a warp", ""};
  }
  complete(mix, inputs);
  return model.formula(mix, *values);
}

}  // namespace forewarp::model
