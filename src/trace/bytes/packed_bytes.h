// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/bytes/byte_source.h"

namespace forewarp::trace {

/// Bytes that grow at the end; all but the last of them are kept compressed.
class PackedBytes {
 public:
  static constexpr std::size_t open_bytes = std::size_t{1} << 16U;  ///< uncompressed tail

  /// The string to append to; call settle() now and then.
  [[nodiscard]] std::string& tail() { return tail_; }
  /// Compresses the tail once it is long.
  void settle() {
    if (tail_.size() >= open_bytes) pack();
  }
  void clear();
  [[nodiscard]] std::uint64_t size() const { return packed_size_ + tail_.size(); }

 private:
  friend class PackedSource;
  struct Piece {
    std::string bytes;
    std::size_t unpacked = 0;
  };
  void pack();

  std::vector<Piece> pieces_;
  std::uint64_t packed_size_ = 0;  ///< of all pieces before compression
  std::string tail_;
};

/// Reads packed bytes from the start; they must not change meanwhile.
class PackedSource : public ByteSource {
 public:
  explicit PackedSource(const PackedBytes& bytes) : bytes_(&bytes) {}

 private:
  Expected<std::size_t> do_read(char* to, std::size_t room) override;

  const PackedBytes* bytes_;
  std::size_t piece_ = 0;  ///< index of the next piece to open
  bool tail_open_ = false;
  std::string open_;       ///< the piece that is being read
  std::size_t taken_ = 0;  ///< bytes taken of it, or of the tail
};

}  // namespace forewarp::trace
