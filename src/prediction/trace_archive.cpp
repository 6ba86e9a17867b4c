// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/trace_archive.h"

#include <map>
#include <type_traits>
#include <vector>

#include "base/cache/byte_archive.h"

namespace forewarp::prediction {
namespace {

// Fields are listed by hand below; this fails to compile when one is added and not listed.
static_assert(sizeof(MemoryProfile) == sizeof(std::map<int, int>) + 31 * sizeof(double) +
                                           sizeof(std::vector<std::string>),
              "list the new field of MemoryProfile in `fields`, and count it here");

// They are found beside these overloads.
class Packer : public BytePacker {};
class Unpacker : public ByteUnpacker {
  using ByteUnpacker::ByteUnpacker;
};

template <class A>
void field(A& archive, TraceStep& step);

template <class A>
void field(A& archive, Diagnostic& d) {
  fields(archive, d.place, d.found, d.expected, d.way_out, d.missing);
}

// Counts are taken apart into as many names as they have fields, so that a field that is added does
// not compile before it stands here.
template <class A>
void field(A& archive, InstructionCount& c) {
  auto& [warps, active, lanes] = c;
  fields(archive, warps, active, lanes);
}
template <class A>
void field(A& archive, BranchCount& c) {
  auto& [executed, active, taken, divergent] = c;
  fields(archive, executed, active, taken, divergent);
}
template <class A>
void field(A& archive, LoopTrips& trips) {
  auto& [loop, histogram] = trips;
  fields(archive, loop, histogram);
}
template <class A>
void field(A& archive, PathGroup& g) {
  auto& [signature, warps, instructions, block, warp] = g;
  fields(archive, signature, warps, instructions, block, warp);
}
template <class A>
void field(A& archive, SurveyedWork& w) {
  auto& [all, longest, ended] = w;
  fields(archive, all, longest, ended);
}
template <class A>
void field(A& archive, BlockLoad& l) {
  auto& [blocks, all, longest] = l;
  fields(archive, blocks, all, longest);
}
template <class A>
void field(A& archive, AccessFinding& f) {
  fields(archive, f.kind, f.instruction, f.space, f.bytes, f.address, f.block, f.thread, f.lanes,
         f.end);
}
template <class A>
void field(A& archive, PathProfile& p) {
  auto& [instructions, branches, loops, groups, loads, typical, left_out_warps, warp_instructions,
         thread_instructions, executed_blocks, blocks, executed_instructions, relative_error, cut,
         waits, stopped, uneven, looked_for_code, unseen_branch, unasked, waiting_loops, ordered,
         findings, assumed, halved, scattered, unmet, forgets] =
      p;  // one that was stopped is not kept
  fields(archive, instructions, branches, loops, groups, loads, typical, left_out_warps,
         warp_instructions, thread_instructions, executed_blocks, blocks, executed_instructions,
         relative_error, cut, waits, uneven, looked_for_code, unseen_branch, unasked, waiting_loops,
         ordered, findings, assumed, halved, scattered, unmet, forgets);
}
template <class A>
void field(A& archive, Stratum& s) {
  fields(archive, s.size, s.kind, s.blocks);
}
template <class A>
void field(A& archive, TraceStep& s) {
  archive.enter();
  fields(archive, s.first, s.last, s.jumps, s.trips, s.leaves_at_end, s.body, s.hash);
  archive.leave();
}
template <class A>
void field(A& archive, AsyncEvent& e) {
  fields(archive, e.kind, e.instruction, e.barrier, e.count, e.bytes, e.same_time);
}
template <class A>
void field(A& archive, WarpTrace& t) {
  fields(archive, t.place.block, t.place.warp, t.steps, t.events, t.instructions, t.recorded);
}
template <class A>
void field(A& archive, InstructionMemory& m) {
  // It has numbers and codes only, so its bytes can be copied.
  static_assert(std::is_trivially_copyable_v<InstructionMemory>);
  archive.bytes(&m, sizeof m);
}
template <class A>
void field(A& archive, MemoryProfile& m) {
  fields(archive, m.instructions, m.global_load_requests, m.global_load_sectors,
         m.global_store_sectors, m.atomic_sectors, m.local_load_sectors, m.local_store_sectors,
         m.shared_requests, m.shared_wavefronts, m.fetch_requests, m.l2_read_sectors,
         m.l2_write_sectors, m.l1_hit_rate, m.l2_hit_rate, m.dram_read_bytes, m.dram_write_bytes,
         m.dram_read_places, m.dram_write_places, m.unique_read_bytes, m.unique_written_bytes,
         m.unique_bytes, m.local_bytes, m.pages, m.page_bytes, m.l1_bytes, m.l2_bytes,
         m.sectors_error, m.hit_error, m.dram_error, m.replayed_share, m.reached, m.hottest_turns,
         m.notes);
}
template <class A>
void field(A& archive, ArchivedLaunch& l) {
  fields(archive, l.profile.executed.plan.strata, l.profile.executed.paths,
         l.profile.executed.spent_instructions, l.profile.zeroed, l.profile.unsized,
         l.profile.ordinary, l.profile.spent_instructions, l.profile.typical,
         l.profile.longest.blocks, l.profile.longest.beyond, l.profile.longest.block,
         l.profile.longest.last, l.profile.longest.longer, l.profile.longest.apart,
         l.profile.longest.mean_share, l.profile.longest.unseen.expected,
         l.profile.longest.unseen.most, l.profile.longest.length, l.profile.longest.work,
         l.profile.longest.counted, l.profile.longest.warps, l.memory);
}

}  // namespace

LaunchProfile without_accesses(const LaunchProfile& profile) {
  LaunchProfile kept;
  kept.executed.plan = profile.executed.plan;
  kept.executed.paths = profile.executed.paths;
  kept.executed.spent_instructions = profile.executed.spent_instructions;
  kept.zeroed = profile.zeroed;
  kept.unsized = profile.unsized;
  kept.ordinary = profile.ordinary;
  kept.spent_instructions = profile.spent_instructions;
  kept.typical = profile.typical;
  kept.longest = profile.longest;
  return kept;
}

std::string pack_launch(const ArchivedLaunch& launch) {
  Packer packer;
  // The same function reads and writes; a packer changes nothing.
  field(packer,
        const_cast<ArchivedLaunch&>(launch));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return packer.take();
}

std::optional<ArchivedLaunch> unpack_launch(std::string_view bytes) {
  Unpacker unpacker(bytes);
  ArchivedLaunch launch;
  field(unpacker, launch);
  if (!unpacker.ended()) return {};
  return launch;
}

}  // namespace forewarp::prediction
