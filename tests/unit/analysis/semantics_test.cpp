// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What each family's idioms compute, seen through an address or a stored register.
#include <gtest/gtest.h>

#include "analysis/kernel_analysis.h"
#include "kernel_builder.h"

namespace forewarp::tests {
namespace {

using testing::Arguments;
using testing::kernel_from;

/// What the data operand of the last store holds.
Expression stored(const KernelAnalysis& analysis) {
  const Kernel& kernel = analysis.kernel();
  for (auto i = static_cast<std::uint32_t>(kernel.instructions.size()); i-- > 0;) {
    const Instruction& instruction = kernel.instructions[i];
    const InstructionClass c = instruction.instruction_class;
    if (c == InstructionClass::store_global || c == InstructionClass::store_generic) {
      return analysis.operand(instruction.first_operand + 1);
    }
  }
  ADD_FAILURE() << "no store";
  return 0;
}

std::string stored_text(std::uint32_t sm, std::initializer_list<std::string_view> lines) {
  const Kernel kernel = kernel_from(sm, lines);
  const KernelAnalysis analysis(kernel);
  return analysis.text(stored(analysis));
}

std::optional<std::int64_t> stored_value(std::uint32_t sm,
                                         std::initializer_list<std::string_view> lines,
                                         std::int64_t n, std::uint32_t thread = 0) {
  const Kernel kernel = kernel_from(sm, lines);
  const KernelAnalysis analysis(kernel);
  Arguments arguments(kernel);
  arguments.set(std::size_t{0}, n);
  Binding binding = arguments.binding();
  binding.thread = {thread, 0, 0};
  binding.block = {300, 1, 1};
  const auto value = analysis.compile(stored(analysis)).evaluate(binding);
  return value ? std::optional<std::int64_t>(static_cast<std::int32_t>(*value)) : std::nullopt;
}

TEST(Semantics, ReadsLaunchExtentsByFamily) {
  EXPECT_EQ(stored_text(35, {"MOV R0, c[0x0][0x28]", "ST.E [R2], R0", "EXIT"}), "blockDim.x");
  EXPECT_EQ(stored_text(52, {"MOV R0, c[0x0][0x8]", "STG.E [R2], R0", "EXIT"}), "blockDim.x");
  EXPECT_EQ(stored_text(52, {"MOV R0, c[0x0][0x18]", "STG.E [R2], R0", "EXIT"}), "gridDim.y");
  EXPECT_EQ(stored_text(80, {"MOV R0, c[0x0][0x0]", "STG.E [R2.64], R0", "EXIT"}), "blockDim.x");
  EXPECT_EQ(stored_text(90, {"ULDC UR4, c[0x0][0x14]", "MOV R0, UR4", "STG.E [R2.64], R0", "EXIT"}),
            "gridDim.z");
}

// max(n, 3) is followed; by halves, or with what is negative taken for 0, it is another function.
TEST(Semantics, ExtremesAndSumsByHalvesAreNotFollowed) {
  const auto of = [](std::string_view instruction) {
    return stored_value(90, {"MOV R1, c[0x0][0x210]", instruction, "STG.E [R2.64], R0", "EXIT"},
                        -65536);
  };
  EXPECT_EQ(of("VIMNMX R0, R1, 0x3, !PT"), 3);
  EXPECT_EQ(of("VIMNMX R0, R1, 0x3, PT"), -65536);
  EXPECT_FALSE(of("VIMNMX.RELU R0, R1, 0x3, PT"));
  EXPECT_FALSE(of("VIMNMX.S16x2 R0, R1, 0x3, !PT"));
  EXPECT_EQ(of("VIADD R0, R1, 0x3"), -65533);
  EXPECT_FALSE(of("VIADD.16x2 R0, R1, 0x3"));
}

TEST(Semantics, MovesOnOtherPipesAreMoves) {
  EXPECT_EQ(stored_text(80, {"HFMA2.MMA R0, -RZ, RZ, 0, 2.384185791015625e-07", "STG.E [R2.64], R0",
                             "EXIT"}),
            "4");
  EXPECT_EQ(stored_text(80, {"HFMA2.MMA R0, -RZ, RZ, 1.875, 0", "STG.E [R2.64], R0", "EXIT"}),
            "1065353216");  // 0x3f800000
  EXPECT_EQ(stored_text(80, {"IMAD.MOV.U32 R0, RZ, RZ, 0x7", "STG.E [R2.64], R0", "EXIT"}), "7");
  EXPECT_EQ(stored_text(80, {"S2R R1, SR_TID.X", "IMAD.SHL.U32 R0, R1, 0x8, RZ",
                             "STG.E [R2.64], R0", "EXIT"}),
            "8*threadIdx.x");
}

TEST(Semantics, XmadTripletsMultiply) {
  const auto product = [](std::int64_t n, std::uint32_t thread) {
    return stored_value(52,
                        {"// param 0 n int", "S2R R0, SR_TID.X", "MOV R4, c[0x0][0x140]",
                         "XMAD.MRG R3, R4.reuse, R0.H1, RZ", "XMAD R2, R4.reuse, R0, R0",
                         "XMAD.PSL.CBCC R5, R4.H1, R3.H1, R2", "STG.E [R6], R5", "EXIT"},
                        n, thread);
  };
  for (const std::int64_t n : {3L, 70000L, -123456789L}) {
    for (const std::uint32_t thread : {0U, 5U, 65535U}) {
      EXPECT_EQ(product(n, thread), static_cast<std::int32_t>(n * thread + thread)) << n;
    }
  }
}

TEST(Semantics, XmadByASmallConstantIsAPair) {
  EXPECT_EQ(stored_text(52, {"// param 0 n int", "MOV R4, c[0x0][0x140]", "XMAD R2, R4, 0x10, RZ",
                             "XMAD.PSL R5, R4.H1, 0x10, R2", "STG.E [R6], R5", "EXIT"}),
            "16*n");
}

TEST(Semantics, LogicByTruthTable) {
  const auto of = [](std::string_view line) {
    return stored_text(80, {"// param 0 n int", "MOV R4, c[0x0][0x160]", "S2R R5, SR_TID.X", line,
                            "STG.E [R2.64], R0", "EXIT"});
  };
  EXPECT_EQ(of("LOP3.LUT R0, R4, 0x3, RZ, 0xc0, !PT"), "n % 4");
  EXPECT_EQ(of("LOP3.LUT R0, R4, 0x3, RZ, 0x3c, !PT"), "n ^ 3");
  EXPECT_EQ(of("LOP3.LUT R0, RZ, R4, RZ, 0x33, !PT"), "-n - 1");
  EXPECT_EQ(of("LOP3.LUT R0, R4, 0xffffffe0, R5, 0xe2, !PT").empty(), false);
}

// P1 says whether bits of n are left, or joins that with the P0 that comes in: n < 5.
TEST(Semantics, LogicJoinsThePredicateThatComesIn) {
  const auto taken = [](std::string_view line, std::int64_t n) {
    return stored_value(80,
                        {"// param 0 n int", "MOV R4, c[0x0][0x160]", "MOV R5, 0x1",
                         "ISETP.LT.AND P0, PT, R4, 0x5, PT", line, "SEL R0, R5, RZ, P1",
                         "STG.E [R2.64], R0", "EXIT"},
                        n);
  };
  // n & 1 of 3, 4, 8, 9 is 1, 0, 0, 1; below 5 are 3 and 4.
  const std::string either = "LOP3.LUT P1, RZ, R4, 0x1, RZ, 0xc0, P0";
  EXPECT_EQ(taken(either, 3), 1);
  EXPECT_EQ(taken(either, 4), 1);
  EXPECT_EQ(taken(either, 8), 0);
  EXPECT_EQ(taken(either, 9), 1);
  const std::string both = "LOP3.LUT.PAND P1, RZ, R4, 0x1, RZ, 0xc0, P0";
  EXPECT_EQ(taken(both, 3), 1);
  EXPECT_EQ(taken(both, 4), 0);
  EXPECT_EQ(taken(both, 9), 0);
  const std::string alone = "LOP3.LUT P1, RZ, R4, 0x1, RZ, 0xc0, !PT";
  EXPECT_EQ(taken(alone, 4), 0);
  EXPECT_EQ(taken(alone, 9), 1);
}

TEST(Semantics, EveryTruthTableIsRight) {
  // Bit 4*a + 2*b + c of the table; a = n, b = thread, c = 0x0f0f0f0f.
  for (unsigned lut = 0; lut < 256; ++lut) {
    const std::string line = "LOP3.LUT R0, R4, R5, R6, 0x" + [lut] {
      constexpr char digits[] = "0123456789abcdef";
      return std::string{digits[lut >> 4], digits[lut & 15]};
    }() + ", !PT";
    const std::uint32_t a = 0x3355cc01, b = 0x5a5a, c = 0x0f0f0f0f;
    std::uint32_t expected = 0;
    for (unsigned bit = 0; bit < 32; ++bit) {
      const unsigned row = ((a >> bit) & 1U) * 4 + ((b >> bit) & 1U) * 2 + ((c >> bit) & 1U);
      expected |= ((lut >> row) & 1U) << bit;
    }
    EXPECT_EQ(stored_value(80,
                           {"// param 0 n int", "MOV R4, c[0x0][0x160]", "S2R R5, SR_TID.X",
                            "MOV R6, 0xf0f0f0f", line, "STG.E [R2.64], R0", "EXIT"},
                           a, b),
              static_cast<std::int32_t>(expected))
        << lut;
  }
}

TEST(Semantics, PermutesBytes) {
  EXPECT_EQ(stored_value(80,
                         {"// param 0 n int", "MOV R4, c[0x0][0x160]", "MOV R5, 0x55667788",
                          "PRMT R0, R4, 0x6210, R5", "STG.E [R2.64], R0", "EXIT"},
                         0x11223344),
            0x66223344);
}

TEST(Semantics, FunnelShifts) {
  const auto of = [](std::uint32_t sm, std::string_view line) {
    return stored_value(
        sm,
        {"// param 0 n int", sm < 70 ? "MOV R4, c[0x0][0x140]" : "MOV R4, c[0x0][0x160]",
         "MOV R5, 0x12345678", line, "STG.E [R2], R0", "EXIT"},
        -2147483648 + 0x1234);
  };
  EXPECT_EQ(of(70, "SHF.R.S32.HI R0, RZ, 0x1f, R4"), -1);
  EXPECT_EQ(of(70, "SHF.R.U32.HI R0, RZ, 0x1f, R4"), 1);
  EXPECT_EQ(of(70, "SHF.L.U32 R0, R4, 0x4, RZ"), 0x12340);
  EXPECT_EQ(of(70, "SHF.L.U64.HI R0, R4, 0x4, R5"), 0x23456788);
  EXPECT_EQ(of(52, "SHF.L.U64 R0, R4, 0x4, R5"), 0x23456788);
  EXPECT_EQ(of(70, "SHF.R.U64 R0, R4, 0x4, R5"), static_cast<std::int32_t>(0x88000123));
}

TEST(Semantics, AGuardKeepsTheOldValue) {
  EXPECT_EQ(stored_text(80, {"// param 0 n int", "MOV R0, 0x5",
                             "ISETP.GT.AND P0, PT, R0, "
                             "c[0x0][0x160], PT",
                             "@P0 MOV R0, 0x7", "STG.E [R2.64], R0", "EXIT"}),
            "n < 5 ? 7 : 5");
}

TEST(Semantics, AGuardedInstructionSeesWhatItsGuardChose) {
  const Kernel kernel = kernel_from(
      80, {"// param 0 n int", "MOV R0, 0x5", "ISETP.GT.AND P0, PT, R0, c[0x0][0x160], PT",
           "@P0 MOV R0, 0x7", "@P0 STG.E [R2.64], R0", "EXIT"});
  const KernelAnalysis analysis(kernel);
  EXPECT_EQ(analysis.text(stored(analysis)), "7");
}

TEST(Semantics, SixtyFourBitComparisonsOfBothKinds) {
  const auto condition = [](std::uint32_t sm, std::initializer_list<std::string_view> lines) {
    const Kernel kernel = kernel_from(sm, lines);
    const KernelAnalysis analysis(kernel);
    for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
      if (const Condition* c = analysis.condition(i)) return analysis.text(c->effect);
    }
    return std::string("none");
  };
  EXPECT_EQ(
      condition(52, {"// param 0 n long long", "// param 1 m long long", "MOV R0, c[0x0][0x140]",
                     "MOV R1, c[0x0][0x144]", "IADD RZ.CC, R0, -c[0x0][0x148]",
                     "ISETP.LT.X.AND P0, PT, R1, c[0x0][0x14c], PT", "@P0 EXIT", "EXIT"}),
      "n - m < 0");
  EXPECT_EQ(
      condition(80, {"// param 0 n long long", "// param 1 m long long", "MOV R0, c[0x0][0x160]",
                     "MOV R1, c[0x0][0x164]", "ISETP.GE.U32.AND P0, PT, R0, c[0x0][0x168], PT",
                     "ISETP.GE.AND.EX P0, PT, R1, c[0x0][0x16c], PT, P0", "@P0 EXIT", "EXIT"}),
      "n >= m");
  // The low words compared the other way round.
  EXPECT_EQ(
      condition(90, {"// param 0 n long long", "// param 1 m long long", "LDC.64 R0, c[0x0][0x210]",
                     "LDC.64 R2, c[0x0][0x218]", "ISETP.LE.U32.AND P0, PT, R2, R0, PT",
                     "ISETP.GE.AND.EX P0, PT, R1, R3, PT, P0", "@P0 EXIT", "EXIT"}),
      "n >= m");
}

// 0x100000000 - 1 and 3 - 5: the borrow has to reach the high word.
TEST(Semantics, SixtyFourBitDifferences) {
  const auto difference = [](std::uint32_t sm, std::initializer_list<std::string_view> lines,
                             std::int64_t n, std::int64_t m) {
    const Kernel kernel = kernel_from(sm, lines);
    const KernelAnalysis analysis(kernel);
    const AddressForm* form = analysis.address(4);
    const Arguments arguments = Arguments(kernel).set(0, n).set(1, m);
    return form == nullptr ? std::nullopt
                           : analysis.compile(form->value).evaluate(arguments.binding());
  };
  for (const auto& [n, m] : {std::pair<std::int64_t, std::int64_t>{1LL << 32, 1},
                             {3, 5},
                             {(7LL << 32) + 2, (3LL << 32) + 9},
                             {-4, 1LL << 40}}) {
    EXPECT_EQ(
        difference(52,
                   {"// param 0 n long long", "// param 1 m long long", "MOV R0, c[0x0][0x140]",
                    "MOV R1, c[0x0][0x144]", "IADD R2.CC, R0, -c[0x0][0x148]",
                    "IADD.X R3, R1, ~c[0x0][0x14c]", "LDG.E R4, [R2]", "EXIT"},
                   n, m),
        n - m);
    EXPECT_EQ(
        difference(35,
                   {"// param 0 n long long", "// param 1 m long long", "MOV R0, c[0x0][0x140]",
                    "MOV R1, c[0x0][0x144]", "ISUB R2.CC, R0, c[0x0][0x148]",
                    "ISUB.X R3, R1, c[0x0][0x14c]", "LD.E R4, [R2]", "EXIT"},
                   n, m),
        n - m);
    EXPECT_EQ(
        difference(80,
                   {"// param 0 n long long", "// param 1 m long long", "MOV R0, c[0x0][0x160]",
                    "MOV R1, c[0x0][0x164]", "IADD3 R2, P0, R0, -c[0x0][0x168], RZ",
                    "IADD3.X R3, R1, ~c[0x0][0x16c], RZ, P0, !PT", "LDG.E R4, [R2.64]", "EXIT"},
                   n, m),
        n - m);
    EXPECT_EQ(
        difference(90,
                   {"// param 0 n long long", "// param 1 m long long", "LDC.64 R0, c[0x0][0x210]",
                    "LDC.64 R6, c[0x0][0x218]", "IADD3 R2, P0, R0, -R6, RZ",
                    "IMAD.X R3, R1, 0x1, ~R7, P0", "LDG.E R4, [R2.64]", "EXIT"},
                   n, m),
        n - m);
  }
}

TEST(Semantics, LoadsAndVotesAreUnknownWithTheirReason) {
  const Kernel kernel = kernel_from(
      80, {"LDG.E R0, [R2.64]", "ISETP.GT.AND P0, PT, R0, 0x1, PT", "@P0 EXIT", "EXIT"});
  const KernelAnalysis analysis(kernel);
  const Condition* condition = analysis.condition(2);
  ASSERT_NE(condition, nullptr);
  EXPECT_EQ(condition->reason, "a value loaded at 0x0000 (LDG.E R0, [R2.64])");
  EXPECT_EQ(condition->program.evaluate(Binding{}), std::nullopt);
}

TEST(Semantics, ValuesOfBothSidesOfABranchMeetInAChoice) {
  EXPECT_EQ(stored_text(80, {"// param 0 n int", "ISETP.LT.AND P0, PT, RZ, c[0x0][0x160], PT",
                             "@P0 BRA 0x40", "MOV R0, 0x3", "BRA 0x50", "MOV R0, 0x4",
                             "STG.E [R2.64], R0", "EXIT"}),
            "0 < n ? 4 : 3");
}

TEST(Semantics, DefinitionsReachThroughBranchesAndGuards) {
  const Kernel kernel = kernel_from(80, {"MOV R0, RZ",         // 0
                                         "@P0 BRA 0x30",       // 1
                                         "MOV R0, 0x1",        // 2
                                         "@P1 MOV R0, 0x2",    // 3
                                         "STG.E [R2.64], R0",  // 4
                                         "EXIT"});
  const KernelAnalysis analysis(kernel);
  EXPECT_EQ(analysis.definitions(4, RegisterFile::general, 0),
            std::vector<std::uint32_t>({0, 2, 3}));
  EXPECT_EQ(analysis.definitions(3, RegisterFile::general, 0), std::vector<std::uint32_t>({0, 2}));
  EXPECT_TRUE(analysis.definitions(0, RegisterFile::general, 0).empty());
}

}  // namespace
}  // namespace forewarp::tests
