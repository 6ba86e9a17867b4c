// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/access_geometry.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "hardware/access_rules.h"

namespace forewarp::memory {
namespace {

constexpr std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t most_pieces = 1 << 21;  // that are kept
constexpr std::size_t fewest_known = 256;     // places for costs, a power of two

/// Bytes of one sector that an access covers.
struct Covered {
  std::int64_t sector = 0;
  std::uint64_t bytes = 0;
};

std::uint64_t byte_mask(std::int64_t from, std::int64_t to) {
  const std::uint64_t upper = to >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << to) - 1;
  return upper & ~((std::uint64_t{1} << from) - 1);
}

/// The period of tag banks. With hashed banks it depends on the whole line number; addresses of
/// counted accesses are known modulo `phase_bytes` only.
std::uint64_t tag_period(std::uint64_t period, const Gpu& gpu) {
  const bool hashed = gpu.l1.tag_lines > 1 && gpu.l1.tag_hash_digits > 1;
  return hashed ? std::max<std::uint64_t>(period, AccessStreams::phase_bytes) : period;
}

std::int64_t floor_div(std::int64_t value, std::int64_t by) {
  return value >= 0 ? value / by : -((-value + by - 1) / by);
}

}  // namespace

AccessGeometry::AccessGeometry(const AccessStreams& streams, const Gpu& gpu)
    : streams_(&streams),
      gpu_(&gpu),
      line_bytes_(static_cast<std::uint64_t>(gpu.line_bytes)),
      sector_bytes_(static_cast<std::uint64_t>(gpu.sector_bytes)),
      period_(std::bit_ceil(std::max(
          line_bytes_, static_cast<std::uint64_t>(gpu.shared_banks * gpu.shared_bank_bytes)))),
      tag_period_(tag_period(period_, gpu)),
      line_shift_(std::countr_zero(line_bytes_)),
      sectors_per_line_(static_cast<std::uint32_t>(line_bytes_ / sector_bytes_)),
      known_(fewest_known),
      last_key_(streams.shapes.size(), nothing),
      last_(streams.shapes.size(), 0) {}

const AccessCost& AccessGeometry::cost(std::uint32_t shape, std::uint64_t base) {
  const MemorySpace space = streams_->shapes[shape].space;
  const bool tagged = space == MemorySpace::global || space == MemorySpace::generic;
  const std::uint64_t phase = base & ((tagged ? tag_period_ : period_) - 1);
  if (last_key_[shape] == phase) return costs_[last_[shape]];
  const std::uint64_t key = std::uint64_t{shape} << 32 | phase;
  if (const std::uint32_t found = known_[place_of(key)].cost; found != 0) {
    last_key_[shape] = phase;
    last_[shape] = found - 1;
    return costs_[found - 1];
  }
  pieces_.resize(kept_pieces_);
  const AccessCost made = compute(streams_->shapes[shape], phase);
  if (kept_pieces_ > most_pieces) {
    unkept_ = made;
    return unkept_;
  }
  kept_pieces_ = pieces_.size();
  const auto index = static_cast<std::uint32_t>(costs_.size());
  costs_.push_back(made);
  keep(key, index + 1);
  last_key_[shape] = phase;
  last_[shape] = index;
  return costs_[index];
}

/// Where the cost of the key is, or would be.
std::size_t AccessGeometry::place_of(std::uint64_t key) const {
  const std::size_t mask = known_.size() - 1;
  std::size_t at = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 32) & mask;
  while (known_[at].cost != 0 && known_[at].key != key) at = (at + 1) & mask;
  return at;
}

void AccessGeometry::keep(std::uint64_t key, std::uint32_t cost) {
  if (2 * costs_.size() > known_.size()) {
    std::vector<Known> before(2 * known_.size());
    before.swap(known_);
    for (const Known& one : before) {
      if (one.cost != 0) known_[place_of(one.key)] = one;
    }
  }
  known_[place_of(key)] = {key, cost};
}

AccessCost AccessGeometry::compute(const AccessShape& shape, std::uint64_t phase) {
  std::array<std::int64_t, lane_count> addresses{};
  const std::size_t count = streams_->lane_offsets(shape, addresses);
  for (std::size_t i = 0; i < count; ++i) addresses[i] += static_cast<std::int64_t>(phase);
  const LaneAddresses access{{addresses.data(), count}, shape.lanes, shape.bytes};
  AccessCost cost;
  cost.first_piece = static_cast<std::uint32_t>(pieces_.size());
  cost.lanes = static_cast<double>(count);
  cost.degree = same_address_lanes(access);
  const bool loads = shape.kind == AccessKind::load || shape.kind == AccessKind::fetch;
  const bool atomic = shape.kind == AccessKind::atomic || shape.kind == AccessKind::reduction;
  if (atomic) {
    cost.turns = shape.space == MemorySpace::shared ? bank_turns(access, *gpu_)
                                                    : sector_turns(access, *gpu_);
  }
  switch (shape.space) {
    case MemorySpace::shared:
      cost.passes = bank_passes(access, loads, *gpu_);
      cost.elsewhere = static_cast<double>(shape.elsewhere) * shape.bytes;
      return cost;
    case MemorySpace::constant:
      cost.passes = distinct_addresses(access);
      return cost;
    case MemorySpace::texture:
    case MemorySpace::surface:
      return cost;
    default:
      break;
  }
  if (shape.space != MemorySpace::local) {
    const GlobalRequest request = global_request(access, *gpu_);
    cost.sectors = request.sectors;
    cost.lines = request.lines;
    cost.transactions = request.transactions;
    cost.passes = bank_passes(access, false, *gpu_);
    cost.tag_passes = tag_passes(access, *gpu_);
    cost.stage = data_stage_cycles(access, *gpu_);
    cost.visits = slice_visits(access, shape.kind == AccessKind::store, *gpu_);
    add_pieces(access.addresses, shape.bytes, cost);
    // The banks' period may span several lines: pieces are numbered from the first lane's line.
    const auto origin = static_cast<std::int64_t>(phase >> line_shift_);
    for (std::size_t i = cost.first_piece; i < pieces_.size(); ++i) pieces_[i].line -= origin;
    return cost;
  }
  // Local memory: word by word, with the lanes' words side by side.
  const std::uint32_t word = std::min<std::uint32_t>(shape.bytes, local_word_bytes);
  std::array<std::int64_t, 4 * lane_count> places{};
  std::size_t used = 0;
  for (std::uint32_t offset = 0; offset < shape.bytes; offset += word) {
    std::array<std::int64_t, lane_count> part{};
    std::size_t i = 0;
    for (unsigned lane = 0; lane < lane_count; ++lane) {
      if (!has_lane(shape.lanes, lane)) continue;
      const std::int64_t address = addresses[i] + offset;
      const auto size = static_cast<std::int64_t>(local_word_bytes);
      const std::int64_t row = floor_div(address, size);
      part[i] = (row * lane_count + lane) * size + (address - row * size);
      places[used++] = part[i++];
    }
    const LaneAddresses words{{part.data(), count}, shape.lanes, word};
    const GlobalRequest request = global_request(words, *gpu_);
    cost.sectors += request.sectors;
    cost.lines += request.lines;
    cost.transactions += request.transactions;
    cost.passes += bank_passes(words, false, *gpu_);
    cost.tag_passes += tag_passes(words, *gpu_);
  }
  cost.stage = std::max({return_cycles(cost.lanes, shape.bytes, *gpu_), cost.tag_passes,
                         gpu_->l1.unified ? cost.passes * gpu_->shared_cycles_per_pass : 0});
  add_pieces({places.data(), used}, word, cost);
  const std::int64_t origin = floor_div(static_cast<std::int64_t>(phase), local_word_bytes);
  for (std::size_t i = cost.first_piece; i < pieces_.size(); ++i) pieces_[i].line -= origin;
  return cost;
}

void AccessGeometry::add_pieces(std::span<const std::int64_t> addresses, std::uint32_t bytes,
                                AccessCost& cost) {
  std::array<Covered, 8 * lane_count> covered{};
  std::size_t count = 0;
  const auto size = static_cast<std::int64_t>(sector_bytes_);
  for (const std::int64_t address : addresses) {
    const std::int64_t end = address + bytes;
    for (std::int64_t at = address; at < end && count < covered.size();) {
      const std::int64_t sector = floor_div(at, size);
      const std::int64_t stop = std::min(end, (sector + 1) * size);
      covered[count++] = {sector, byte_mask(at - sector * size, stop - sector * size)};
      at = stop;
    }
  }
  std::sort(covered.begin(), covered.begin() + static_cast<std::ptrdiff_t>(count),
            [](const Covered& a, const Covered& b) { return a.sector < b.sector; });
  const std::uint64_t whole = byte_mask(0, size);
  for (std::size_t i = 0; i < count;) {
    std::uint64_t mask = 0;
    const std::int64_t sector = covered[i].sector;
    for (; i < count && covered[i].sector == sector; ++i) mask |= covered[i].bytes;
    const std::int64_t line = floor_div(sector, sectors_per_line_);
    const auto bit = static_cast<std::uint8_t>(1U << (sector - line * sectors_per_line_));
    if (pieces_.size() == cost.first_piece || pieces_.back().line != line)
      pieces_.push_back({line, 0, 0});
    LinePiece& piece = pieces_.back();
    piece.sectors = static_cast<std::uint8_t>(piece.sectors | bit);
    if (mask == whole) piece.full = static_cast<std::uint8_t>(piece.full | bit);
  }
  cost.piece_count = static_cast<std::uint32_t>(pieces_.size()) - cost.first_piece;
}

}  // namespace forewarp::memory
