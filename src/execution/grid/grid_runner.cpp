// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/grid_runner.h"

#include "execution/storage/address_space.h"

namespace forewarp::execution {

std::vector<std::span<const std::uint64_t>> block_groups(std::span<const std::uint64_t> blocks,
                                                         bool one_group) {
  constexpr std::size_t most_groups = 16;
  std::vector<std::span<const std::uint64_t>> groups;
  if (blocks.empty()) return groups;
  const std::size_t count = one_group ? 1 : std::min(most_groups, blocks.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = blocks.size() * i / count, end = blocks.size() * (i + 1) / count;
    groups.push_back(blocks.subspan(begin, end - begin));
  }
  return groups;
}

std::vector<ExecutionBuffer> with_workspace(const ExecutionInput& input) {
  std::vector<ExecutionBuffer> buffers = input.buffers;
  ExecutionBuffer workspace;
  workspace.address = address_space::workspace;
  workspace.bytes = address_space::workspace_bytes;
  workspace.content.kind = BufferContent::Kind::zeros;
  workspace.name = "the cooperative-launch workspace";
  buffers.push_back(std::move(workspace));
  return buffers;
}

}  // namespace forewarp::execution
