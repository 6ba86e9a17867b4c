// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/files/mwp_parameters.h"

#include <array>

#include "base/text.h"
#include "base/toml_text.h"

namespace forewarp::characterise {
namespace {

struct Wanted {
  std::string_view name, fact;
};
constexpr std::array<Wanted, 8> wanted{{
    {"core_frequency", "clock.sustained_mhz"},
    {"warp_size", "limits.warp_lanes"},
    {"simd_width", "core.lanes"},
    {"hit_latency_l1", "l1.latency_cycles"},
    {"hit_latency_l2", "l2.latency_cycles"},
    {"dram_latency", "memory.latency_cycles"},
    {"departure_delay_coalesced", "figure.departure_delay_coalesced"},
    {"departure_delay_uncoalesced", "figure.departure_delay_uncoalesced"},
}};

struct Missing {
  std::string_view name, reason;
};
constexpr std::array<Missing, 4> missing{{
    {"avg_inst_lat", "depends on the application: the mean of its instructions' latencies"},
    {"transaction_size", "a constant of the model: the bytes of one request"},
    {"issue_cycles", "of a warp instruction: a constant of the generation"},
    {"synchronisation_gamma", "a constant of the model, fitted by its authors"},
}};

std::optional<ModelParameter> parameter_of(std::string_view name, std::string_view path,
                                           const Characterisation& found, const Gpu& like) {
  ModelParameter made;
  made.name = name;
  made.fact = path;
  if (const FoundFact* own = found.fact(path)) {
    made.unit = own->fact.unit;
    made.value = own->fact.value;
    made.deviation = own->deviation;
    made.source = own->fact.source;
    made.confidence = confidence_name(own->fact.confidence);
    made.note = own->fact.note;
    return made;
  }
  const auto other = like.facts.find(path);
  if (other == like.facts.end() || !other->second.text.empty()) return {};
  made.unit = other->second.unit;
  made.value = other->second.value;
  made.source = "as " + like.id + ": " + other->second.source;
  made.confidence = confidence_name(Confidence::assumed);
  return made;
}

/// The reached bandwidth: the share that reads reach of what clock, width and rate make.
std::optional<ModelParameter> bandwidth(const Characterisation& found, const Gpu& like) {
  double product = 1e-3 / 8;  // GB/s of MHz and bits
  for (const std::string_view path :
       {"memory.clock_mhz", "memory.bus_bits", "memory.data_rate", "memory.read_share"}) {
    const auto part = parameter_of("", path, found, like);
    if (!part) return {};
    product *= part->value;
  }
  auto made = parameter_of("memory_peak_bandwidth", "memory.read_share", found, like);
  if (!made) return {};
  if (made->deviation) *made->deviation *= product / made->value;
  made->value = product;
  made->unit = "GB/s";
  return made;
}

}  // namespace

MwpParameters mwp_parameters(const Characterisation& found, const Gpu& like) {
  MwpParameters made;
  for (const FoundFact& fact : found.facts) {
    if (!fact.path.starts_with("class.") || !fact.path.ends_with(".latency")) continue;
    std::string name = "instruction_latency_";
    name += std::string_view(fact.path).substr(6, fact.path.size() - 14);
    if (auto one = parameter_of(name, fact.path, found, like)) made.known.push_back(*one);
  }
  for (const Wanted& one : wanted) {
    if (auto known = parameter_of(one.name, one.fact, found, like)) {
      made.known.push_back(*std::move(known));
    } else {
      made.missing.push_back({std::string(one.name), "neither measured nor known", ""});
    }
  }
  if (auto known = bandwidth(found, like)) made.known.push_back(*std::move(known));
  for (const Missing& one : missing) {
    made.missing.push_back({std::string(one.name), std::string(one.reason), ""});
  }
  return made;
}

std::string mwp_text(const MwpParameters& parameters, const Characterisation& found) {
  constexpr int digits = 7;
  std::string out = "# SPDX-License-Identifier: Apache-2.0\n";
  out += "# Hardware parameters of the MWP-CWP models: one deviation, valid where the note says.\n";
  out += "device = " + toml_readable(found.name) + "\n";
  for (const ModelParameter& one : parameters.known) {
    out += "\n[" + one.name + "]\nvalue = " + significant(one.value, digits) +
           "\nunit = " + toml_readable(one.unit) + "\n";
    if (one.deviation) out += "deviation = " + significant(*one.deviation) + "\n";
    out += "fact = " + toml_readable(one.fact) + "\nsource = " + toml_readable(one.source) +
           "\nconfidence = " + toml_readable(one.confidence) + "\n";
    if (!one.note.empty()) out += "note = " + toml_readable(one.note) + "\n";
  }
  out += "\n[missing]\n";
  for (const FactGap& gap : parameters.missing)
    out += gap.path + " = " + toml_readable(gap.reason) + "\n";
  return out;
}

}  // namespace forewarp::characterise
