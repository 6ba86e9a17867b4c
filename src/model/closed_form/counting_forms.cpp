// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/closed_form/counting_forms.h"

#include "model/aggregate_time.h"
#include "model/counted_time.h"

namespace forewarp::model {
namespace {

using Inputs = std::map<std::string, double, std::less<>>;

double in(const Inputs& inputs, std::string_view name) {
  return inputs.find(name)->second;
}

NamedValues voudouris_values(const Inputs& i) {
  const AggregateCounts counts{in(i, "dep"), in(i, "ind"), in(i, "lds"),
                               in(i, "sts"), in(i, "ld"),  in(i, "st")};
  const AggregateCycles cycles{in(i, "dep_cycles"), in(i, "ind_cycles"), in(i, "lds_cycles"),
                               in(i, "sts_cycles"), in(i, "st_cycles"),  in(i, "ld_best"),
                               in(i, "ld_cycles"),  in(i, "ld_worst")};
  const AggregateTime t = aggregate_time(counts, cycles, in(i, "hidden"));
  return {{"base_cycles", t.base},
          {"hidden_cycles", t.hidden},
          {"best_cycles", t.best},
          {"average_cycles", t.average},
          {"worst_cycles", t.worst}};
}

NamedValues counting_values(const Inputs& i) {
  const ThreadCounts counts{in(i, "fused"),        in(i, "additions"), in(i, "multiplications"),
                            in(i, "divisions"),    in(i, "loads"),     in(i, "stores"),
                            in(i, "l1_hits"),      in(i, "l2_hits"),   in(i, "shared_loads"),
                            in(i, "shared_stores")};
  const ThreadCycles cycles{
      in(i, "fused_cycles"),    in(i, "addition_cycles"), in(i, "multiplication_cycles"),
      in(i, "division_cycles"), in(i, "global_cycles"),   in(i, "l1_cycles"),
      in(i, "l2_cycles"),       in(i, "l1_cycles")};
  const ThreadCost cost = thread_cost(counts, cycles);
  const double seconds = counted_seconds(in(i, "threads"), cost, in(i, "clock_ghz"),
                                         in(i, "occupancy") * in(i, "weight"));
  return {{"comp", cost.arithmetic},
          {"mem_gm", cost.global},
          {"mem_sm", cost.shared},
          {"ms", seconds * 1e3}};
}

NamedValues bsp_values(const Inputs& i) {
  const ThreadCost cost{in(i, "comp"), in(i, "comm_gm"), in(i, "comm_sm")};
  return {{"ms", counted_seconds(in(i, "threads"), cost, in(i, "clock_ghz"),
                                 in(i, "cores") * in(i, "lambda")) *
                     1e3}};
}

ClosedForm voudouris_form() {
  return {"voudouris",
          "cycles of one warp by instruction class: best, average and worst case",
          "Voudouris 2014, equations 1 to 11",
          {{"dep", "1/warp", "arithmetic on the result of the instruction before"},
           {"ind", "1/warp", "other arithmetic"},
           {"lds", "1/warp", "loads from shared memory"},
           {"sts", "1/warp", "stores to shared memory"},
           {"ld", "1/warp", "loads from global memory"},
           {"st", "1/warp", "stores to global memory"},
           {"hidden", "cycles", "of all loads, filled by the warp itself (average)", false, 0},
           {"dep_cycles", "cycles", "of one instruction of its class"},
           {"ind_cycles", "cycles", "of one instruction of its class"},
           {"lds_cycles", "cycles", "of one instruction of its class"},
           {"sts_cycles", "cycles", "of one instruction of its class"},
           {"st_cycles", "cycles", "of one instruction of its class"},
           {"ld_best", "cycles", "of a load that is hidden"},
           {"ld_cycles", "cycles", "of a load, mean"},
           {"ld_worst", "cycles", "of the slowest load"}},
          voudouris_values};
}

/// Nothing is hidden, every dependence is on the slowest producer, every store meets a full buffer.
NamedValues worst_values(const Inputs& i) {
  const double arithmetic = in(i, "dep") * in(i, "dep_cycles") + in(i, "ind") * in(i, "ind_cycles");
  const double shared =
      in(i, "degree") * (in(i, "lds") * in(i, "lds_cycles") + in(i, "sts") * in(i, "sts_cycles"));
  const double load = in(i, "ld") * in(i, "ld_cycles");
  const double store = in(i, "st") * (in(i, "st_cycles") + in(i, "st_penalty"));
  return {{"compute_cycles", arithmetic + shared},
          {"load_cycles", load},
          {"store_cycles", store},
          {"cycles", arithmetic + shared + load + store}};
}

ClosedForm worst_form() {
  return {"wcet",
          "upper bound on the cycles of one warp by instruction class",
          "Voudouris 2014, equations 1 to 11, section 7.1 and Figure 25",
          {{"dep", "1/warp", "arithmetic on the result of the instruction before"},
           {"ind", "1/warp", "other arithmetic"},
           {"lds", "1/warp", "loads from shared memory"},
           {"sts", "1/warp", "stores to shared memory"},
           {"ld", "1/warp", "loads from global memory"},
           {"st", "1/warp", "stores to global memory"},
           {"degree", "1", "conflicts of each shared access; 32 where unknown", false, 1},
           {"dep_cycles", "cycles", "of one, at most"},
           {"ind_cycles", "cycles", "of one, at most"},
           {"lds_cycles", "cycles", "of one without conflicts"},
           {"sts_cycles", "cycles", "of one without conflicts"},
           {"ld_cycles", "cycles", "of one, at most"},
           {"st_cycles", "cycles", "of one"},
           {"st_penalty", "cycles", "more, where the write buffer is full"}},
          worst_values};
}

/// The report's own cycles are data (model.counting.*): --gpu fills them.
ClosedForm counting_form() {
  return {"counting",
          "counted operations of a thread times cycles each, with an adjusting weight",
          "report on an analytical model with cache hits",
          {{"threads", "threads", "launched"},
           {"fused", "1/thread", "multiply-adds", false, 0},
           {"additions", "1/thread", "additions", false, 0},
           {"multiplications", "1/thread", "multiplications", false, 0},
           {"divisions", "1/thread", "divisions", false, 0},
           {"loads", "1/thread", "from global memory", false, 0},
           {"stores", "1/thread", "to global memory", false, 0},
           {"l1_hits", "1/thread", "of these that L1 serves", false, 0},
           {"l2_hits", "1/thread", "of these that L2 serves", false, 0},
           {"shared_loads", "1/thread", "from shared memory", false, 0},
           {"shared_stores", "1/thread", "to shared memory", false, 0},
           {"clock_ghz", "GHz", "clock of the SM"},
           {"occupancy", "1", "resident over most resident warps", false, 1},
           {"weight", "1", "estimated over measured time of another run", false, 1},
           {"fused_cycles", "cycles", "of one"},
           {"addition_cycles", "cycles", "of one"},
           {"multiplication_cycles", "cycles", "of one"},
           {"division_cycles", "cycles", "of one"},
           {"global_cycles", "cycles", "of an access that device memory serves"},
           {"l1_cycles", "cycles", "of one that L1 or shared memory serves"},
           {"l2_cycles", "cycles", "of one that L2 serves"}},
          counting_values};
}

ClosedForm bsp_form() {
  return {"bsp",
          "computation and communication of all threads over the cores",
          "Gajger 2017, eq. 3.1 (Amaris et al.)",
          {{"threads", "threads", "launched"},
           {"comp", "cycles/thread", "computation"},
           {"comm_gm", "cycles/thread", "global memory", false, 0},
           {"comm_sm", "cycles/thread", "shared memory", false, 0},
           {"clock_ghz", "GHz", "clock of the cores"},
           {"cores", "1", "of the GPU"},
           {"lambda", "1", "scaling for what is not counted", false, 1}},
          bsp_values};
}

}  // namespace

std::vector<ClosedForm> counting_forms() {
  return {voudouris_form(), worst_form(), counting_form(), bsp_form()};
}

}  // namespace forewarp::model
