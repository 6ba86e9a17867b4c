// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/order/shared_words.h"

#include <algorithm>
#include <cstring>

namespace forewarp::execution {

std::uint32_t SharedWords::value_at(std::uint64_t address) {
  if (memory_.buffer_of(address, 4) == GlobalMemory::no_buffer) return 0;
  const MemoryPage* page = memory_.page(address, buffer_use::read);
  std::uint32_t value = 0;
  std::memcpy(&value, page->data.data() + address % MemoryPage::bytes, sizeof value);
  return value;
}

bool SharedWords::changed_by(const Warp& warp, const MicroOp& op, const MemoryAccess& access) {
  if (access.kind != AccessKind::atomic) return true;
  if (op.destination == cell::sink || op.has(flag::position)) return true;
  const std::uint32_t* old = warp.cell_at(op.destination);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(access.lanes, i) && old[i] != value_at(access.address[i])) return true;
  }
  return false;
}

double SharedWords::queue_up(const MemoryAccess& access, double now, double each) {
  double longest = 0;
  std::uint64_t last = ~std::uint64_t{0};
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(access.lanes, i) || access.address[i] == last) continue;
    if (last != ~std::uint64_t{0}) ++queued_;
    last = access.address[i];
    double& free = free_.at(last).at;
    const double begin = std::max(now, free);
    free = begin + each;
    longest = std::max(longest, begin - now);
  }
  return longest;
}

void SharedWords::wrote(const MemoryAccess& access, const Writer& writer) {
  for_each_of(access, [&](std::uint64_t word) { writers_.at(word) = writer; });
}

const SharedWords::Writer* SharedWords::writer_of(std::uint64_t word) const {
  return writers_.find(word);
}

}  // namespace forewarp::execution
