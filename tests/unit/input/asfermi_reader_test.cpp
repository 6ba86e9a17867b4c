// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Assembly for Fermi gives the kernels that a listing of the same instructions gives.
#include "input/asfermi/asfermi_reader.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "input/asfermi/asfermi_format.h"
#include "input/asfermi/asfermi_statement.h"
#include "listing_reading.h"
#include "program/modifier.h"

namespace forewarp::tests::test {
namespace {

std::vector<Kernel> assemble_all(const std::string& text) {
  AsfermiReader reader(InputSource::of_text("test.asfermi", text));
  std::vector<Kernel> kernels;
  for (;;) {
    auto next = reader.next();
    if (!next) {
      ADD_FAILURE() << next.error().line();
      return kernels;
    }
    if (!*next) return kernels;
    kernels.push_back(std::move(**next));
  }
}

Kernel assemble(const std::string& lines) {
  std::vector<Kernel> kernels = assemble_all("!Kernel k\n" + lines + "\n!EndKernel\n");
  EXPECT_EQ(kernels.size(), 1U);
  return kernels.empty() ? Kernel{} : std::move(kernels.front());
}

std::string assembly_refusal(const std::string& text) {
  AsfermiReader reader(InputSource::of_text("test.asfermi", text));
  for (;;) {
    auto next = reader.next();
    if (!next) return next.error().line();
    if (!*next) return "(read)";
  }
}

/// Texts, addresses, operands: all but the lines that they were read from.
void expect_same(const Kernel& got, const Kernel& wanted) {
  EXPECT_EQ(got.name, wanted.name);
  EXPECT_EQ(got.sm, wanted.sm);
  EXPECT_EQ(got.has_control, wanted.has_control);
  EXPECT_EQ(got.parameter_base, wanted.parameter_base);
  ASSERT_EQ(got.instructions.size(), wanted.instructions.size());
  for (std::size_t i = 0; i < got.instructions.size(); ++i) {
    const Instruction& a = got.instructions[i];
    const Instruction& b = wanted.instructions[i];
    EXPECT_EQ(got.text_of(a), wanted.text_of(b));
    EXPECT_EQ(a.address, b.address);
    EXPECT_EQ(a.opcode, b.opcode);
    EXPECT_EQ(a.guard, b.guard);
    EXPECT_EQ(uses_of(got, i), uses_of(wanted, i));
    EXPECT_EQ(defines_of(got, i), defines_of(wanted, i));
  }
}

TEST(Asfermi, GivesTheKernelOfAListing) {
  const Kernel kernel = assemble(
      "S2R R0, SR_ClockLo;   // half rate\n"
      "SHL.W R4, R0, 0x1;\n"
      "@!P0 LD.E R2, [R8 + 0x10];\n"
      "IADD R6, R2, -R4;\n"
      "ST.E [R8], R6;\n"
      "EXIT;");
  expect_same(kernel, kernel_of("S2R R0, SR_ClockLo;\nSHL.W R4, R0, 0x1;\n"
                                "@!P0 LD.E R2, [R8 + 0x10];\nIADD R6, R2, -R4;\n"
                                "ST.E [R8], R6;\nEXIT;",
                                20));
  EXPECT_FALSE(kernel.has_control);
  EXPECT_EQ(kernel.unknown_opcodes, 0U);
  const Operand& clock = kernel.operands_of(kernel.instructions[0])[1];
  EXPECT_EQ(clock.index, static_cast<std::uint16_t>(SpecialRegister::clock_lo));
}

TEST(Asfermi, ShorthandsOfOpcodes) {
  expect_same(assemble("ADD R0, R1, R2\nMUL R3, R0, R1\n@P1 MAD.FTZ R4, R3, R0, R1\nCOS R5, R4"),
              kernel_of("IADD R0, R1, R2;\nFMUL R3, R0, R1;\n@P1 FFMA.FTZ R4, R3, R0, R1;\n"
                        "MUFU.COS R5, R4;",
                        20));
  // Only whole opcodes are shorthands.
  expect_same(assemble("MUFU.COS R0, R1\nIMAD R2, R0, R1, R3\nIMUL R4, R2, R0"),
              kernel_of("MUFU.COS R0, R1;\nIMAD R2, R0, R1, R3;\nIMUL R4, R2, R0;", 20));
}

TEST(Asfermi, LoadsAndStoresOfSharedMemory) {
  const Kernel kernel = assemble("LDS R0, [R1]\nSTS [R1], R0");
  EXPECT_EQ(defines_of(kernel, 0), "R0");
  EXPECT_EQ(uses_of(kernel, 0), "R1");
  EXPECT_EQ(defines_of(kernel, 1), "-");
  EXPECT_EQ(uses_of(kernel, 1), "R1 R0");
}

TEST(Asfermi, NumbersAndTheZeroRegister) {
  EXPECT_EQ(as_listed("IADD R0, R1, 10"), "IADD R0, R1, 0xa");
  EXPECT_EQ(as_listed("IADD R0,R1,-1"), "IADD R0, R1, -0x1");
  EXPECT_EQ(as_listed("FADD R0, R1, F-1.5"), "FADD R0, R1, -1.5");
  EXPECT_EQ(as_listed("@P0  MUL R0, -R63, F2"), "@P0  FMUL R0, -RZ, 2");
  EXPECT_EQ(as_listed("ST.E [R63+0x10], R630"), "ST.E [RZ+0x10], R630");
  EXPECT_EQ(as_listed("EXIT"), "EXIT");
}

TEST(Asfermi, CommentsKeepColumns) {
  bool inside = false;
  EXPECT_EQ(without_comments("MOV R0, R1 // R2", inside), "MOV R0, R1      ");
  EXPECT_EQ(without_comments("MOV /*a*/ R0, R1", inside), "MOV       R0, R1");
  EXPECT_FALSE(inside);
  EXPECT_EQ(without_comments("NOP /*", inside), "NOP   ");
  EXPECT_TRUE(inside);
  EXPECT_EQ(without_comments("x */ NOP", inside), "     NOP");
  EXPECT_FALSE(inside);
}

TEST(Asfermi, LabelsPredicatesAndSemicolons) {
  const Kernel kernel = assemble(
      "MOV R3, 10; MOV R2, RZ\n!Label again\nIADD R3, R3, -1\n"
      "ISETP.NE.AND P0, PT, R3, R63, PT\n@P0 BRA again;\nEXIT");
  ASSERT_EQ(kernel.instructions.size(), 6U);
  const Instruction& branch = kernel.instructions[4];
  EXPECT_EQ(branch.guard, 0);
  const Operand& target = kernel.operands_of(branch)[0];
  EXPECT_EQ(target.kind, OperandKind::target);
  EXPECT_EQ(target.value, 0x10);
  EXPECT_EQ(branch.address, 0x20U);
}

TEST(Asfermi, DirectivesSayWhatTheKernelNeeds) {
  const std::vector<Kernel> kernels = assemble_all(
      "!Machine 64\n!Arch sm_21\n!Kernel a\n!Param 8\n!Param 4 2\n!Shared 0x80\n!Local 16\n"
      "!RegCount 20\nEXIT\n!EndKernel // a\n\n!Kernel b\nEXIT\n!EndKernel\n");
  ASSERT_EQ(kernels.size(), 2U);
  const Kernel& a = kernels[0];
  EXPECT_EQ(a.sm, 21U);
  EXPECT_EQ(a.parameter_base, 0x20U);
  ASSERT_EQ(a.parameters.size(), 3U);
  EXPECT_EQ(a.parameters[2].offset, 12U);
  EXPECT_EQ(a.parameters[2].size, 4U);
  EXPECT_EQ(a.resources.static_shared, 128U);
  EXPECT_EQ(a.resources.local_bytes, 16U);
  EXPECT_EQ(a.resources.registers, 20U);
  EXPECT_EQ(kernels[1].name, "b");
  EXPECT_TRUE(kernels[1].parameters.empty());
  EXPECT_FALSE(kernels[1].resources.static_shared);
}

TEST(Asfermi, CodeAloneIsOneKernel) {
  const std::vector<Kernel> kernels = assemble_all("IADD R0, R1, R2\nEXIT\n");
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].name, "test");
  EXPECT_EQ(kernels[0].sm, 20U);
}

TEST(Asfermi, UnknownOpcodesAreKeptAndCounted) {
  EXPECT_EQ(assemble("FROB R0, R1\nEXIT").unknown_opcodes, 1U);
}

TEST(Asfermi, IsKnownByItsContent) {
  const AsfermiFormat format;
  EXPECT_TRUE(format.looks_like("// x\n  !Kernel k\n", "x.txt"));
  EXPECT_TRUE(format.looks_like("IADD R0, R1, R2", "x.asfermi"));
  EXPECT_FALSE(format.looks_like("/*0000*/ IADD R0, !Kernel;", "x.sass"));
  EXPECT_FALSE(format.looks_like(std::string_view("!Kernel\0k", 9), "x.asfermi"));
  EXPECT_EQ(read_fixture("asfermi/loop.asfermi").name, "sum_of_ten");
  EXPECT_EQ(read_fixture("asfermi/clocked.asfermi", {"dependent", 20}).name, "dependent");
}

constexpr const char* way_out = "; see docs/listing.md";

TEST(AsfermiRefusals, NameLineAndColumn) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "test.asfermi: holds no code; expected !Kernel NAME and instructions"},
      {std::string("a\0b", 3), "test.asfermi: is binary; expected text for asfermi"},
      {"!Kernel a\nEXIT\n", "test.asfermi:2: the text ends inside a kernel; expected !EndKernel"},
      {"!Kernel a\nEXIT /*\n", "test.asfermi:2: the text ends inside a comment; expected */"},
      {"!Kernel a\n!EndKernel\n",
       "test.asfermi:2: kernel 'a' has no code; expected an instruction"},
      {"!Kernel a b\n", "test.asfermi:1:1: '!Kernel a b'; expected !Kernel and one name"},
      {"!Kernel a\n  !Kernel b\n",
       "test.asfermi:2:3: !Kernel inside a kernel; expected !EndKernel before it"},
      {"!Param 4\n",
       "test.asfermi:1:1: '!Param' outside of a kernel; expected !Kernel NAME before it"},
      {"EXIT\n!EndKernel\n",
       "test.asfermi:2:1: !EndKernel without !Kernel; expected !Kernel NAME first"},
      {"!Kernel a\n !Align 8\n",
       "test.asfermi:2:2: unknown directive '!Align'; expected !Kernel, !EndKernel, !Param, "
       "!Shared, !Local, !RegCount, !Label, !Arch or !Machine"},
      {"!Kernel a\n!Param 6\n",
       "test.asfermi:2:1: '!Param 6'; expected !Param BYTES [COUNT], bytes in fours, at most 4096 "
       "in all"},
      {"!Kernel a\n!RegCount 64\n",
       "test.asfermi:2:1: '!RegCount 64'; expected !RegCount and a number up to 63"},
      {"!Kernel a\n!Shared much\n",
       "test.asfermi:2:1: '!Shared much'; expected !Shared and a size in bytes"},
      {"!Arch sm_30\n", "test.asfermi:1:1: '!Arch sm_30'; expected !Arch sm_20 or !Arch sm_21"},
      {"!Machine 16\n", "test.asfermi:1:1: '!Machine 16'; expected !Machine 32 or !Machine 64"},
      {"!Kernel a\n!Arch sm_20\n",
       "test.asfermi:2:1: '!Arch' inside a kernel; expected it before !Kernel"},
      {"!Kernel a\n!Label R1\n",
       "test.asfermi:2:1: '!Label R1'; expected !Label and a name that is no register and no "
       "number"},
      {"!Kernel a\n!Label x\nEXIT; !Label x\n",
       "test.asfermi:3:7: a second label 'x'; expected another name"},
      {"!Kernel a\nEXIT\n  @P0 BRA away\n!EndKernel\n",
       "test.asfermi:3:3: no label 'away'; expected !Label and that name in the same kernel"},
      {"!Kernel a\nIADD R0, R1, R64\n!EndKernel\n",
       "test.asfermi:2:1: no register 'R64'; expected R0 to R62 or RZ"},
      {"!Kernel a\nLDS R0, [R70]\n!EndKernel\n",
       "test.asfermi:2:1: no register '[R70]'; expected R0 to R62 or RZ"},
      {"!Kernel a\n  iadd R0, R1, R2\n",
       "test.asfermi:2:3: cannot read 'iadd R0, R1, R2'; expected an opcode"},
      {"!Kernel a\nEXIT\n!EndKernel; EXIT\n",
       "test.asfermi:3:13: code behind !EndKernel; expected a line of its own"},
      {"!Kernel a\nEXIT\n!EndKernel\nEXIT\n",
       "test.asfermi:4:1: code outside of a kernel; expected !Kernel NAME before it"},
  };
  for (const auto& [text, line] : cases) EXPECT_EQ(assembly_refusal(text), line + way_out) << text;
}

}  // namespace
}  // namespace forewarp::tests::test
