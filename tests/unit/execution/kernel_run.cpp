// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_run.h"

#include <numeric>

#include <gtest/gtest.h>

#include "event_sum.h"
#include "execution/grid/needed_values.h"
#include "execution/lowering/kernel_lowering.h"
#include "input/kernel_choice.h"
#include "test_paths.h"

namespace forewarp::tests {
KernelRun::KernelRun(const std::string& listing, const std::string& kernel, std::uint32_t sm) {
  const std::string path = std::string(FOREWARP_FIXTURES) + "/" + listing;
  auto source = InputSource::open(path);
  if (!source) {
    ADD_FAILURE() << source.error().line();
    return;
  }
  KernelChoice choice;
  choice.name = kernel;
  choice.for_sm = sm;
  auto read = read_kernel(*source, choice);
  if (!read) {
    ADD_FAILURE() << read.error().line();
    return;
  }
  kernel_ = std::move(*read);
  input_.static_shared = kernel_.resources.static_shared.value_or(0);
  for (const ConstantData& data : kernel_.constant_banks) {
    input_.banks.push_back({data.bank, data.bytes});
  }
}

std::uint64_t KernelRun::add_buffer(std::vector<std::uint8_t> bytes) {
  ExecutionBuffer buffer;
  buffer.address = 0x7f0000000000U;
  for (const ExecutionBuffer& other : input_.buffers) {
    buffer.address =
        std::max(buffer.address, (other.address + other.bytes + 0x1ff) / 0x100 * 0x100);
  }
  buffer.bytes = bytes.size();
  buffer.content.kind = BufferContent::Kind::file;
  buffer.data = std::move(bytes);
  buffer.name = std::to_string(input_.buffers.size());
  input_.buffers.push_back(std::move(buffer));
  return input_.buffers.back().address;
}

std::optional<std::string> KernelRun::run(Extent grid, Extent block, std::uint32_t dynamic_shared,
                                          std::uint32_t threads) {
  input_.grid = grid;
  input_.block = block;
  input_.dynamic_shared = dynamic_shared;
  const auto program = lower_kernel(kernel_);
  if (!program) return program.error().line();
  std::vector<std::uint64_t> blocks(input_.blocks());
  std::iota(blocks.begin(), blocks.end(), std::uint64_t{0});
  GridOptions options;
  options.keep_memory = true;
  options.threads = threads;
  options.most_instructions = 1 << 22;
  counts_ = {};
  auto outcome = run_grid(*program, input_, blocks, options, counts_);
  if (!outcome) return outcome.error().line();
  run_ = std::move(*outcome);
  expect_equal_without_values(*program, blocks, options);
  return std::nullopt;
}

// What decides neither control nor addresses may be left out, and nobody sees it.
void KernelRun::expect_equal_without_values(const Program& program,
                                            const std::vector<std::uint64_t>& blocks,
                                            GridOptions options) const {
  // Where nobody knows what data decide, it is drawn, and what is drawn depends on what was.
  if (!run_.assumed.empty() || !run_.halved.empty() || !run_.scattered.empty()) return;
  options.keep_memory = false;
  Program counted = program;
  leave_out_values(counted);
  spoil_left_out(counted);
  EventSum all, needed;
  const auto with = run_grid(program, input_, blocks, options, all);
  const auto without = run_grid(counted, input_, blocks, options, needed);
  ASSERT_TRUE(with && without) << (without ? "" : without.error().line());
  EXPECT_EQ(all.events, needed.events);
  EXPECT_EQ(all.sum, needed.sum) << kernel_.name;
  ASSERT_EQ(with->findings.size(), without->findings.size());
  for (std::size_t i = 0; i < with->findings.size(); ++i) {
    EXPECT_EQ(with->findings[i].instruction, without->findings[i].instruction);
    EXPECT_EQ(with->findings[i].lanes, without->findings[i].lanes);
  }
}

const std::vector<std::uint32_t>& fixture_architectures() {
  static const std::vector<std::uint32_t> list{35, 52, 61, 70, 75, 80, 86, 90};
  return list;
}

}  // namespace forewarp::tests
