// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/launch_constants.h"

namespace forewarp::analysis {
namespace {

struct Row {
  std::uint32_t first_sm;  ///< up to the first_sm of the next row
  std::uint32_t block;     ///< byte offset of blockDim.x; y and z follow
  std::uint32_t grid;
};

constexpr Row rows[] = {
    {0, 0x8, 0x14}, {30, 0x28, 0x34}, {50, 0x8, 0x14}, {70, 0x0, 0xc}, {100, 0x360, 0x36c}};

}  // namespace

std::optional<LaunchSymbol> launch_constant(std::uint32_t sm, std::uint32_t offset) {
  Row found = rows[0];
  for (const Row& row : rows) {
    if (row.first_sm <= sm) found = row;
  }
  const auto symbol = [&](std::uint32_t base, LaunchSymbol first) -> std::optional<LaunchSymbol> {
    if (offset < base || offset >= base + 12 || (offset - base) % 4 != 0) return std::nullopt;
    return static_cast<LaunchSymbol>(static_cast<std::uint32_t>(first) + (offset - base) / 4);
  };
  if (const auto block = symbol(found.block, LaunchSymbol::block_x)) return block;
  return symbol(found.grid, LaunchSymbol::grid_x);
}

}  // namespace forewarp::analysis
