// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/content_kind.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "byte_files.h"
#include "input/binary/elf_file.h"
#include "input/binary/fat_binary.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

TEST(ContentKind, BinariesByTheirFirstBytes) {
  EXPECT_EQ(content_kind(""), ContentKind::empty);
  EXPECT_EQ(content_kind(elf_bytes(190, 0x33, 0x560556)), ContentKind::cubin);
  EXPECT_EQ(content_kind(elf_bytes(62, 0, 0)), ContentKind::host_binary);
  EXPECT_EQ(content_kind(fat_binary_bytes({{2, 80}})), ContentKind::fat_binary);
  EXPECT_EQ(content_kind("!<arch>\nm.o/"), ContentKind::library);
  EXPECT_EQ(content_kind(std::string("GIF\0\1", 5)), ContentKind::other_binary);
  EXPECT_EQ(content_kind(std::string("\x7f"
                                     "ELF\2\1",
                                     6)),
            ContentKind::host_binary);
}

TEST(ContentKind, TextsByWhatTheySay) {
  EXPECT_EQ(content_kind("//\n// Generated\n\n.version 7.8\n.target sm_80\n.address_size 64\n"),
            ContentKind::ptx);
  EXPECT_EQ(content_kind("// .version of mine\n__global__ void k() {}\n"),
            ContentKind::cuda_source);
  EXPECT_EQ(content_kind("#include \"k.h\"\n"), ContentKind::cuda_source);
  EXPECT_EQ(content_kind("hello\n"), ContentKind::other_text);
  EXPECT_EQ(content_kind("//"), ContentKind::other_text);
}

TEST(ContentKind, AListingIsNoSourceWhateverItsLinesQuote) {
  const auto listing = read_file(FOREWARP_FIXTURES "/listings/nvdisasm/saxpy2.sm_52.lines.sass");
  ASSERT_TRUE(listing);
  EXPECT_EQ(content_kind(*listing), ContentKind::other_text);
  EXPECT_EQ(content_kind("\tcode for sm_52\n// __global__ void k()\n"), ContentKind::other_text);
}

TEST(ElfFile, ArchitectureOfOldAndNewFlags) {
  EXPECT_EQ(parse_elf(elf_bytes(190, 0x33, 0x560556))->sm(), 86U);
  EXPECT_EQ(parse_elf(elf_bytes(190, 0x33, 0x340534))->sm(), 52U);
  EXPECT_EQ(parse_elf(elf_bytes(190, 0x41, 0x6005604))->sm(), 86U);
  EXPECT_EQ(parse_elf(elf_bytes(190, 0x41, 0x6006404))->sm(), 100U);
}

TEST(ElfFile, SectionsByName) {
  const std::string bytes = elf_bytes(62, 0, 0, "payload");
  const auto file = parse_elf(bytes);
  ASSERT_TRUE(file);
  ASSERT_EQ(file->sections.size(), 3U);
  EXPECT_EQ(file->sections[1].name, ".nv_fatbin");
  EXPECT_EQ(file->sections[1].bytes, "payload");
}

TEST(ElfFile, EveryCutIsSafeAndMostAreRefused) {
  const std::string bytes = elf_bytes(62, 0, 0, "payload");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(parse_elf(std::string_view(bytes).substr(0, size))) << size;
  }
  std::string narrow = bytes;
  narrow[4] = 1;
  ASSERT_FALSE(parse_elf(narrow));
  EXPECT_EQ(parse_elf(narrow).error().found, "an ELF file that is not 64-bit little-endian");
}

TEST(FatBinary, ListsMachineCodeAndPtx) {
  const AvailableCode code = code_in_fat_binaries(fat_binary_bytes({{2, 52}, {2, 80}, {1, 80}}));
  EXPECT_EQ(code.machine, (std::vector<std::uint32_t>{52, 80}));
  EXPECT_EQ(code.ptx, std::vector<std::uint32_t>{80});
}

TEST(FatBinary, SeveralInOneSectionAndOtherBytesBetween) {
  const std::string bytes = "xx" + fat_binary_bytes({{2, 52}}) + std::string(7, '\0') +
                            fat_binary_bytes({{2, 70}}) + "\x50\xed";
  EXPECT_EQ(code_in_fat_binaries(bytes).machine, (std::vector<std::uint32_t>{52, 70}));
}

TEST(FatBinary, ACutOneGivesWhatItHas) {
  const std::string bytes = fat_binary_bytes({{2, 52}, {2, 80}});
  EXPECT_TRUE(is_complete_fat_binary(bytes));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto code = code_in_fat_binaries(std::string_view(bytes).substr(0, size));
    EXPECT_LE(code.machine.size(), 2U);
    EXPECT_FALSE(is_complete_fat_binary(std::string_view(bytes).substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace forewarp::tests
