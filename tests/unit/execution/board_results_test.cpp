// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Results of single instructions as a board left them (tests/fixtures/execution/board_results.txt).
#include <cstdio>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "listed_lanes.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

/// One instruction, and what a board made of its operands, lane by lane.
struct Instruction {
  std::string text;
  std::vector<unsigned> registers;  ///< from 4 on
  std::vector<std::vector<std::string>> operands;
  std::vector<std::string> results;
};

std::vector<Instruction> instructions_of(const std::string& path) {
  std::vector<Instruction> found;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    if (const std::size_t bar = line.find(" | "); bar != std::string::npos) {
      found.push_back({line.substr(0, bar), {}, {}, {}});
      std::istringstream names(line.substr(bar + 3));
      for (std::string name; names >> name;)
        found.back().registers.push_back(static_cast<unsigned>(std::stoul(name.substr(1))));
      continue;
    }
    const std::size_t mark = line.find(" > ");
    std::istringstream words(line.substr(0, mark));
    found.back().operands.emplace_back();
    for (std::string word; words >> word;) found.back().operands.back().push_back(word);
    found.back().results.push_back(line.substr(mark + 3));
  }
  return found;
}

std::uint32_t word(const std::string& digits) {
  return static_cast<std::uint32_t>(std::stoul(digits, nullptr, 16));
}

/// As many digits of a lane's result as the board's has.
std::string shown(const LaneRows& after, std::size_t lane, std::size_t digits) {
  char text[24];
  if (digits == 16) {
    std::snprintf(text, sizeof text, "%08x%08x", after[1][lane], after[0][lane]);
  } else {
    const std::uint32_t mask = digits == 4 ? 0xffffU : ~0U;
    std::snprintf(text, sizeof text, "%0*x", static_cast<int>(digits), after[0][lane] & mask);
  }
  return text;
}

TEST(BoardResults, SingleInstructionsLeaveWhatTheBoardLeft) {
  const auto instructions =
      instructions_of(std::string(FOREWARP_FIXTURES) + "/execution/board_results.txt");
  ASSERT_GT(instructions.size(), 100U);
  for (const Instruction& instruction : instructions) {
    LaneRows before(6);
    for (std::size_t lane = 0; lane < instruction.results.size(); ++lane) {
      for (std::size_t i = 0; i < instruction.registers.size(); ++i) {
        const std::string& digits = instruction.operands[lane][i];
        const unsigned at = instruction.registers[i] - 4;
        const bool pair = digits.size() == 16;
        before[at][lane] = word(pair ? digits.substr(8) : digits);
        if (pair) before[at + 1][lane] = word(digits.substr(0, 8));
      }
    }
    const LaneRows after = rows_after({instruction.text}, before);
    ASSERT_FALSE(after.empty()) << instruction.text;
    for (std::size_t lane = 0; lane < instruction.results.size(); ++lane) {
      std::string operands;
      for (const std::string& digits : instruction.operands[lane]) operands += digits + " ";
      EXPECT_EQ(shown(after, lane, instruction.results[lane].size()), instruction.results[lane])
          << instruction.text << " of " << operands;
    }
  }
}

}  // namespace
}  // namespace forewarp::tests
