// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "execution/access/access_stream.h"
#include "hardware/gpu.h"

namespace forewarp::memory {

/// A line that an access touches, numbered from the line of its first lane.
struct LinePiece {
  std::int64_t line = 0;
  std::uint8_t sectors = 0;  ///< touched sectors, one bit each
  std::uint8_t full = 0;     ///< of those, the ones with every byte accessed
};

/// The cost of one access on a GPU, for one shape at one place within a line.
struct AccessCost {
  std::uint32_t first_piece = 0;
  std::uint32_t piece_count = 0;
  double lanes = 0;
  double sectors = 0, lines = 0, transactions = 0;
  double passes = 0;      ///< through the banks of shared memory or L1
  double tag_passes = 0;  ///< tag lookups of L1
  double stage = 0;       ///< cycles of L1's data stage, for a load
  double degree = 0;      ///< most lanes that share an address
  double turns = 0;       ///< of an atomic: turns, one lane per word each, in each sector or bank
  double visits = 0;      ///< visits to slices of L2 if nothing is cached before
  double elsewhere = 0;   ///< bytes in the shared memory of other blocks
};

/// Costs of accesses by the GPU's rules, computed once per shape and place.
class AccessGeometry {
 public:
  AccessGeometry(const AccessStreams& streams, const Gpu& gpu);

  /// The cost of the access with its first lane at `base`. Valid until the next call.
  const AccessCost& cost(std::uint32_t shape, std::uint64_t base);
  [[nodiscard]] std::span<const LinePiece> pieces(const AccessCost& cost) const {
    return std::span(pieces_).subspan(cost.first_piece, cost.piece_count);
  }
  /// The line from which pieces are numbered. In local memory a line holds one word of every lane.
  [[nodiscard]] std::uint64_t first_line(bool local, std::uint64_t base) const {
    return local ? base / local_word_bytes : base >> line_shift_;
  }
  /// Costs repeat when a base moves by this many bytes, except for lines that share a bank of tags.
  [[nodiscard]] std::uint64_t period() const { return period_; }
  [[nodiscard]] std::uint32_t sectors_per_line() const { return sectors_per_line_; }
  [[nodiscard]] std::uint64_t line_bytes() const { return line_bytes_; }

 private:
  /// Local memory is interleaved by words of this size: the same word of all lanes is contiguous.
  static constexpr std::uint64_t local_word_bytes = 4;

  AccessCost compute(const AccessShape& shape, std::uint64_t phase);
  void add_pieces(std::span<const std::int64_t> addresses, std::uint32_t bytes, AccessCost& cost);
  [[nodiscard]] std::size_t place_of(std::uint64_t key) const;
  void keep(std::uint64_t key, std::uint32_t cost);

  const AccessStreams* streams_;
  const Gpu* gpu_;
  std::uint64_t line_bytes_, sector_bytes_, period_, tag_period_;  ///< powers of two
  int line_shift_;
  std::uint32_t sectors_per_line_;
  std::vector<LinePiece> pieces_;
  std::vector<AccessCost> costs_;
  struct Known {
    std::uint64_t key = 0;   ///< shape and phase
    std::uint32_t cost = 0;  ///< into costs_, from 1 on; 0: nothing is here
  };
  std::vector<Known> known_;             ///< open addressing, at most half full
  std::vector<std::uint64_t> last_key_;  ///< by shape: the last query ..
  std::vector<std::uint32_t> last_;      ///< .. and its answer
  std::size_t kept_pieces_ = 0;          ///< pieces beyond belong to the last answer only
  AccessCost unkept_;
};

}  // namespace forewarp::memory
