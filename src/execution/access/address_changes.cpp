// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/access/address_changes.h"

namespace forewarp::execution {

AccessChange transposed(const BufferRange& buffer, std::uint64_t pitch, std::uint64_t element) {
  const std::uint64_t rows = buffer.bytes / pitch;
  return [=](AccessShape&, std::span<std::uint64_t> addresses) {
    for (std::uint64_t& address : addresses) {
      const std::uint64_t offset = address - buffer.address;
      const std::uint64_t row = offset / pitch;
      if (address < buffer.address || row >= rows) continue;
      const std::uint64_t column = offset % pitch / element;
      address = buffer.address + (column * rows + row) * element + offset % element;
    }
  };
}

AccessChange padded(std::uint64_t pitch, std::uint64_t padding) {
  return [=](AccessShape& shape, std::span<std::uint64_t> addresses) {
    if (shape.space != MemorySpace::shared) return;
    for (std::uint64_t& address : addresses) address += address / pitch * padding;
  };
}

}  // namespace forewarp::execution
