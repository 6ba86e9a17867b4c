// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Whatever a listing holds, the analysis ends; where growth were quadratic, it would not within a
// test's time.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "analysis/dependence.h"
#include "analysis/kernel_analysis.h"
#include "base/text.h"
#include "kernel_builder.h"

namespace forewarp::tests {
namespace {

using testing::address_at;
using testing::kernels_of;

std::string pick(std::mt19937& random, std::initializer_list<const char*> names) {
  return *(names.begin() + static_cast<std::ptrdiff_t>(random() % names.size()));
}

std::string any_register(std::mt19937& random) {
  return pick(random, {"R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "RZ"});
}

/// One instruction at random; jumps go anywhere.
std::string any_instruction(std::mt19937& random, std::uint32_t sm, std::uint32_t count) {
  const auto r = [&random] { return any_register(random); };
  const std::string target =
      hex(address_at(sm, static_cast<std::uint32_t>(random() % (count + 3))));
  const std::string guard = random() % 3 == 0 ? pick(random, {"@P0 ", "@!P1 ", "@P2 "}) : "";
  switch (random() % 20) {
    case 0:
      return guard + "BRA " + target;
    case 1:
      return guard + "EXIT";
    case 2:
      return (sm < 70 ? "SSY " : "BSSY B0, ") + target;
    case 3:
      return guard + (sm < 70 ? "SYNC" : "BSYNC B0");
    case 4:
      return (sm < 70 ? "PBK " : "BRA ") + target;
    case 5:
      return guard + (sm < 70 ? "BRK" : "BRA " + target);
    case 6:
      return (sm < 70 ? "CAL " : "CALL.REL.NOINC ") + target;
    case 7:
      return guard + (sm < 70 ? "RET" : "RET.REL.NODEC R20 0x0");
    case 8:
      return "BRX " + r() + " -0x10";
    case 9:
      return guard + "IMAD " + r() + ", " + r() + ", " + r() + ", " + r();
    case 10:
      return guard + "IADD3 " + r() + ", P0, " + r() + ", -" + r() + ", " + r();
    case 11:
      return "IADD3.X " + r() + ", " + r() + ", " + r() + ", RZ, P0, !PT";
    case 12:
      return "ISETP.GE.AND P" + std::to_string(random() % 3) + ", PT, " + r() + ", " + r() + ", PT";
    case 13:
      return guard + "LDG.E " + r() + ", [" + r() + "]";
    case 14:
      return "SHF.R.S32.HI " + r() + ", RZ, 0x3, " + r();
    case 15:
      return guard + "LOP3.LUT " + r() + ", " + r() + ", " + r() + ", " + r() + ", 0x" +
             hex(random() % 256).substr(2) + ", !PT";
    case 16:
      return "LEA.HI.X " + r() + ", " + r() + ", " + r() + ", " + r() + ", 0x2, P0";
    case 17:
      return "IMAD.WIDE R4, " + r() + ", " + r() + ", R2";
    case 18:
      return "XMAD.PSL.CBCC " + r() + ", " + r() + ".H1, " + r() + ".H1, " + r();
    default:
      return "MOV " + r() + ", c[0x0][0x" + hex(4 * (random() % 100)).substr(2) + "]";
  }
}

Kernel any_kernel(std::mt19937& random, std::uint32_t sm, std::uint32_t count) {
  std::string text = "\tcode for sm_" + std::to_string(sm) + "\n\t\tFunction : k\n";
  for (std::uint32_t i = 0; i < count; ++i) {
    text += "        /*" + hex(address_at(sm, i), 4).substr(2) + "*/  " +
            any_instruction(random, sm, count) + " ;\n";
  }
  std::vector<Kernel> kernels = kernels_of(text + "\t\t..........\n");
  return kernels.empty() ? Kernel{} : std::move(kernels.front());
}

void analyze_all_of(const Kernel& kernel) {
  const KernelAnalysis analysis(kernel);
  for (LoopId id = 0; id < analysis.loops().all().size(); ++id) {
    EXPECT_EQ(analysis.trip(id).known, !analysis.pass_text(id).empty());
    EXPECT_EQ(analysis.trip(id).known, analysis.trip(id).reason.empty());
  }
  for (const AddressForm& form : analysis.addresses())
    EXPECT_FALSE(analysis.text(form.value).empty());
  EXPECT_FALSE(dependence_dot(kernel, analysis.flow()).empty());
}

TEST(Robustness, RandomCodeOfEveryFamily) {
  std::mt19937 random(11);
  for (int round = 0; round < 150; ++round) {
    for (const std::uint32_t sm : {35U, 52U, 70U, 90U}) {
      analyze_all_of(any_kernel(random, sm, 3 + static_cast<std::uint32_t>(random() % 60)));
    }
  }
}

/// Blocks follow one another; how many instructions lie in them.
std::uint32_t instructions_in_blocks(const KernelAnalysis& analysis) {
  std::uint32_t next = 0, inside = 0;
  for (const BasicBlock& block : analysis.flow().blocks()) {
    EXPECT_GE(block.first, next);
    EXPECT_GT(block.end, block.first);
    next = block.end;
    inside += block.end - block.first;
  }
  return inside;
}

TEST(Robustness, LongRandomCodeIsAnalyzed) {
  std::mt19937 random(5);
  const Kernel kernel = any_kernel(random, 80, 20'000);
  const KernelAnalysis analysis(kernel);
  EXPECT_GT(instructions_in_blocks(analysis), 1000U);
  EXPECT_GT(analysis.flow().blocks().size(), 1000U);
}

TEST(Robustness, LongStraightCodeIsOneBlock) {
  std::string text = "\tcode for sm_80\n\t\tFunction : k\n";
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const std::string a = "R" + std::to_string(i % 60), b = "R" + std::to_string((i * 7 + 1) % 60);
    text += "        /*" + hex(16 * i, 4).substr(2) + "*/  IMAD " + a + ", " + b + ", " + a +
            ", c[0x0][0x" + hex(0x160 + 4 * (i % 20)).substr(2) + "] ;\n";
  }
  const Kernel kernel = std::move(kernels_of(text + "\t\t..........\n").front());
  const KernelAnalysis analysis(kernel);
  EXPECT_EQ(instructions_in_blocks(analysis), kernel.instructions.size());
  EXPECT_EQ(analysis.flow().blocks().size(), 1U);
}

TEST(Robustness, DeepNestsOfLoopsAreAllFound) {
  constexpr std::uint32_t depth = 1500;
  std::string text = "\tcode for sm_80\n\t\tFunction : k\n";
  std::uint32_t at = 0;
  const auto add = [&](const std::string& line) {
    text += "        /*" + hex(16 * at++, 4).substr(2) + "*/  " + line + " ;\n";
  };
  for (std::uint32_t i = 0; i < depth; ++i)
    add("IADD3 R" + std::to_string(i % 100) + ", R" + std::to_string(i % 100) + ", 0x1, RZ");
  for (std::uint32_t i = depth; i-- > 0;) {
    add("ISETP.GE.AND P0, PT, R" + std::to_string(i % 100) + ", 0x64, PT");
    add("@!P0 BRA " + hex(16 * i));
  }
  add("EXIT");
  const Kernel kernel = std::move(kernels_of(text + "\t\t..........\n").front());
  const KernelAnalysis analysis(kernel);
  EXPECT_EQ(instructions_in_blocks(analysis), kernel.instructions.size());
  ASSERT_EQ(analysis.loops().all().size(), depth);
  std::uint32_t deepest = 0;
  for (const Loop& loop : analysis.loops().all()) deepest = std::max(deepest, loop.depth);
  EXPECT_EQ(deepest, depth);
}

TEST(Robustness, AnEmptyKernelHasAnEmptyAnalysis) {
  const Kernel kernel;
  const KernelAnalysis analysis(kernel);
  EXPECT_TRUE(analysis.flow().blocks().empty());
  EXPECT_TRUE(analysis.loops().all().empty());
  EXPECT_TRUE(analysis.addresses().empty());
}

TEST(Robustness, AnAnalysisCanBeMoved) {
  const Kernel kernel = testing::fixture("saxpy2.sm_80.sass");
  KernelAnalysis first(kernel);
  const KernelAnalysis second = std::move(first);
  EXPECT_EQ(second.pass_text(0), "a");
  EXPECT_EQ(second.definitions(10, RegisterFile::general, 0).empty(), false);
}

}  // namespace
}  // namespace forewarp::tests
