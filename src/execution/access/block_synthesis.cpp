// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/access/block_synthesis.h"

#include <algorithm>
#include <span>

namespace forewarp::execution {
namespace {

__extension__ using Wide = __int128;
using Row = std::array<std::int64_t, 3>;

Row difference(const Extent& a, const Extent& b) {
  Row row{};
  for (std::size_t axis = 0; axis < 3; ++axis) row[axis] = std::int64_t{a[axis]} - b[axis];
  return row;
}

Wide determinant(const Row& a, const Row& b, const Row& c) {
  const auto minor = [&](std::size_t i, std::size_t j) {
    return Wide{b[i]} * c[j] - Wide{b[j]} * c[i];
  };
  return a[0] * minor(1, 2) - a[1] * minor(0, 2) + a[2] * minor(0, 1);
}

/// Three independent equations (row . step = right side): differences between members, and
/// step = 0 for axes along which nothing differs.
struct Equations {
  std::array<Row, 3> rows{};
  /// Member that the row is a difference to; 0: none, the right side is 0.
  std::array<std::size_t, 3> member{};
  Wide scale = 0;        ///< determinant of the rows
  std::size_t used = 0;  ///< members besides the first

  /// Solves for the steps; false if they are not whole numbers.
  [[nodiscard]] bool solve(const Row& right, Row& step) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::array<Row, 3> replaced = rows;
      for (std::size_t i = 0; i < 3; ++i) replaced[i][axis] = right[i];
      const Wide value = determinant(replaced[0], replaced[1], replaced[2]);
      if (value % scale != 0) return false;
      step[axis] = static_cast<std::int64_t>(value / scale);
    }
    return true;
  }
};

bool parallel(const Row& a, const Row& b) {
  return Wide{a[0]} * b[1] == Wide{a[1]} * b[0] && Wide{a[0]} * b[2] == Wide{a[2]} * b[0] &&
         Wide{a[1]} * b[2] == Wide{a[2]} * b[1];
}

/// Picks members that span all axes along which members differ.
bool choose_equations(const std::vector<Extent>& index, Equations& equations) {
  std::size_t count = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool same = std::all_of(index.begin(), index.end(),
                                  [&](const Extent& e) { return e[axis] == index[0][axis]; });
    if (same) equations.rows[count++][axis] = 1;
  }
  for (std::size_t i = 1; i < index.size() && count < 3; ++i) {
    const Row row = difference(index[i], index[0]);
    if (row == Row{}) continue;
    const bool adds = count == 0 || (count == 1 && !parallel(row, equations.rows[0])) ||
                      (count == 2 && determinant(row, equations.rows[0], equations.rows[1]) != 0);
    if (!adds) continue;
    equations.rows[count] = row;
    equations.member[count++] = i;
    ++equations.used;
  }
  if (count < 3) return false;
  equations.scale = determinant(equations.rows[0], equations.rows[1], equations.rows[2]);
  return equations.scale != 0;
}

/// Fits one access through the chosen members; false unless the function holds for all members.
bool fit_access(const Equations& equations, const std::vector<Extent>& index,
                std::span<const std::uint64_t* const> bases, std::size_t access, AffineBase& base) {
  const std::uint64_t first = bases[0][access];
  Row right{};
  std::ranges::transform(equations.member, right.begin(), [&](std::size_t member) {
    return member == 0 ? 0 : static_cast<std::int64_t>(bases[member][access] - first);
  });
  if (!equations.solve(right, base.step)) return false;
  base.start = 0;
  base.start = first - base.at(index[0]);
  for (std::size_t i = 1; i < index.size(); ++i) {
    if (base.at(index[i]) != bases[i][access]) return false;
  }
  return true;
}

/// Part of an axis: 0 the first block, 1 inner blocks, 2 the last block.
std::size_t part_of_axis(std::uint32_t index, std::uint32_t extent) {
  if (index == 0) return 0;
  return index + 1 == extent ? 2 : 1;
}

std::uint32_t part_size(std::size_t part, std::uint32_t extent) {
  if (part == 0) return 1;
  if (extent == 1) return 0;
  return part == 2 ? 1 : extent - 2;
}

constexpr std::size_t most_foldings = 2048;

/// The parts into which whole rows of blocks divide an axis, fewest blocks first.
std::vector<std::uint32_t> row_lengths(std::uint32_t extent) {
  std::vector<std::uint32_t> low, high;
  for (std::uint32_t d = 2; std::uint64_t{d} * d <= extent; ++d) {
    if (extent % d != 0) continue;
    low.push_back(d);
    if (extent / d != d) high.push_back(extent / d);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

/// Grids of as many blocks in the same order: the first axis or the others divided into two, a
/// single one also into three.
std::vector<Extent> foldings(const Extent& grid) {
  std::vector<Extent> result;
  const std::uint32_t others = grid[1] * grid[2];
  for (const std::uint32_t row : row_lengths(grid[0]))
    result.push_back({row, grid[0] / row, others});
  for (const std::uint32_t row : row_lengths(others))
    result.push_back({grid[0], row, others / row});
  if (others > 1) return result;
  for (const std::uint32_t row : row_lengths(grid[0])) {
    for (const std::uint32_t rows : row_lengths(grid[0] / row)) {
      if (result.size() == most_foldings) return result;
      result.push_back({row, rows, grid[0] / row / rows});
    }
  }
  return result;
}

}  // namespace

BlockSynthesis::BlockSynthesis(const AccessStreams& streams) : streams_(&streams) {
  group();
  for (BlockClass& block_class : classes_) fit(block_class, streams_->grid);
  split_by_part();
  for (std::uint32_t number = 0; number < classes_.size(); ++number) {
    for (const std::uint32_t member : classes_[number].members) recorded_class_[member] = number;
  }
  for (std::uint32_t i = 0; i < streams_->blocks.size(); ++i)
    parts_[part_of_block(i)].push_back({streams_->blocks[i].block, recorded_class_[i]});
  judge();
}

std::size_t BlockSynthesis::part_of(const Extent& index) const {
  const Extent& grid = streams_->grid;
  return part_of_axis(index[0], grid[0]) + 3 * part_of_axis(index[1], grid[1]) +
         9 * part_of_axis(index[2], grid[2]);
}

std::size_t BlockSynthesis::part_of_block(std::uint32_t recorded) const {
  return part_of(block_index(streams_->blocks[recorded].block, streams_->grid));
}

void BlockSynthesis::group() {
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  for (std::uint32_t i = 0; i < streams_->blocks.size(); ++i) {
    const BlockStream& block = streams_->blocks[i];
    std::vector<std::uint32_t> paths;
    for (const WarpStream& warp : streams_->warps_of(block)) paths.push_back(warp.path);
    const auto [at, added] = known.try_emplace(paths, static_cast<std::uint32_t>(classes_.size()));
    if (added) {
      BlockClass& made = classes_.emplace_back();
      for (const std::uint32_t path : paths) made.accesses += streams_->paths[path].size();
      made.paths = std::move(paths);
    }
    classes_[at->second].members.push_back(i);
  }
  recorded_class_.resize(streams_->blocks.size(), no_class);
}

/// Splits classes by part of the grid. Addresses clamped to an array's edge follow the index by one
/// function among inner blocks and by another along each edge.
void BlockSynthesis::split_by_part() {
  const std::size_t whole = classes_.size();
  for (std::size_t number = 0; number < whole; ++number) {
    if (classes_[number].affine || classes_[number].members.size() < 2) continue;
    std::map<std::size_t, BlockClass> by_part;
    for (const std::uint32_t member : classes_[number].members)
      by_part[part_of_block(member)].members.push_back(member);
    bool all = true;  // if inner blocks do not fit, two blocks of an edge fit only by chance
    bool contradicted = false;
    for (auto& [part, split] : by_part) {
      split.paths = classes_[number].paths;
      split.accesses = classes_[number].accesses;
      fit(split, streams_->grid);
      all = all && (split.affine || split.members.size() < 2);
      contradicted = contradicted || split.contradicted;
    }
    classes_[number].contradicted = contradicted;
    if (!all) continue;
    classes_[number] = std::move(by_part.begin()->second);
    for (auto next = std::next(by_part.begin()); next != by_part.end(); ++next)
      classes_.push_back(std::move(next->second));
  }
}

const std::uint64_t* BlockSynthesis::bases_of(const BlockClass& block_class, std::size_t member,
                                              std::size_t warp) const {
  const BlockStream& block = streams_->blocks[block_class.members[member]];
  return streams_->bases.data() + streams_->warps[block.first_warp + warp].first_base;
}

void BlockSynthesis::fit(BlockClass& block_class, const Extent& grid) const {
  std::vector<Extent> index;
  for (const std::uint32_t member : block_class.members)
    index.push_back(block_index(streams_->blocks[member].block, grid));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (std::all_of(index.begin(), index.end(),
                    [&](const Extent& e) { return e[axis] == index[0][axis]; })) {
      block_class.fixed[axis] = index[0][axis];
    }
  }
  if (block_class.members.size() < 2) return;  // its only member describes itself
  Equations equations;
  if (!choose_equations(index, equations)) return;
  std::vector<const std::uint64_t*> bases(index.size());
  for (std::size_t warp = 0; warp < block_class.paths.size(); ++warp) {
    for (std::size_t i = 0; i < index.size(); ++i) bases[i] = bases_of(block_class, i, warp);
    const std::size_t count = streams_->paths[block_class.paths[warp]].size();
    std::vector<AffineBase>& fitted = block_class.warp.emplace_back(count);
    for (std::size_t access = 0; access < count; ++access) {
      if (fit_access(equations, index, bases, access, fitted[access])) continue;
      block_class.warp.clear();
      block_class.odd.emplace_back(static_cast<std::uint32_t>(warp),
                                   static_cast<std::uint32_t>(access));
      block_class.contradicted = index.size() > equations.used + 1;
      return;
    }
  }
  block_class.affine = true;
  block_class.verified = index.size() > equations.used + 1;
}

bool BlockSynthesis::described(const BlockClass& block_class, const Extent& index) const {
  if (!block_class.affine) return false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (block_class.fixed[axis] && *block_class.fixed[axis] != index[axis]) return false;
  }
  return true;
}

/// Sets complete_: whether every block of every part of the grid is known.
void BlockSynthesis::judge() {
  const Extent& grid = streams_->grid;
  complete_ = true;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const std::array<std::size_t, 3> place = {part % 3, part / 3 % 3, part / 9};
    std::uint64_t size = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) size *= part_size(place[axis], grid[axis]);
    const std::vector<Member>& members = parts_[part];
    if (members.size() == size) continue;
    bool several = false;
    for (const Member& member : members) {
      const BlockClass& its = classes_[member.block_class];
      several = several || member.block_class != members.front().block_class;
      complete_ = complete_ && its.affine;
      guessed_ = guessed_ || !its.verified;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool one = part_size(place[axis], grid[axis]) == 1;
        complete_ = complete_ && (one || !its.fixed[axis]);
      }
    }
    complete_ = complete_ && !members.empty();
    guessed_ = guessed_ || several;
  }
}

bool BlockSynthesis::follows_data() const {
  return std::any_of(classes_.begin(), classes_.end(),
                     [](const BlockClass& its) { return its.contradicted; });
}

/// Tries what fitted in no other shape first: most shapes end there, whatever the class accesses.
bool BlockSynthesis::fits(BlockClass& block_class, const Extent& grid) const {
  std::vector<Extent> index;
  for (const std::uint32_t member : block_class.members)
    index.push_back(block_index(streams_->blocks[member].block, grid));
  Equations equations;
  if (!choose_equations(index, equations) || index.size() <= equations.used + 1) return false;
  std::vector<const std::uint64_t*> bases(index.size());
  AffineBase fitted;
  for (const auto& [warp, access] : block_class.odd) {
    for (std::size_t i = 0; i < index.size(); ++i) bases[i] = bases_of(block_class, i, warp);
    if (!fit_access(equations, index, bases, access, fitted)) return false;
  }
  BlockClass folded;
  folded.paths = block_class.paths;
  folded.members = block_class.members;
  fit(folded, grid);
  block_class.odd.insert(block_class.odd.end(), folded.odd.begin(), folded.odd.end());
  return folded.affine;
}

std::optional<Extent> BlockSynthesis::folded() const {
  std::vector<BlockClass> wrong;
  for (const BlockClass& its : classes_) {
    if (its.contradicted) wrong.push_back(its);
  }
  if (wrong.empty()) return {};
  for (const Extent& grid : foldings(streams_->grid)) {
    if (std::ranges::all_of(wrong, [&](BlockClass& its) { return fits(its, grid); })) return grid;
  }
  return {};
}

std::uint32_t BlockSynthesis::class_of(std::uint64_t block) const {
  const std::vector<Member>& members = parts_[part_of(block_index(block, streams_->grid))];
  if (members.empty()) return no_class;
  const auto after =
      std::lower_bound(members.begin(), members.end(), block,
                       [](const Member& member, std::uint64_t b) { return member.block < b; });
  if (after == members.end()) return members.back().block_class;
  if (after == members.begin() || after->block == block) return after->block_class;
  const auto before = after - 1;
  return block - before->block <= after->block - block ? before->block_class : after->block_class;
}

std::uint32_t BlockSynthesis::part_class(std::uint64_t block) const {
  const std::vector<Member>& members = parts_[part_of(block_index(block, streams_->grid))];
  if (members.empty()) return no_class;
  const std::uint32_t first = members.front().block_class;
  const bool same = std::all_of(members.begin(), members.end(),
                                [&](const Member& member) { return member.block_class == first; });
  return same ? first : no_class;
}

bool BlockSynthesis::knows(std::uint64_t block) const {
  if (complete_ || streams_->find(block) != nullptr) return true;
  const std::uint32_t its = class_of(block);
  return its != no_class && described(classes_[its], block_index(block, streams_->grid));
}

void BlockSynthesis::bases(std::uint64_t block, std::uint32_t warp,
                           std::vector<std::uint64_t>& out) const {
  const BlockClass& its = classes_[class_of(block)];
  const std::size_t count = streams_->paths[its.paths[warp]].size();
  out.resize(count);
  if (its.affine) {
    const Extent index = block_index(block, streams_->grid);
    for (std::size_t i = 0; i < count; ++i) out[i] = its.warp[warp][i].at(index);
    return;
  }
  const BlockStream* recorded = streams_->find(block);
  if (recorded == nullptr) {
    out.clear();
    return;
  }
  const std::uint64_t first = streams_->warps[recorded->first_warp + warp].first_base;
  std::copy_n(streams_->bases.begin() + static_cast<std::ptrdiff_t>(first), count, out.begin());
}

}  // namespace forewarp::execution
