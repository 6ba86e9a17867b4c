// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu_show.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "hardware/schema.h"

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int digits = 6;

std::string value_of(const Fact& fact) {
  if (!fact.text.empty()) return fact.text;
  if (fact.values.empty()) return significant(fact.value, digits);
  std::vector<std::string> parts;
  for (const double value : fact.values) parts.push_back(significant(value, digits));
  return join(parts, " ");
}

std::string unit_of(const Fact& fact) {
  return fact.text.empty() && fact.unit != "1" ? " " + fact.unit : "";
}

void add_facts(std::string& out, const Gpu& gpu) {
  std::string group;
  for (const auto& [path, fact] : gpu.facts) {
    const std::size_t dot = path.find('.');
    if (dot == std::string::npos || path.starts_with("class.")) continue;
    if (path.substr(0, dot) != group) {
      group = path.substr(0, dot);
      out += "\n" + group + "\n";
    }
    add_fact(out, path.substr(dot + 1), fact);
  }
}

void add_classes(std::string& out, const Gpu& gpu) {
  out += fmt::format("\nclass\n  {:<24} {:<10} {:>8} {:>8}\n", "", "pipe", "cycles", "latency");
  for (const auto& [name, timing] : gpu.classes) {
    std::string also = timing.variable ? " variable" : "";
    for (const auto& [pipe, cycles] : timing.also) {
      also += fmt::format(" and {} {}", pipe, significant(cycles));
    }
    out += fmt::format("  {:<24} {:<10} {:>8} {:>8}{}\n", name, timing.pipe,
                       significant(timing.cycles), significant(timing.latency), also);
  }
}

Json fact_as_json(const Fact& fact) {
  Json json;
  if (!fact.text.empty()) {
    json["value"] = fact.text;
    return json;
  }
  if (fact.values.empty()) {
    json["value"] = fact.value;
  } else {
    json["value"] = fact.values;
  }
  json["unit"] = fact.unit;
  json["source"] = fact.source;
  json["confidence"] = confidence_name(fact.confidence);
  if (!fact.note.empty()) json["note"] = fact.note;
  json["file"] = fact.file;
  for (const auto& [value, source] : fact.alternatives) {
    json["alternatives"].push_back({{"value", value}, {"source", source}});
  }
  return json;
}

}  // namespace

void add_fact(std::string& out, std::string_view name, const Fact& fact) {
  const bool word = !fact.text.empty();
  out += fmt::format("  {:<28} {:<22} {:<11} {}\n", name, value_of(fact) + unit_of(fact),
                     word ? "" : confidence_name(fact.confidence), fact.source);
  constexpr int column = 31;
  if (!fact.note.empty()) out += fmt::format("{:{}}note: {}\n", "", column, fact.note);
  for (const auto& [value, source] : fact.alternatives) {
    out += fmt::format("{:{}}not used: {} {}\n", "", column,
                       significant(value, digits) + unit_of(fact), source);
  }
}

std::string fact_as_json_text(const Fact& fact) {
  return fact_as_json(fact).dump();
}

std::vector<DerivedFigure> derived_figures(const Gpu& gpu) {
  const double ghz = gpu.clock_sustained_mhz / 1e3;
  const double theory = gpu.memory.theory_gbs;
  const double latency_ns =
      gpu.memory.latency_mhz > 0 ? gpu.memory.latency / gpu.memory.latency_mhz * 1e3 : 0;
  return {
      {"memory_bytes_per_cycle_sm", "B/cycle/SM", "theory / (SMs x sustained clock), eq. 4.7",
       memory_bytes_per_cycle(gpu)},
      {"memory_read_gbs", "GB/s", "theory x reached share of reads",
       theory * gpu.memory.read_share},
      {"memory_write_gbs", "GB/s", "theory x reached share of writes",
       theory * gpu.memory.write_share},
      {"memory_mixed_gbs", "GB/s", "theory x reached share of both",
       theory * gpu.memory.mixed_share},
      {"memory_latency_ns", "ns", "latency over the clock it was measured at", latency_ns},
      {"bytes_in_flight", "bytes", "theory x latency (Little)", theory * latency_ns},
      {"fp32_tflops", "TFLOPS", "2 x lanes x SMs x sustained clock",
       2e-3 * gpu.core_lanes * gpu.sms * ghz},
      {"issue_per_sm", "1/cycle", "schedulers / issue interval",
       gpu.schedulers / gpu.issue_interval},
      {"threads", "threads", "resident on the whole GPU",
       static_cast<double>(gpu.sms) * gpu.limits.warps_per_sm * gpu.limits.warp_lanes},
  };
}

std::string gpu_as_text(const Gpu& gpu) {
  const std::string set = gpu.parameter_set.empty() ? "" : "@" + gpu.parameter_set;
  std::string out = fmt::format("{} ({}{}), {}, compute capability {}, {} SMs\n{}\n", gpu.name,
                                gpu.id, set, gpu.chip, gpu.cc.text(), gpu.sms, gpu.file);
  out += "\nderived\n";
  for (const DerivedFigure& figure : derived_figures(gpu)) {
    out += fmt::format("  {:<28} {:<34} {}\n", figure.name,
                       significant(figure.value, digits) + " " + figure.unit, figure.formula);
  }
  add_facts(out, gpu);
  add_classes(out, gpu);
  return out;
}

std::string gpu_as_json(const Gpu& gpu) {
  Json json = {{"schema", "forewarp.gpu/1"}, {"id", gpu.id},
               {"name", gpu.name},           {"chip", gpu.chip},
               {"cc", gpu.cc.text()},        {"isa", gpu.isa},
               {"file", gpu.file},           {"set", gpu.parameter_set}};
  for (const DerivedFigure& figure : derived_figures(gpu)) {
    json["derived"][figure.name] = {
        {"value", figure.value}, {"unit", figure.unit}, {"formula", figure.formula}};
  }
  for (const auto& [path, fact] : gpu.facts) json["facts"][path] = fact_as_json(fact);
  return json.dump(2) + "\n";
}

}  // namespace forewarp::cli
