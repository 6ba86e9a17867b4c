// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Constant banks and module-scope variables from header lines, cuobjdump -elf and nvdisasm.
#include <algorithm>

#include <gtest/gtest.h>

#include "input/kernel_names.h"
#include "input/sass/kernel_module.h"
#include "input/sass/module_section.h"
#include "listing_reading.h"

namespace forewarp::tests::test {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Part = SymbolAddress::Part;
using Place = SymbolAddress::Place;

const std::string code = "\tcode for sm_80\n\t\tFunction : k\n/*0000*/ EXIT;\n";

const ModuleSymbol* symbol_of(const Kernel& kernel, const std::string& name) {
  for (const ModuleSymbol& symbol : kernel.symbols) {
    if (symbol.name == name) return &symbol;
  }
  return nullptr;
}

/// "constant 3 at 36 with 16": place and size; with " =" where the file states its content and
/// " used" where the kernel needs it.
std::string text_of(const Kernel& kernel, const std::string& name) {
  const ModuleSymbol* symbol = symbol_of(kernel, name);
  if (symbol == nullptr) return "missing";
  std::string text =
      symbol->space == MemorySpace::global ? "global" : "constant " + std::to_string(symbol->bank);
  text += " at " + std::to_string(symbol->offset) + " with " + std::to_string(symbol->size);
  return text + (symbol->initialised ? " =" : "") + (symbol->used ? " used" : "");
}

/// "operand 0x0 low lookup+4", in the order of the listing's facts.
std::string text_of(const Kernel& kernel, const SymbolAddress& address) {
  const std::vector<std::string> parts{"low", "high", "whole"};
  std::string text;
  switch (address.place) {
    case Place::operand:
      text = "operand " + std::string(kernel.text_of(kernel.operands[address.holder]));
      break;
    case Place::constant:
      text = "bank " + std::to_string(address.holder) + " " + std::to_string(address.offset);
      break;
    case Place::global:
      text = kernel.symbols[address.holder].name + " " + std::to_string(address.offset);
      break;
  }
  text += " " + parts[static_cast<std::size_t>(address.part)] + " ";
  text += address.symbol == SymbolAddress::no_symbol ? "a function"
                                                     : kernel.symbols[address.symbol].name;
  return text + "+" + std::to_string(address.addend);
}

std::vector<std::string> addresses_of(const Kernel& kernel) {
  std::vector<std::string> texts;
  for (const SymbolAddress& address : kernel.symbol_addresses) {
    texts.push_back(text_of(kernel, address));
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

Bytes bank_of(const Kernel& kernel, std::uint32_t number) {
  for (const ConstantData& bank : kernel.constant_banks) {
    if (bank.bank == number) return bank.bytes;
  }
  return {};
}

TEST(ModuleHeader, BanksOfOneKernelOrOfAll) {
  const auto kernels = read_all(
      "// arch sm_52\n// constant 344\n// constant 3 0102\n// constant 2 ff\n// constant b 2 0a0B\n"
      "// kernel a\nEXIT;\n// kernel b\nEXIT;\n");
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].resources.constant_bytes, 344U);
  EXPECT_EQ(bank_of(kernels[0], 3), (Bytes{1, 2}));
  EXPECT_EQ(bank_of(kernels[1], 3), (Bytes{1, 2}));
  EXPECT_EQ(bank_of(kernels[0], 2), (Bytes{255}));
  EXPECT_EQ(bank_of(kernels[1], 2), (Bytes{10, 11}));
  EXPECT_EQ(kernels[0].constant_banks.front().bank, 2U);
}

TEST(ModuleHeader, BanksByPlainMangledAndSpacedNames) {
  const std::string k = "\tcode for sm_52\n\t\tFunction : _Z5scaleIfLi4EEvPT_i\n/*0008*/ EXIT;\n";
  EXPECT_EQ(bank_of(read_one("// constant scale<float, 4> 2 07\n" + k), 2), (Bytes{7}));
  EXPECT_EQ(bank_of(read_one("// constant _Z5scaleIfLi4EEvPT_i 2 08\n" + k), 2), (Bytes{8}));
  EXPECT_TRUE(read_one("// constant scale 2 09\n" + k).constant_banks.empty());
}

TEST(ModuleHeader, WhatIsNoBankIsProse) {
  for (const char* line :
       {"constant 3 0x01", "constant 3 123", "constant 0 00", "constant 32 00",
        "constant memory is used", "constant k 3", "constant", "constant -1 00"}) {
    const Kernel kernel = read_one(std::string("// arch sm_52\n// ") + line + "\nEXIT;\n");
    EXPECT_TRUE(kernel.constant_banks.empty()) << line;
    EXPECT_FALSE(kernel.resources.constant_bytes) << line;
  }
}

TEST(ModuleHeader, Symbols) {
  const Kernel kernel = read_one(
      "// arch sm_52\n// symbol d_filter constant 3 0 36\n// symbol table constant 3 0x24 16\n"
      "// symbol counter global 0 4\n// symbol _ZN2ns4lastE global 256 8 0102\n"
      "// symbol list<int, 3> global 512 4\n// symbol table constant 3 40 16\n"
      "MOV R0, c[0x3][0x2c];\nEXIT;\n");
  ASSERT_EQ(kernel.symbols.size(), 5U);
  EXPECT_EQ(text_of(kernel, "d_filter"), "constant 3 at 0 with 36");
  EXPECT_EQ(text_of(kernel, "table"), "constant 3 at 40 with 16 used");  // the later line
  EXPECT_EQ(text_of(kernel, "counter"), "global at 0 with 4");
  EXPECT_EQ(text_of(kernel, "ns::last"), "global at 256 with 8 =");
  ASSERT_NE(symbol_of(kernel, "ns::last"), nullptr);
  EXPECT_EQ(symbol_of(kernel, "ns::last")->content, (Bytes{1, 2}));
  EXPECT_EQ(text_of(kernel, "list<int, 3>"), "global at 512 with 4");
}

TEST(ModuleHeader, WhatIsNoSymbolIsProse) {
  for (const char* line :
       {"a constant 3 0", "a constant 3 0 0", "a constant 32 0 4", "a constant 3 65536 4",
        "a constant 3 0 65537", "a global 0", "a global 0 4 0", "a global 0 4 0102030405",
        "a global -1 4", "a global 0 4 00 00", "a shared 0 4", "global 0 4",
        "a global 1099511627776 1"}) {
    const Kernel kernel = read_one(std::string("// arch sm_52\n// symbol ") + line + "\nEXIT;\n");
    EXPECT_TRUE(kernel.symbols.empty()) << line;
  }
}

// Sections as cuobjdump -elf prints them: two variables in each place, addresses in all of them.
const std::string dump =
    "64bit elf: type=2, abi=7, sm=80, toolkit=118, flags = 0x500550\nSections:\n"
    "Index Offset   Size ES Align        Type        Flags Link     Info Name\n"
    "    3    398    1e0 18  8            SYMTAB       0    2       12 .symtab\n"
    "    a    978     40  0  8          PROGBITS       2    0        0 .nv.constant3\n"
    "    b    9b8      8  0  4          PROGBITS       2    0       11 .nv.constant2.k\n"
    "    c    9b8      8  0  4          PROGBITS       2    0       11 .nv.constant2.other\n"
    "    d    9b8     18  0  4          PROGBITS       2    0       11 .nv.constant4\n"
    "   12   1180    500  0 80          PROGBITS       6    3 11000013 .text.k\n"
    "   13   1680    110  0  8          PROGBITS       3    0        0 .nv.global.init\n"
    "   14   16c8     14  0  4            NOBITS       3    0        0 .nv.global\n"
    "\n.section .strtab\n\n.section .shstrtab\n\n.section .symtab\n"
    " index           value           size      info    other  shndx    name  \n"
    "   0               0               0        0        0      0     (null)\n"
    " 0x1               0               0      0x3        0    0xa     .nv.constant3\n"
    " 0x2               0            0x24      0x1        0    0xa     filter\n"
    " 0x3            0x24            0x10      0x1        0    0xa     table\n"
    " 0x4               0             0x4      0x1        0   0x14     counter\n"
    " 0x5             0x8            0x40      0x1        0   0x13     lookup\n"
    " 0x6               0             0x8      0x1        0   0x13     pointer\n"
    " 0x7            0x10            0x10      0x1        0   0x14     idle\n"
    " 0x8               0             0xc      0xd     0x81    0xb     k.const_opt.0.12\n"
    " 0x9               0           0x500     0x12     0x10   0x12     k\n"
    " 0xa               0               0     0x12        0      0     vprintf\n"
    "\n\n.nv.constant3\n"
    "0x00000000 0x00000000 0x00000000 0x00000000\n0x00000000 0x00000000 0x00000000 0x00000000\n"
    "0x00000000 0x00000001 0x00000002 0x00000003\n0x04 0x05 \n"
    "\n.section .rela.text.k\tRELA\n0x10    lookup    R_CUDA_ABS32_LO_32    0x4\n"
    "0x20    lookup    R_CUDA_ABS32_HI_32    0x4\n0x60    k    R_CUDA_ABS32_LO_32    0x70\n"
    "0x80    vprintf    R_CUDA_ABS55_16_34    0x0\n0x90    lookup    R_CUDA_ABS32_LO_32    0x0\n"
    "\n.section .rel.text.k\tREL\n0x30    pointer    R_CUDA_ABS32_LO_32\n"
    "0x40    pointer    R_CUDA_ABS32_HI_32\n0x28    idle    R_CUDA_ABS32_HI_32\n"
    "\n.section .rel.text.other\tREL\n0x10    idle    R_CUDA_ABS32_LO_32\n"
    "\n.nv.constant2.k\n0x00000120 0xfffffff0\n\n.nv.constant2.other\n0x00000001 0x00000002\n"
    "\n.nv.constant4\n0x00000000 0x00000000 0x00000010 0x00000000\n0x00000000 0x00000000\n"
    "\n.section .rel.nv.constant4\tREL\n0x8    counter    R_CUDA_G64\n0x10    vprintf    "
    "R_CUDA_64\n"
    "\n.nv.global.init\n0x00000000 0x00000000 0x00000007 0x00000008\n0x0009 0x0a\n"
    "\n.section .rela.nv.global.init\tRELA\n0x0    lookup    R_CUDA_G64    0x8\n"
    "\n.section .rela.debug_frame\tRELA\n0x0    idle    R_CUDA_64    0x8\n"
    "\n.text.k\nbar = 0\treg = 17\tlmem=0\tsmem=0\n0xff017624 0x00000a00 0x078e00ff 0x000fc400\n";

const std::string dumped_code =
    "\tcode for sm_80\n\t\tFunction : k\n"
    "/*0000*/ LDC R0, c[0x3][R2+0x24];\n/*0010*/ UMOV UR6, 0x0;\n/*0020*/ UMOV UR7, 0x0;\n"
    "/*0030*/ MOV R4, 0x18;\n/*0040*/ MOV R5, 0x18;\n/*0050*/ MOV R6, c[0x4][0x8];\n"
    "/*0060*/ MOV R20, 0x0;\n/*0070*/ MOV R21, 0x0;\n/*0080*/ CALL.ABS.NOINC 0x0;\n"
    "/*0090*/ MOV R1, R2;\n/*00a0*/ EXIT;\n";

TEST(ModuleSections, OfADump) {
  const Kernel kernel = read_one(dump + dumped_code);
  EXPECT_EQ(text_of(kernel, "filter"), "constant 3 at 0 with 36");
  EXPECT_EQ(text_of(kernel, "table"), "constant 3 at 36 with 16 = used");
  // .nv.global.init has 0x110 bytes: the others begin at the next multiple of 256.
  EXPECT_EQ(text_of(kernel, "counter"), "global at 512 with 4 used");
  EXPECT_EQ(text_of(kernel, "idle"), "global at 528 with 16");
  EXPECT_EQ(text_of(kernel, "lookup"), "global at 8 with 64 = used");
  EXPECT_EQ(text_of(kernel, "pointer"), "global at 0 with 8 = used");
  EXPECT_EQ(kernel.symbols.size(), 6U);
  ASSERT_NE(symbol_of(kernel, "lookup"), nullptr);
  EXPECT_EQ(symbol_of(kernel, "lookup")->content, (Bytes{7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 10}));
  EXPECT_EQ(bank_of(kernel, 3).size(), 50U);
  EXPECT_EQ(bank_of(kernel, 3)[44], 3U);
  EXPECT_EQ(bank_of(kernel, 3)[49], 5U);  // a token of two digits is a byte
  EXPECT_EQ(bank_of(kernel, 2), (Bytes{0x20, 1, 0, 0, 0xf0, 0xff, 0xff, 0xff}));
}

TEST(ModuleSections, AddressesOfADump) {
  const Kernel kernel = read_one(dump + dumped_code);
  EXPECT_EQ(addresses_of(kernel),
            (std::vector<std::string>{"bank 4 8 whole counter+16", "operand 0x0 high lookup+4",
                                      "operand 0x0 low lookup+4", "operand 0x18 high pointer+24",
                                      "operand 0x18 low pointer+24", "pointer 0 whole lookup+8"}));
  // The return address is code of the kernel itself.
  const Instruction& move = kernel.instructions[6];
  EXPECT_EQ(kernel.operands_of(move).back().value, 0x70);
}

TEST(ModuleSections, ABankThatIsNotReadNeedsNoVariables) {
  const Kernel kernel = read_one(dump + code);
  EXPECT_TRUE(kernel.symbol_addresses.empty());
  for (const ModuleSymbol& symbol : kernel.symbols) EXPECT_FALSE(symbol.used) << symbol.name;
}

TEST(ModuleSections, BetweenVariablesAnyOfTheBankMayBeRead) {
  const std::string read = "/*0000*/ LDC R0, c[0x3][R2+-0x4];\n/*0010*/ EXIT;\n";
  const Kernel kernel = read_one(dump + "\tcode for sm_80\n\t\tFunction : k\n" + read);
  EXPECT_EQ(text_of(kernel, "filter"), "constant 3 at 0 with 36 used");
  EXPECT_EQ(text_of(kernel, "table"), "constant 3 at 36 with 16 = used");
  EXPECT_EQ(text_of(kernel, "lookup"), "global at 8 with 64 =");
}

TEST(ModuleSections, BesideAndAfterTheCode) {
  for (const Kernel& kernel : {read_one(dumped_code, dump), read_one(dumped_code + dump)}) {
    EXPECT_EQ(text_of(kernel, "lookup"), "global at 8 with 64 = used");
    EXPECT_EQ(kernel.symbol_addresses.size(), 6U);
    EXPECT_EQ(bank_of(kernel, 2).size(), 8U);
  }
}

TEST(ModuleSections, EveryFileHasItsOwnModule) {
  std::string second = dump + dumped_code;
  for (const auto& [from, to] : {std::pair{"sm=80", "sm=70"},
                                 {"code for sm_80", "code for sm_70"},
                                 {"0x00000007", "0x00000017"},
                                 {"filter\n", "weights\n"}}) {
    const std::string name = from;
    second.replace(second.find(name), name.size(), to);
  }
  for (const bool beside : {false, true}) {
    const std::string codes =
        "\tcode for sm_70\n\t\tFunction : k\n" + dumped_code.substr(dumped_code.find("/*0000*/"));
    const auto kernels = beside ? read_all(dumped_code + codes, dump + second)
                                : read_all(dump + dumped_code + second);
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_NE(symbol_of(kernels[0], "filter"), nullptr);
    EXPECT_EQ(symbol_of(kernels[0], "weights"), nullptr);
    ASSERT_NE(symbol_of(kernels[0], "lookup"), nullptr);
    EXPECT_EQ(symbol_of(kernels[0], "lookup")->content[0], 7U);
    EXPECT_EQ(symbol_of(kernels[1], "filter"), nullptr);
    EXPECT_NE(symbol_of(kernels[1], "weights"), nullptr);
    ASSERT_NE(symbol_of(kernels[1], "lookup"), nullptr);
    EXPECT_EQ(symbol_of(kernels[1], "lookup")->content[0], 0x17U);
  }
}

TEST(ModuleSections, HeaderLinesWinOverTheFile) {
  const Kernel kernel =
      read_one("// symbol filter constant 3 0 32\n// constant 3 07\n" + dump + dumped_code);
  EXPECT_EQ(text_of(kernel, "filter"), "constant 3 at 0 with 32");
  EXPECT_EQ(bank_of(kernel, 3), (Bytes{7}));
  EXPECT_EQ(kernel.symbols.size(), 6U);
}

TEST(ModuleSections, ABankEndsWhereOperandsCannotReach) {
  std::string long_dump = "64bit elf: type=2, abi=7, sm=80\n.nv.constant3\n";
  for (int i = 0; i < 5000; ++i) long_dump += "0x00000001 0x00000001 0x00000001 0x00000001\n";
  EXPECT_EQ(bank_of(read_one(long_dump + code), 3).size(), 65536U);
}

TEST(ModuleSections, OfADisassembly) {
  for (const char* sm : {"52", "80"}) {
    SCOPED_TRACE(sm);
    const Kernel dumped = read_fixture("listings/module_variables.sm_" + std::string(sm) + ".sass");
    const Kernel kernel =
        read_fixture("listings/nvdisasm/module_variables.sm_" + std::string(sm) + ".full.sass");
    ASSERT_EQ(kernel.symbols.size(), 7U);
    EXPECT_EQ(dumped.symbols.size(), 7U);
    for (const ModuleSymbol& symbol : dumped.symbols) {
      SCOPED_TRACE(symbol.name);
      EXPECT_EQ(text_of(kernel, symbol.name), text_of(dumped, symbol.name));
      ASSERT_NE(symbol_of(kernel, symbol.name), nullptr);
      EXPECT_EQ(symbol_of(kernel, symbol.name)->content, symbol.content);
    }
    EXPECT_EQ(bank_of(kernel, 3), bank_of(dumped, 3));
    EXPECT_EQ(bank_of(kernel, 3).size(), 56U);
    EXPECT_EQ(kernel.symbol_addresses.size(), dumped.symbol_addresses.size());
    EXPECT_EQ(kernel.symbol_addresses.size(), 10U);
    for (std::size_t i = 0; i < kernel.symbol_addresses.size(); ++i) {
      const SymbolAddress& address = kernel.symbol_addresses[i];
      EXPECT_NE(address.symbol, SymbolAddress::no_symbol);
    }
  }
}

TEST(ModuleSections, DirectivesAndTheirItems) {
  const Kernel kernel = read_one(
      "\t.headerflags\t@\"EF_CUDA_SM80\"\n"
      "\t.section\t.nv.constant4,\"a\",@progbits\n\t.align\t8\n\t.size\tx,(y - x)\nx:\n"
      "\t.zero\t2\n        /*0002*/ \t.byte\t0x01, 0x02\n        /*0004*/ \t.short\t0x0304\n"
      "\t.zero\t2\ny:\n        /*0008*/ \t.dword\tfun@R_CUDA_G64((x + 0x10))\n"
      "        /*0010*/ \t.word\tfun@R_CUDA_ABS32_HI_32(z)\n        /*0014*/ \t.word\t0x7\n.L_1:\n"
      "        /*0018*/ \t.dword\tz\n"
      "\t.section\t.nv.global,\"aw\",@nobits\nz:\n.nv.global:\n\t.zero\t12\n.L_2:\n"
      "\t.section\t.text.k,\"ax\",@progbits\n"
      "/*0000*/ MOV R0, c[0x4][0x0];\n/*0010*/ EXIT;\n");
  EXPECT_EQ(text_of(kernel, "x"), "constant 4 at 0 with 8 = used");
  EXPECT_EQ(text_of(kernel, "y"), "constant 4 at 8 with 16 =");
  EXPECT_EQ(text_of(kernel, "z"), "global at 0 with 12 used");
  Bytes bank = bank_of(kernel, 4);
  EXPECT_EQ(bank.size(), 32U);
  bank.resize(6);
  EXPECT_EQ(bank, (Bytes{0, 0, 1, 2, 4, 3}));
  EXPECT_EQ(addresses_of(kernel),
            (std::vector<std::string>{"bank 4 16 high z+0", "bank 4 24 whole z+0",
                                      "bank 4 8 whole x+16"}));
}

// 64 MiB of zeros in all are written out, whatever the text asks for.
TEST(ModuleSections, ShortLinesTakeLittleMemory) {
  const Kernel kernel = read_one(
      "// arch sm_80\n\t.section\t.nv.global.init,\"aw\"\na:\n\t.zero\t60000000\nb:\n"
      "\t.zero\t60000000\nc:\n\t.section\t.text.k,\"ax\"\n/*0000*/ MOV R0, 32@lo(a);\n");
  EXPECT_EQ(text_of(kernel, "a"), "global at 0 with 60000000 = used");
  EXPECT_TRUE(symbol_of(kernel, "a")->content.empty());
  EXPECT_EQ(text_of(kernel, "b"), "global at 60000000 with 60000000 =");
}

TEST(AddressWords, HalvesOfAddresses) {
  const auto low = address_word("32@lo(table)");
  ASSERT_TRUE(low);
  EXPECT_EQ(low->part, Part::low);
  EXPECT_EQ(low->symbol, "table");
  EXPECT_EQ(low->addend, 0);
  const auto high = address_word("32@hi((_ZN2ns1tE + 0x10))");
  ASSERT_TRUE(high);
  EXPECT_EQ(high->part, Part::high);
  EXPECT_EQ(high->symbol, "_ZN2ns1tE");
  EXPECT_EQ(high->addend, 16);
  const auto label = address_word("32@lo((k + .L_x_0@srel))");
  ASSERT_TRUE(label);
  EXPECT_EQ(label->symbol, "k");
  EXPECT_EQ(label->label, ".L_x_0");
  EXPECT_FALSE(address_word("32@lo()"));
  EXPECT_FALSE(address_word("`(.L_1)"));
  EXPECT_FALSE(address_word(""));
}

TEST(AddressWords, InCodeWithoutSections) {
  const Kernel kernel = kernel_of(
      "UMOV UR4, 32@lo((_ZN2ns5tableE + 0x8));\nUMOV UR5, 32@hi((_ZN2ns5tableE + 0x8));\n"
      "MOV R20, 32@lo((k + .L_x_0@srel));\nMOV R21, 32@hi((k + .L_x_0@srel));\n.L_x_0:\nEXIT;");
  EXPECT_EQ(text_of(kernel, "ns::table"), "global at 0 with 0 used");
  EXPECT_EQ(addresses_of(kernel),
            (std::vector<std::string>{"operand 32@hi((_ZN2ns5tableE + 0x8)) high ns::table+8",
                                      "operand 32@lo((_ZN2ns5tableE + 0x8)) low ns::table+8"}));
  const auto move = [&](std::size_t i) { return kernel.operands_of(kernel.instructions[i])[1]; };
  EXPECT_EQ(move(2).kind, OperandKind::integer);
  EXPECT_EQ(move(2).value, 0x40);  // four instructions before the label
  EXPECT_EQ(move(3).kind, OperandKind::integer);
  EXPECT_EQ(move(3).value, 0);
}

TEST(AddressParts, ByTheTypeOfTheRelocation) {
  EXPECT_EQ(address_part("R_CUDA_ABS32_LO_20"), Part::low);
  EXPECT_EQ(address_part("R_CUDA_ABS32_HI_23"), Part::high);
  EXPECT_EQ(address_part("R_CUDA_32_HI"), Part::high);
  EXPECT_EQ(address_part("R_CUDA_G32"), Part::low);
  EXPECT_EQ(address_part("R_CUDA_64"), Part::whole);
  EXPECT_EQ(address_part("R_CUDA_G64"), Part::whole);
  EXPECT_EQ(address_part("R_CUDA_ABS47_34"), Part::whole);  // the target of a call
  for (const char* other :
       {"R_CUDA_FUNC_DESC_8_0", "R_CUDA_CONST_FIELD19_40", "R_CUDA_8_32", "R_X86_64", ""}) {
    EXPECT_FALSE(address_part(other)) << other;
  }
}

TEST(Names, OfVariables) {
  EXPECT_EQ(plain_symbol_name("d_filter"), "d_filter");
  EXPECT_EQ(plain_symbol_name("_ZN2ns3bigE"), "ns::big");
  EXPECT_EQ(plain_symbol_name("__nv_static_22__3ef31991_4_a_cu_table_hidden"), "hidden");
  EXPECT_EQ(plain_symbol_name("_ZN34_INTERNAL_2c46b67f_4_b_cu__Z2kbPii2ns36_GLOBAL__N__2c46b67f_4_"
                              "b_cu__Z2kbPii4anonE"),
            "ns::anon");
  EXPECT_EQ(plain_symbol_name("__nv_static_99__x_y"), "__nv_static_99__x_y");
  EXPECT_EQ(plain_symbol_name("__nv_static_x"), "__nv_static_x");
  EXPECT_EQ(plain_symbol_name(""), "");
}

}  // namespace
}  // namespace forewarp::tests::test
