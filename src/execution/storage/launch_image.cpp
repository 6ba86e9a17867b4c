// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/storage/launch_image.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "execution/state/cells.h"
#include "execution/storage/address_space.h"
#include "execution/storage/bank_layout.h"

namespace forewarp::execution {
namespace {

constexpr std::uint32_t program_constants = 3;  // the bank of __constant__ variables
constexpr std::size_t driver_bytes = 0x500;     // bytes before and around the parameters

void put(BankImage& bank, std::uint32_t offset, std::uint32_t value) {
  if (offset == BankLayout::none) return;
  std::memcpy(bank.bytes.data() + offset, &value, sizeof value);
}

void put_window(BankImage& bank, std::uint32_t offset, std::uint32_t words, std::uint64_t value) {
  put(bank, offset, static_cast<std::uint32_t>(value));
  if (offset != BankLayout::none && words == 2)
    put(bank, offset + 4, static_cast<std::uint32_t>(value >> 32));
}

}  // namespace

LaunchImage::LaunchImage(const Program& program, const ExecutionInput& input) : input_(&input) {
  build_bank0(program);
  for (const ConstantBank& given : input.banks) {
    if (given.bank == 0 || given.bank > 31) continue;
    if (banks_.size() <= given.bank) banks_.resize(given.bank + 1);
    banks_[given.bank] = {given.bytes, given.known};
    banks_[given.bank].known.resize(given.bytes.size(), given.known.empty() ? 1 : 0);
  }
  const BankLayout& layout = bank_layout(program.kernel->sm);
  shared_bytes_ = layout.shared_reserve + input.static_shared + input.dynamic_shared;
  fill_pool(program);
}

void LaunchImage::build_bank0(const Program& program) {
  const BankLayout& layout = bank_layout(program.kernel->sm);
  const ExecutionInput& input = *input_;
  parameter_base_ =
      program.kernel->parameter_base != 0 ? program.kernel->parameter_base : layout.parameters;
  banks_.resize(1);
  BankImage& bank = banks_[0];
  bank.bytes.resize(std::max<std::size_t>(driver_bytes, parameter_base_ + input.parameters.size()));
  bank.known.assign(bank.bytes.size(), 1);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    put(bank, layout.block + 4 * axis, input.block[axis]);
    put(bank, layout.grid + 4 * axis, input.grid[axis]);
  }
  put(bank, layout.stack, address_space::stack_top);
  put_window(bank, layout.shared_window, layout.window_words, address_space::shared_window);
  put_window(bank, layout.local_window, layout.window_words, address_space::local_window);
  if (layout.cluster != BankLayout::none) {
    // A flag, the cluster's size, one over it, clusters of the grid, blocks of a cluster.
    constexpr std::uint32_t first = 4, inverse = 0x10, count = 0x1c, all = 0x48;
    put(bank, layout.cluster, volume(input.cluster) > 1 ? 1 : 0);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const float share = 1.0F / static_cast<float>(input.cluster[axis]);
      put(bank, layout.cluster + first + 4 * axis, input.cluster[axis]);
      put(bank, layout.cluster + inverse + 4 * axis, std::bit_cast<std::uint32_t>(share));
      put(bank, layout.cluster + count + 4 * axis, input.grid[axis] / input.cluster[axis]);
    }
    put(bank, layout.cluster + all, static_cast<std::uint32_t>(volume(input.cluster)));
  }
  if (layout.parameter_window != BankLayout::none) {
    put_window(bank, layout.parameter_window, 2, address_space::parameter_window);
  }
  for (const ConstantBank& given : input.banks) {
    if (given.bank == program_constants && given.address != 0)
      put_window(bank, layout.constants, 2, given.address);
  }
  put(bank, layout.workspace_low, static_cast<std::uint32_t>(address_space::workspace));
  put(bank, layout.workspace_high, static_cast<std::uint32_t>(address_space::workspace >> 32));
  std::copy(input.parameters.begin(), input.parameters.end(), bank.bytes.begin() + parameter_base_);
  for (std::size_t i = 0; i < input.parameters_known.size(); ++i) {
    if (parameter_base_ + i < bank.known.size())
      bank.known[parameter_base_ + i] = input.parameters_known[i];
  }
}

LaunchImage::Word LaunchImage::word(std::uint32_t bank, std::uint64_t offset,
                                    std::uint32_t bytes) const {
  if (bank >= banks_.size()) return {0, false};
  const BankImage& image = banks_[bank];
  if (offset > image.bytes.size() || image.bytes.size() - offset < bytes) return {0, false};
  Word result;
  std::memcpy(&result.value, image.bytes.data() + offset, bytes);
  for (std::uint32_t i = 0; i < bytes; ++i)
    result.known = result.known && image.known[offset + i] != 0;
  return result;
}

void LaunchImage::fill_pool(const Program& program) {
  pool_.resize(std::max<std::size_t>(1, program.pool.size()) * cell::words);
  for (std::size_t i = 0; i < program.pool.size(); ++i) {
    const PoolCell& content = program.pool[i];
    Word value{content.value, true};
    if (content.bank != PoolCell::immediate) value = word(content.bank, content.value);
    std::fill_n(pool_.begin() + static_cast<std::ptrdiff_t>(i * cell::words), cell::words,
                value.value);
    if (value.known) continue;
    if (unknown_pool_.empty()) unknown_pool_.assign(program.pool.size(), no_origin);
    unknown_pool_[i] = origin(content.bank, content.value);
  }
}

Origin LaunchImage::origin(std::uint32_t bank, std::uint64_t offset) const {
  const auto at = static_cast<std::uint32_t>(offset & 0xfffffU);
  const bool parameter = bank == 0 && at >= parameter_base_;
  return parameter_origin | (parameter ? at - parameter_base_ : 0x40000000U | bank << 20 | at);
}

}  // namespace forewarp::execution
