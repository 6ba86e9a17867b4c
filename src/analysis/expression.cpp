// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/expression.h"

#include <algorithm>
#include <utility>

#include "analysis/interval.h"

namespace forewarp::analysis {
namespace {

constexpr std::int64_t int32_low = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t int32_high = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t uint32_high = std::numeric_limits<std::uint32_t>::max();

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdULL;
}

std::uint64_t hash_of(const ExpressionNode& n, std::span<const Term> terms) {
  std::uint64_t h = static_cast<std::uint64_t>(n.kind);
  h = mix(h, (std::uint64_t{n.a} << 32) | n.b);
  h = mix(h, (std::uint64_t{n.c} << 32) | n.index);
  h = mix(h, static_cast<std::uint64_t>(n.value) + n.bytes + (n.is_signed ? 64u : 0u));
  for (const Term& t : terms) h = mix(h, t.node + static_cast<std::uint64_t>(t.coefficient) * 31);
  h = (h ^ (h >> 32)) * 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 29);
}

Interval parameter_range(std::uint8_t bytes, bool is_signed) {
  if (bytes >= 8) return {};
  const std::int64_t span = std::int64_t{1} << (8 * bytes);
  if (is_signed) return {-span / 2, span / 2 - 1};
  return {0, span - 1};
}

/// Limits of the programming interface: 16 bits for indices and extents of a block, 31 bits for the
/// grid in x and 16 bits in y and z.
Interval launch_range(LaunchSymbol symbol) {
  constexpr std::int64_t narrow = 0xffff;
  switch (symbol) {
    case LaunchSymbol::grid_x:
      return {1, int32_high};
    case LaunchSymbol::block_index_x:
      return {0, int32_high - 1};
    case LaunchSymbol::block_x:
    case LaunchSymbol::block_y:
    case LaunchSymbol::block_z:
    case LaunchSymbol::grid_y:
    case LaunchSymbol::grid_z:
      return {1, narrow};
    default:
      return {0, narrow};
  }
}

std::uint8_t own_contents(const ExpressionNode& n) {
  switch (n.kind) {
    case ExpressionKind::phi:
      return contains_phi;
    case ExpressionKind::iteration:
      return contains_iteration;
    case ExpressionKind::unknown:
      return contains_unknown;
    case ExpressionKind::sign_extend:
    case ExpressionKind::zero_extend:
      return contains_extension;
    case ExpressionKind::constant_bank:
      return contains_constant_bank;
    case ExpressionKind::launch:
      return n.index >= static_cast<std::uint32_t>(LaunchSymbol::thread_x) ? contains_thread : 0;
    default:
      return 0;
  }
}

}  // namespace

unsigned operand_count(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::select:
      return 3;
    case ExpressionKind::sign_extend:
    case ExpressionKind::zero_extend:
    case ExpressionKind::logical_not:
    case ExpressionKind::power_of_two:
    case ExpressionKind::floor_log2:
      return 1;
    default:
      return kind > ExpressionKind::sum ? 2 : 0;
  }
}

ExpressionPool::ExpressionPool() : table_(1024, 0) {
  nodes_.reserve(512);
  too_complex();  // node 0, so that a default-initialised Expression is valid
}

Expression ExpressionPool::too_complex() {
  ExpressionNode n;
  n.kind = ExpressionKind::unknown;
  n.a = static_cast<std::uint32_t>(UnknownReason::too_complex);
  return nodes_.empty() ? intern(n) : 0;
}

bool ExpressionPool::same(const ExpressionNode& a, const ExpressionNode& b,
                          std::span<const Term> b_terms) const {
  if (a.kind != b.kind || a.a != b.a || a.b != b.b || a.c != b.c || a.index != b.index ||
      a.value != b.value || a.bytes != b.bytes || a.is_signed != b.is_signed ||
      a.term_count != b_terms.size()) {
    return false;
  }
  return std::equal(b_terms.begin(), b_terms.end(), terms_.begin() + a.first_term);
}

void ExpressionPool::grow_table() {
  std::vector<std::uint32_t> bigger(table_.size() * 2, 0);
  const std::size_t mask = bigger.size() - 1;
  for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
    std::size_t at = hashes_[id] & mask;
    while (bigger[at] != 0) at = (at + 1) & mask;
    bigger[at] = id + 1;
  }
  table_ = std::move(bigger);
}

/// Derives depth and contents from the parts. False if a part is node 0, which stands for many
/// different values, so that equal nodes do not imply equal values.
bool ExpressionPool::derive(ExpressionNode& n, std::span<const Term> terms) const {
  std::uint16_t deepest = 0;
  n.contents = own_contents(n);
  const auto take = [&](Expression part) {
    deepest = std::max(deepest, nodes_[part].depth);
    n.contents |= nodes_[part].contents;
    return part != 0;
  };
  for (const Term& t : terms) {
    if (!take(t.node)) return false;
  }
  const std::uint32_t operands[] = {n.a, n.b, n.c};
  for (unsigned i = 0; i < operand_count(n.kind); ++i) {
    if (!take(operands[i])) return false;
  }
  n.depth = static_cast<std::uint16_t>(deepest + 1);
  return true;
}

Expression ExpressionPool::intern(ExpressionNode n, std::span<const Term> terms) {
  n.term_count = static_cast<std::uint32_t>(terms.size());
  const std::uint64_t hash = hash_of(n, terms);
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    const std::uint32_t known = table_[at] - 1;
    if (hashes_[known] == hash && same(nodes_[known], n, terms)) return known;
  }
  if (nodes_.size() >= max_nodes || !derive(n, terms)) return 0;
  if (n.depth > max_depth) return too_complex();
  n.first_term = static_cast<std::uint32_t>(terms_.size());
  terms_.insert(terms_.end(), terms.begin(), terms.end());
  nodes_.push_back(n);
  hashes_.push_back(hash);
  table_[at] = static_cast<std::uint32_t>(nodes_.size());
  if (nodes_.size() * 2 > table_.size()) grow_table();
  return static_cast<Expression>(nodes_.size() - 1);
}

Expression ExpressionPool::binary(ExpressionKind kind, Expression a, Expression b, Interval range) {
  ExpressionNode n;
  n.kind = kind;
  n.a = a;
  n.b = b;
  n.range = range;
  return intern(n);
}

Expression ExpressionPool::unary(ExpressionKind kind, Expression a, Interval range) {
  return binary(kind, a, 0, range);
}

Expression ExpressionPool::constant(std::int64_t value) {
  ExpressionNode n;
  n.value = value;
  n.range = {value, value};
  return intern(n);
}

Expression ExpressionPool::parameter(std::uint32_t offset, std::uint8_t bytes, bool is_signed) {
  ExpressionNode n;
  n.kind = ExpressionKind::parameter;
  n.index = offset;
  n.bytes = bytes;
  n.is_signed = is_signed;
  n.range = parameter_range(bytes, is_signed);
  return intern(n);
}

Expression ExpressionPool::constant_bank(std::uint32_t bank, std::uint32_t offset,
                                         std::uint8_t bytes) {
  ExpressionNode n;
  n.kind = ExpressionKind::constant_bank;
  n.index = offset;
  n.value = bank;
  n.bytes = bytes;
  n.is_signed = true;
  n.range = parameter_range(bytes, true);
  return intern(n);
}

Expression ExpressionPool::launch(LaunchSymbol symbol) {
  ExpressionNode n;
  n.kind = ExpressionKind::launch;
  n.index = static_cast<std::uint32_t>(symbol);
  n.range = launch_range(symbol);
  return intern(n);
}

Expression ExpressionPool::iteration(std::uint32_t loop) {
  ExpressionNode n;
  n.kind = ExpressionKind::iteration;
  n.index = loop;
  n.range = {0, std::numeric_limits<std::int64_t>::max()};
  return intern(n);
}

Expression ExpressionPool::phi(std::uint32_t loop, std::uint32_t slot) {
  ExpressionNode n;
  n.kind = ExpressionKind::phi;
  n.index = loop;
  n.value = slot;
  return intern(n);
}

Expression ExpressionPool::unknown(UnknownReason reason, std::uint32_t place, std::uint32_t slot,
                                   Expression cause) {
  ExpressionNode n;
  n.kind = ExpressionKind::unknown;
  n.index = place;
  n.a = static_cast<std::uint32_t>(reason);
  n.b = cause;
  n.value = slot;
  return intern(n);
}

std::optional<std::int64_t> ExpressionPool::constant_value(Expression e) const {
  if (!is_constant(e)) return std::nullopt;
  return nodes_[e].value;
}

std::vector<Term> ExpressionPool::terms(Expression e) const {
  if (is_constant(e)) return {};
  if (kind(e) != ExpressionKind::sum) return {{e, 1}};
  const auto stored = stored_terms(e);
  return {stored.begin(), stored.end()};
}

std::int64_t ExpressionPool::constant_part(Expression e) const {
  const ExpressionKind k = kind(e);
  return k == ExpressionKind::constant || k == ExpressionKind::sum ? nodes_[e].value : 0;
}

Expression ExpressionPool::sign_extend(Expression a) {
  if (range(a).within(int32_low, int32_high)) return a;
  if (is_constant(a)) return constant(static_cast<std::int32_t>(nodes_[a].value));
  a = residue(a);
  if (range(a).within(int32_low, int32_high)) return a;
  return unary(ExpressionKind::sign_extend, a, {int32_low, int32_high});
}

Expression ExpressionPool::zero_extend(Expression a) {
  if (range(a).within(0, uint32_high)) return a;
  if (is_constant(a)) return constant(static_cast<std::uint32_t>(nodes_[a].value));
  a = residue(a);
  if (range(a).within(0, uint32_high)) return a;
  return unary(ExpressionKind::zero_extend, a, {0, uint32_high});
}

}  // namespace forewarp::analysis
