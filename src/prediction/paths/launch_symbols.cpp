// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/paths/launch_symbols.h"

#include <algorithm>

namespace forewarp::prediction {

LaunchSymbols::LaunchSymbols(const LaunchConfig& launch, const BoundArguments& arguments)
    : launch_(launch), bytes_(arguments.bytes), known_(arguments.known) {
  // Buffers have assumed addresses here: patterns depend on their alignment only.
  for (const BoundParameter& parameter : arguments.parameters) {
    if (parameter.buffer == BoundParameter::no_buffer) continue;
    const std::uint64_t address = arguments.buffers[parameter.buffer].address;
    for (std::uint32_t i = 0; i < parameter.size && parameter.offset + i < bytes_.size(); ++i) {
      bytes_[parameter.offset + i] = static_cast<std::uint8_t>(address >> (8 * i));
      known_[parameter.offset + i] = 1;
    }
  }
  binding_.grid = launch_.grid;
  binding_.block = launch_.block;
}

void LaunchSymbols::look_at_interior_block() {
  for (std::size_t d = 0; d < 3; ++d) binding_.block_index[d] = (launch_.grid[d] - 1) / 2;
}

void LaunchSymbols::look_at_block(std::uint64_t linear) {
  binding_.block_index = block_index(linear, launch_.grid);
}

void LaunchSymbols::look_at_second_block() {
  for (std::size_t d = 0; d < 3; ++d) {
    binding_.block_index[d] = std::min<std::uint32_t>(1, launch_.grid[d] - 1);
  }
}

void LaunchSymbols::look_at_corner(std::uint32_t corner) {
  for (std::size_t d = 0; d < 3; ++d) {
    binding_.thread[d] = (corner >> d & 1U) != 0 ? launch_.block[d] - 1 : 0;
  }
}

bool LaunchSymbols::is_own_corner(std::uint32_t corner) const {
  for (std::size_t d = 0; d < 3; ++d) {
    if ((corner >> d & 1U) != 0 && launch_.block[d] == 1) return false;
  }
  return true;
}

bool LaunchSymbols::lane_exists(std::uint32_t warp, std::uint32_t lane, std::uint32_t lanes) const {
  return std::uint64_t{warp} * lanes + lane < launch_.threads_per_block();
}

void LaunchSymbols::look_at_lane(std::uint32_t warp, std::uint32_t lane, std::uint32_t lanes) {
  const std::uint32_t thread = warp * lanes + lane;
  const Extent& block = launch_.block;
  binding_.thread = {thread % block[0], thread / block[0] % block[1],
                     thread / (block[0] * block[1])};
}

const Binding& LaunchSymbols::binding() {
  binding_.parameter_bytes = bytes_;
  binding_.parameter_known = known_;
  binding_.iterations = iterations;
  return binding_;
}

}  // namespace forewarp::prediction
