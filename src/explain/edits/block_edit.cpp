// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/block_edit.h"

#include <algorithm>
#include <utility>

#include "binding/access_space.h"
#include "binding/launch_check.h"

namespace forewarp::explain {
namespace {

constexpr std::uint32_t smallest = 32, largest = 1024;  // threads of a block

/// Blocks whose threads know of each other do other work in another size.
bool threads_work_together(const SeenLaunch& seen) {
  const Kernel& kernel = *seen.evaluation.launch->code.kernel;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const InstructionClass c = kernel.instructions[i].instruction_class;
    if (seen.executions(i) == 0) continue;
    if (c == InstructionClass::barrier || access_space(c) == AccessSpace::shared) return true;
  }
  return seen.evaluation.launch->needs.dynamic_shared > 0;
}

/// The same threads in blocks of so many along x and y; no value where they do not divide so.
std::optional<LaunchConfig> divided(const LaunchConfig& launch, std::uint32_t x, std::uint32_t y) {
  LaunchConfig made = launch;
  const std::uint64_t threads_x = std::uint64_t{launch.grid[0]} * launch.block[0];
  const std::uint64_t threads_y = std::uint64_t{launch.grid[1]} * launch.block[1];
  if (x == 0 || y == 0 || threads_x % x != 0 || threads_y % y != 0) return {};
  const std::uint64_t grid_x = threads_x / x, grid_y = threads_y / y;
  if (grid_x > 0xffffffffU || grid_y > 0xffffffffU) return {};
  made.block = {x, y, launch.block[2]};
  made.grid = {static_cast<std::uint32_t>(grid_x), static_cast<std::uint32_t>(grid_y),
               launch.grid[2]};
  return made;
}

/// A few sizes around the one that is asked for; in a plane also flatter and taller ones.
std::vector<std::pair<std::uint32_t, std::uint32_t>> other_sizes(const LaunchConfig& launch) {
  const std::uint32_t x = launch.block[0], y = launch.block[1];
  if (y == 1 && launch.grid[1] == 1) {
    return {{x / 4, 1}, {x / 2, 1}, {2 * x, 1}, {4 * x, 1}, {8 * x, 1}};
  }
  return {{x / 2, y}, {2 * x, y}, {x, y / 2}, {x, 2 * y}, {2 * x, y / 2}, {x / 2, 2 * y}};
}

std::string size_text(const Extent& size) {
  std::string text = std::to_string(size[0]);
  if (size[1] * size[2] > 1) text += "x" + std::to_string(size[1]);
  if (size[2] > 1) text += "x" + std::to_string(size[2]);
  return text;
}

}  // namespace

std::vector<EditProposal> BlockEdit::proposals(const SeenLaunch& seen) const {
  const Launch& draft = *seen.evaluation.launch;
  const Gpu& gpu = *seen.evaluation.launch->gpu;
  if (seen.evaluation.trace->profile == nullptr || threads_work_together(seen)) return {};
  std::vector<EditProposal> proposals;
  for (const auto& [x, y] : other_sizes(draft.config)) {
    const auto launch = divided(draft.config, x, y);
    const std::uint32_t threads = x * y * draft.config.block[2];
    if (!launch || launch->block == draft.config.block) continue;
    if (threads < smallest || threads > largest) continue;
    BlockNeeds needs = draft.needs;
    needs.threads = threads;
    if (!check_launch(gpu.limits, launch->grid, launch->block, needs)) continue;
    OtherCase other{seen.request, seen.options, true};
    other.request.launch.grid = launch->grid;
    other.request.launch.block = launch->block;
    other.options.threads.reset();
    EditProposal proposal;
    proposal.edit = "launch blocks of " + size_text(launch->block) + " threads instead of " +
                    size_text(draft.config.block) + ", a grid of " + size_text(launch->grid);
    proposal.change = std::move(other);
    proposals.push_back(std::move(proposal));
  }
  return proposals;
}

}  // namespace forewarp::explain
