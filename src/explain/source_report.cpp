// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/source_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "binding/bound_kernel.h"
#include "explain/listing_builder.h"
#include "program/source_place.h"
#include "result/labels.h"
#include "result/simulation_waits.h"

namespace forewarp::explain {
namespace {

using Line = Result::ListingLine;
using Place = std::pair<std::string, std::uint32_t>;  ///< source file and line

constexpr std::size_t longest_line = 400;  ///< characters kept of one source line

double finite(double value) {
  return std::isfinite(value) ? value : 0;
}

/// What the simulated SM saw by address, with the waits at a block's barrier booked on the barrier:
/// the simulation counts them before the instruction that issues next.
std::map<std::uint32_t, SimulationFacts::Instruction> booked(const Result& result) {
  std::map<std::uint32_t, SimulationFacts::Instruction> all;
  for (const auto& seen : result.simulation.instructions) all[seen.address] = seen;
  for (std::size_t i = 0; i + 1 < result.listing.size(); ++i) {
    const auto barrier = all.find(result.listing[i].address);
    const auto next = all.find(result.listing[i + 1].address);
    const bool is_barrier =
        result.listing[i].instruction_class == class_name(InstructionClass::barrier);
    if (!is_barrier || barrier == all.end() || next == all.end()) continue;
    for (auto& [cause, cycles] : next->second.stalls) {
      if (cause != "barrier" || barrier->second.issues <= 0) continue;
      const double moved = cycles * next->second.issues / barrier->second.issues;
      barrier->second.stalls.emplace_back(cause, std::exchange(cycles, 0) > 0 ? moved : 0);
    }
  }
  return all;
}

/// Cycles of issuing and waiting by instruction, on the simulated SM.
std::vector<double> simulated_weights(const Result& result) {
  std::map<std::uint32_t, double> cycles;
  for (const auto& [address, seen] : booked(result)) {
    cycles[address] = seen.issues * (1 + waited(seen));
  }
  std::vector<double> weights;
  for (const Line& line : result.listing) {
    const auto found = cycles.find(line.address);
    weights.push_back(found == cycles.end() ? 0 : found->second);
  }
  return weights;
}

bool moves_sectors(const Evaluation& evaluation, std::size_t index) {
  const AccessSpace space =
      access_space(evaluation.launch->code.kernel->instructions[index].instruction_class);
  return space == AccessSpace::global || space == AccessSpace::local;
}

/// By instruction: sectors that it requests per warp, or its bytes of device memory.
std::vector<double> moved(const Evaluation& evaluation, const Result& result, bool device_memory) {
  std::vector<double> all(result.listing.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!moves_sectors(evaluation, i)) continue;
    const AccessPattern& access = evaluation.bound->kernel->patterns()[i];
    const bool stated = device_memory && access.device_bytes >= 0;
    all[i] = finite(result.listing[i].executions) * (stated ? access.device_bytes : access.sectors);
  }
  return all;
}

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

bool is_l2(ResourceRole role) {
  return role == ResourceRole::l2 || role == ResourceRole::l2_read ||
         role == ResourceRole::l2_write || role == ResourceRole::l2_slice;
}

/// What limits the kernel, also where the copies beside it limit the launch.
Result::LimitedBy limit_of_kernel(const Result& result) {
  if (result.copies.empty() || result.limited_by.resource != "link") return result.limited_by;
  Result::LimitedBy limit;
  if (result.bounds.empty() || !(result.device_ms > 0)) return limit;
  limit.resource = result.bounds.front().resource;
  limit.share = result.bounds.front().time_ms / result.device_ms;
  return limit;
}

/// By instruction: cycles of this unit; none where it is no unit of the SM.
std::vector<double> taken(const Evaluation& evaluation, const std::string& name) {
  const std::vector<ResourceInfo>& units = evaluation.bound->kernel->resources();
  const auto unit = std::ranges::find(units, name, &ResourceInfo::name);
  if (unit == units.end()) return {};
  return evaluation.bound->kernel->instruction_cycles(
      static_cast<std::size_t>(unit - units.begin()));
}

/// The weights of instructions, and a phrase that says what they count.
std::pair<std::vector<double>, std::string> weigh(const Evaluation& evaluation,
                                                  const Result& result) {
  if (!result.simulation.instructions.empty()) {
    return {simulated_weights(result), "cycles that warps issue there and wait to, simulated"};
  }
  const Result::LimitedBy limit = limit_of_kernel(result);
  if (limit.share >= explains_time) {
    const ResourceRole role = role_of_resource(limit.resource);
    const bool device_memory = role == ResourceRole::device_memory;
    const bool memory = device_memory || is_l2(role);
    std::vector<double> weights =
        memory ? moved(evaluation, result, device_memory) : taken(evaluation, limit.resource);
    if (total(weights) > 0) {
      return {std::move(weights),
              memory ? "what it moves, as memory limits"
                     : "what it takes of " + resource_label(result, limit.resource)};
    }
  }
  std::vector<double> weights;
  for (const Line& line : result.listing) weights.push_back(line.path_cycles);
  return {std::move(weights), "cycles on a warp's critical path: what overlaps counts once"};
}

/// These lines of the compiled source. Reads no other file, as a listing may name any file.
std::map<std::uint32_t, std::string> source_text(const LoadedKernel& code,
                                                 const std::set<std::uint32_t>& numbers) {
  std::map<std::uint32_t, std::string> lines;
  if (numbers.empty()) return lines;
  const auto text = code.given ? Expected<std::string>(*code.given) : read_file(code.input);
  if (!text) return lines;
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < text->size() && number < *numbers.rbegin();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    if (numbers.contains(++number)) {
      std::string_view line = std::string_view(*text).substr(at, end - at);
      if (line.ends_with('\r')) line.remove_suffix(1);
      lines[number] = line.substr(0, longest_line);
    }
    at = end + 1;
  }
  return lines;
}

/// The access with the largest weight so far.
struct Heaviest {
  double weight = -1;
  std::string text;
};

/// Sectors that loads of one source line ask for: of those, what L1 has, what passes it, and what
/// L2 then has.
struct Loaded {
  double all = 0, in_l1 = 0, past_l1 = 0, in_l2 = 0;

  void add(double sectors, const AccessPattern& access) {
    all += sectors;
    in_l1 += sectors * access.l1_hits;
    past_l1 += sectors * (1 - access.l1_hits);
    in_l2 += sectors * (1 - access.l1_hits) * access.l2_hits;
  }
  [[nodiscard]] std::string rates() const {
    return hit_rates_text(all > 0 ? in_l1 / all : 0, past_l1 > 0 ? in_l2 / past_l1 : 0);
  }
};

/// The sums of one source line, what its instructions wait for, and its costliest access beyond the
/// SM and in shared memory.
struct Sum {
  Result::SourceLine line;
  Heaviest beyond, shared;
  Loaded loaded;
  std::map<std::string, double> causes;
};

class SourceSums {
 public:
  SourceSums(const Evaluation& evaluation, Result& result)
      : evaluation_(evaluation),
        result_(result),
        sectors_(moved(evaluation, result, false)),
        simulated_(booked(result)) {
    for (const Line& line : result.listing) executions_ += finite(line.executions);
    all_sectors_ = total(sectors_);
  }

  void add(std::size_t index) {
    const Line& line = result_.listing[index];
    Sum& sum = sums_[Place(line.source_file, line.source_line)];
    ++sum.line.instructions;
    const double executions = finite(line.executions);
    sum.line.executions += executions;
    sum.line.time_share += line.time_share;
    sum.line.loop_depth = std::max(sum.line.loop_depth, line.loop_depth);
    if (executions_ > 0) sum.line.issue_share += executions / executions_;
    if (all_sectors_ > 0) sum.line.traffic_share += sectors_[index] / all_sectors_;
    const bool in_shared = line.memory.find(" wavefront") != std::string::npos;
    Heaviest& kind = in_shared ? sum.shared : sum.beyond;
    const double weight = line.time_share + sectors_[index];
    if (!line.memory.empty() && weight > kind.weight) kind = {weight, line.memory};
    const InstructionClass c =
        evaluation_.launch->code.kernel->instructions[index].instruction_class;
    if (sectors_[index] > 0 && !writes_only(c))
      sum.loaded.add(sectors_[index], evaluation_.bound->kernel->patterns()[index]);
    const auto seen = simulated_.find(line.address);
    if (seen == simulated_.end()) return;
    for (const auto& [cause, cycles] : seen->second.stalls) {
      if (is_wait(cause)) sum.causes[cause] += seen->second.issues * cycles;
    }
  }

  std::vector<Result::SourceLine> take() && {
    std::set<std::uint32_t> numbers;
    for (const auto& [place, sum] : sums_) {
      if (place.first == own_source) numbers.insert(place.second);
    }
    const std::map<std::uint32_t, std::string> text =
        source_text(evaluation_.launch->code, numbers);
    std::vector<Result::SourceLine> lines;
    for (auto& [place, sum] : sums_) {
      sum.line.file = shown(place.first);
      sum.line.line = place.second;
      const bool both = !sum.beyond.text.empty() && !sum.shared.text.empty();
      // The costliest access may be the one that the caches serve: rates are those of all loads.
      std::string& beyond = sum.beyond.text;
      beyond.resize(std::min(beyond.find(", L"), beyond.size()));
      sum.line.memory = beyond + sum.loaded.rates() + (both ? "; " : "") + sum.shared.text;
      const auto own = place.first == own_source ? text.find(place.second) : text.end();
      if (own != text.end()) sum.line.text = own->second;
      const auto most =
          std::max_element(sum.causes.begin(), sum.causes.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
      if (most != sum.causes.end() && most->second > 0) sum.line.waits = most->first;
      lines.push_back(std::move(sum.line));
    }
    return lines;
  }

  [[nodiscard]] std::string shown(const std::string& file) const {
    return file == own_source ? result_.kernel.input : file;
  }

 private:
  const Evaluation& evaluation_;
  Result& result_;
  std::vector<double> sectors_;
  std::map<std::uint32_t, SimulationFacts::Instruction> simulated_;
  double executions_ = 0, all_sectors_ = 0;
  std::map<Place, Sum> sums_;
};

/// A loop's passes per entry as executed; negative: not executed.
double executed_passes(const Result& result, std::uint32_t begin) {
  for (const auto& loop : result.execution.loops) {
    if (loop.begin == begin) return loop.mean_passes;
  }
  return -1;
}

/// Adds the range of source lines of each loop, within the file of its first line. Different paths
/// share loops, so each loop is added once.
void add_loops(const Evaluation& evaluation, const SourceSums& sums, Result& result) {
  std::set<std::uint32_t> known;
  for (const PathLoop& loop : evaluation.bound->kernel->loops()) {
    if (!known.insert(loop.begin).second) continue;
    Result::SourceLoop made;
    std::string file;
    for (const Line& line : result.listing) {
      if (line.address < loop.begin || line.address >= loop.end) continue;
      made.time_share += line.time_share;
      if (line.source_line == 0) continue;
      if (file.empty()) file = line.source_file;
      if (line.source_file != file) continue;
      made.first_line =
          made.first_line == 0 ? line.source_line : std::min(made.first_line, line.source_line);
      made.last_line = std::max(made.last_line, line.source_line);
    }
    if (made.first_line == 0) continue;
    made.file = sums.shown(file);
    made.address = loop.begin;
    const double executed = executed_passes(result, loop.begin);
    made.trips = executed >= 0 ? executed : loop.trips;
    made.formula = executed >= 0 && executed != loop.trips ? "" : loop.formula;
    made.depth = loop.depth;
    result.source_loops.push_back(std::move(made));
  }
  std::ranges::stable_sort(result.source_loops, {}, [](const Result::SourceLoop& loop) {
    return std::pair(loop.depth, loop.first_line);
  });
}

}  // namespace

void add_source(const Evaluation& evaluation, Result& result) {
  auto [weights, made_of] = weigh(evaluation, result);
  const double all = total(weights);
  if (all <= 0) return;
  bool known = false;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    result.listing[i].time_share = weights[i] / all;
    known = known || result.listing[i].source_line != 0;
  }
  if (known) {
    SourceSums sums(evaluation, result);
    for (std::size_t i = 0; i < weights.size(); ++i) sums.add(i);
    add_loops(evaluation, sums, result);
    for (Line& line : result.listing) line.source_file = sums.shown(line.source_file);
    result.source = std::move(sums).take();
  }
  result.source_weighed_by = std::move(made_of);
}

}  // namespace forewarp::explain
