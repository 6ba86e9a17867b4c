// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "listed_lanes.h"

#include <cstdio>
#include <cstring>

#include <gtest/gtest.h>

#include "execution/grid/grid_runner.h"
#include "execution/lowering/kernel_lowering.h"
#include "input/kernel_choice.h"

namespace forewarp::tests {
namespace {

constexpr std::uint64_t buffer_address = 0x7f0000000000U;
constexpr unsigned inputs = 6, outputs = 8, row_bytes = 4 * 32;

struct Quiet : NoSink {
  [[nodiscard]] Quiet empty() const { return {}; }
  void merge(const Quiet&) {}
};

std::string stored(unsigned place, unsigned number) {
  char text[64];
  std::snprintf(text, sizeof text, "STG.E [R2.64+0x%x], R%u", place, number);
  return text;
}

std::string listing(const std::vector<std::string>& body) {
  std::vector<std::string> code = {"S2R R0, SR_TID.X", "MOV R2, c[0x0][0x210]",
                                   "MOV R3, c[0x0][0x214]", "IMAD.WIDE R2, R0, 0x4, R2"};
  for (unsigned i = 0; i < inputs; ++i) {
    char text[64];
    std::snprintf(text, sizeof text, "LDG.E R%u, [R2.64+0x%x]", 4 + i, i * row_bytes);
    code.emplace_back(text);
  }
  code.insert(code.end(), body.begin(), body.end());
  for (unsigned i = 0; i < outputs; ++i) code.push_back(stored((inputs + i) * row_bytes, 10 + i));
  code.emplace_back("EXIT");
  std::string text = "\tcode for sm_90\n\t\tFunction : k\n";
  for (std::size_t i = 0; i < code.size(); ++i) {
    char at[32];
    std::snprintf(at, sizeof at, "        /*%04zx*/ ", 16 * i);
    text += at + code[i] + " ;\n";
  }
  return text;
}

}  // namespace

LaneRows rows_after(const std::vector<std::string>& code, const LaneRows& before) {
  const auto kernel = read_kernel(InputSource::of_text("test.sass", listing(code)));
  if (!kernel) return {};
  ExecutionInput input;
  input.grid = {1, 1, 1};
  input.block = {32, 1, 1};
  input.static_shared = 1024;
  ExecutionBuffer buffer;
  buffer.address = buffer_address;
  buffer.bytes = (inputs + outputs) * row_bytes;
  buffer.content.kind = BufferContent::Kind::file;
  buffer.data.assign(buffer.bytes, 0);
  for (std::size_t i = 0; i < before.size(); ++i)
    std::memcpy(buffer.data.data() + i * row_bytes, before[i].data(), row_bytes);
  buffer.name = "0";
  input.buffers.push_back(buffer);
  input.parameters = {0, 0, 0, 0, 0, 0x7f, 0, 0};
  const auto program = lower_kernel(*kernel);
  if (!program) return {};
  GridOptions options;
  options.keep_memory = true;
  options.threads = 1;
  Quiet none;
  auto outcome = run_grid(*program, input, {std::vector<std::uint64_t>{0}}, options, none);
  std::vector<std::uint8_t> bytes(buffer.bytes);
  if (!outcome || !outcome->memory->read(buffer.address, {bytes.data(), bytes.size()})) return {};
  LaneRows after(outputs);
  for (std::size_t i = 0; i < outputs; ++i)
    std::memcpy(after[i].data(), bytes.data() + (inputs + i) * row_bytes, row_bytes);
  return after;
}

std::uint32_t word_after(const std::string& line, std::uint32_t r4, std::uint32_t r6,
                         std::uint32_t r8) {
  LaneRows before(inputs);
  before[0][0] = r4;
  before[2][0] = r6;
  before[4][0] = r8;
  const LaneRows after = rows_after({line}, before);
  EXPECT_FALSE(after.empty()) << line;
  return after.empty() ? 0xdeadbeefU : after[0][0];
}

}  // namespace forewarp::tests
