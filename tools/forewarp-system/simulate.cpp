// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "simulate.h"

#include <cstdio>
#include <string>

#include "base/file.h"
#include "base/text.h"
#include "forewarp/prediction_options.h"
#include "system/outcome/outcome_json.h"
#include "system/outcome/outcome_text.h"
#include "system/outcome/timeline_files.h"
#include "system/run/child.h"
#include "system/run/interval.h"
#include "trace_script.h"

namespace forewarp::cli {
namespace {

Expected<SimulationOptions> order_of(const SimulateAsked& asked) {
  SimulationOptions order;
  order.system = asked.system;
  order.application = asked.application;
  order.changes = asked.change;
  order.timeline = !asked.trace.empty();
  order.check_only = asked.check;
  order.beyond_memory = asked.beyond_memory;
  if (asked.instructions > 0) order.most_instructions = asked.instructions;
  if (asked.calls > 0) order.most_calls = asked.calls;
  for (const std::string& text : asked.set) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0) {
      return Diagnostic{"--set " + text, "has no name and value", "NAME=VALUE", ""};
    }
    order.set[text.substr(0, sign)] = text.substr(sign + 1);
  }
  for (const std::string& text : asked.processes) {
    const std::size_t sign = text.find('=');
    const auto count = sign == std::string::npos
                           ? std::nullopt
                           : parse_natural(std::string_view(text).substr(sign + 1));
    if (!count || *count == 0 || sign == 0) {
      return Diagnostic{"--processes " + text, "has no label and count", "LABEL=N, N from 1 on",
                        ""};
    }
    order.processes[text.substr(0, sign)] = *count;
  }
  return order;
}

/// A trace becomes the script that replays it.
Expected<void> import_trace(const SimulateAsked& asked, SimulationOptions& order) {
  if (!is_trace(asked.application)) {
    for (const auto& [option, value] :
         {std::pair("--kernels", &asked.kernels), {"--lua", &asked.lua}}) {
      if (value->empty()) continue;
      return Diagnostic{option, "belongs to a trace", "a .sqlite, .csv or .json file", ""};
    }
    return {};
  }
  const auto trace = read_device_trace(asked.application);
  if (!trace) return trace.error();
  KernelCases cases;
  if (!asked.kernels.empty()) {
    auto read = read_kernel_cases(asked.kernels);
    if (!read) return read.error();
    cases = *std::move(read);
  }
  order.script = trace_script(*trace, cases);
  return asked.lua.empty() ? Expected<void>() : write_file(asked.lua, order.script);
}

Expected<int> simulate_once(const SimulateAsked& asked, const SimulationOptions& order) {
  const auto outcome = asked.no_interval ? simulate(order) : simulate_with_interval(order);
  if (!outcome) return outcome.error();
  for (const std::string& line : outcome->said) std::fprintf(stderr, "%s\n", line.c_str());
  if (outcome->error) return *outcome->error;
  if (asked.check) return 0;
  if (!asked.trace.empty()) {
    const std::string text = timeline_text(*outcome, asked.trace);
    if (auto written = write_file(asked.trace, text); !written) return written.error();
  }
  if (asked.format != "" && asked.format != "text" && asked.format != "json") {
    return Diagnostic{"--format " + asked.format, "is that of a suite", "text, json", ""};
  }
  const std::string text =
      asked.format == "json" ? to_json(*outcome, false) + "\n" : outcome_text(*outcome);
  if (auto written = deliver(text, asked.output); !written) return written.error();
  return 0;
}

}  // namespace

Expected<int> simulate_asked(const SimulateAsked& asked) {
  auto order = order_of(asked);
  if (!order) return order.error();
  if (auto imported = import_trace(asked, *order); !imported) return imported.error();
  return simulate_once(asked, *order);
}

}  // namespace forewarp::cli
