// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/block_kinds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/mixed.h"
#include "base/normal.h"
#include "execution/grid/grid_runner.h"

namespace forewarp::execution {
namespace {

constexpr std::uint64_t beginning = 128;  // most instructions that a warp runs to be compared
constexpr std::uint32_t most_kinds = 8;
constexpr std::uint64_t first_look = 64;       // blocks: if these are alike, all are assumed to be
constexpr std::uint64_t places_of_kind = 256;  // as many as a sample may take
constexpr double good_part = 0.02;  // considerable share of a grid: one row of blocks in 50
// Bytes that the beginnings may touch.
constexpr std::uint64_t most_memory = std::uint64_t{1} << 30;

/// Places along one axis: both ends, and the middle of each part between them.
void divide(std::uint32_t extent, std::uint32_t count, std::vector<std::uint32_t>& places,
            std::vector<std::uint64_t>& sizes) {
  if (extent <= count) {
    for (std::uint32_t i = 0; i < extent; ++i) places.push_back(i);
    sizes.assign(extent, 1);
    return;
  }
  places.push_back(0);
  sizes.push_back(1);
  const std::uint64_t inner = extent - 2, parts = count - 2;
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t first = inner * part / parts, end = inner * (part + 1) / parts;
    places.push_back(static_cast<std::uint32_t>(1 + (first + end) / 2));
    sizes.push_back(end - first);
  }
  places.push_back(extent - 1);
  sizes.push_back(1);
}

/// How a block begins, told by its first and last warp: where each first accesses memory, or that
/// it ended, and after how many instructions.
class Beginning {
 public:
  Beginning(const Program& program, const ExecutionInput& input)
      : image_(program, input),
        buffers_(with_workspace(input)),
        memory_(buffers_, most_memory),
        environment_(program, image_, memory_) {}

  std::vector<std::uint64_t> of(std::uint64_t number) {
    block_.start(environment_, number);
    for (Warp& warp : block_.warps) warp.registers = 0;  // nobody else runs to give any away
    std::vector<std::uint64_t> seen = follow(block_.warps.front());
    if (block_.warps.size() > 1) {
      const std::vector<std::uint64_t> last = follow(block_.warps.back());
      seen.insert(seen.end(), last.begin(), last.end());
    }
    return seen;
  }

 private:
  /// Whether the warp's next instruction accesses more than registers and constants.
  [[nodiscard]] bool at_memory(const Warp& warp) const {
    const std::vector<MicroOp>& ops = environment_.program->ops;
    if (warp.pc >= ops.size()) return true;
    switch (ops[warp.pc].operation) {
      case Operation::load:
      case Operation::store:
      case Operation::atomic:
        return true;
      default:
        return false;
    }
  }

  std::vector<std::uint64_t> follow(Warp& warp) const {
    NoSink sink;
    WarpState state = WarpState::runs;
    std::uint64_t taken = 0;
    for (; taken < beginning && state == WarpState::runs && !at_memory(warp); ++taken) {
      std::uint64_t one = 1;
      state = run_warp(warp, sink, one);
    }
    const bool ended = state == WarpState::ended;
    return {ended ? 1U : 0U, taken, ended ? 0U : warp.pc};
  }

  LaunchImage image_;
  std::vector<ExecutionBuffer> buffers_;
  GlobalMemory memory_;
  Environment environment_;
  Block block_;
};

BlockKinds look_at(Beginning& beginnings, const ExecutionInput& input, std::uint64_t most) {
  const BlockLattice lattice = block_lattice(input.grid, most);
  std::map<std::vector<std::uint64_t>, std::uint32_t> known;
  BlockKinds found;
  for (std::size_t z = 0; z < lattice.places[2].size(); ++z) {
    for (std::size_t y = 0; y < lattice.places[1].size(); ++y) {
      for (std::size_t x = 0; x < lattice.places[0].size(); ++x) {
        const std::uint64_t number = block_number(
            {lattice.places[0][x], lattice.places[1][y], lattice.places[2][z]}, input.grid);
        const auto [place, added] =
            known.try_emplace(beginnings.of(number),
                              std::min(static_cast<std::uint32_t>(known.size()), most_kinds - 1));
        if (place->second >= found.kinds.size()) found.kinds.emplace_back();
        BlockKind& kind = found.kinds[place->second];
        kind.places.push_back(
            {number, lattice.sizes[0][x] * lattice.sizes[1][y] * lattice.sizes[2][z]});
        kind.blocks += kind.places.back().size;
      }
    }
  }
  return found;
}

}  // namespace

BlocksApart blocks_apart(const std::vector<BlockPlace>& places) {
  BlocksApart apart;
  if (places.empty()) return apart;
  std::vector<std::uint64_t> uncounted;
  double work = 0;
  for (const BlockPlace& place : places) {
    apart.blocks += place.size;
    work += place.work * static_cast<double>(place.size);
    if (place.work > 0) continue;
    uncounted.push_back(place.block);
    apart.of_uncounted += place.size;
  }
  apart.last = places.back().block;
  if (!uncounted.empty()) {
    apart.block = uncounted[uncounted.size() / 2];
    apart.uncounted = std::move(uncounted);
    return apart;
  }
  const BlockPlace& longest = *std::ranges::max_element(places, {}, &BlockPlace::longest);
  apart.block = longest.block;
  apart.mean_share = work / static_cast<double>(apart.blocks) / longest.work;
  return apart;
}

void thin(BlockKind& kind) {
  const std::vector<BlockPlace> places = std::move(kind.places);
  const std::uint64_t parts = std::min<std::uint64_t>(places.size(), places_of_kind);
  kind.places.clear();
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t first = places.size() * part / parts,
                        end = places.size() * (part + 1) / parts;
    BlockPlace place = places[(first + end) / 2];
    place.size = 0;
    for (std::uint64_t i = first; i < end; ++i) place.size += places[i].size;
    kind.places.push_back(place);
  }
}

double drawn_error(double unlooked, std::size_t found) {
  return two_sigma * std::sqrt(unlooked / static_cast<double>(found));
}

BlockPlace drawn_place(std::uint64_t blocks, std::uint64_t places, std::uint64_t i) {
  const std::uint64_t first = blocks / places * i + std::min(i, blocks % places);
  const std::uint64_t size = blocks / places + (i < blocks % places ? 1 : 0);
  return {first + mixed(i + 1) % size, size};
}

std::uint64_t BlockKinds::all() const {
  std::uint64_t blocks = 0;
  for (const BlockKind& kind : kinds) blocks += kind.blocks;
  return blocks;
}

bool BlockKinds::differ() const {
  if (kinds.size() < 2) return false;
  std::uint64_t largest = 0;
  for (const BlockKind& kind : kinds) largest = std::max(largest, kind.blocks);
  return static_cast<double>(largest) < (1 - good_part) * static_cast<double>(all());
}

BlockLattice block_lattice(const Extent& grid, std::uint64_t most) {
  constexpr std::uint32_t fewest = 3;  // both ends and one between
  std::array<std::uint32_t, 3> counts = grid;
  while (std::uint64_t{counts[0]} * counts[1] * counts[2] > most) {
    std::uint32_t& largest = *std::max_element(counts.begin(), counts.end());
    if (largest <= fewest) break;
    const std::uint64_t others = std::uint64_t{counts[0]} * counts[1] * counts[2] / largest;
    const auto fit = static_cast<std::uint32_t>(most / std::max<std::uint64_t>(1, others));
    largest = std::max({fewest, largest / 2, std::min(fit, largest - 1)});
  }
  BlockLattice lattice;
  for (std::size_t axis = 0; axis < 3; ++axis)
    divide(grid[axis], counts[axis], lattice.places[axis], lattice.sizes[axis]);
  return lattice;
}

BlockKinds find_block_kinds(const Program& program, const ExecutionInput& input,
                            std::uint64_t most) {
  Beginning beginnings(program, input);
  if (most > first_look) {
    BlockKinds few = look_at(beginnings, input, first_look);
    if (few.kinds.size() < 2) return few;
  }
  return look_at(beginnings, input, most);
}

}  // namespace forewarp::execution
