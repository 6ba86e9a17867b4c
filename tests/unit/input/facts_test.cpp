// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Names, parameters and resources from the text around the code.
#include <gtest/gtest.h>

#include "input/kernel_names.h"
#include "input/sass/parameters.h"
#include "listing_reading.h"

namespace forewarp::tests::test {
namespace {

constexpr const char* code =
    "\tcode for sm_52\n\t\tFunction : _Z6saxpy2iiPfS_\n/*0008*/ MOV R9, c[0x0][0x140];\n/*0010*/ "
    "EXIT;\n";

TEST(Names, PlainAndTypes) {
  const KernelSignature saxpy2 = kernel_signature("_Z6saxpy2iiPfS_");
  EXPECT_EQ(saxpy2.name, "saxpy2");
  EXPECT_EQ(saxpy2.types, (std::vector<std::string>{"int", "int", "float*", "float*"}));
  EXPECT_EQ(kernel_signature("_Z5scaleIfLi4EEvPT_i").name, "scale<float, 4>");
  EXPECT_EQ(kernel_signature("_ZN2ns4deep1kEv").name, "ns::deep::k");
  EXPECT_TRUE(kernel_signature("_ZN2ns4deep1kEv").types.empty());
  EXPECT_EQ(kernel_signature("_ZN12_GLOBAL__N_11kEf").name, "k");
  EXPECT_EQ(kernel_signature("_ZN6cudapy3addB2v1B3c_1Efi").name, "cudapy::add");
  EXPECT_EQ(kernel_signature("_Z1kPFiiiE").types, (std::vector<std::string>{"int (*)(int, int)"}));
  EXPECT_EQ(kernel_signature("plain").name, "plain");
  EXPECT_FALSE(kernel_signature("plain").has_types);
  EXPECT_EQ(kernel_signature("_Zbroken").name, "_Zbroken");
  EXPECT_EQ(base_name("ns::scale<float, a::b>"), "scale");
}

TEST(Names, TypeSizes) {
  const auto size = [](const char* type) {
    return type_layout(type) ? type_layout(type)->size : 0;
  };
  EXPECT_EQ(size("int"), 4U);
  EXPECT_EQ(size("unsigned long long"), 8U);
  EXPECT_EQ(size("float const*"), 8U);
  EXPECT_EQ(size("float* __restrict__"), 8U);
  EXPECT_EQ(size("double3"), 24U);
  EXPECT_EQ(size("uchar4"), 4U);
  EXPECT_EQ(type_layout("float3")->alignment, 4U);
  EXPECT_EQ(type_layout("double4")->alignment, 16U);
  EXPECT_TRUE(type_layout("T const&")->pointer);
  EXPECT_FALSE(type_layout("Box"));
}

TEST(Facts, ResourceUsageBeforeAfterAndBeside) {
  const std::string usage =
      "\nResource usage:\n Common:\n  GLOBAL:0\n Function _Z6saxpy2iiPfS_:\n"
      "  REG:38 STACK:16 SHARED:512 LOCAL:0 CONSTANT[0]:376 TEXTURE:0 SURFACE:0 SAMPLER:0\n";
  for (const auto& kernel :
       {read_one(usage + code), read_one(code + usage), read_one(code, usage)}) {
    EXPECT_EQ(kernel.resources.registers, 38U);
    EXPECT_EQ(kernel.resources.registers_source, FactSource::stated);
    EXPECT_EQ(kernel.resources.local_bytes, 16U);
    EXPECT_EQ(kernel.resources.static_shared, 512U);
    EXPECT_EQ(kernel.resources.constant_bytes, 376U);
  }
}

// Gajger 2017, Fig. 5.3, with the mangled name that ptxas prints.
TEST(Facts, WhatTheCompilerSaysInItsLog) {
  const std::string log =
      "ptxas info      : Compiling entry function '_Z6saxpy2iiPfS_' for 'sm_52'\n"
      "ptxas info      : Function properties for _Z6saxpy2iiPfS_\n"
      "                  0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info      : Used 8 registers, 344 bytes cmem[0]\n";
  const Kernel kernel = read_one(code, log);
  EXPECT_EQ(kernel.resources.registers, 8U);
  EXPECT_EQ(kernel.resources.static_shared, 0U);
  EXPECT_EQ(kernel.resources.local_bytes, 0U);
  EXPECT_EQ(kernel.resources.constant_bytes, 344U);
  EXPECT_EQ(read_one(log + code).resources.registers, 8U);
  const Kernel spilling = read_one(
      code,
      "ptxas info      : Compiling entry function '_Z6saxpy2iiPfS_' for 'sm_52'\n"
      "ptxas info      : Function properties for _Z6saxpy2iiPfS_\n"
      "                  24 bytes stack frame, 20 bytes spill stores, 16 bytes spill loads\n"
      "ptxas info      : Used 40 registers, 2 barriers, 96 bytes smem, 376 bytes cmem[0]\n");
  EXPECT_EQ(spilling.resources.registers, 40U);
  EXPECT_EQ(spilling.resources.static_shared, 96U);
  EXPECT_EQ(spilling.resources.local_bytes, 24U);  // spills lie in the stack frame
  EXPECT_EQ(spilling.resources.constant_bytes, 376U);
  const Kernel other = read_one(code,
                                "ptxas info : Compiling entry function 'f' for 'sm_52'\n"
                                "ptxas info : Used 40 registers, 2 barriers, 96 bytes smem\n");
  EXPECT_EQ(other.resources.registers_source, FactSource::inferred);
}

// Without any word about registers: the highest one used, plus one.
TEST(Facts, RegistersAreInferredLast) {
  EXPECT_EQ(read_one(code).resources.registers, 10U);
  EXPECT_EQ(read_one(code).resources.registers_source, FactSource::inferred);
  EXPECT_EQ(kernel_of("LDG.E.128 R20, [R2.64];\nEXIT;").resources.registers, 24U);
  EXPECT_EQ(kernel_of("STG.E [R30.64], R2;\nEXIT;").resources.registers, 32U);
  EXPECT_FALSE(kernel_of("EXIT;").resources.static_shared);
}

TEST(Facts, ToolsCountTheReserveOfSm90) {
  const std::string text =
      " Function k:\n  REG:8 STACK:0 SHARED:2048 LOCAL:0 CONSTANT[0]:528\n"
      "\tcode for sm_90\n\t\tFunction : k\n/*0000*/ EXIT;\n";
  EXPECT_EQ(read_one(text).resources.static_shared, 1024U);
  EXPECT_EQ(kernel_of("EXIT;\n", 90).resources.static_shared, std::nullopt);
  EXPECT_EQ(read_one("// arch sm_90\n// shared 2048\nEXIT;").resources.static_shared, 2048U);
}

TEST(Facts, DisassemblyInAllItsForms) {
  for (const char* form : {"c", "hex", "lines", "full", "elf"}) {
    SCOPED_TRACE(form);
    const Kernel kernel =
        read_fixture("listings/nvdisasm/saxpy2.sm_61." + std::string(form) + ".sass");
    EXPECT_EQ(kernel.name, "saxpy2");
    EXPECT_EQ(kernel.sm, 61U);
    EXPECT_EQ(kernel.resources.registers, 8U);
    EXPECT_LE(kernel.resources.registers_source, FactSource::section_info);
    EXPECT_EQ(kernel.unknown_opcodes, 0U);
    ASSERT_EQ(kernel.parameters.size(), 4U);
    EXPECT_EQ(kernel.parameters[3].offset, 16U);
    EXPECT_TRUE(kernel.parameters[3].pointer);
    for (const Operand& operand : kernel.operands) EXPECT_NE(operand.kind, OperandKind::word);
    for (const Instruction& instruction : kernel.instructions) {
      if (!takes_target(instruction)) continue;
      const auto target = kernel.operands_of(instruction).back();
      EXPECT_EQ(target.kind, OperandKind::target);
      EXPECT_LT(kernel.index_at(static_cast<std::uint32_t>(target.value)),
                kernel.instructions.size());
    }
  }
}

// Bounds are stated by axis (.maxntid 64, 4, 1), and hold for all threads: 64 * 4.
TEST(Facts, LaunchBoundsOfTheInfoSection) {
  for (const char* form : {"full", "elf"}) {
    SCOPED_TRACE(form);
    const std::string file = "listings/nvdisasm/bounded.sm_61." + std::string(form) + ".sass";
    KernelChoice choice;
    choice.name = "bounded";
    const Resources bounded = read_fixture(file, choice).resources;
    EXPECT_EQ(bounded.most_threads, 256U);
    EXPECT_FALSE(bounded.required_block);
    choice.name = "required";
    const Resources required = read_fixture(file, choice).resources;
    EXPECT_FALSE(required.most_threads);
    EXPECT_EQ(required.required_block, (std::array<std::uint32_t, 3>{32, 8, 1}));
  }
  EXPECT_FALSE(read_fixture("listings/nvdisasm/saxpy2.sm_61.full.sass").resources.most_threads);
  EXPECT_EQ(read_one("// most_threads 96\n" + std::string(code)).resources.most_threads, 96U);
}

// .nv.info as two programs print it gives the same layout.
TEST(Facts, ParametersOfTheInfoSection) {
  for (const char* form : {"full", "elf"}) {
    const Kernel kernel =
        read_fixture("listings/nvdisasm/saxpy2.sm_61." + std::string(form) + ".sass");
    EXPECT_EQ(kernel.parameters_source, FactSource::section_info) << form;
    EXPECT_EQ(kernel.parameters[2].size, 8U);
    EXPECT_EQ(kernel.parameters[2].type, "float*");
  }
}

TEST(Facts, SourceLinesNameTheInnermost) {
  const Kernel kernel = read_one(
      "// arch sm_80\n\t.section\t.text.k,\"ax\",@progbits\n"
      "\t//## File \"/src/a.cu\", line 2 inlined at \"/src/b.cu\", line 5\n"
      "\t//## File \"/src/b.cu\", line 5\nMOV R1, RZ;\nMOV R2, RZ;\n"
      "\t//## File \"/src/b.cu\", line 6\nEXIT;");
  EXPECT_EQ(kernel.source_files, (std::vector<std::string>{"/src/a.cu", "/src/b.cu"}));
  EXPECT_EQ(kernel.instructions[0].source_line, 2U);
  EXPECT_EQ(kernel.instructions[1].source_line, 2U);
  EXPECT_EQ(kernel.instructions[2].source_line, 6U);
  EXPECT_EQ(kernel.instructions[2].source_file, 1U);
}

TEST(Parameters, HeaderLinesGiveTypesNamesAndSizes) {
  const Kernel kernel = read_one(
      "// arch sm_30\n// kernel vadd\n// param 0 a float* 4\n// param 1 n unsigned int\n"
      "// param 2 s Box 24\n// param 3 z double\nEXIT;");
  ASSERT_EQ(kernel.parameters.size(), 4U);
  EXPECT_EQ(kernel.parameters[0].size, 4U);
  EXPECT_TRUE(kernel.parameters[0].pointer);
  EXPECT_EQ(kernel.parameters[1].type, "unsigned int");
  EXPECT_EQ(kernel.parameters[1].offset, 4U);
  EXPECT_EQ(kernel.parameters[2].offset, 8U);
  EXPECT_EQ(kernel.parameters[3].offset, 32U);
  EXPECT_EQ(kernel.parameters_source, FactSource::header_line);
}

TEST(Parameters, AHeaderMayNameTheKernelThatItIsFor) {
  const std::string two =
      "// kernel g\n// registers 50\n// param 0 count int\n\tcode for sm_80\n\t\tFunction : f\n"
      "/*0000*/ EXIT;\n\t\tFunction : _Z1gi\n/*0000*/ EXIT;\n";
  const std::vector<Kernel> kernels = read_all(two);
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].resources.registers_source, FactSource::inferred);
  EXPECT_EQ(kernels[1].resources.registers, 50U);
  EXPECT_EQ(kernels[1].parameters[0].name, "count");
}

TEST(Parameters, StructuresFallBackToTheCode) {
  const Kernel kernel = read_one(
      "\tcode for sm_70\n\t\tFunction : _Z1k3BoxPf\n/*0000*/ MOV R1, c[0x0][0x160];\n/*0010*/ "
      "EXIT;\n");
  EXPECT_EQ(kernel.parameters_source, FactSource::inferred);
}

std::string shape(const Kernel& kernel) {
  std::string text;
  for (const Parameter& p : kernel.parameters) {
    text += std::to_string(p.offset) + ":" + std::to_string(p.size) + (p.pointer ? "*" : "") + " ";
  }
  return text;
}

TEST(Parameters, TheConstantBankShowsPointers) {
  // sm_52: a carry chain over two words
  EXPECT_EQ(shape(kernel_of("ISETP.GE.AND P0, PT, R0, c[0x0][0x140], PT;\nMOV R3, c[0x0][0x144];\n"
                            "IADD R2.CC, R6, c[0x0][0x148];\nIADD.X R3, R7, c[0x0][0x14c];\nEXIT;",
                            52)),
            "0:4 4:4 8:8* ");
  // sm_80: the 64-bit addend of a wide multiply, and a carry predicate
  EXPECT_EQ(
      shape(kernel_of("IMAD.WIDE R2, R0, R5, c[0x0][0x160];\nLEA R4, P0, R0, c[0x0][0x170], 0x2;\n"
                      "LEA.HI.X R5, R0, c[0x0][0x174], R3, 0x2, P0;\nEXIT;")),
      "0:8* 8:8 16:8* ");
  // a factor has four bytes, whatever the product has: two integers
  EXPECT_EQ(shape(kernel_of("IMAD.WIDE.U32 R2, R0, c[0x0][0x160], R4;\n"
                            "IMAD.WIDE.U32.X R6, R0, c[0x0][0x164], R4, P0;\nEXIT;")),
            "0:4 4:4 ");
  // sm_90: loads of eight bytes
  EXPECT_EQ(shape(kernel_of("LDC.64 R2, c[0x0][0x210];\nULDC UR4, c[0x0][0x218];\nEXIT;", 90)),
            "0:8* 8:4 ");
  // through registers: the sum is where they are read
  EXPECT_EQ(shape(kernel_of("ULDC UR4, c[0x0][0x210];\nLEA R2, P0, R5, UR4, 0x2;\n"
                            "ULDC UR4, c[0x0][0x214];\nLEA.HI.X R3, R5, UR4, R4, 0x2, P0;\nEXIT;",
                            90)),
            "0:8* ");
  // four bytes before a pointer are padding, not a parameter that nobody reads
  EXPECT_EQ(shape(kernel_of("IMAD.WIDE R2, R0, R5, c[0x0][0x170];\nMOV R1, c[0x0][0x160];\nEXIT;")),
            "0:4 4:4 8:8 16:8* ");
  EXPECT_EQ(shape(kernel_of("IMAD.WIDE R2, R0, R5, c[0x0][0x168];\nMOV R1, c[0x0][0x160];\nEXIT;")),
            "0:4 8:8* ");
  // moved to a register pair
  EXPECT_EQ(shape(kernel_of("MOV R2, c[0x0][0x160];\nMOV R3, c[0x0][0x164];\nEXIT;")), "0:8* ");
  // two integers side by side, and a double
  EXPECT_EQ(shape(kernel_of("IADD3 R2, R2, c[0x0][0x160], RZ;\nIADD3 R3, R3, c[0x0][0x164], RZ;\n"
                            "DMUL R4, R4, c[0x0][0x168];\nEXIT;")),
            "0:4 4:4 8:8 ");
  // sm_90: eight bytes that are loaded for fp64 arithmetic
  EXPECT_EQ(shape(kernel_of("ULDC.64 UR4, c[0x0][0x210];\nDFMA R2, R4, UR4, R2;\nEXIT;", 90)),
            "0:8 ");
  EXPECT_EQ(shape(kernel_of("MOV R1, c[0x0][0x28];\nEXIT;")), "");
}

std::string types(const Kernel& kernel) {
  std::string text;
  for (const Parameter& p : kernel.parameters) text += (p.type.empty() ? "-" : p.type) + " ";
  return text;
}

// A plain number is stored as what the arithmetic that reads it takes it for.
TEST(Parameters, ArithmeticShowsFloatingNumbers) {
  EXPECT_EQ(types(kernel_of("FFMA R2, R3, c[0x0][0x160], R4;\nIADD3 R5, R5, c[0x0][0x164], RZ;\n"
                            "DSETP.GT.AND P0, PT, R6, c[0x0][0x168], PT;\nEXIT;")),
            "float - double ");
  // through registers, and by loads
  EXPECT_EQ(types(kernel_of("MOV R2, c[0x0][0x160];\nFADD R3, R2, R4;\n"
                            "IMAD.MOV.U32 R5, RZ, RZ, c[0x0][0x164];\nFSETP.GT.AND P0, PT, R3, R5, "
                            "PT;\nEXIT;")),
            "float float ");
  EXPECT_EQ(
      types(kernel_of("LDC R2, c[0x0][0x210];\nFMUL R2, R2, R3;\nULDC.64 UR4, c[0x0][0x218];\n"
                      "DADD R6, R6, UR4;\nEXIT;",
                      90)),
      "float double ");
  // also for integers: bits are looked at
  EXPECT_EQ(
      types(kernel_of("FADD R2, R3, c[0x0][0x160];\nLOP3.LUT R4, R4, c[0x0][0x160], RZ, 0x3c, "
                      "!PT;\nEXIT;")),
      "- ");
  // what only moves or selects a word says nothing
  EXPECT_EQ(types(kernel_of("SEL R2, R3, c[0x0][0x160], P0;\nEXIT;")), "- ");
}

}  // namespace
}  // namespace forewarp::tests::test
