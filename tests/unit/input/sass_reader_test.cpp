// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/sass_reader.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "listing_reading.h"
#include "program/modifier.h"
#include "test_paths.h"

namespace forewarp::tests::test {
namespace {

// Gajger 2017, Fig. 5.2 with the addresses of the slot rule; registers of Fig. 5.3.
TEST(ThesisListing, Saxpy2) {
  const Kernel kernel = read_fixture("listings/gajger2017-saxpy2-sm52.sass");
  EXPECT_EQ(kernel.name, "saxpy2");
  EXPECT_EQ(kernel.sm, 52U);
  EXPECT_EQ(kernel.resources.registers, 8U);
  EXPECT_EQ(kernel.resources.registers_source, FactSource::header_line);
  EXPECT_EQ(kernel.resources.constant_bytes, 344U);
  ASSERT_EQ(kernel.instructions.size(), 36U);
  EXPECT_FALSE(kernel.has_control);
  ASSERT_EQ(kernel.parameters.size(), 4U);
  EXPECT_EQ(kernel.parameters[1].name, "a");
  EXPECT_EQ(kernel.parameters[2].type, "float*");
  EXPECT_EQ(kernel.parameter_base + kernel.parameters[3].offset, 0x150U);  // c[0x0][0x150] is y
  EXPECT_EQ(kernel.parameters_source, FactSource::header_line);
  const auto line = [&](std::size_t number) -> const Instruction& {
    return kernel.instructions[number - 1];
  };
  for (std::size_t number = 1; number <= 36; ++number) {  // the three pairs of the figure
    EXPECT_EQ(line(number).dual_with_next, number == 15 || number == 17 || number == 22) << number;
  }
  const auto target_of = [&](std::size_t number) {
    const Operand& operand = kernel.operands_of(line(number))[0];
    EXPECT_EQ(operand.kind, OperandKind::target);
    return kernel.index_at(static_cast<std::uint32_t>(operand.value)) + 1;
  };
  EXPECT_EQ(target_of(16), 25U);  // 0x100 is where a control word stands
  EXPECT_EQ(target_of(23), 20U);
  EXPECT_EQ(target_of(31), 31U);
  EXPECT_EQ(defines_of(kernel, 12), "CC R2");
  EXPECT_EQ(uses_of(kernel, 14), "R7 CC");
}

TEST(ThesisListing, TheExampleIsTheFixture) {
  const auto example = read_file(std::string(FOREWARP_SOURCE_DIR) + "/examples/saxpy2.sass");
  const auto fixture =
      read_file(std::string(FOREWARP_FIXTURES) + "/listings/gajger2017-saxpy2-sm52.sass");
  ASSERT_TRUE(example && fixture);
  EXPECT_EQ(*example, *fixture);
}

// Volkov 2016, Listing 3.5: twelve instructions, four pairs.
TEST(ThesisListing, VectorAddOfSm30) {
  const Kernel kernel = read_fixture("listings/volkov2016-vadd-sm30.sass");
  EXPECT_EQ(kernel.sm, 30U);
  ASSERT_EQ(kernel.instructions.size(), 12U);
  int pairs = 0;
  for (const Instruction& instruction : kernel.instructions) pairs += instruction.dual_with_next;
  EXPECT_EQ(pairs, 4);
  EXPECT_EQ(uses_of(kernel, 6), "R3");  // 32-bit addresses
}

// Voudouris 2014, section 5.1: what the harness of the clock measurements looks like in asfermi.
TEST(ThesisListing, ClockHarnessOfFermi) {
  const Kernel kernel = read_fixture("listings/voudouris2014-clock-sm20.sass");
  ASSERT_EQ(kernel.instructions.size(), 8U);
  EXPECT_EQ(kernel.unknown_opcodes, 0U);
  EXPECT_EQ(kernel.operands_of(kernel.instructions[0])[1].index,
            static_cast<std::uint16_t>(SpecialRegister::clock_lo));
  EXPECT_EQ(kernel.instructions[0].address, 0U);
  EXPECT_EQ(kernel.instructions[1].address, 8U);
  EXPECT_TRUE(kernel.instructions[1].has(modifier::w));
  EXPECT_EQ(uses_of(kernel, 6), "R5 R4");
  EXPECT_TRUE(kernel.operands_of(kernel.instructions[6])[2].negate);
}

TEST(Listing, SeveralArchitecturesOfOneFile) {
  const auto source =
      InputSource::open(std::string(FOREWARP_FIXTURES) + "/listings/saxpy2-fatbin.sass");
  ASSERT_TRUE(source);
  const auto kernels = list_kernels(*source);
  ASSERT_TRUE(kernels);
  ASSERT_EQ(kernels->size(), 2U);
  EXPECT_EQ((*kernels)[0].sm, 52U);
  EXPECT_EQ((*kernels)[1].sm, 70U);
  EXPECT_EQ(read_kernel(*source, {"saxpy2", 75})->sm, 70U);
  EXPECT_EQ(read_kernel(*source, {"_Z6saxpy2iiPfS_", 53})->sm, 52U);
  const auto both = read_kernel(*source, {"saxpy2", 0});
  ASSERT_FALSE(both);
  EXPECT_NE(both.error().line().find(
                "has 2 kernels that fit; expected one of saxpy2 (sm_52), "
                "saxpy2 (sm_70); name it with --kernel NAME, or --kernel '#N' by its number in "),
            std::string::npos)
      << both.error().line();
}

constexpr const char* two_kernels =
    "\tcode for sm_80\n"
    "\t\tFunction : _Z5scaleIfLi4EEvPT_i\n"
    "        /*0000*/                   EXIT ;      /* 0x000000000000794d */\n"
    "                                               /* 0x000fea0003800000 */\n"
    "\t\t..........\n\n\n"
    "\t\tFunction : plain\n"
    "        /*0000*/               @P0 MOV R1, c[0x0][0x28] ; /* 0x00000a0000010a02 */\n"
    "                                               /* 0x000fe40000000f00 */\n"
    "        /*0010*/                   EXIT ;      /* 0x000000000000794d */\n"
    "                                               /* 0x000fea0003800000 */\n"
    "\t\t..........\n";

TEST(Listing, KernelsComeOneAtATimeAndByName) {
  const std::vector<Kernel> kernels = read_all(two_kernels);
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].name, "scale<float, 4>");
  EXPECT_EQ(kernels[0].mangled, "_Z5scaleIfLi4EEvPT_i");
  EXPECT_EQ(kernels[1].name, "plain");
  EXPECT_EQ(kernels[1].instructions[0].listing_line, 9U);
  EXPECT_EQ(kernels[1].text_of(kernels[1].instructions[0]), "@P0 MOV R1, c[0x0][0x28]");
  const InputSource source = InputSource::of_text("two.sass", two_kernels);
  EXPECT_EQ(read_kernel(source, {"scale", 0})->instructions.size(), 1U);
  EXPECT_EQ(read_kernel(source, {"scale<float, 4>", 0})->instructions.size(), 1U);
  EXPECT_EQ(read_kernel(source, {"plain", 0})->instructions.size(), 2U);
  const auto wrong = read_kernel(source, {"plane", 0});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(
      wrong.error().line(),
      "two.sass: has no kernel 'plane'; expected one of scale<float, 4> (sm_80), plain (sm_80); "
      "did you mean plain?");
}

TEST(Listing, KernelsHaveNumbers) {
  const InputSource source = InputSource::of_text("two.sass", two_kernels);
  EXPECT_EQ(read_kernel(source, {"#1", 0})->name, "scale<float, 4>");
  EXPECT_EQ(read_kernel(source, {"#2", 0})->name, "plain");
  EXPECT_EQ(read_kernel(source, {"#3", 0}).error().line().substr(0, 32),
            "two.sass: has no kernel '#3'; ex");
}

std::string several(const std::string& first, const std::string& second) {
  const std::string code =
      "        /*0000*/                   EXIT ;      /* 0x000000000000794d */\n"
      "                                               /* 0x000fea0003800000 */\n"
      "\t\t..........\n\n\n";
  const std::string text = "\tcode for sm_80\n\t\tFunction : " + first + "\n" + code +
                           "\t\tFunction : " + second + "\n" + code;
  const InputSource source = InputSource::of_text("two.sass", text);
  const std::string line = read_kernel(source).error().line();
  return line.substr(0, line.find("; name it"));
}

TEST(Listing, KernelsThatFitAreToldApart) {
  EXPECT_EQ(several("_Z1ki", "_Z1kf"),
            "two.sass: has 2 kernels that fit; expected one of k(int) (sm_80), k(float) (sm_80)");
  const std::string name = "_ZN3cub" + std::string("81") + std::string(81, 'x');
  EXPECT_EQ(several(name + "IiEEvv", name + "IfEEvv"),
            "two.sass: has 2 kernels that fit, all of Thrust and CUB: one call launches several of "
            "them; expected one of " +
                std::string(81, 'x') + " (2)");
}

TEST(Listing, BareWordsAreInstructionsOfSm90) {
  const std::string text =
      "\tcode for sm_90\n\t\tFunction : k\n"
      "        /*0000*/     MOV R1, R2 ;    /* 0x0000000200017202 */\n"
      "                                     /* 0x000fe40000000f00 */\n"
      "                                     /* 0x0000000600077c48 */\n"
      "                                     /* 0x008fe2000bfe0100 */\n"
      "                                     /* 0x0000004d0b0d0848 */\n"
      "                                     /* 0x000fe20007fe0000 */\n"
      "                                     /* 0x0000000012345fff */\n"
      "                                     /* 0x000fe20007fe0000 */\n"
      "        /*0040*/     EXIT ;          /* 0x000000000000794d */\n"
      "                                     /* 0x000fea0003800000 */\n";
  const Kernel kernel = read_one(text);
  ASSERT_EQ(kernel.instructions.size(), 5U);
  EXPECT_EQ(kernel.text_of(kernel.instructions[1]), "VIMNMX R7, R0, UR6, PT");
  EXPECT_EQ(kernel.text_of(kernel.instructions[2]), "@P0 VIMNMX.U32 R13, R11, 0x4d, !PT");
  EXPECT_EQ(kernel.instructions[3].opcode, unknown_opcode);
  EXPECT_EQ(kernel.undecoded, 3U);
  EXPECT_EQ(kernel.unknown_opcodes, 1U);
  EXPECT_EQ(kernel.instructions[4].address, 0x40U);
  EXPECT_EQ(uses_of(kernel, 2), "P0 R11");
  EXPECT_EQ(kernel.instructions[1].control.stall, 1);
}

TEST(Listing, NothingUnknownIsFatal) {
  const Kernel kernel =
      kernel_of("FROB.Q7 R1, R2, what?, [Q];\nIADD3.NEWER R1, R2, R3, RZ;\nEXIT;");
  ASSERT_EQ(kernel.instructions.size(), 3U);
  EXPECT_EQ(kernel.unknown_opcodes, 1U);
  const Kernel addressed = kernel_of("/*0000*/ FROB.Q7 R1, R2, what?, [Q];\n/*0010*/ EXIT;");
  ASSERT_EQ(addressed.instructions.size(), 2U);
  EXPECT_EQ(addressed.unknown_opcodes, 1U);
  EXPECT_EQ(addressed.instructions[0].instruction_class, InstructionClass::unknown);
  EXPECT_EQ(addressed.instructions[0].operand_count, 4);
  EXPECT_EQ(kernel.instructions[1].modifiers[0], unknown_modifier);
  EXPECT_EQ(kernel.text_of(kernel.instructions[1]), "IADD3.NEWER R1, R2, R3, RZ");
}

TEST(Listing, AddressesFollowTheSlotsOfTheFamily) {
  const std::string ten = "NOP;\nNOP;\nNOP;\nNOP;\nNOP;\nNOP;\nNOP;\nNOP;\nNOP;\nNOP;";
  const auto addresses = [&](int sm) {
    std::vector<std::uint32_t> result;
    for (const Instruction& i : kernel_of(ten, sm).instructions) result.push_back(i.address);
    return result;
  };
  using Addresses = std::vector<std::uint32_t>;
  EXPECT_EQ(addresses(20), (Addresses{0, 8, 16, 24, 32, 40, 48, 56, 64, 72}));
  EXPECT_EQ(addresses(35), (Addresses{8, 16, 24, 32, 40, 48, 56, 72, 80, 88}));
  EXPECT_EQ(addresses(61), (Addresses{8, 16, 24, 40, 48, 56, 72, 80, 88, 104}));
  EXPECT_EQ(addresses(86), (Addresses{0, 16, 32, 48, 64, 80, 96, 112, 128, 144}));
}

TEST(Listing, LabelsByHandAndJumpTables) {
  const Kernel kernel = kernel_of(
      "MOV R2, RZ;\nLOOP:\nIADD3 R2, R2, 0x1, RZ;   // counts\n@P0 BRA LOOP;\n"
      "BRX R2 -0x40  (*\"BRANCH_TARGETS .L_1,.L_2\"*);\n.L_1:\n@!P1 BRA `(.L_2) ;\n.L_2:\nEXIT;");
  ASSERT_EQ(kernel.instructions.size(), 6U);
  EXPECT_EQ(kernel.operands_of(kernel.instructions[2])[0].value, 0x10);
  EXPECT_EQ(kernel.operands_of(kernel.instructions[2])[0].kind, OperandKind::target);
  const auto table = kernel.operands_of(kernel.instructions[3]);
  ASSERT_EQ(table.size(), 4U);
  EXPECT_EQ(table[2].value, 0x40);
  EXPECT_EQ(table[3].value, 0x50);
  EXPECT_EQ(kernel.operands_of(kernel.instructions[4])[0].value, 0x50);
}

// Each counts as one instruction; none is passed over as prose.
TEST(Listing, UnknownOpcodesWithoutAddressesAreKept) {
  const Kernel kernel = kernel_of("MOV R2, RZ;\nFROBNICATE R3, R4;\n@P0 ZORK;\nEXIT;\n");
  ASSERT_EQ(kernel.instructions.size(), 4U);
  EXPECT_EQ(kernel.unknown_opcodes, 2U);
}

TEST(Listing, ALabelBeforeTheFirstInstructionIsATarget) {
  const Kernel kernel = kernel_of("LOOP:\nIADD3 R2, R2, 0x1, RZ;\n@P0 BRA LOOP;\nEXIT;\n");
  ASSERT_EQ(kernel.instructions.size(), 3U);
  EXPECT_EQ(kernel.operands_of(kernel.instructions[1])[0].kind, OperandKind::target);
  EXPECT_EQ(kernel.operands_of(kernel.instructions[1])[0].value,
            kernel.instructions.front().address);
}

TEST(Listing, EncodingsMayStandFirst) {
  const Kernel kernel = kernel_of(
      "/*0000*/     /*0x00005de428004404*/     MOV R1, c [0x1] [0x100];\n"
      "/*0008*/     /*0x00001de780000000*/     @!pt EXIT;",
      20);
  ASSERT_EQ(kernel.instructions.size(), 2U);
  EXPECT_EQ(kernel.instructions[0].word_low, 0x00005de428004404U);
  EXPECT_EQ(kernel.operands[1].value, 0x100);
  EXPECT_TRUE(kernel.instructions[1].dead());
}

TEST(Listing, CallsOutOfTheKernelAreNoTargets) {
  const Kernel kernel =
      kernel_of("CALL.ABS.NOINC 0x0;\nCALL.REL.NOINC 0x20;\nCALL.ABS.NOINC `(vprintf);", 70);
  EXPECT_EQ(kernel.operands[0].kind, OperandKind::integer);
  EXPECT_EQ(kernel.operands[1].kind, OperandKind::target);
  EXPECT_EQ(kernel.operands[2].kind, OperandKind::word);
}

TEST(Listing, TheSuffixOfSm35IsAFlag) {
  const Kernel kernel = kernel_of("NOP.S;\nSHF.R.S32.S R1, R2, 0x3, R4;\nIADD.S R1, R2, R3;", 35);
  for (const Instruction& instruction : kernel.instructions) {
    EXPECT_TRUE(instruction.pops_convergence);
    EXPECT_FALSE(instruction.has(modifier::s));
  }
  EXPECT_EQ(kernel.instructions[1].modifier_count, 2);
}

// Reading 20 MB as a stream must hold one kernel at a time: the pages of the file are given back.
std::size_t resident_bytes() {
  const auto status = read_file("/proc/self/statm");
  std::size_t pages = 0;
  if (status) std::sscanf(status->c_str(), "%*u %zu", &pages);
  return pages * 4096;
}

// GCC's macros, clang's features.
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

TEST(Listing, LongFilesStayOutOfMemory) {
  if constexpr (sanitized) GTEST_SKIP() << "not under a sanitizer (it keeps freed memory)";
  const std::string path = testing::TempDir() + "forewarp_long.sass";
  const auto one = read_file(std::string(FOREWARP_FIXTURES) + "/listings/saxpy.sm_80.sass");
  ASSERT_TRUE(one);
  constexpr std::size_t wanted = 20U << 20U;
  std::size_t copies = 0;
  {
    std::string text;
    for (; text.size() < wanted; ++copies) text += *one;
    ASSERT_TRUE(write_file(path, text));
  }
  const auto source = InputSource::open(path);
  ASSERT_TRUE(source);
  SassReader reader(*source);
  const std::size_t before = resident_bytes();
  std::size_t most = 0;
  std::size_t kernels = 0;
  for (;; ++kernels) {
    const auto kernel = reader.next();
    ASSERT_TRUE(kernel);
    if (!*kernel) break;
    if (kernels % 64 == 0) most = std::max(most, resident_bytes());
  }
  EXPECT_EQ(kernels, copies);
  EXPECT_LT(most, before + (6U << 20U));
  std::remove(path.c_str());
}

}  // namespace
}  // namespace forewarp::tests::test
