// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result/labels.h"

#include <array>
#include <string_view>
#include <utility>

namespace forewarp::result {
namespace {

constexpr std::string_view bandwidth = "bandwidth_";

constexpr std::array<std::pair<std::string_view, std::string_view>, 17> causes{
    {{"issued", "issuing"},
     {"dependence", "arithmetic latency"},
     {"memory_dram", "latency of device memory"},
     {"memory_l2", "latency of L2"},
     {"memory_l1", "latency of L1"},
     {"memory_shared", "latency of shared memory"},
     {"barrier", "barriers"},
     {"copy", "phases of copies in bulk and of barriers in shared memory"},
     {"constant", "constants beyond the first level"},
     {"fetch", "instruction fetch"},
     {"bandwidth_pipes", "waiting for units that are taken"},
     {"bandwidth_memory_queue", "waiting for the memory unit's queue"},
     {"bandwidth_registers", "waiting for register read ports"},
     {"idle", "no warp: before the first and after the last block"},
     {"unresolved", "issuing and what the model cannot take away"},
     {"launch", "launch"},
     {"tail", "tail of the last wave"}}};

}  // namespace

const Result::Bound* bound_of(const Result& result, std::string_view resource) {
  for (const Result::Bound& bound : result.bounds) {
    if (bound.resource == resource) return &bound;
  }
  return nullptr;
}

std::string resource_label(const Result& result, const std::string& resource) {
  const Result::Bound* bound = bound_of(result, resource);
  return bound == nullptr || bound->label.empty() ? resource : bound->label;
}

const Result::SourceLine* slowest_line(const Result& result) {
  const Result::SourceLine* slowest = nullptr;
  for (const Result::SourceLine& line : result.source) {
    if (line.line == 0) continue;
    if (slowest == nullptr || line.time_share > slowest->time_share) slowest = &line;
  }
  return slowest;
}

std::string place_of(const Result::SourceLine& line, const Result& result) {
  const std::string number = std::to_string(line.line);
  if (line.file == result.kernel.input) return number;
  return line.file.substr(line.file.find_last_of('/') + 1) + ':' + number;
}

std::string stall_label(const Result& result, const std::string& key) {
  constexpr std::string_view latency_of = "latency of ";
  for (const auto& [name, text] : causes) {
    if (key != name) continue;
    // A simulation sees how long data took, queues included.
    const bool simulated = result.simulation.cycles > 0 && text.starts_with(latency_of);
    return simulated ? "data from " + std::string(text.substr(latency_of.size()))
                     : std::string(text);
  }
  if (!is_bandwidth_stall(key)) return key;
  const std::string unit = key.substr(bandwidth.size());
  const bool known = bound_of(result, unit) != nullptr;
  return "waiting for " + (known ? resource_label(result, unit) : unit + " units");
}

bool is_bandwidth_stall(const std::string& key) {
  return key.starts_with(bandwidth);
}

bool is_latency_stall(const std::string& key) {
  return key == "dependence" || key == "barrier" || key.starts_with("memory_");
}

}  // namespace forewarp::result
