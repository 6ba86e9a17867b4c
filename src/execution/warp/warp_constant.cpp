// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/warp_access.h"

namespace forewarp::execution::warp_operation {
namespace {

/// Fast path: all lanes read the same, known words.
bool load_constant_row(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes)) & 31U;
  const std::uint64_t address = access.address[lane];
  const Environment& environment = *warp.block->environment;
  if (op.bytes < 4 ||
      !environment.rows->alike(access.address.data(), lanes, address, ~std::uint64_t{0})) {
    return false;
  }
  std::array<std::uint32_t, 4> value{};
  for (std::uint32_t word = 0; word < words_of(op); ++word) {
    const LaunchImage::Word content = environment.image->word(op.bank, address + 4 * word);
    if (!content.known) return false;
    value[word] = content.value;
  }
  for (std::uint32_t word = 0; word < words_of(op); ++word) {
    std::uint32_t* d = destination(warp, op, word);
    for (unsigned i = 0; i < lane_count; ++i) d[i] = has_lane(lanes, i) ? value[word] : d[i];
  }
  mark_result(warp, op, lanes, 0, words_of(op));
  return true;
}

}  // namespace

void load_constant(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes)) return;
  MemoryAccess& access = warp.access[0];
  compute_addresses(warp, op, 0, lanes, access);
  access.kind = AccessKind::load;
  warp.access_count = 1;
  const LaunchImage& image = *warp.block->environment->image;
  if (load_constant_row(warp, op, lanes, access)) return;
  LaneMask unknown = 0;
  Origin origin = no_origin;
  const std::uint32_t bytes = op.bytes < 4 ? op.bytes : 4;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    for (std::uint32_t word = 0; word < words_of(op); ++word) {
      const LaunchImage::Word value = image.word(op.bank, access.address[i] + 4 * word, bytes);
      destination(warp, op, word)[i] = extended(op, value.value);
      if (value.known) continue;
      if (unknown == 0) origin = image.origin(op.bank, access.address[i] + 4 * word);
      unknown |= lane_bit(i);
    }
  }
  mark_result(warp, op, lanes, unknown, words_of(op), origin);
}

void indexed_constant(Warp& warp, const MicroOp& op, LaneMask lanes) {
  MicroOp fetch;
  fetch.bank = op.bank;
  fetch.offset = op.offset;
  fetch.bytes = 8;
  const std::uint32_t* index = warp.cell_at(op.uniform_cell);
  const LaunchImage& image = *warp.block->environment->image;
  for (std::uint32_t word = 0; word < 2; ++word) {
    std::uint32_t* d = warp.cell_at(cell::scratch + 6 + word);
    for (unsigned i = 0; i < lane_count; ++i) {
      const std::uint64_t at =
          std::uint64_t{index[i]} + static_cast<std::uint64_t>(op.offset) + 4 * word;
      d[i] = image.word(op.bank, at & 0xffffffffU).value;
    }
  }
  op.inner(warp, op, lanes);
}

}  // namespace forewarp::execution::warp_operation
