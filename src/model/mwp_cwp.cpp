// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/mwp_cwp.h"

#include <algorithm>

namespace forewarp::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Equations 10 to 15: one access, and how long until the next may follow.
void add_access(const MwpCwpInput& in, MwpCwpTime& t) {
  const double accesses = in.coalesced + in.uncoalesced;
  const double share = accesses > 0 ? in.uncoalesced / accesses : 0;
  const double scattered = in.memory_latency + (in.transactions - 1) * in.departure_uncoalesced;
  t.memory_access = scattered * share + in.memory_latency * (1 - share);
  t.departure_delay =
      in.departure_uncoalesced * in.transactions * share + in.departure_coalesced * (1 - share);
  t.memory = scattered * in.uncoalesced + in.memory_latency * in.coalesced;
}

/// Equations 5 to 9, 16 and 17.
void add_parallelism(const MwpCwpInput& in, MwpCwpTime& t) {
  t.mwp_by_delay = t.departure_delay > 0 ? t.memory_access / t.departure_delay : infinity;
  t.warp_gbs = in.clock_ghz * in.bytes / t.memory_access;
  t.mwp_by_bandwidth = t.warp_gbs > 0 ? in.bandwidth_gbs / (t.warp_gbs * in.sms) : infinity;
  t.mwp = std::min({t.mwp_by_delay, t.mwp_by_bandwidth, in.warps});
  t.cwp_full = (t.memory + t.computation) / t.computation;
  t.cwp = std::min(t.cwp_full, in.warps);
}

}  // namespace

double mwp_cwp_round(const MwpCwpRound& round) {
  if (round.accesses <= 0) return round.computation * round.warps;
  const double between = round.computation / round.accesses * (round.mwp - 1);
  if (round.mwp == round.warps && round.cwp == round.warps) {
    return round.memory + round.computation + between;
  }
  const bool computes = round.computation_rule && round.computation > round.memory;
  if (round.cwp >= round.mwp || computes) return round.memory * round.warps / round.mwp + between;
  return round.memory_access + round.computation * round.warps;
}

MwpCwpTime mwp_cwp(const MwpCwpInput& in) {
  MwpCwpTime t;
  t.computation = in.issue_cycles * in.instructions;
  add_access(in, t);
  add_parallelism(in, t);
  const double accesses = in.coalesced + in.uncoalesced;
  if (accesses <= 0) t.mwp = t.cwp = in.warps;
  t.round_cycles = mwp_cwp_round({in.warps, accesses, t.memory_access, t.memory, t.computation,
                                  t.mwp, t.cwp, in.computation_rule});
  t.rounds = in.blocks / (in.blocks_per_sm * in.sms);
  t.execution = t.round_cycles * t.rounds;
  t.barriers = t.departure_delay * (t.mwp - 1) * in.barriers * in.blocks_per_sm * t.rounds;
  t.total = t.execution + t.barriers;
  return t;
}

}  // namespace forewarp::model
