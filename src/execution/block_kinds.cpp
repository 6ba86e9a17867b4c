// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/block_kinds.h"

#include <algorithm>
#include <map>
#include <utility>

#include "execution/grid_runner.h"

namespace forewarp {
namespace {

constexpr std::uint64_t beginning = 128;  // instructions of a warp, at most
constexpr std::uint32_t most_kinds = 8;
constexpr std::uint64_t first_look = 64;  // blocks: where these are alike, all are taken as alike
constexpr double good_part = 0.02;  // of the grid: as many are surplus at an edge of 50 blocks
constexpr std::uint64_t most_memory = std::uint64_t{1} << 30;  // bytes touched by the beginnings

/// Places of one axis: the ends, and the middle of each part between them.
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

/// The place that stands for a coordinate.
std::size_t place_of(std::uint32_t at, std::uint32_t extent,
                     const std::vector<std::uint32_t>& places) {
  const std::size_t count = places.size();
  if (count == extent || at == 0) return at;
  if (at == extent - 1) return count - 1;
  const std::uint64_t inner = extent - 2, parts = count - 2, from = at - 1;
  std::uint64_t part = from * parts / inner;
  while (part + 1 < parts && inner * (part + 1) / parts <= from) ++part;
  return static_cast<std::size_t>(1 + part);
}

/// How the first and the last warp of a block begin: where each comes to memory, or that it ended,
/// and how many instructions that took.
class Beginning {
 public:
  Beginning(const Program& program, const ExecutionInput& input)
      : image_(program, input),
        buffers_(with_workspace(input)),
        memory_(buffers_, most_memory),
        environment_(program, image_, memory_) {}

  std::vector<std::uint64_t> of(std::uint64_t number) {
    block_.start(environment_, number);
    std::vector<std::uint64_t> seen = follow(block_.warps.front());
    if (block_.warps.size() > 1) {
      const std::vector<std::uint64_t> last = follow(block_.warps.back());
      seen.insert(seen.end(), last.begin(), last.end());
    }
    return seen;
  }

 private:
  /// Whether the warp stands before what reads or writes beyond its registers and constants.
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
  BlockKinds kinds = block_lattice(input.grid, most);
  std::map<std::vector<std::uint64_t>, std::uint32_t> known;
  std::vector<std::uint64_t> blocks;  // by kind as found
  std::size_t at = 0;
  for (std::size_t z = 0; z < kinds.places[2].size(); ++z) {
    for (std::size_t y = 0; y < kinds.places[1].size(); ++y) {
      for (std::size_t x = 0; x < kinds.places[0].size(); ++x) {
        const std::uint64_t number =
            (std::uint64_t{kinds.places[2][z]} * input.grid[1] + kinds.places[1][y]) *
                input.grid[0] +
            kinds.places[0][x];
        const auto [place, added] =
            known.try_emplace(beginnings.of(number),
                              std::min(static_cast<std::uint32_t>(known.size()), most_kinds - 1));
        if (place->second >= blocks.size()) blocks.push_back(0);
        blocks[place->second] += kinds.sizes[0][x] * kinds.sizes[1][y] * kinds.sizes[2][z];
        kinds.kind[at++] = place->second;
      }
    }
  }
  kinds.blocks = std::move(blocks);
  return kinds;
}

}  // namespace

std::uint32_t BlockKinds::of(std::uint64_t block) const {
  if (kind.empty()) return 0;
  const std::array<std::uint32_t, 3> index = {
      static_cast<std::uint32_t>(block % grid[0]),
      static_cast<std::uint32_t>(block / grid[0] % grid[1]),
      static_cast<std::uint32_t>(block / grid[0] / grid[1])};
  std::size_t at = 0;
  for (std::size_t axis = 3; axis-- > 0;)
    at = at * places[axis].size() + place_of(index[axis], grid[axis], places[axis]);
  return kind[at];
}

bool BlockKinds::differ() const {
  if (blocks.size() < 2) return false;
  const auto largest = static_cast<double>(*std::max_element(blocks.begin(), blocks.end()));
  return largest < (1 - good_part) * static_cast<double>(volume(grid));
}

BlockKinds block_lattice(const Extent& grid, std::uint64_t most) {
  constexpr std::uint32_t fewest = 3;  // both ends and one between
  std::array<std::uint32_t, 3> counts = grid;
  while (std::uint64_t{counts[0]} * counts[1] * counts[2] > most) {
    std::uint32_t& largest = *std::max_element(counts.begin(), counts.end());
    if (largest <= fewest) break;
    const std::uint64_t others = std::uint64_t{counts[0]} * counts[1] * counts[2] / largest;
    const auto fit = static_cast<std::uint32_t>(most / std::max<std::uint64_t>(1, others));
    largest = std::max({fewest, largest / 2, std::min(fit, largest - 1)});
  }
  BlockKinds kinds;
  kinds.grid = grid;
  for (std::size_t axis = 0; axis < 3; ++axis)
    divide(grid[axis], counts[axis], kinds.places[axis], kinds.sizes[axis]);
  kinds.kind.assign(kinds.places[0].size() * kinds.places[1].size() * kinds.places[2].size(), 0);
  kinds.blocks = {volume(grid)};
  return kinds;
}

BlockKinds find_block_kinds(const Program& program, const ExecutionInput& input,
                            std::uint64_t most) {
  Beginning beginnings(program, input);
  if (most > first_look) {
    BlockKinds few = look_at(beginnings, input, first_look);
    if (few.blocks.size() < 2) return few;
  }
  return look_at(beginnings, input, most);
}

}  // namespace forewarp
