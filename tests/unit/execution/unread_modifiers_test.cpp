// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Modifiers that an instruction's translation does not depend on are known to change no value, in
// all listings here.
#include "execution/lowering/unread_modifiers.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "execution/grid/grid_runner.h"
#include "execution/lowering/kernel_lowering.h"
#include "input/sass/sass_reader.h"
#include "input/source.h"
#include "kernel_builder.h"
#include "kernel_run.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

TEST(UnreadModifiers, OfListingsHereChangeNoValue) {
  std::map<std::string, std::string> found;
  std::size_t kernels = 0;
  for (const char* folder : {"/validation", "/tests"}) {
    const auto at = std::string(FOREWARP_SOURCE_DIR) + folder;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(at)) {
      if (entry.path().extension() != ".sass") continue;
      // One instruction of each form, reductions in bulk among them; nobody runs it.
      if (entry.path().parent_path().filename() == "encoding") continue;
      const auto source = InputSource::open(entry.path().string());
      if (!source) continue;
      SassReader reader(*source);
      while (true) {
        auto kernel = reader.next();
        if (!kernel || !*kernel) break;
        ++kernels;
        for (const UnreadModifier& unread : unread_modifiers(**kernel)) {
          const Instruction& instruction = (*kernel)->instructions[unread.instruction];
          found.emplace(std::string(opcode_info(instruction.opcode).mnemonic) + " ." + unread.word,
                        std::string((*kernel)->text_of(instruction)) + "  sm_" +
                            std::to_string((*kernel)->sm) + " " + entry.path().filename().string());
        }
      }
    }
  }
  EXPECT_GT(kernels, 800U);
  for (const auto& [what, where] : found) ADD_FAILURE() << what << ": " << where;
}

std::string found_in(std::initializer_list<std::string_view> lines) {
  std::string text;
  for (const UnreadModifier& unread : unread_modifiers(testing::kernel_from(80, lines)))
    text += std::to_string(unread.instruction) + " " + unread.word + "\n";
  return text;
}

TEST(UnreadModifiers, AreFoundOnceForEachOpcode) {
  EXPECT_EQ(found_in({"IADD3.X R0, R1, R2, R3, P0, !PT", "EXIT"}), "");
  EXPECT_EQ(found_in({"MOV R0, R1", "IADD3.TWICE R0, R1, R2, R3", "IADD3.TWICE R0, R1, R2, R3",
                      "FADD.FTZ.SAT.TWICE R0, R1, R2", "EXIT"}),
            "1 TWICE\n3 TWICE\n");
  EXPECT_EQ(found_in({"@!PT IADD3.TWICE R0, R1, R2, R3", "MEMBAR.TWICE", "EXIT"}), "");
}

/// What one warp leaves in a buffer of 32 words that began with `before`; its address is the
/// kernel's parameter.
std::vector<std::uint32_t> left_by(std::uint32_t sm, std::initializer_list<std::string_view> lines,
                                   std::uint32_t before) {
  const Kernel kernel = testing::kernel_from(sm, lines);
  const auto program = lower_kernel(kernel);
  if (!program) return {};
  constexpr std::uint64_t address = 0x7f0000000000U;
  std::vector<std::uint32_t> words(32, before);
  ExecutionInput input;
  input.block = {32, 1, 1};
  for (unsigned i = 0; i < 8; ++i)
    input.parameters.push_back(static_cast<std::uint8_t>(address >> (8 * i)));
  ExecutionBuffer buffer;
  buffer.address = address;
  buffer.bytes = 4 * words.size();
  buffer.content.kind = BufferContent::Kind::file;
  buffer.data.resize(buffer.bytes);
  std::memcpy(buffer.data.data(), words.data(), buffer.bytes);
  buffer.name = "0";
  input.buffers.push_back(buffer);
  GridOptions options;
  options.keep_memory = true;
  options.threads = 1;
  CountingSink none;
  auto outcome = run_grid(*program, input, std::vector<std::uint64_t>{0}, options, none);
  auto* bytes = reinterpret_cast<std::uint8_t*>(words.data());
  if (!outcome || !outcome->memory->read(address, {bytes, buffer.bytes})) return {};
  return words;
}

// 2^-127 + 2^-128: what is below 2^-126 counts as nothing with .FTZ.
TEST(Modifiers, FlushSumsInMemory) {
  const auto sum = [](std::string_view red) {
    return left_by(
        80,
        {"// param 0x0 8", "S2R R3, SR_TID.X", "MOV R0, c[0x0][0x160]", "MOV R1, c[0x0][0x164]",
         "IMAD.WIDE R4, R3, 0x4, R0", "MOV R2, 0x200000", red, "EXIT"},
        0x400000);
  };
  EXPECT_EQ(sum("RED.E.ADD.F32.RN.STRONG.GPU [R4], R2"), std::vector<std::uint32_t>(32, 0x600000));
  EXPECT_EQ(sum("RED.E.ADD.F32.FTZ.RN.STRONG.GPU [R4], R2"), std::vector<std::uint32_t>(32, 0));
}

// The whole warp goes where lane 5 would.
TEST(Modifiers, TakeAWholeWarpAlong) {
  const auto made = [](std::string_view branch) {
    return left_by(
        90,
        {"// param 0x0 8", "S2R R3, SR_TID.X", "MOV R0, c[0x0][0x210]", "MOV R1, c[0x0][0x214]",
         "IMAD.WIDE R4, R3, 0x4, R0", "ISETP.EQ.AND P0, PT, R3, 0x5, PT", "MOV R2, 0x1", branch,
         "MOV R2, 0x2", "STG.E [R4], R2", "EXIT"},
        0);
  };
  std::vector<std::uint32_t> expected(32, 2);
  expected[5] = 1;
  EXPECT_EQ(made("@P0 BRA 0x80"), expected);
  EXPECT_EQ(made("@P0 BRA.U.ANY 0x80"), std::vector<std::uint32_t>(32, 1));
}

}  // namespace
}  // namespace forewarp::tests
