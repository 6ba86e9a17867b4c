// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "trace/bytes/byte_source.h"

namespace forewarp::trace {

/// Appends seven bits per byte, lowest first; the last byte has its top bit clear.
void append_varint(std::string& out, std::uint64_t value);

/// Maps small numbers of either sign to small ones: 0 -1 1 -2 .. to 0 1 2 3 ..
[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0);
}
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1U) ^ (~(value & 1U) + 1));
}

/// Takes single bytes and numbers from a source. The first error stays in failure(); everything
/// taken afterwards is 0.
class ByteReader {
 public:
  /// `place` names the source in messages.
  ByteReader(ByteSource& source, std::string place) : source_(&source), place_(std::move(place)) {}

  std::uint8_t byte() {
    if (next_ == end_ && !fill()) return 0;
    ++taken_;
    return static_cast<std::uint8_t>(buffer_[next_++]);
  }
  std::uint64_t varint();

  /// Bytes taken so far.
  [[nodiscard]] std::uint64_t taken() const { return taken_; }
  [[nodiscard]] const std::optional<Diagnostic>& failure() const { return failure_; }
  /// Notes that the bytes taken last are invalid; returns the diagnostic with the place.
  Diagnostic refuse(std::string found, std::string expected = {});

 private:
  bool fill();

  ByteSource* source_;
  std::string place_;
  std::array<char, 1 << 14> buffer_{};
  std::size_t next_ = 0, end_ = 0;
  std::uint64_t taken_ = 0;
  std::optional<Diagnostic> failure_;
};

}  // namespace forewarp::trace
