// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/closed_form/parallelism_forms.h"

#include <limits>

#include "hardware/schema.h"
#include "model/gpu_perf.h"
#include "model/mwp_cwp.h"

namespace forewarp::model {
namespace {

using Inputs = std::map<std::string, double, std::less<>>;

constexpr double infinity = std::numeric_limits<double>::infinity();

double in(const Inputs& inputs, std::string_view name) {
  return inputs.find(name)->second;
}

NamedValues mwp_cwp_values(const Inputs& given) {
  MwpCwpInput i;
  i.warps = in(given, "warps");
  i.instructions = in(given, "instructions");
  i.coalesced = in(given, "coalesced");
  i.uncoalesced = in(given, "uncoalesced");
  i.barriers = in(given, "barriers");
  i.issue_cycles = in(given, "issue_cycles");
  i.memory_latency = in(given, "mem_lat");
  i.departure_coalesced = in(given, "departure_coal");
  i.departure_uncoalesced = in(given, "departure_uncoal");
  i.transactions = in(given, "transactions");
  i.bytes = in(given, "bytes");
  i.clock_ghz = in(given, "clock_ghz");
  i.bandwidth_gbs = in(given, "gbs");
  i.sms = in(given, "sms");
  i.blocks = in(given, "blocks");
  i.blocks_per_sm = in(given, "blocks_per_sm");
  i.computation_rule = in(given, "printed_case") != 0;
  const MwpCwpTime t = mwp_cwp(i);
  return {{"mem_l", t.memory_access},
          {"departure_delay", t.departure_delay},
          {"mwp_without_bw", t.mwp_by_delay},
          {"bw_per_warp", t.warp_gbs},
          {"mwp_peak_bw", t.mwp_by_bandwidth},
          {"mwp", t.mwp},
          {"comp_cycles", t.computation},
          {"mem_cycles", t.memory},
          {"cwp_full", t.cwp_full},
          {"cwp", t.cwp},
          {"rep", t.rounds},
          {"exec_cycles", t.execution},
          {"synch_cycles", t.barriers},
          {"total_cycles", t.total}};
}

NamedValues gpuperf_values(const Inputs& given) {
  GpuPerfInput i;
  i.warps = in(given, "warps");
  i.all_warps = in(given, "total_warps") / in(given, "sms");
  i.instructions = in(given, "instructions");
  i.accesses = in(given, "accesses");
  i.barriers = in(given, "barriers");
  i.special_functions = in(given, "sfu_instructions");
  i.instruction_latency = in(given, "alu_lat");
  i.warp_lanes = in(given, "lanes");
  i.simd_lanes = in(given, "simd_lanes");
  i.sfu_lanes = in(given, "sfu_lanes");
  i.ilp = in(given, "ilp");
  i.mlp = in(given, "mlp");
  i.barrier_factor = in(given, "barrier_factor");
  i.memory_latency = in(given, "mem_lat");
  i.departure = in(given, "departure");
  i.transactions = in(given, "transactions");
  i.miss_ratio = in(given, "miss_ratio");
  i.hit_latency = in(given, "hit_lat");
  i.divergence_cycles = in(given, "cfdiv_cycles");
  i.bank_cycles = in(given, "bank_cycles");
  i.clock_ghz = in(given, "clock_ghz");
  i.bandwidth_gbs = in(given, "gbs");
  i.transaction_bytes = in(given, "transaction_bytes");
  i.sms = in(given, "sms");
  const GpuPerfTime t = gpu_perf(i);
  return {{"itilp_max", t.itilp_most},
          {"itilp", t.itilp},
          {"w_parallel", t.parallel},
          {"o_sync", t.sync},
          {"o_sfu", t.special},
          {"t_comp", t.computation},
          {"avg_dram_lat", t.dram_latency},
          {"amat", t.access_latency},
          {"bw_per_warp", t.warp_gbs},
          {"mwp_peak_bw", t.mwp_by_bandwidth},
          {"mwp", t.mwp},
          {"cwp_full", t.cwp_full},
          {"cwp", t.cwp},
          {"mwp_cp", t.mwp_cp},
          {"itmlp", t.itmlp},
          {"t_mem", t.memory},
          {"t_overlap", t.overlap},
          {"t_exec", t.total}};
}

ClosedForm mwp_cwp_form() {
  return {
      "mwp-cwp",
      "time by memory and computation warp parallelism",
      "Hong and Kim 2009, equations 5 to 26",
      {{"warps", "warps/SM", "resident"},
       {"instructions", "1/warp", "all, accesses included"},
       {"coalesced", "1/warp", "accesses of one transaction", false, 0},
       {"uncoalesced", "1/warp", "accesses of several transactions", false, 0},
       {"barriers", "1/warp", "barriers", false, 0},
       {"issue_cycles", "cycles", "that one instruction takes the SM", true, 0,
        "class.fp32.cycles"},
       {"mem_lat", "cycles", "latency of one transaction", true, 0, path_of(&MemoryFacts::latency)},
       {"departure_coal", "cycles", "between two coalesced accesses of an SM", false, 0,
        "model.mwp-cwp.departure_coal"},
       {"departure_uncoal", "cycles", "between two transactions of one access", false, 0,
        "volkov.divergence_cycles"},
       {"transactions", "1", "of an uncoalesced access", false, 1},
       {"bytes", "bytes", "moved by one access", false, 0},
       {"clock_ghz", "GHz", "clock of the SM", false, 1, path_of(&Gpu::clock_sustained_mhz), 1e-3},
       {"gbs", "GB/s", "bandwidth on paper", false, infinity, path_of(&MemoryFacts::theory_gbs)},
       {"sms", "SMs", "that have blocks", false, 1, path_of(&Gpu::sms)},
       {"blocks", "blocks", "of the grid", false, 1},
       {"blocks_per_sm", "blocks/SM", "resident", false, 1},
       {"printed_case", "0|1", "(23) also where computation exceeds memory time", false, 1}},
      mwp_cwp_values};
}

ClosedForm gpuperf_form() {
  return {
      "gpuperf",
      "computation and memory time less their overlap (GPUPerf)",
      "Sim et al. 2012, equations 1 to 17 and A.1 to A.7",
      {{"warps", "warps/SM", "resident"},
       {"total_warps", "warps", "of the grid"},
       {"instructions", "1/warp", "all, accesses included"},
       {"accesses", "1/warp", "to global memory", false, 0},
       {"barriers", "1/warp", "barriers", false, 0},
       {"sfu_instructions", "1/warp", "on the special function units", false, 0},
       {"alu_lat", "cycles", "mean latency of an instruction", true, 0, "class.fp32.latency"},
       {"lanes", "threads", "of a warp", true, 0, path_of(&SmLimits::warp_lanes)},
       {"simd_lanes", "lanes/SM", "that execute arithmetic", true, 0, path_of(&Gpu::core_lanes)},
       {"sfu_lanes", "lanes/SM", "special function units; 0: left out", false, 0,
        path_of(&Gpu::sfu_lanes)},
       {"ilp", "1", "instructions of one warp in flight", false, 1},
       {"mlp", "1", "accesses of one warp in flight", false, 1},
       {"barrier_factor", "1", "of the machine", false, 0, "model.gpuperf.barrier_factor"},
       {"mem_lat", "cycles", "latency of device memory", false, 0, path_of(&MemoryFacts::latency)},
       {"departure", "cycles", "between two transactions; 0: no limit", false, 0,
        "model.gpuperf.departure"},
       {"transactions", "1", "of an access", false, 1},
       {"miss_ratio", "1", "of accesses, to device memory", false, 1},
       {"hit_lat", "cycles", "of hits, times the share of accesses that hit", false, 0},
       {"cfdiv_cycles", "cycles", "lost to divergent control flow", false, 0},
       {"bank_cycles", "cycles", "lost to bank conflicts", false, 0},
       {"clock_ghz", "GHz", "clock of the SM", false, 1, path_of(&Gpu::clock_sustained_mhz), 1e-3},
       {"gbs", "GB/s", "bandwidth on paper", false, infinity, path_of(&MemoryFacts::theory_gbs)},
       {"transaction_bytes", "bytes", "of one transaction", false, 0, path_of(&Gpu::line_bytes)},
       {"sms", "SMs", "that have blocks", false, 1, path_of(&Gpu::sms)}},
      gpuperf_values};
}

}  // namespace

std::vector<ClosedForm> parallelism_forms() {
  return {mwp_cwp_form(), gpuperf_form()};
}

}  // namespace forewarp::model
