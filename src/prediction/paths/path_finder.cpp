// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/paths/path_finder.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "binding/path_builder.h"
#include "binding/resource_table.h"

namespace forewarp::prediction {
namespace {

constexpr std::uint32_t most_kinds = 64;  // kinds of warps of one block that are kept apart
constexpr std::size_t most_loops = 64;    // one bit each in a TripPolynomial

/// One warp kind's decisions for the walker along its path.
class KindDecisions : public PathDecisions {
 public:
  KindDecisions(const LaunchDecider& decider, const WarpDecisions& decisions)
      : decider_(decider), decisions_(decisions) {}

  BranchWay way(BlockId block, std::uint32_t instruction) override {
    (void)instruction;
    const auto& branches = decider_.branches();
    const auto found =
        std::lower_bound(branches.begin(), branches.end(), block,
                         [](const DecidedBranch& branch, BlockId id) { return branch.block < id; });
    if (found == branches.end() || found->block != block) return BranchWay::not_taken;
    const auto index = static_cast<std::size_t>(found - branches.begin());
    const bool by_pass = branches[index].by_pass && decisions_.ways[index] == BranchWay::both;
    if (decider_.assumed(index) || decider_.usual(index) || by_pass) met_unknown.push_back(index);
    return decisions_.ways[index];
  }

  LoopPasses passes(LoopId loop) override {
    if (decisions_.trips[loop] < 0 && !unknown_loop) unknown_loop = loop;
    return {std::max(0.0, decisions_.trips[loop]), decider_.trip_formula(loop),
            decider_.trip_varies(loop), decider_.exit_block(loop)};
  }

  std::vector<std::size_t> met_unknown;  ///< undecided branches on the path
  std::optional<LoopId> unknown_loop;

 private:
  const LaunchDecider& decider_;
  const WarpDecisions& decisions_;
};

bool same_loop(const PathLoop& a, const PathLoop& b) {
  return a.begin == b.begin && a.end == b.end && a.trips == b.trips && a.depth == b.depth;
}

void renumber(std::vector<PathStep>& steps, const std::vector<std::uint32_t>& to) {
  for (PathStep& step : steps) {
    if (!step.is_loop()) continue;
    step.loop = to[step.loop];
    renumber(step.body, to);
  }
}

/// Puts the loops of all paths into one table. A loop with equal trips on several paths is one
/// entry; a loop that occurs twice on one path is two entries, as no loop is nested in itself.
bool share_loops(std::vector<WarpPath>& paths) {
  std::vector<PathLoop> table;
  for (WarpPath& path : paths) {
    std::vector<std::uint32_t> to;
    std::vector<bool> used(table.size() + path.loops.size(), false);
    for (const PathLoop& loop : path.loops) {
      std::size_t place = 0;
      while (place < table.size() && (used[place] || !same_loop(table[place], loop))) ++place;
      if (place == table.size()) table.push_back(loop);
      used[place] = true;
      to.push_back(static_cast<std::uint32_t>(place));
    }
    renumber(path.steps, to);
  }
  for (WarpPath& path : paths) path.loops = table;
  return table.size() <= most_loops;
}

std::string address_list(const Kernel& kernel, const std::vector<std::uint32_t>& instructions) {
  constexpr std::size_t most_named = 6;
  std::string list;
  for (std::size_t i = 0; i < instructions.size() && i < most_named; ++i) {
    if (i > 0) list += ", ";
    list += hex(kernel.instructions[instructions[i]].address, 4);
  }
  if (instructions.size() > most_named) {
    list += " and " + std::to_string(instructions.size() - most_named) + " more";
  }
  return list;
}

void note_branches(const Kernel& kernel, const LaunchDecider& decider, std::vector<std::size_t> met,
                   std::vector<Result::Assumption>& assumptions) {
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());
  for (const std::size_t b : met) {
    const DecidedBranch& branch = decider.branches()[b];
    const std::string address = hex(kernel.instructions[branch.instruction].address, 4);
    if (decider.usual(b)) {
      assumptions.push_back({"usual-branch",
                             "the branch at " + address + " takes its usual way: " + branch.reason,
                             "--assume-branch " + address + "=P"});
      continue;
    }
    const std::string why =
        branch.reason.empty() ? "its way changes from pass to pass of a loop" : branch.reason;
    assumptions.push_back({"branch-" + address,
                           branch.ends_thread
                               ? "the EXIT at " + address + " is taken by no warp: " + why
                               : "both sides of the branch at " + address + " are executed: " + why,
                           "--assume-branch " + address + "=P"});
  }
}

void note_patterns(const Kernel& kernel, const AccessPatterns& patterns,
                   const std::vector<WarpPath>& paths,
                   std::vector<Result::Assumption>& assumptions) {
  (void)paths;
  std::vector<std::uint32_t> unknown;
  for (std::uint32_t i = 0; i < patterns.size(); ++i) {
    const AccessSpace space = access_space(kernel.instructions[i].instruction_class);
    const bool matters = space == AccessSpace::global || space == AccessSpace::shared;
    if (matters && !patterns[i].known) unknown.push_back(i);
  }
  const bool textures = std::any_of(
      kernel.instructions.begin(), kernel.instructions.end(), [](const Instruction& instruction) {
        return instruction.instruction_class == InstructionClass::texture;
      });
  if (textures) {
    assumptions.push_back({"texture-bytes",
                           "texture fetches move no bytes: their footprint is not "
                           "known from the code",
                           ""});
  }
  if (unknown.empty()) return;
  assumptions.push_back({"unit-stride",
                         "neighbouring threads access neighbouring words at " +
                             address_list(kernel, unknown) + ": their addresses depend on data",
                         ""});
}

/// The pattern of an access in which no lane takes part.
AccessPattern nothing(std::uint32_t bytes_per_lane) {
  AccessPattern pattern;
  pattern.known = true;
  pattern.bytes_per_lane = bytes_per_lane;
  pattern.passes = 0;
  return pattern;
}

Diagnostic too_long(const Kernel& kernel) {
  return {kernel.name,
          "its path has more than " + std::to_string(most_loops) +
              " loops, or control flow that does not come to an end",
          "", "predict a part of it as a kernel of its own"};
}

/// Splits every kind of warps: the given share takes the branch, the rest does not. If that makes
/// too many kinds, both sides count.
void split_by_share(const LaunchDecider& decider, std::vector<WarpKind>& kinds) {
  for (const auto& [branch, share] : decider.shared_branches()) {
    if (2 * kinds.size() > most_kinds) {
      for (WarpKind& kind : kinds) kind.decisions.ways[branch] = BranchWay::both;
      continue;
    }
    for (std::size_t k = 0, count = kinds.size(); k < count; ++k) {
      WarpKind others = kinds[k];
      others.share *= 1 - share;
      others.decisions.ways[branch] = BranchWay::not_taken;
      kinds[k].share *= share;
      kinds.push_back(std::move(others));
    }
  }
}

}  // namespace

void PathFinder::compile_addresses() {
  for (const AddressForm& form : analysis_.addresses()) {
    addresses_.push_back(analysis_.compile(form.value));
    collect_parameters(analysis_.pool(), form.value, address_parameters_);
  }
  std::sort(address_parameters_.begin(), address_parameters_.end());
  const auto end = std::unique(address_parameters_.begin(), address_parameters_.end());
  address_parameters_.erase(end, address_parameters_.end());
}

std::vector<std::uint8_t> PathFinder::pattern_key(const LaunchConfig& launch,
                                                  const BoundArguments& arguments) const {
  std::vector<std::uint8_t> key;
  const auto add = [&](std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8)
      key.push_back(static_cast<std::uint8_t>(value >> shift));
  };
  for (std::size_t d = 0; d < 3; ++d) {
    add(launch.block[d]);
    add(std::min<std::uint32_t>(1, launch.grid[d] - 1));
  }
  for (const auto& [offset, size] : address_parameters_) {
    for (std::uint32_t i = offset; i < offset + size && i < arguments.bytes.size(); ++i) {
      key.push_back(arguments.bytes[i]);
      key.push_back(arguments.known[i]);
    }
  }
  return key;
}

std::vector<WarpKind> PathFinder::kinds(LaunchSymbols& symbols, const LaunchConfig& launch,
                                        const Gpu& gpu, std::optional<std::uint64_t> block) const {
  const std::uint32_t lanes = gpu.limits.warp_lanes;
  const std::uint32_t warps = (launch.threads_per_block() + lanes - 1) / lanes;
  block ? symbols.look_at_block(*block) : symbols.look_at_interior_block();
  std::vector<WarpDecisions> decided = decider_.decide(symbols, warps, lanes);
  std::vector<WarpKind> kinds;
  for (WarpDecisions& decisions : decided) {
    const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const WarpKind& kind) {
      return kind.decisions == decisions;
    });
    if (known != kinds.end()) {
      known->share += 1;
    } else if (kinds.size() < most_kinds) {
      kinds.push_back({std::move(decisions), 1});
    } else {
      kinds.back().share += 1;
    }
  }
  for (WarpKind& kind : kinds) kind.share /= static_cast<double>(decided.size());
  split_by_share(decider_, kinds);
  return kinds;
}

/// The addresses of those lanes of the first warp whose guard holds; all if the guard is unknown.
std::vector<std::int64_t> PathFinder::active_lanes(std::uint32_t instruction,
                                                   const std::vector<std::int64_t>& addresses,
                                                   LaunchSymbols& symbols) const {
  const Condition* condition = analysis_.condition(instruction);
  if (condition == nullptr) return addresses;
  std::vector<std::int64_t> active;
  const auto lanes = static_cast<std::uint32_t>(addresses.size());
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    symbols.look_at_lane(0, lane, lanes);
    const auto holds = condition->program.evaluate(symbols.binding());
    if (!holds) return addresses;
    if (*holds != 0) active.push_back(addresses[lane]);
  }
  return active;
}

AccessPatterns PathFinder::patterns(LaunchSymbols& symbols, const LaunchConfig& launch,
                                    const Gpu& gpu) const {
  const Kernel& kernel = analysis_.kernel();
  const std::uint32_t lanes = std::min(gpu.limits.warp_lanes, launch.threads_per_block());
  AccessPatterns patterns(kernel.instructions.size());
  std::vector<std::int64_t> addresses(lanes);
  symbols.look_at_second_block();
  symbols.iterations.assign(analysis_.loops().all().size(), 0);
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    const AccessSpace space = access_space(kernel.instructions[i].instruction_class);
    if (space == AccessSpace::none || space == AccessSpace::other) continue;
    const std::uint32_t bytes = std::max(1U, access_bytes(kernel.instructions[i]));
    const bool store = writes_only(kernel.instructions[i].instruction_class);
    patterns.at(i) = kernel.instructions[i].dead()
                         ? nothing(bytes)
                         : unit_stride_pattern(bytes, space == AccessSpace::shared, gpu, store);
  }
  for (std::size_t a = 0; a < addresses_.size(); ++a) {
    const std::uint32_t i = analysis_.addresses()[a].instruction;
    if (kernel.instructions[i].dead()) continue;
    const AccessSpace space = access_space(kernel.instructions[i].instruction_class);
    if (space != AccessSpace::global && space != AccessSpace::shared) continue;
    if (!lane_addresses(addresses_[a], symbols.binding(), 0, addresses)) continue;
    const std::uint32_t bytes = patterns[i].bytes_per_lane;
    const std::vector<std::int64_t> active = active_lanes(i, addresses, symbols);
    const bool store = writes_only(kernel.instructions[i].instruction_class);
    patterns.at(i) = space == AccessSpace::global ? global_pattern(active, bytes, gpu, store)
                                                  : shared_pattern(active, bytes, gpu);
  }
  return patterns;
}

Expected<FoundPaths> PathFinder::find(const LaunchConfig& launch, const BoundArguments& arguments,
                                      const Gpu& gpu, std::optional<std::uint64_t> block) const {
  const Kernel& kernel = analysis_.kernel();
  LaunchSymbols symbols(launch, arguments);
  FoundPaths found;
  const PathFacts facts{kernel, analysis_.flow(), analysis_.loops(), analysis_.post_dominators()};
  std::vector<std::size_t> met_unknown;
  for (const WarpKind& kind : kinds(symbols, launch, gpu, block)) {
    KindDecisions decisions(decider_, kind.decisions);
    std::optional<WarpPath> path = build_path(facts, decisions);
    if (decisions.unknown_loop) return decider_.unknown_trips(*decisions.unknown_loop);
    if (!path) return too_long(kernel);
    path->share = kind.share;
    found.paths.push_back(std::move(*path));
    met_unknown.insert(met_unknown.end(), decisions.met_unknown.begin(),
                       decisions.met_unknown.end());
  }
  if (!share_loops(found.paths)) return too_long(kernel);
  found.patterns = patterns(symbols, launch, gpu);
  note_branches(kernel, decider_, std::move(met_unknown), found.assumptions);
  note_patterns(kernel, found.patterns, found.paths, found.assumptions);
  if (block) return found;
  found.assumptions.push_back(
      {"interior-block", "all blocks do what one away from the grid's edges does", ""});
  return found;
}

}  // namespace forewarp::prediction
