// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/ramp_cache.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace forewarp::memory {
namespace {

constexpr std::uint32_t steps = 6;  // segments per ramp
constexpr double certain = 4294967296.0;

std::uint32_t whole(double lines) {
  return static_cast<std::uint32_t>(std::max(0.0, std::round(lines)));
}

}  // namespace

double RampCache::lost_after(double lines, Ramp ramp) {
  if (lines <= ramp.from) return 0;
  return lines >= ramp.to ? 1 : (lines - ramp.from) / (ramp.to - ramp.from);
}

RampCache::RampCache(double from_lines, double to_lines, std::uint64_t seed)
    : random_(seed * 0x9e3779b97f4a7c15U + 0x2545f4914f6cdd1dU) {
  const std::uint32_t from = whole(from_lines), to = std::max(from, whole(to_lines));
  constexpr auto always = static_cast<std::uint64_t>(certain);
  if (from > 0) segments_.push_back({from, 0, none, {always, always}});
  for (std::uint32_t i = 0; i < steps; ++i) {
    const std::uint32_t begin = (to - from) * i / steps, end = (to - from) * (i + 1) / steps;
    const double share = 1 - (i + 0.5) / steps;
    const auto hit = static_cast<std::uint64_t>(share * certain);
    if (end > begin) segments_.push_back({end - begin, 0, none, {hit, hit}});
  }
  make_table(to);
}

RampCache::RampCache(Ramp usual, Ramp other, std::uint64_t seed)
    : random_(seed * 0x9e3779b97f4a7c15U + 0x2545f4914f6cdd1dU) {
  std::vector<std::uint32_t> ends;
  for (const Ramp& ramp : {usual, other}) {
    for (std::uint32_t i = 0; i <= steps; ++i)
      ends.push_back(whole(ramp.from + (ramp.to - ramp.from) * i / steps));
  }
  std::sort(ends.begin(), ends.end());
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    if (end == begin) continue;
    const double middle = 0.5 * (static_cast<double>(begin) + end);
    Segment segment{end - begin, 0, none, {}};
    segment.hit = {static_cast<std::uint64_t>((1 - lost_after(middle, usual)) * certain),
                   static_cast<std::uint64_t>((1 - lost_after(middle, other)) * certain)};
    segments_.push_back(segment);
    begin = end;
  }
  make_table(begin);
}

void RampCache::make_table(std::uint32_t lines) {
  const std::uint32_t size = std::bit_ceil(std::max<std::uint32_t>(4, 2 * lines + 2));
  shift_ = 64U - static_cast<std::uint32_t>(std::countr_zero(size));
  table_.assign(size, none);
  nodes_.reserve(std::size_t{lines} + 1);
}

std::uint64_t RampCache::draw() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_ >> 32;
}

std::size_t RampCache::slot_of(std::uint64_t number) const {
  return static_cast<std::size_t>((number * 0x9e3779b97f4a7c15U) >> shift_);
}

std::uint32_t RampCache::lookup(std::uint64_t number) const {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t slot = slot_of(number);; slot = (slot + 1) & mask) {
    const std::uint32_t at = table_[slot];
    if (at == none || nodes_[at].line.number == number) return at;
  }
}

/// Removes a number from the table and closes the gap in its run of entries.
void RampCache::forget(std::uint64_t number) {
  const std::size_t mask = table_.size() - 1;
  std::size_t hole = slot_of(number);
  while (nodes_[table_[hole]].line.number != number) hole = (hole + 1) & mask;
  for (std::size_t next = (hole + 1) & mask; table_[next] != none; next = (next + 1) & mask) {
    const std::size_t home = slot_of(nodes_[table_[next]].line.number);
    if (((next - home) & mask) < ((next - hole) & mask)) continue;
    table_[hole] = table_[next];
    hole = next;
  }
  table_[hole] = none;
}

void RampCache::unlink(std::uint32_t at) {
  Node& node = nodes_[at];
  Segment& segment = segments_[node.segment];
  --segment.count;
  if (segment.oldest == at) segment.oldest = segment.count > 0 ? node.newer : none;
  if (node.newer != none) nodes_[node.newer].older = node.older;
  if (node.older != none) nodes_[node.older].newer = node.newer;
  if (newest_ == at) newest_ = node.older;
}

void RampCache::push_front(std::uint32_t at) {
  Node& node = nodes_[at];
  node.segment = 0;
  node.newer = none;
  node.older = newest_;
  if (newest_ != none) nodes_[newest_].newer = at;
  newest_ = at;
  Segment& segment = segments_[0];
  if (segment.count++ == 0) segment.oldest = at;
}

/// Moves the oldest lines on from segments over capacity; the last segment evicts its oldest.
void RampCache::settle(Left& left) {
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    Segment& segment = segments_[i];
    if (segment.count <= segment.capacity) return;
    const std::uint32_t at = segment.oldest;
    Node& node = nodes_[at];
    if (i + 1 == segments_.size()) {
      left = leaving(node.line);
      unlink(at);
      forget(node.line.number);
      free_.push_back(at);
      --used_;
      filled_ = true;
      return;
    }
    --segment.count;
    segment.oldest = segment.count > 0 ? node.newer : none;
    Segment& next = segments_[i + 1];
    node.segment = static_cast<std::uint8_t>(i + 1);
    if (next.count++ == 0) next.oldest = at;
  }
}

RampCache::Left RampCache::leaving(const Line& line) {
  return {line.number, line.dirty, line.dirty_since != 0, line.part_since != 0};
}

RampCache::Line* RampCache::peek(std::uint64_t number) {
  const std::uint32_t at = lookup(number);
  return at == none ? nullptr : &nodes_[at].line;
}

RampCache::Line* RampCache::find(std::uint64_t number, Left& left, Kind kind) {
  const std::uint32_t at = lookup(number);
  if (at == none) return nullptr;
  Node& node = nodes_[at];
  const Segment& segment = segments_[node.segment];
  const std::uint64_t hit = segment.hit[static_cast<std::size_t>(kind)];
  if (static_cast<double>(hit) < certain && draw() >= hit) {
    left = leaving(node.line);
    node.line.valid = node.line.dirty = node.line.partial = node.line.visited = 0;
    node.line.dirty_since = node.line.part_since = 0;
    filled_ = true;
  }
  if (newest_ != at) {
    unlink(at);
    push_front(at);
    Left nobody;  // as many lines as before, so none is evicted
    settle(nobody);
  }
  return &node.line;
}

RampCache::Line& RampCache::insert(std::uint64_t number, Left& left) {
  std::uint32_t at = 0;
  if (free_.empty()) {
    at = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    at = free_.back();
    free_.pop_back();
  }
  nodes_[at].line = {number, 0, 0};
  std::size_t slot = slot_of(number);
  while (table_[slot] != none) slot = (slot + 1) & (table_.size() - 1);
  table_[slot] = at;
  push_front(at);
  ++used_;
  settle(left);
  return nodes_[at].line;
}

void RampCache::drop(std::uint64_t number) {
  const std::uint32_t at = lookup(number);
  if (at == none) return;
  unlink(at);
  forget(number);
  free_.push_back(at);
  --used_;
}

void RampCache::clear() {
  nodes_.clear();
  free_.clear();
  std::fill(table_.begin(), table_.end(), none);
  for (Segment& segment : segments_) {
    segment.count = 0;
    segment.oldest = none;
  }
  newest_ = none;
  used_ = 0;
  filled_ = false;
}

std::uint64_t RampCache::dirty_sectors() const {
  std::uint64_t sum = 0;
  for (std::uint32_t at = newest_; at != none; at = nodes_[at].older)
    sum += static_cast<std::uint64_t>(std::popcount(nodes_[at].line.dirty));
  return sum;
}

}  // namespace forewarp::memory
