// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/storage/program_services.h"

namespace forewarp::execution {

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes) {
  constexpr std::uint64_t unit = 16;  // alignment of what malloc() returns
  if (bytes == 0 || bytes > end_) return 0;
  const std::uint64_t size = (bytes + unit - 1) / unit * unit;
  std::uint64_t address = 0;
  if (auto free = free_.find(size); free != free_.end() && !free->second.empty()) {
    address = free->second.back();
    free->second.pop_back();
  } else if (size <= end_ - next_) {
    address = next_;
    next_ += size;
  }
  if (address != 0) sizes_[address] = size;
  return address;
}

void DeviceHeap::release(std::uint64_t address) {
  const auto found = sizes_.find(address);
  if (found == sizes_.end()) return;
  free_[found->second].push_back(address);
  sizes_.erase(found);
}

}  // namespace forewarp::execution
