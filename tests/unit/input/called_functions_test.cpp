// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "input/sass/function_index.h"
#include "listing_reading.h"

namespace forewarp::tests {
namespace {

/// The texts of instructions at which calls of the kernel arrive, without their guards.
std::vector<std::string> entered(const Kernel& kernel) {
  std::vector<std::string> texts;
  for (const Instruction& instruction : kernel.instructions) {
    if (instruction.instruction_class != InstructionClass::call) continue;
    const Operand& target = kernel.operands_of(instruction).back();
    if (target.kind != OperandKind::target) {
      texts.emplace_back("outside");
      continue;
    }
    const std::size_t at = kernel.index_at(static_cast<std::uint32_t>(target.value));
    texts.emplace_back(at < kernel.instructions.size() ? kernel.text_of(kernel.instructions[at])
                                                       : std::string_view("past the end"));
  }
  return texts;
}

// Both printers, before and since sm_70: the functions come behind the kernel in the text, too.
TEST(CalledFunctions, StandBehindTheKernelThatCallsThem) {
  for (const std::string sm : {"61", "80"}) {
    for (const std::string printer : {"elf", "hex"}) {
      const std::string name = "linking/functions.sm_" + sm + "." + printer + ".sass";
      KernelChoice choice;
      choice.name = "functions";
      const Kernel kernel = test::read_fixture(name, choice);
      const Kernel cubin = test::read_fixture("linking/functions.sm_" + sm + ".cubin", choice);
      const std::vector<std::string> calls = entered(kernel);
      ASSERT_GE(calls.size(), 2U) << name;
      for (const std::string& first : calls) {
        EXPECT_NE(first, "outside") << name;
        EXPECT_NE(first, "past the end") << name;
      }
      EXPECT_EQ(calls, entered(cubin)) << name;
      EXPECT_EQ(kernel.resources.registers, cubin.resources.registers) << name;
      EXPECT_EQ(kernel.resources.static_shared.value_or(1), 0U) << name;
    }
  }
}

// Places in a function that code or data holds count from the kernel's start.
TEST(CalledFunctions, KeepTheirAddressesInCodeAndData) {
  for (const std::string printer : {"elf", "hex"}) {
    KernelChoice choice;
    choice.name = "stepped";
    const Kernel kernel = test::read_fixture("linking/stepped.sm_80." + printer + ".sass", choice);
    const ModuleSymbol* steps = nullptr;
    for (const ModuleSymbol& symbol : kernel.symbols) {
      if (symbol.name == "steps") steps = &symbol;
    }
    ASSERT_NE(steps, nullptr) << printer;
    ASSERT_EQ(steps->content.size(), 16U) << printer;
    for (const std::size_t at : {0U, 8U}) {
      const auto begin = steps->content[at] + 256U * steps->content[at + 1];
      EXPECT_GT(begin, 0U) << printer;
      const std::size_t index = kernel.index_at(begin);
      ASSERT_LT(index, kernel.instructions.size()) << printer;
      EXPECT_EQ(kernel.instructions[index].address, begin) << printer;
      EXPECT_EQ(begin % 128, 0U) << printer;
    }
    for (const SymbolAddress& address : kernel.symbol_addresses)
      EXPECT_NE(address.symbol, SymbolAddress::no_symbol) << printer;
    EXPECT_EQ(kernel.resources.static_shared.value_or(0), 400U) << printer;
  }
}

// Only those of the same file are the kernel's.
TEST(CalledFunctions, AreThoseOfTheSameFile) {
  const std::string file =
      "\tcode for sm_80\n\t\tFunction : k\n\t.headerflags @\"EF_CUDA_SM80\"\n"
      "/*0000*/ CALL.ABS.NOINC `(f) ;\n/*0010*/ EXIT ;\n";
  const std::string function =
      "\t\tFunction : f\n\t.headerflags @\"EF_CUDA_SM80\"\n"
      "/*0000*/ BRA 0x10 ;\n/*0010*/ RET.ABS.NODEC R20 0x0 ;\n";
  const std::vector<Kernel> kernels = test::read_all(file + function + file);
  ASSERT_EQ(kernels.size(), 3U);
  ASSERT_EQ(kernels[0].instructions.size(), 4U);
  EXPECT_EQ(kernels[0].instructions[2].address, 0x80U);
  EXPECT_EQ(kernels[0].operands_of(kernels[0].instructions[2]).back().value, 0x90);
  EXPECT_EQ(entered(kernels[0]), std::vector<std::string>{"BRA 0x10"});
  EXPECT_EQ(kernels[1].instructions.size(), 2U);
  EXPECT_EQ(entered(kernels[2]), std::vector<std::string>{"outside"});
}

TEST(CalledFunctions, ThatCallOneAnotherAreReadOnce) {
  const std::string text =
      "\tcode for sm_80\n\t\tFunction : g\n/*0000*/ CALL.ABS.NOINC `(h) ;\n/*0010*/ EXIT ;\n"
      "\t\tFunction : h\n/*0000*/ CALL.ABS.NOINC `(g) ;\n/*0010*/ CALL.ABS.NOINC `(h) ;\n";
  const std::vector<Kernel> kernels = test::read_all(text);
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].instructions.size(), 4U);
  EXPECT_EQ(kernels[1].instructions.size(), 4U);
}

// Errors in a function's code have the line at which it stands.
TEST(CalledFunctions, AreRefusedAtTheirOwnLine) {
  const std::string text =
      "\tcode for sm_80\n\t\tFunction : g\n/*0000*/ CALL.ABS.NOINC `(h) ;\n/*0010*/ EXIT ;\n"
      "\t\tFunction : h\n/*0000*/ MOV R1, R2 ;\n/*0000*/ EXIT ;\n";
  EXPECT_NE(test::refusal_of(text).find("test.sass:7"), std::string::npos)
      << test::refusal_of(text);
}

// nvdisasm prints its size behind all code, also where no variables follow.
TEST(SharedMemory, IsThatOfItsSection) {
  const std::string head =
      "\t.headerflags\t@\"EF_CUDA_SM80 EF_CUDA_PTX_SM(EF_CUDA_SM80)\"\n"
      "//--------------------- .text.k --------------------------\n"
      "\t.section\t.text.k,\"ax\",@progbits\n\t.align\t128\nk:\n.text.k:\n"
      "        /*0000*/                   EXIT ;\n\n";
  const std::string section =
      "//--------------------- .nv.shared.k --------------------------\n"
      "\t.section\t.nv.shared.k,\"aw\",@nobits\n\t.align\t4\n.nv.shared.k:\n";
  const std::string other =
      "//--------------------- .nv.shared.l --------------------------\n"
      "\t.section\t.nv.shared.l,\"aw\",@nobits\n\t.align\t4\n.nv.shared.l:\n\t.zero\t\t8\n";
  const auto bytes = [&](const std::string& text) {
    return test::read_one(head + text).resources.static_shared;
  };
  EXPECT_EQ(bytes(section + "\t.zero\t\t4000\n"), 4000U);
  EXPECT_EQ(bytes(section + "\t.zero\t\t4000\n\t.zero\t\t96\n" + other), 4096U);
  EXPECT_EQ(bytes(section), 0U);
  EXPECT_EQ(bytes(other), std::nullopt);
}

}  // namespace
}  // namespace forewarp::tests
