// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Other register numbers and other addresses are the same kernel.
#include <regex>

#include <gtest/gtest.h>

#include "analysis/kernel_analysis.h"
#include "base/text.h"
#include "kernel_builder.h"

namespace forewarp::tests {
namespace {

using testing::fixture_text;
using testing::kernels_of;

/// Rn becomes R(n + 40), pairs stay pairs; predicates P0..P3 become P3..P0. Encodings are dropped:
/// they would contradict the text.
std::string renamed(const std::string& text) {
  std::string result;
  const std::regex word(R"(/\* 0x[0-9a-f]{16} \*/)");
  const std::string bare = std::regex_replace(text, word, "");
  for (std::size_t i = 0; i < bare.size(); ++i) {
    const bool starts = i == 0 || !(std::isalnum(static_cast<unsigned char>(bare[i - 1])) != 0 ||
                                    bare[i - 1] == '_' || bare[i - 1] == '.');
    const bool digit =
        i + 1 < bare.size() && std::isdigit(static_cast<unsigned char>(bare[i + 1])) != 0;
    if (starts && digit && (bare[i] == 'R' || bare[i] == 'P')) {
      std::size_t end = i + 1;
      int number = 0;
      while (end < bare.size() && std::isdigit(static_cast<unsigned char>(bare[end])) != 0) {
        number = number * 10 + (bare[end++] - '0');
      }
      result += bare[i] +
                std::to_string(bare[i] == 'R' ? number + 40 : (number < 4 ? 3 - number : number));
      i = end - 1;
    } else {
      result += bare[i];
    }
  }
  return result;
}

/// Every address and every branch target moved up by `by` bytes; NOPs fill the gap.
std::string shifted(const std::string& text, std::uint32_t by) {
  const std::regex place(R"(/\*([0-9a-f]{4,5})\*/)");
  const std::regex target(
      R"((BRA|BRA !?P[0-9],|SSY|PBK|SYNC|BSSY B[0-9]+,|CAL|CALL\.REL\.NOINC) (0x[0-9a-f]+))");
  const std::regex word(R"(/\* 0x[0-9a-f]{16} \*/)");
  std::string result;
  for (const std::string_view line : split(text, '\n')) {
    std::string l = std::regex_replace(std::string(line), word, "");
    std::smatch match;
    if (std::regex_search(l, match, place)) {
      const auto address = static_cast<std::uint32_t>(std::stoul(match[1], nullptr, 16)) + by;
      l = std::string(match.prefix()) + "/*" + hex(address, 4).substr(2) + "*/" +
          std::string(match.suffix());
    }
    if (std::regex_search(l, match, target)) {
      const auto address = static_cast<std::uint32_t>(std::stoul(match[2], nullptr, 16)) + by;
      l = std::string(match.prefix()) + std::string(match[1]) + " " + hex(address) +
          std::string(match.suffix());
    }
    result += l + "\n";
  }
  return result;
}

/// Every formula of every kernel, without addresses.
std::vector<std::string> formulas(const std::string& text) {
  std::vector<std::string> all;
  for (const Kernel& kernel : kernels_of(text)) {
    const KernelAnalysis analysis(kernel);
    for (LoopId id = 0; id < analysis.loops().all().size(); ++id) {
      all.push_back("loop " + analysis.pass_text(id) + " | " + analysis.trip_text(id));
    }
    for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
      const Condition* c = analysis.condition(i);
      if (c != nullptr) all.push_back(c->reason.empty() ? analysis.text(c->effect) : "unknown");
      const AddressForm* a = analysis.address(i);
      if (a != nullptr) all.push_back(a->reason.empty() ? analysis.text(a->value) : "unknown");
    }
  }
  return all;
}

TEST(Invariance, RenamingRegistersChangesNoFormula) {
  for (const char* name :
       {"saxpy2.sm_52", "saxpy2.sm_80", "matmul_tiled.sm_52", "matmul_tiled.sm_80",
        "triangular_loop.sm_70", "counted_loops.sm_52", "unrolled_loop.sm_90"}) {
    const std::string text = fixture_text(std::string(name) + ".sass");
    const auto before = formulas(text);
    EXPECT_FALSE(before.empty());
    EXPECT_EQ(before, formulas(renamed(text))) << name;
    EXPECT_NE(text, renamed(text));
  }
}

TEST(Invariance, ShiftingAddressesChangesNoFormula) {
  for (const char* name :
       {"saxpy2.sm_52", "saxpy2.sm_80", "matmul_tiled.sm_52", "matmul_tiled.sm_80",
        "triangular_loop.sm_70", "counted_loops.sm_80", "unrolled_loop.sm_90"}) {
    const std::string text = fixture_text(std::string(name) + ".sass");
    const auto before = formulas(text), after = formulas(shifted(text, 0x400));
    ASSERT_EQ(before.size(), after.size()) << name;
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_EQ(before[i], after[i]) << name << " " << i;
    EXPECT_NE(text, shifted(text, 0x400));
  }
}

}  // namespace
}  // namespace forewarp::tests
