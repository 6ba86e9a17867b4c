// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/gpu_code.h"

#include <lz4.h>
#include <string>
#include <zstd.h>

#include <gtest/gtest.h>

#include "../toolkit/byte_files.h"

namespace forewarp::tests {
namespace {

constexpr std::uint16_t ptx = 1, machine = 2;
constexpr std::uint64_t compressed_flag = 0x2000;

// An entry of a fat binary with a header of 64 bytes, its payload padded to 8.
std::string entry(std::uint16_t kind, std::uint32_t sm, std::string payload,
                  std::uint64_t plain_bytes = 0) {
  std::string bytes(64, '\0');
  const auto size = payload.size();
  payload.resize((size + 7) / 8 * 8, '\0');
  put<std::uint16_t>(bytes, 0, kind);
  put<std::uint32_t>(bytes, 4, 64);
  put<std::uint64_t>(bytes, 8, payload.size());
  put<std::uint32_t>(bytes, 28, sm);
  if (plain_bytes != 0) {
    put<std::uint32_t>(bytes, 16, static_cast<std::uint32_t>(size));
    put<std::uint64_t>(bytes, 40, compressed_flag);
    put<std::uint64_t>(bytes, 56, plain_bytes);
  }
  return bytes + payload;
}

std::string fat_binary(const std::string& entries) {
  std::string bytes(16, '\0');
  put<std::uint32_t>(bytes, 0, 0xba55ed50);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, 16);
  put<std::uint64_t>(bytes, 8, entries.size());
  return bytes + entries;
}

std::string lz4_of(const std::string& text) {
  std::string out(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))), '\0');
  out.resize(static_cast<std::size_t>(LZ4_compress_default(
      text.data(), out.data(), static_cast<int>(text.size()), static_cast<int>(out.size()))));
  return out;
}

std::string zstd_of(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

const std::string code(1000, 'c');

TEST(GpuCode, FindsTheEntriesOfAFatBinaryInTheirOrder) {
  const std::string file = fat_binary(entry(machine, 52, "abc") + entry(ptx, 80, "// ptx"));
  const auto parts = code_parts(file);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 2U);
  EXPECT_EQ(parts->at(0).kind, CodeKind::machine);
  EXPECT_EQ(parts->at(0).sm, 52U);
  EXPECT_EQ(parts->at(1).kind, CodeKind::ptx);
  EXPECT_EQ(parts->at(1).sm, 80U);
  EXPECT_EQ(payload_of(parts->at(1)).value().substr(0, 6), "// ptx");
}

TEST(GpuCode, DecompressesBothWaysOfCompression) {
  const std::string file = fat_binary(entry(machine, 80, lz4_of(code), code.size()) +
                                      entry(machine, 90, zstd_of(code), code.size()));
  const auto parts = code_parts(file);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 2U);
  EXPECT_EQ(parts->at(0).compression, Compression::lz4);
  EXPECT_EQ(parts->at(1).compression, Compression::zstd);
  for (const CodePart& part : *parts) EXPECT_EQ(payload_of(part).value(), code);
}

TEST(GpuCode, RefusesDamagedAndImpossibleCompression) {
  std::string broken = lz4_of(code);
  broken.resize(broken.size() / 2);
  const std::string file = fat_binary(entry(machine, 80, broken, code.size()) +
                                      entry(machine, 80, lz4_of(code), 1ULL << 40U) +
                                      entry(machine, 80, zstd_of(code), code.size() - 1));
  const auto parts = code_parts(file);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 3U);
  EXPECT_EQ(payload_of(parts->at(0)).error().found,
            "the compressed code of sm_80 is damaged: LZ4 cannot read it");
  EXPECT_EQ(payload_of(parts->at(1)).error().found,
            "the compressed code of sm_80 is damaged: it states an impossible size");
  EXPECT_EQ(payload_of(parts->at(2)).error().found,
            "the compressed code of sm_80 is damaged: its frame states another size");
}

TEST(GpuCode, FindsFatBinariesInHostObjectsAndArchives) {
  const std::string object = elf_bytes(62, 0, 0, fat_binary(entry(machine, 75, "abc")));
  const auto parts = code_parts(object);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 1U);
  EXPECT_EQ(parts->at(0).sm, 75U);
  std::string header = "object.o/       0           0     0     644     ";
  std::string size = std::to_string(object.size());
  size.resize(10, ' ');
  const std::string archive = "!<arch>\n" + header + size + "`\n" + object;
  const auto members = code_parts(archive);
  ASSERT_TRUE(members);
  ASSERT_EQ(members->size(), 1U);
  EXPECT_EQ(members->at(0).sm, 75U);
  const auto cut = code_parts(std::string_view(archive).substr(0, archive.size() - 200));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().found, "the archive is damaged at byte 8");
}

TEST(GpuCode, RefusesAFatBinaryThatIsCutShort) {
  const std::string file = fat_binary(entry(machine, 52, code));
  const auto parts = code_parts(std::string_view(file).substr(0, file.size() - 100));
  ASSERT_FALSE(parts);
  EXPECT_EQ(parts.error().found, "the fatbin is cut short");
}

}  // namespace
}  // namespace forewarp::tests
