// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_header.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace forewarp::trace {
namespace {

using Json = nlohmann::ordered_json;

std::string on_one_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A key per line; of a list of objects, an object per line.
std::string spread(const Json& object) {
  std::string out = "{";
  const char* separator = "\n";
  for (const auto& [key, value] : object.items()) {
    out += separator + on_one_line(key) + ": ";
    separator = ",\n";
    if (!value.is_array() || value.empty() || !value.front().is_object()) {
      out += on_one_line(value);
      continue;
    }
    const char* between = "[\n  ";
    for (const Json& element : value) {
      out += between + on_one_line(element);
      between = ",\n  ";
    }
    out += "]";
  }
  return out + "\n}\n";
}

Json kernel_json(const Result::KernelFacts& kernel) {
  return {{"name", kernel.name},
          {"mangled", kernel.mangled},
          {"input", kernel.input},
          {"arch", kernel.arch},
          {"sha256", kernel.sha256},
          {"registers", kernel.registers},
          {"static_shared", kernel.static_shared},
          {"local_bytes", kernel.local_bytes}};
}

Json launch_json(const Result::LaunchFacts& launch) {
  Json arguments = Json::object();
  for (const auto& [name, value] : launch.arguments) arguments[name] = value;
  return {{"grid", launch.grid},
          {"block", launch.block},
          {"dynamic_shared", launch.dynamic_shared},
          {"args", std::move(arguments)}};
}

Json blocks_json(const TraceHeader& header) {
  Json strata = Json::array();
  for (const Stratum& stratum : header.strata) {
    strata.push_back({{"stand_for", stratum.size}, {"blocks", stratum.blocks}});
  }
  return {{"of", header.of_blocks}, {"held", header.held_blocks}, {"strata", std::move(strata)}};
}

Json totals_json(const TraceHeader& header) {
  return {{"warps", header.warps},
          {"warp_instructions", header.recorded},
          {"grid_warp_instructions", header.estimated},
          {"relative_error", header.relative_error}};
}

}  // namespace

void TraceHeader::choose(const SamplePlan& plan) {
  of_blocks = plan.size();
  held_blocks = 0;
  for (const Stratum& stratum : plan.strata) held_blocks += stratum.blocks.size();
  strata.clear();
  if (!whole_grid()) strata = plan.strata;
}

std::string to_json(const TraceHeader& header) {
  Json out = {{"schema", TraceHeader::schema},
              {"written_as", header.written_as},
              {"complete", header.complete},
              {"files", header.files},
              {"tool_version", header.tool_version},
              {"kernel", kernel_json(header.kernel)},
              {"gpu", {{"id", header.gpu.id}, {"name", header.gpu.name}, {"cc", header.gpu.cc}}},
              {"launch", launch_json(header.launch)},
              {"blocks", blocks_json(header)},
              {"totals", totals_json(header)}};
  Json& buffers = out["buffers"] = Json::array();
  for (const auto& [name, address, bytes] : header.buffers) {
    buffers.push_back({{"name", name}, {"address", address}, {"bytes", bytes}});
  }
  Json& findings = out["findings"] = Json::array();
  for (const auto& [kind, text] : header.findings) {
    findings.push_back({{"kind", kind}, {"text", text}});
  }
  Json& assumptions = out["assumptions"] = Json::array();
  for (const auto& [id, text, change_with] : header.assumptions) {
    assumptions.push_back({{"id", id}, {"text", text}, {"change_with", change_with}});
  }
  Json& code = out["instructions"] = Json::array();
  for (const auto& [address, text, instruction_class] : header.code) {
    code.push_back({{"address", address}, {"text", text}, {"class", instruction_class}});
  }
  return spread(out);
}

}  // namespace forewarp::trace
