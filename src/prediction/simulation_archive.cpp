// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/simulation_archive.h"

#include <algorithm>
#include <cstdint>

#include "base/cache/byte_archive.h"
#include "timing/machine/cause.h"

namespace forewarp::prediction {
namespace {

// Found beside these overloads.
class SimulationPacker : public BytePacker {};
class SimulationUnpacker : public ByteUnpacker {
  using ByteUnpacker::ByteUnpacker;
};

/// The name of a cause, which outlives every simulation.
template <class A>
void field(A& archive, std::string_view& cause) {
  const auto found = std::find(cause_names.begin(), cause_names.end(), cause);
  auto at = static_cast<std::uint8_t>(found - cause_names.begin());
  field(archive, at);
  if constexpr (A::unpacks) {
    if (at < cause_names.size()) {
      cause = cause_names[at];
    } else {
      archive.refuse();
    }
  }
}

template <class A>
void field(A& archive, SimulatedDetail::Instruction& i) {
  fields(archive, i.index, i.issues, i.stalls);
}
template <class A>
void field(A& archive, SimulatedDetail::Issue& i) {
  fields(archive, i.cycle, i.scheduler, i.block, i.warp, i.instruction, i.waited);
}
template <class A>
void field(A& archive, SimulatedDetail::Latency& l) {
  fields(archive, l.index, l.count, l.mean, l.deviation, l.least, l.most, l.width, l.bins,
         l.levels);
}
template <class A>
void field(A& archive, SimulatedDetail& d) {
  fields(archive, d.cycles, d.ipc, d.issue_cycles, d.schedulers, d.instructions,
         d.occupancy.mean_warps, d.occupancy.most_warps, d.occupancy.deviation,
         d.occupancy.below_half, d.occupancy.imbalance, d.occupancy.points, d.ends.blocks,
         d.ends.first, d.ends.q25, d.ends.median, d.ends.q75, d.ends.last, d.timeline, d.latencies);
}
template <class A>
void field(A& archive, ClockedWarp& w) {
  fields(archive, w.block, w.warp, w.used, w.read);
}
template <class A>
void field(A& archive, SimulatedTime& t) {
  fields(archive, t.cycles, t.issued, t.of, t.error, t.warps_per_sm, t.schedulers, t.detail,
         t.clocked, t.warning, t.refusal);
}

}  // namespace

std::string pack_simulation(const SimulatedTime& time) {
  SimulationPacker packer;
  // The same function reads and writes; a packer changes nothing.
  field(packer,
        const_cast<SimulatedTime&>(time));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return packer.take();
}

std::optional<SimulatedTime> unpack_simulation(std::string_view bytes) {
  SimulationUnpacker unpacker(bytes);
  SimulatedTime time;
  field(unpacker, time);
  if (!unpacker.ended()) return {};
  return time;
}

}  // namespace forewarp::prediction
