// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/causes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "report/quantity.h"
#include "result/simulation_waits.h"

namespace forewarp::report {
namespace {

constexpr double worth_telling = 0.01;  // of an instruction's waiting

struct CauseLook {
  std::string_view name, label;
  char symbol;
  int colour;
};

constexpr std::array<CauseLook, 16> looks{{{"issue", "issue", '#', 0},
                                           {"dependence", "dependence", 'd', 3},
                                           {"math", "variable latency", 'v', 11},
                                           {"shared", "shared memory", 's', 5},
                                           {"l1", "L1", '1', 9},
                                           {"l2", "L2", '2', 13},
                                           {"memory", "device memory", 'm', 1},
                                           {"constant", "constants", 'c', 14},
                                           {"copy", "phase of a copy", 'p', 8},
                                           {"barrier", "barrier", 'b', 4},
                                           {"fetch", "fetch", 'f', 6},
                                           {"pipe", "unit taken", 'u', 2},
                                           {"queue", "memory queue", 'q', 12},
                                           {"registers", "register ports", 'r', 10},
                                           {"not_selected", "not selected", 'n', 15},
                                           {"idle", "no warp", '.', 7}}};

}  // namespace

Lanes::Kind kind_of_cause(std::string_view cause) {
  const auto found = std::ranges::find(looks, cause, &CauseLook::name);
  if (found == looks.end()) return {std::string(cause), '?', 15};
  return {std::string(found->label), found->symbol, found->colour};
}

std::string causes_of(const SimulationFacts::Instruction& instruction, std::size_t most) {
  std::vector<std::pair<std::string, double>> causes;
  for (const auto& stall : instruction.stalls) {
    if (is_wait(stall.first)) causes.push_back(stall);
  }
  std::ranges::stable_sort(causes, std::greater{}, &std::pair<std::string, double>::second);
  const double all = waited(instruction);
  std::string text;
  for (std::size_t c = 0; c < std::min(most, causes.size()); ++c) {
    if (causes[c].second < worth_telling * all) break;
    text += (text.empty() ? "" : ", ") + kind_of_cause(causes[c].first).label + ' ' +
            percent(causes[c].second / all);
  }
  return text;
}

}  // namespace forewarp::report
