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
#include "system/run/child.h"

namespace forewarp::cli {
namespace {

Expected<SimulationOrder> order_of(const SimulateAsked& asked) {
  SimulationOrder order;
  order.system = asked.system;
  order.application = asked.application;
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

Expected<int> simulate_once(const SimulateAsked& asked, const SimulationOrder& order) {
  const auto outcome = simulate(order);
  if (!outcome) return outcome.error();
  for (const std::string& line : outcome->said) std::fprintf(stderr, "%s\n", line.c_str());
  if (outcome->error) return *outcome->error;
  if (!asked.trace.empty()) {
    if (auto written = write_file(asked.trace, chrome_trace(*outcome)); !written) {
      return written.error();
    }
  }
  const std::string text =
      asked.format == "json" ? to_json(*outcome, false) + "\n" : outcome_text(*outcome);
  if (auto written = deliver(text, asked.output); !written) return written.error();
  return 0;
}

}  // namespace

Expected<int> simulate_asked(const SimulateAsked& asked) {
  const auto order = order_of(asked);
  if (!order) return order.error();
  return simulate_once(asked, *order);
}

}  // namespace forewarp::cli
