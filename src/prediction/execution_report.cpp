// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/execution_report.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "base/counted.h"
#include "base/text.h"
#include "binding/demand.h"
#include "binding/l2_parts.h"
#include "execution/lowering/unread_modifiers.h"
#include "memory/memory_profile.h"
#include "prediction/driver_calls.h"

namespace forewarp::prediction {
namespace {

constexpr std::size_t most_paths = 32;    // paths shown; the others are summed
constexpr std::size_t most_passes = 256;  // entries shown of a loop's histogram

void fill_classes(const Kernel& kernel, const PathProfile& paths, Result::Profile& profile) {
  std::array<double, class_kinds> warps{}, threads{};
  for (std::size_t i = 0; i < paths.instructions.size(); ++i) {
    const auto c = static_cast<std::size_t>(kernel.instructions[i].instruction_class);
    warps[c] += paths.instructions[i].warps;
    threads[c] += paths.instructions[i].lanes;
  }
  profile.by_class.clear();
  for (std::size_t c = 0; c < class_kinds; ++c) {
    if (warps[c] <= 0) continue;
    const std::string_view name = class_name(static_cast<InstructionClass>(c));
    profile.by_class.emplace_back(name, warps[c]);
    profile.threads_by_class.emplace_back(name, threads[c]);
  }
}

void fill_opcodes(const Kernel& kernel, const PathProfile& paths, Result::Profile& profile) {
  std::map<std::string_view, double> threads;
  for (std::size_t i = 0; i < paths.instructions.size(); ++i) {
    threads[opcode_info(kernel.instructions[i].opcode).mnemonic] += paths.instructions[i].lanes;
  }
  for (const auto& [mnemonic, count] : threads) {
    if (count > 0) profile.threads_by_opcode.emplace_back(mnemonic, count);
  }
}

void fill_loops(const KernelAnalysis& analysis, const PathProfile& paths, Result& result) {
  for (const LoopTrips& trips : paths.loops) {
    if (trips.histogram.empty()) continue;
    const Loop& loop = analysis.loops().all()[trips.loop];
    Result::Execution::Loop entry;
    entry.begin = loop.begin;
    entry.end = loop.end;
    entry.mean_passes = trips.mean();
    entry.formula = analysis.trip_text(trips.loop);
    for (const auto& [passes, entries] : trips.histogram) {
      entry.entries += entries;
      if (entry.passes.size() < most_passes) {
        entry.passes.push_back({static_cast<double>(passes), entries});
      }
    }
    result.execution.loops.push_back(std::move(entry));
  }
}

void fill_branches(const Kernel& kernel, const PathProfile& paths, Result& result) {
  for (const auto& [instruction, count] : paths.branches) {
    Result::Execution::Branch entry;
    entry.address = kernel.instructions[instruction].address;
    entry.executed = count.executed;
    entry.taken_share = count.active > 0 ? count.taken / count.active : 0;
    entry.divergent = count.divergent;
    result.execution.branches.push_back(entry);
  }
}

void fill_paths(const PathProfile& paths, Result& result) {
  result.execution.other_paths_warps = paths.left_out_warps;
  for (const PathGroup& group : paths.groups) {
    if (result.execution.paths.size() >= most_paths) {
      result.execution.other_paths_warps += group.warps;
      continue;
    }
    result.execution.paths.push_back({group.warps, static_cast<double>(group.instructions),
                                      static_cast<double>(group.block),
                                      static_cast<double>(group.warp)});
  }
}

std::string_view space_name(MemorySpace space) {
  switch (space) {
    case MemorySpace::global:
      return "global";
    case MemorySpace::shared:
      return "shared";
    case MemorySpace::local:
      return "local";
    case MemorySpace::constant:
      return "constant";
    default:
      return "texture";
  }
}

Result::Finding access_finding(const Kernel& kernel, const AccessFinding& finding) {
  const bool outside = finding.kind == AccessFinding::Kind::out_of_bounds;
  std::string fault = ", which is not aligned";
  if (outside) fault = ", outside every buffer";
  if (outside && finding.space == MemorySpace::shared)
    fault = ", outside the block's shared memory, where reads are assumed to give zero";
  return {outside ? "out-of-bounds" : "misaligned",
          instruction_text(kernel, finding.instruction) + " accesses " +
              std::to_string(finding.bytes) + " bytes at " + hex(finding.address) + fault +
              ": block " + extent_text(finding.block) + ", thread " +
              std::to_string(finding.thread) + ", " + std::to_string(finding.lanes) +
              " such accesses in the executed blocks"};
}

bool leaves_shared(const AccessFinding& finding) {
  return finding.kind == AccessFinding::Kind::out_of_bounds && finding.space == MemorySpace::shared;
}

/// A finding for accesses behind a block's shared memory that more dynamic shared memory would
/// cover.
std::optional<Result::Finding> missing_shared(const Launch& launch, const PathProfile& paths) {
  std::uint64_t end = 0;
  for (const AccessFinding& finding : paths.findings) {
    if (leaves_shared(finding)) end = std::max(end, finding.end);
  }
  const BlockNeeds& needs = launch.needs;
  const auto most = static_cast<std::uint64_t>(launch.gpu->limits.shared_per_block_optin);
  if (end <= needs.static_shared || end > most) return std::nullopt;
  const std::string given =
      needs.dynamic_shared == 0
          ? "no dynamic shared memory is given"
          : std::to_string(needs.dynamic_shared) + " bytes of dynamic shared memory are given";
  return Result::Finding{"missing-smem", given + ", and the kernel uses " +
                                             std::to_string(end - needs.static_shared) +
                                             " in the executed blocks: add --smem " +
                                             std::to_string(end - needs.static_shared)};
}

std::string places_of(const Kernel& kernel, const std::vector<std::uint32_t>& instructions) {
  std::vector<std::string> places;
  for (const std::uint32_t instruction : instructions)
    places.push_back(hex(kernel.instructions[instruction].address, 4));
  return join(places, ", ");
}

/// Notes branches on unknown data: they change the time, so each is a finding as well as an
/// assumption.
void note_unknown(const Kernel& kernel, const PathProfile& paths,
                  std::vector<Result::Finding>& findings,
                  std::vector<Result::Assumption>& assumptions) {
  if (!paths.halved.empty()) {
    const std::string text =
        "the condition at " + places_of(kernel, paths.halved) +
        " depends on unknown data: half of the lanes are assumed to take the branch";
    findings.push_back({"unknown-branch", text});
    assumptions.push_back(
        {"unknown-branch", text, "--assume-branch ADDRESS=P, or the content of the buffers"});
  }
  if (!paths.unmet.empty()) {
    const std::string text =
        "lanes wait at " + places_of(kernel, paths.unmet) +
        " for lanes that wait elsewhere, which CUDA leaves undefined: they go on without them";
    findings.push_back({"lanes-apart", text});
    assumptions.push_back({"lanes-apart", text, "call __syncwarp() with the lanes that reach it"});
  }
  if (!paths.scattered.empty()) {
    const std::string text =
        "the address at " + places_of(kernel, paths.scattered) +
        " depends on unknown data: lanes that read the same value go to the same place where that "
        "can be followed, others to random ones of the buffer";
    findings.push_back({"unknown-address", text});
    assumptions.push_back({"unknown-address", text, "the content of the buffers"});
  }
}

/// Blocks that the counts leave out.
std::string but_for(const LongBlocks& longest) {
  if (!longest.apart) return "";
  return " but for " + significant(longest.blocks, 6) +
         (longest.blocks > 1 ? " that are too long" : " that is too long");
}

}  // namespace

void fill_executed(const KernelAnalysis& analysis, const LaunchProfile& launched, Result& result) {
  const PathProfile& paths = launched.executed.paths;
  Result::Profile& profile = result.profile;
  profile.source = "executed";
  profile.warp_instructions = paths.warp_instructions;
  profile.thread_instructions = paths.thread_instructions;
  profile.executed_blocks = static_cast<double>(paths.executed_blocks);
  profile.of_blocks = static_cast<double>(paths.blocks);
  profile.relative_error = paths.relative_error;
  profile.branch_efficiency = paths.branch_efficiency();
  if (launched.longest.apart) {
    profile.left_out_blocks = launched.longest.blocks;
    profile.left_out_instructions = launched.longest.left_out();
  }
  fill_classes(analysis.kernel(), paths, profile);
  fill_opcodes(analysis.kernel(), paths, profile);
  fill_loops(analysis, paths, result);
  fill_branches(analysis.kernel(), paths, result);
  fill_paths(paths, result);
}

void fill_memory(const KernelAnalysis& analysis, const MemoryProfile& memory, Result& result) {
  Result::Profile& profile = result.profile;
  profile.global_load_requests = memory.global_load_requests;
  profile.global_load_sectors = memory.global_load_sectors;
  profile.global_store_sectors = memory.global_store_sectors;
  profile.shared_wavefronts = memory.shared_wavefronts;
  profile.l2_read_sectors = memory.l2_read_sectors;
  profile.l2_write_sectors = memory.l2_write_sectors;
  profile.l1_hit_rate = memory.l1_hit_rate;
  profile.l2_hit_rate = memory.l2_hit_rate;
  profile.dram_read_bytes = memory.dram_read_bytes;
  profile.dram_write_bytes = memory.dram_write_bytes;
  profile.local_sectors = memory.local_load_sectors + memory.local_store_sectors;
  profile.unique_read_bytes = memory.unique_read_bytes;
  profile.unique_write_bytes = memory.unique_written_bytes;
  profile.pages = memory.pages;
  profile.page_bytes = memory.page_bytes;
  profile.memory_error = memory.sectors_error;
  profile.hit_rate_error = memory.hit_error;
  profile.dram_error = memory.dram_error;
  profile.replayed_share = memory.replayed_share;
  const Kernel& kernel = analysis.kernel();
  for (const auto& [i, access] : memory.instructions) {
    const Instruction& instruction = kernel.instructions[i];
    Result::Execution::Access entry;
    entry.address = instruction.address;
    entry.text = kernel.text_of(instruction);
    entry.space = space_name(access.space);
    entry.requests = access.requests;
    entry.lanes = access.lanes;
    entry.sectors = access.sectors;
    entry.lines = access.lines;
    entry.transactions = access.transactions;
    entry.wavefronts = access.wavefronts;
    entry.tag_lookups = access.tag_passes;
    entry.sectors_per_request = access.requests > 0 ? access.sectors / access.requests : 0;
    entry.l1_hit_rate = access.l1_hit_rate();
    entry.l2_hit_rate = access.l2_hit_rate();
    if (access.kind == AccessKind::atomic || access.kind == AccessKind::reduction) {
      profile.atomic_requests += access.requests;
    }
    result.execution.accesses.push_back(std::move(entry));
  }
}

void note_executed(const Launch& launch, const LaunchProfile& profile,
                   std::vector<Result::Finding>& findings,
                   std::vector<Result::Assumption>& assumptions) {
  const Kernel& kernel = *launch.code.kernel;
  const PathProfile& paths = profile.executed.paths;
  const auto missing = missing_shared(launch, paths);
  if (missing) findings.push_back(*missing);
  for (const AccessFinding& finding : paths.findings) {
    if (missing && leaves_shared(finding)) continue;
    findings.push_back(access_finding(kernel, finding));
  }
  if (paths.uneven) {
    findings.push_back(
        {"cut", "blocks differ, and executing those that were drawn exceeds the budget: " +
                    (paths.executed_blocks > 1
                         ? std::to_string(paths.executed_blocks) + " blocks represent all"
                         : std::string("one block from the middle of the grid represents all")) +
                    "; give a larger --budget"});
  }
  if (paths.ordered && !paths.complete() && paths.waiting_loops.empty()) {
    findings.push_back(
        {"earlier-blocks",
         "what blocks leave in memory decides where later ones go, and " +
             std::to_string(paths.executed_blocks) + " of " + std::to_string(paths.blocks) +
             " were executed, without what the others leave there; --sample all or a "
             "larger --budget executes all of them"});
  }
  const std::vector<Stratum>& strata = profile.executed.plan.strata;
  const bool lone = std::any_of(strata.begin(), strata.end(), [](const Stratum& kind) {
    return kind.size > 1 && kind.blocks.size() == 1;
  });
  if (!paths.complete()) {
    assumptions.push_back(
        {"sampled-blocks",
         std::to_string(paths.executed_blocks) + " of " + std::to_string(paths.blocks) +
             " blocks were executed and stand for the others" + but_for(profile.longest) +
             ": warp instructions within " + significant(100 * paths.relative_error, 2) +
             " % (95 %)" +
             (lone ? "; some kinds of block are represented by one, and their blocks "
                     "assumed to be equal"
                   : ""),
         "--sample all|N"});
  }
  if (paths.looked_for_code > 0 && paths.looked_for_code < paths.blocks) {
    assumptions.push_back({"unseen-code",
                           "which blocks reach the code behind " +
                               instruction_text(kernel, paths.unseen_branch) +
                               " is not known before they are executed: none of " +
                               std::to_string(paths.looked_for_code) + " examined blocks does",
                           "--sample all|N"});
  }
  if (paths.unasked > 0) {
    assumptions.push_back({"unseen-code",
                           "branches that depend on the block's index were evaluated for " +
                               significant(100 * (1 - paths.unasked), 2) + " % of the blocks",
                           "--sample all|N"});
  }
  if (paths.forgets) {
    assumptions.push_back({"memory-forgotten",
                           "the kernel touches more memory than is kept while it is executed: what "
                           "it stores beyond that is unknown when it is read again",
                           "--sample N"});
  }
  if (!profile.zeroed.empty()) {
    assumptions.push_back({"zero-constants",
                           join(profile.zeroed, ", ") +
                               (profile.zeroed.size() > 1 ? " are" : " is") +
                               " zero, as in a module that was just loaded",
                           "--constant NAME=buffer:BYTES:CONTENT"});
  }
  if (!profile.unsized.empty()) {
    assumptions.push_back({"unknown-variables",
                           "size and content of " + join(profile.unsized, ", ") +
                               " are not known: loads from there give unknown values",
                           "--constant NAME=buffer:BYTES:CONTENT"});
  }
  if (!profile.ordinary.empty()) {
    assumptions.push_back(
        {"ordinary-values",
         join(profile.ordinary, ", ") + (profile.ordinary.size() > 1 ? " hold" : " holds") +
             " numbers from 0 to 1, as no content was given: denormals, infinities "
             "and NaN do not occur",
         "the content of the buffers, or --unknown-floats"});
  }
  note_unknown(kernel, paths, findings, assumptions);
  if (std::string unread = execution::unread_text(kernel); !unread.empty())
    findings.push_back({"unread-modifiers", std::move(unread)});
  note_driver_calls(kernel, &paths, findings, assumptions);
  std::vector<std::uint32_t> assumed = paths.assumed;
  for (const DriverCall& call : driver_calls(kernel)) std::erase(assumed, call.instruction);
  if (assumed.empty()) return;
  assumptions.push_back({"usual-branch",
                         "a branch depends on unknown data, at " + places_of(kernel, assumed) +
                             ": its usual direction, or the share that was stated, is assumed",
                         "--assume-branch ADDRESS=P, or the content of the buffers"});
}

void note_memory(const MemoryProfile& memory, std::vector<Result::Assumption>& assumptions) {
  for (const std::string& note : memory.notes) assumptions.push_back({"memory", note, ""});
}

void note_fetches(const MemoryProfile& memory, std::vector<Result::Finding>& findings) {
  if (memory.fetch_requests <= 0) return;
  findings.push_back(
      {"texture-traffic",
       "the addresses of " + counted(memory.fetch_requests) +
           " requests to textures and surfaces are not known: their unit is charged, "
           "what they move through L2 and device memory is not, so that the launch "
           "may take longer"});
}

void note_far_hits(const MemoryProfile& memory, const Gpu& gpu,
                   std::vector<Result::Assumption>& assumptions) {
  const double far = far_share(memory.unique_bytes, gpu);
  const bool hits = std::ranges::any_of(
      memory.instructions, [](const auto& entry) { return entry.second.l2_hit_sectors > 0; });
  if (far <= 0 || !hits || gpu.l2.latency_far <= gpu.l2.latency) return;
  assumptions.push_back({"l2-far",
                         significant(100 * far, 3) +
                             " % of L2's hits are taken to come from its far part, of whichever "
                             "array: the share follows from all that the launch touches",
                         "--set hw.l2.far_from=SHARE, hw.l2.far_to=SHARE"});
}

}  // namespace forewarp::prediction
