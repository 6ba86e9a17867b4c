// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/bytes/byte_reader.h"

#include <utility>

namespace forewarp::trace {

void append_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>((value & 0x7f) | 0x80);
    value >>= 7U;
  }
  out += static_cast<char>(value);
}

std::uint64_t ByteReader::varint() {
  constexpr unsigned last_shift = 63;  // a tenth byte holds one bit
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t next = byte();
    value |= std::uint64_t{next & 0x7fU} << shift;
    if (next < 0x80) {
      if (shift == last_shift && next > 1) break;
      return value;
    }
    if (shift == last_shift) break;
  }
  (void)refuse("a number of more than 64 bits");
  return 0;
}

Diagnostic ByteReader::refuse(std::string found, std::string expected) {
  if (!failure_) {
    failure_ = Diagnostic{place_ + ", byte " + std::to_string(taken_), std::move(found),
                          std::move(expected), "write the trace again"};
  }
  return *failure_;
}

bool ByteReader::fill() {
  if (failure_) return false;
  const auto count = source_->read(buffer_.data(), buffer_.size());
  next_ = end_ = 0;
  if (!count) {
    failure_ = count.error();
    return false;
  }
  if (*count == 0) {
    (void)refuse("ends in the middle");
    return false;
  }
  end_ = *count;
  return true;
}

}  // namespace forewarp::trace
