// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result/simulation_waits.h"

namespace forewarp::result {

bool is_wait(std::string_view cause) {
  return cause != "issue";
}

double waited(const SimulationFacts::Instruction& instruction) {
  double cycles = 0;
  for (const auto& [cause, stall] : instruction.stalls) {
    if (is_wait(cause)) cycles += stall;
  }
  return cycles;
}

}  // namespace forewarp::result
