// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/earlier_blocks.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "memory/shares.h"

namespace forewarp::memory {
namespace {

constexpr int halvings = 50;
constexpr int steps = 12;  // of an integral, and of the ramp

/// The middle of step i of (0, 1).
double middle(int i) {
  return (i + 0.5) / steps;
}

/// Lines from which the launch draws at random; times are in launches.
struct Drawn {
  double lines = 0;  ///< of the buffer; of a stream far more than are ever drawn
  double each = 0;   ///< draws of one line in the launch
  double parts = 1;  ///< of a line, each drawn by itself

  /// Lines that are drawn within a time.
  [[nodiscard]] double within(double time) const { return -lines * std::expm1(-each * time); }

  /// Probability that a part is in L2, if lines are kept for so long after they were drawn and the
  /// launch has been running for `history`: a draw of a line that is not there brings in one part.
  [[nodiscard]] double found(double kept, double history) const {
    const double line = -std::expm1(-each * kept);
    const double ever = -std::expm1(-each / parts * history);
    return std::min(ever, line / (parts - line * (parts - 1)));
  }

  /// Share of first uses in a window, by the blocks behind the warming ones, that find nothing if
  /// lines are kept for `kept`.
  [[nodiscard]] double misses(double warming, double window, double kept) const {
    double missed = 0, all = 0;
    for (int i = 0; i < steps; ++i) {
      const double since = warming + (window - warming) * middle(i);
      const double first = std::exp(-each / parts * since);  // not used in the window yet
      all += first;
      for (int j = 0; j < steps; ++j) {
        // Of the launch; closer steps where it begins, and nothing is there yet.
        const double before = (1 - window) * middle(j) * middle(j);
        missed += 2 * middle(j) / steps * std::min(first, 1 - found(kept, before + since));
      }
    }
    return all > 0 ? missed / all : 0;  // 0: none is left to be used first
  }
};

/// What draws at random touch so many lines in windows, and so many in the whole launch.
Drawn drawn_from(const BufferUses& uses, double window) {
  Drawn drawn;
  if (!(uses.lines > 0)) return drawn;
  // Sectors that a line's draws bring in within a window.
  const double together = std::max({1.0, uses.sectors / uses.lines, uses.fetched / uses.lines});
  const double room = uses.most_lines > 0 ? uses.most_lines : uses.lines;
  const double unique = std::max(1.0, std::min(room, uses.all_sectors / together));
  const double times = std::clamp(uses.lines / unique, 1.0, 1 / window);
  // (1 - exp(-each window)) / window / (1 - exp(-each)) = times
  constexpr double stream = 1e-6, always = 1e6;
  double least = stream, most = always;
  for (int i = 0; i < halvings; ++i) {
    const double each = std::sqrt(least * most);
    const double seen = std::expm1(-each * window) / window / std::expm1(-each);
    (seen < times ? least : most) = each;
  }
  drawn.each = most;
  drawn.lines = unique / -std::expm1(-drawn.each);
  // Of lines drawn in a window that share of the sectors was: 1 - (1 - lines' share)^(1 / parts).
  constexpr double nearly_all = 1 - 1e-12;
  const double most_parts = std::max(1.0, uses.all_sectors / unique);
  const double of_line = std::min(1.0, together / most_parts);
  const double seen = std::min(nearly_all, -std::expm1(-drawn.each * window));
  drawn.parts = std::clamp(std::log1p(-seen) / std::log1p(-of_line * seen), 1.0, most_parts);
  return drawn;
}

/// How long lines stay where so many have room; 1: for the whole launch.
double kept_for(double room, const std::vector<Drawn>& buffers) {
  double least = 0, most = 1;
  for (int i = 0; i < halvings; ++i) {
    const double time = i == 0 ? 1 : (least + most) / 2;
    double lines = 0;
    for (const Drawn& drawn : buffers) lines += drawn.within(time);
    if (i == 0 && lines <= room) return 1;
    (lines <= room ? least : most) = time;
  }
  return least;
}

}  // namespace

std::vector<FirstUseMisses> misses_after_earlier_blocks(const std::vector<BufferUses>& uses,
                                                        const Windows& windows, const Gpu& gpu) {
  std::vector<FirstUseMisses> misses(uses.size());
  if (!(windows.share > 0) || windows.share >= 1 || gpu.l2.bytes <= 0) return misses;
  std::vector<Drawn> drawn;
  for (const BufferUses& buffer : uses) drawn.push_back(drawn_from(buffer, windows.share));
  for (FirstUseMisses& its : misses) its = {0, 0};
  const auto [from, to] = windows.ramp;
  for (int i = 0; i < steps; ++i) {
    const double room = (from + (to - from) * middle(i)) * gpu.l2.bytes / gpu.line_bytes;
    const double kept = kept_for(room, drawn);
    for (std::size_t b = 0; b < uses.size(); ++b) {
      const double missed = drawn[b].misses(windows.warming, windows.share, kept);
      // What is dirty at the end waits for the next launch, which writes it again.
      const double waits = (1 - windows.gone) * ratio(drawn[b].within(kept), drawn[b].within(1)) *
                           ratio(uses[b].all_written, uses[b].written);
      misses[b].read += missed / steps;
      misses[b].written += windows.gone > 0 ? std::max(0.0, missed - waits) / steps : 0;
    }
  }
  return misses;
}

std::optional<double> find_after_earlier_blocks(Replayed& replayed, const WindowedGrid& grid,
                                                RampCache::Ramp ramp, double gone, const Gpu& gpu) {
  const double blocks = replayed.first_windows * grid.blocks / grid.begun;
  const Windows windows{ratio(replayed.first_blocks, blocks),
                        ratio(replayed.warming_blocks, blocks), ramp, gone};
  const double times = grid.of_each * ratio(grid.blocks / grid.begun, replayed.first_blocks);
  std::vector<BufferUses> uses;
  for (std::size_t b = 0; b < replayed.first.size(); ++b) {
    const WindowFirstUses& first = replayed.first[b];
    const UniqueBytes& all = grid.touched[b];
    const bool known = b < grid.buffers.size();
    const double most = known ? number(grid.buffers[b].bytes) / gpu.line_bytes : 0;
    uses.push_back({times * first.lines, times * first.sectors, times * first.written,
                    times * first.fetched, all.any / gpu.sector_bytes,
                    all.written / gpu.sector_bytes, std::ceil(most)});
  }
  const std::vector<FirstUseMisses> misses = misses_after_earlier_blocks(uses, windows, gpu);
  struct First {
    double fetched = 0, found = 0;
  };
  std::map<std::uint32_t, First> firsts;  // sectors, by instruction
  double written = 0, in_the_end = 0;
  for (std::size_t b = 0; b < uses.size(); ++b) {
    for (const auto& [instruction, fetched] : replayed.first[b].fetched_by) {
      firsts[instruction].fetched += fetched;
      firsts[instruction].found += fetched * (1 - misses[b].read);
    }
    written += uses[b].written;
    in_the_end += uses[b].written * misses[b].written;
  }
  double found = 0;
  for (const auto& [instruction, its] : firsts) {
    // Less is fetched in the end where a later store completes a sector.
    WeightedCounts& counts = replayed.instructions[instruction];
    const double share = ratio(its.found, std::max(its.fetched, counts.fetched));
    found += share * counts.fetched;
    counts.find_in_l2(share);
  }
  const double share = ratio(found, replayed.all.fetched);
  for (WeightedCounts* counts : {&replayed.all, &replayed.halves[0], &replayed.halves[1]})
    counts->find_in_l2(share);
  for (double& fetched : replayed.fetched) fetched *= 1 - share;
  if (written > 0) return in_the_end / written;
  return std::nullopt;
}

}  // namespace forewarp::memory
