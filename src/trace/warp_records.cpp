// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/warp_records.h"

#include <bit>

namespace forewarp::trace {

std::uint64_t first_address(const MemoryAccess& access) {
  if (access.lanes == 0) return 0;
  return access.address[static_cast<unsigned>(std::countr_zero(access.lanes)) & (lane_count - 1)];
}

AccessForm::AccessForm(const MemoryAccess& access)
    : space(access.space),
      kind(access.kind),
      bytes(access.bytes),
      lanes(access.lanes),
      base(first_address(access)) {
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    if (has_lane(lanes, lane)) offset[lane] = access.address[lane] - base;
  }
}

bool AccessForm::same_shape(const MemoryAccess& access, std::uint64_t first) const {
  if (access.lanes != lanes || access.space != space || access.kind != kind) return false;
  if (access.bytes != bytes) return false;
  std::uint64_t different = 0;
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    const std::uint64_t here = has_lane(lanes, lane) ? ~std::uint64_t{0} : 0;
    different |= (access.address[lane] - first - offset[lane]) & here;
  }
  return different == 0;
}

void AccessForm::spread(MemoryAccess& access) const {
  access.space = space;
  access.kind = kind;
  access.bytes = bytes;
  access.lanes = lanes;
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    access.address[lane] = has_lane(lanes, lane) ? base + offset[lane] : 0;
  }
}

}  // namespace forewarp::trace
