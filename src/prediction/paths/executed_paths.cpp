// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/paths/executed_paths.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace forewarp::prediction {
namespace {

constexpr std::size_t most_loops = 64;       // one bit each in a TripPolynomial
constexpr std::size_t most_kinds = 4;        // kinds of warps that are kept apart ..
constexpr std::size_t most_roles = 16;       // .. where they wait for each other's copies
constexpr std::size_t most_steps = 1 << 18;  // of a path after unrolling

/// Instructions of the unrolled steps; `savings`: instructions that each loop saves by staying a
/// loop.
double measure(const std::vector<TraceStep>& steps, double entries, std::vector<double>& savings) {
  double size = 0;
  for (const TraceStep& step : steps) {
    if (!step.is_loop()) {
      size += step.last - step.first;
      continue;
    }
    const std::size_t place = savings.size();
    savings.push_back(0);
    const auto trips = static_cast<double>(step.trips);
    const double pass = measure(step.body, entries * trips, savings);
    savings[place] = pass * (trips - 1) * entries;
    size += pass * trips;
  }
  return size;
}

std::uint32_t lowest(const std::vector<TraceStep>& steps) {
  std::uint32_t first = ~0U;
  for (const TraceStep& step : steps) {
    first = std::min(first, step.is_loop() ? lowest(step.body) : step.first);
  }
  return first;
}

std::uint32_t highest(const std::vector<TraceStep>& steps) {
  std::uint32_t last = 0;
  for (const TraceStep& step : steps) {
    last = std::max(last, step.is_loop() ? highest(step.body) : step.last);
  }
  return last;
}

/// Turns trace steps into path steps; loops that save at least `threshold` stay loops.
class Builder {
 public:
  Builder(const Kernel& kernel, double threshold, std::vector<PathLoop>& table)
      : kernel_(kernel), threshold_(threshold), table_(table) {}

  std::vector<PathStep> build(const WarpTrace& trace) {
    savings_.clear();
    next_ = 0;
    made_ = 0;
    measure(trace.steps, 1, savings_);
    return convert(trace.steps, 0);
  }

 private:
  std::vector<PathStep> convert(const std::vector<TraceStep>& steps, int depth) {
    std::vector<PathStep> out;
    for (const TraceStep& step : steps) {
      if (step.is_loop()) {
        add_loop(step, depth, out);
      } else {
        out.push_back(run_of(step));
      }
    }
    return out;
  }

  PathStep run_of(const TraceStep& step) {
    ++made_;
    PathStep run;
    run.first = step.first;
    run.last = step.last;
    run.jumps = step.jumps;
    return run;
  }

  void add_loop(const TraceStep& step, int depth, std::vector<PathStep>& out) {
    const bool keeps = savings_[next_++] >= threshold_ && table_.size() < most_loops;
    const std::size_t inner = next_;
    if (keeps) {
      PathStep loop;
      loop.loop = static_cast<std::uint32_t>(table_.size());
      loop.leaves_at_end = step.leaves_at_end;
      PathLoop entry;
      entry.begin = kernel_.instructions[lowest(step.body)].address;
      entry.end = kernel_.instructions[highest(step.body) - 1].address + 1;
      entry.trips = static_cast<double>(step.trips);
      entry.depth = depth;
      entry.varies = true;  // a trace holds for this launch only
      table_.push_back(std::move(entry));
      loop.body = convert(step.body, depth + 1);
      out.push_back(std::move(loop));
      return;
    }
    for (std::uint64_t trip = 0; trip < step.trips && made_ < most_steps; ++trip) {
      next_ = inner;
      std::vector<PathStep> pass = convert(step.body, depth);
      const bool last = trip + 1 == step.trips;
      if (last && step.leaves_at_end && !pass.back().is_loop()) pass.back().jumps = false;
      std::move(pass.begin(), pass.end(), std::back_inserter(out));
    }
  }

  const Kernel& kernel_;
  double threshold_;
  std::vector<PathLoop>& table_;
  std::vector<double> savings_;
  std::size_t next_ = 0;  ///< index into savings_ of the next loop
  std::size_t made_ = 0;
};

struct Kind {
  const WarpTrace* trace;
  double warps;
};

std::uint64_t hash_of(const WarpTrace& trace) {
  std::uint64_t hash = trace.instructions;
  for (const TraceStep& step : trace.steps) hash = hash * 0x9e3779b97f4a7c15U + step.hash;
  for (const AsyncEvent& event : trace.events) {
    for (const std::uint64_t part :
         {std::uint64_t{event.instruction}, std::uint64_t{event.barrier} << 32 | event.count,
          static_cast<std::uint64_t>(event.bytes)}) {
      hash = hash * 0x9e3779b97f4a7c15U + part;
    }
  }
  return hash;
}

std::vector<Kind> kinds_of(const std::vector<WarpTrace>& traces) {
  std::vector<std::pair<std::uint64_t, Kind>> kinds;
  for (const WarpTrace& trace : traces) {
    if (trace.instructions == 0) continue;
    const std::uint64_t hash = hash_of(trace);
    const auto known = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const auto& kind) { return kind.first == hash; });
    if (known == kinds.end()) {
      kinds.emplace_back(hash, Kind{&trace, 1});
    } else {
      known->second.warps += 1;
    }
  }
  // The longest warps decide when a block ends, so these kinds are kept and the others join them.
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) {
    return a.second.trace->instructions > b.second.trace->instructions;
  });
  const bool meet = std::any_of(traces.begin(), traces.end(),
                                [](const WarpTrace& trace) { return !trace.events.empty(); });
  std::vector<Kind> kept;
  for (const auto& [hash, kind] : kinds) {
    if (kept.size() < (meet ? most_roles : most_kinds)) {
      kept.push_back(kind);
    } else {
      kept.back().warps += kind.warps;
    }
  }
  return kept;
}

/// The instructions that a loop must save to stay one, so that the table holds all that stay.
double threshold_of(const std::vector<Kind>& kinds) {
  std::vector<double> savings;
  for (const Kind& kind : kinds) measure(kind.trace->steps, 1, savings);
  if (savings.size() <= most_loops) return 0;
  const auto nth = savings.begin() + static_cast<std::ptrdiff_t>(most_loops - 1);
  std::nth_element(savings.begin(), nth, savings.end(), std::greater{});
  const double last = *nth;
  const auto fit =
      std::count_if(savings.begin(), savings.end(), [&](double saving) { return saving >= last; });
  return static_cast<std::size_t>(fit) <= most_loops ? last : std::nextafter(last, 2 * last + 1);
}

}  // namespace

std::vector<WarpPath> executed_paths(const Kernel& kernel, const std::vector<WarpTrace>& traces) {
  const std::vector<Kind> kinds = kinds_of(traces);
  const double threshold = threshold_of(kinds);
  std::vector<PathLoop> table;
  std::vector<WarpPath> paths;
  double warps = 0;
  for (const Kind& kind : kinds) warps += kind.warps;
  for (const Kind& kind : kinds) {
    WarpPath path;
    path.steps = Builder(kernel, threshold, table).build(*kind.trace);
    path.share = kind.warps / warps;
    path.events = kind.trace->events;
    paths.push_back(std::move(path));
  }
  for (WarpPath& path : paths) path.loops = table;
  return paths;
}

}  // namespace forewarp::prediction
