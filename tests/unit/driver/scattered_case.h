// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "saxpy2_case.h"

namespace forewarp::tests {

/// Each of 524,288 threads stores one word at a random place of so many bytes, a power of two.
inline Case scattered_case(std::uint64_t bytes, const std::string& gpu = "h200-sxm") {
  Case request;
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/validation/order/scattered.sass";
  request.kernel = "scatter_words";
  request.gpu = gpu;
  request.launch.grid = {2048, 1, 1};
  request.launch.block = {256, 1, 1};
  NamedArgument out, mask;
  out.index = 0;
  out.value.kind = Argument::Kind::buffer;
  out.value.buffer_bytes = bytes;
  mask.index = 1;
  mask.value.integer = static_cast<std::int64_t>(bytes / 4 - 1);
  request.launch.arguments = {out, mask};
  return request;
}

}  // namespace forewarp::tests
