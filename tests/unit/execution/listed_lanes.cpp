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

/// An access at bytes behind the address in R2.
std::string access(unsigned place, std::uint32_t sm) {
  char text[64];
  std::snprintf(text, sizeof text, "[R2%s+0x%x]", sm < 70 ? "" : ".64", place);
  return text;
}

std::string listing(const std::vector<std::string>& body, std::uint32_t sm) {
  const bool old = sm < 70;
  std::vector<std::string> code = {"S2R R0, SR_TID.X", "MOV R2, c[0x0][0x210]",
                                   "MOV R3, c[0x0][0x214]", "IMAD.WIDE R2, R0, 0x4, R2"};
  if (old) {
    code = {"S2R R0, SR_TID.X", "SHL R2, R0, 0x2", "IADD R2.CC, R2, c[0x0][0x140]",
            "IADD.X R3, RZ, c[0x0][0x144]"};
  }
  for (unsigned i = 0; i < inputs; ++i)
    code.push_back("LDG.E R" + std::to_string(4 + i) + ", " + access(i * row_bytes, sm));
  code.insert(code.end(), body.begin(), body.end());
  for (unsigned i = 0; i < outputs; ++i) {
    code.push_back("STG.E " + access((inputs + i) * row_bytes, sm) + ", R" +
                   std::to_string(10 + i));
  }
  code.emplace_back("EXIT");
  std::string text = "\tcode for sm_" + std::to_string(sm) + "\n\t\tFunction : k\n";
  for (std::size_t i = 0; i < code.size(); ++i) {
    char at[32];
    std::snprintf(at, sizeof at, "        /*%04zx*/ ", (old ? 8 : 16) * i);
    text += at + code[i] + " ;\n";
  }
  return text;
}

}  // namespace

LaneRows rows_after(const std::vector<std::string>& code, const LaneRows& before,
                    std::uint32_t sm) {
  const auto kernel = read_kernel(InputSource::of_text("test.sass", listing(code, sm)));
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
                         std::uint32_t r8, std::uint32_t sm) {
  LaneRows before(inputs);
  before[0][0] = r4;
  before[2][0] = r6;
  before[4][0] = r8;
  const LaneRows after = rows_after({line}, before, sm);
  EXPECT_FALSE(after.empty()) << line;
  return after.empty() ? 0xdeadbeefU : after[0][0];
}

}  // namespace forewarp::tests
