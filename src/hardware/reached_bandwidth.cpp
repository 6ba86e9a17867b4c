// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/reached_bandwidth.h"

#include <utility>

#include "hardware/fill_rule.h"

namespace forewarp::hardware {
namespace {

constexpr std::string_view copies_path = "memory.mixed_share";

// What a code reached on this board stands before what follows from it by a rule.
constexpr std::pair<std::string_view, BandwidthBasis> measured[] = {
    {copies_path, BandwidthBasis::copies},
    {"memory.lattice_share", BandwidthBasis::lattice},
    {"memory.read_share", BandwidthBasis::reads}};

}  // namespace

std::string_view basis_name(BandwidthBasis basis) {
  switch (basis) {
    case BandwidthBasis::stated:
      return "--set";
    case BandwidthBasis::copies:
      return "copies";
    case BandwidthBasis::lattice:
      return "lattice";
    case BandwidthBasis::reads:
      return "reads";
    case BandwidthBasis::kind:
      break;
  }
  return "class";
}

ReachedBandwidth reached_bandwidth(const Gpu& gpu) {
  ReachedBandwidth reached{gpu.memory.theory_gbs * gpu.memory.mixed_share, BandwidthBasis::kind,
                           ""};
  const auto copies = gpu.facts.find(copies_path);
  if (copies != gpu.facts.end()) reached.source = copies->second.source;
  if (reached.source == override_source) {
    reached.basis = BandwidthBasis::stated;
    return reached;
  }
  for (const auto& [path, basis] : measured) {
    const auto fact = gpu.facts.find(path);
    if (fact == gpu.facts.end() || fact->second.file != gpu.file) continue;
    reached.basis = basis;
    reached.source = fact->second.source;
    break;
  }
  return reached;
}

}  // namespace forewarp::hardware
