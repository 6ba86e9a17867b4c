// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result/profiler_metrics.h"

#include <algorithm>
#include <map>
#include <string>

namespace forewarp::result {
namespace {

using Group = ProfilerMetric::Group;

constexpr double percent = 100;
constexpr double ns_per_ms = 1e6;
constexpr double thousand = 1e3;  // a MHz is a thousand cycles per ms

struct Figure {
  Group group;
  std::string_view name, meaning, unit;
  double (*of)(const Result&);
};

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

double cycles_of(const Result& r) {
  return r.time_ms * r.gpu.clock_mhz * thousand;
}

double threads_of(const Result& r) {
  return static_cast<double>(r.launch.block[0]) * r.launch.block[1] * r.launch.block[2];
}

double blocks_of(const Result& r) {
  return static_cast<double>(r.launch.grid[0]) * r.launch.grid[1] * r.launch.grid[2];
}

double moved(const Result& r) {
  return r.profile.dram_read_bytes + r.profile.dram_write_bytes;
}

constexpr Figure figures[] = {
    {Group::launch, "launch__grid_size", "blocks", "block", blocks_of},
    {Group::launch, "launch__block_size", "threads of a block", "thread", threads_of},
    {Group::launch, "launch__registers_per_thread", "", "register/thread",
     [](const Result& r) { return static_cast<double>(r.kernel.registers); }},
    {Group::launch, "launch__shared_mem_per_block_static", "", "byte/block",
     [](const Result& r) { return static_cast<double>(r.kernel.static_shared); }},
    {Group::launch, "launch__shared_mem_per_block_dynamic", "", "byte/block",
     [](const Result& r) { return static_cast<double>(r.launch.dynamic_shared); }},
    {Group::launch, "launch__waves_per_multiprocessor", "", "",
     [](const Result& r) { return r.occupancy.waves; }},
    {Group::launch, "sm__maximum_warps_per_active_cycle_pct", "theoretical occupancy", "%",
     [](const Result& r) {
       return percent * ratio(r.occupancy.warps_per_sm, r.occupancy.max_warps_per_sm);
     }},
    {Group::speed, "gpu__time_duration.sum", "the predicted time without copies", "ns",
     [](const Result& r) { return ns_per_ms * (r.copies.empty() ? r.time_ms : r.device_ms); }},
    {Group::speed, "sm__cycles_elapsed.max", "at the clock of the prediction", "cycle", cycles_of},
    {Group::speed, "dram__bytes.sum.per_second", "", "byte/s",
     [](const Result& r) { return ratio(moved(r), r.time_ms / thousand); }},
    {Group::instructions, "smsp__inst_executed.sum", "warp instructions", "inst",
     [](const Result& r) { return r.profile.all_instructions(); }},
    {Group::instructions, "smsp__thread_inst_executed_pred_on.sum", "lanes whose guard held",
     "inst", [](const Result& r) { return r.profile.thread_instructions; }},
    {Group::instructions, "smsp__thread_inst_executed_per_inst_executed.pred_on_ratio",
     "lanes of a warp instruction", "",
     [](const Result& r) {
       return ratio(r.profile.thread_instructions, r.profile.warp_instructions);
     }},
    {Group::instructions, "sm__inst_executed.avg.per_cycle_elapsed", "IPC of an SM", "inst/cycle",
     [](const Result& r) { return ratio(r.profile.all_instructions(), r.gpu.sms * cycles_of(r)); }},
    {Group::memory, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global load requests",
     "request", [](const Result& r) { return r.profile.global_load_requests; }},
    {Group::memory, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global load sectors",
     "sector", [](const Result& r) { return r.profile.global_load_sectors; }},
    {Group::memory, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
     "4 where a warp loads neighbouring words", "sector/request",
     [](const Result& r) {
       return ratio(r.profile.global_load_sectors, r.profile.global_load_requests);
     }},
    {Group::memory, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global store sectors",
     "sector", [](const Result& r) { return r.profile.global_store_sectors; }},
    {Group::memory, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "shared memory passes", "",
     [](const Result& r) { return r.profile.shared_wavefronts; }},
    {Group::memory, "l1tex__t_sector_hit_rate.pct", "of loads that L1 may keep", "%",
     [](const Result& r) { return percent * r.profile.l1_hit_rate; }},
    {Group::memory, "lts__t_sectors_op_read.sum", "", "sector",
     [](const Result& r) { return r.profile.l2_read_sectors; }},
    {Group::memory, "lts__t_sectors_op_write.sum", "", "sector",
     [](const Result& r) { return r.profile.l2_write_sectors; }},
    {Group::memory, "lts__t_sector_op_read_hit_rate.pct", "", "%",
     [](const Result& r) { return percent * r.profile.l2_hit_rate; }},
    {Group::memory, "dram__bytes_read.sum", "", "byte",
     [](const Result& r) { return r.profile.dram_read_bytes; }},
    {Group::memory, "dram__bytes_write.sum", "", "byte",
     [](const Result& r) { return r.profile.dram_write_bytes; }},
};

struct Unit {
  std::string_view resource, name, meaning;
};

/// Bounds by their resource; shares of the time that the unit is busy.
constexpr Unit units[] = {
    {"issue", "sm__inst_issued.avg.pct_of_peak_sustained_elapsed", "issue slots"},
    {"fma", "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed", ""},
    {"fma_heavy", "sm__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_elapsed", ""},
    {"alu", "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed", ""},
    {"fp64", "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed", ""},
    {"fp16", "sm__inst_executed_pipe_fp16.avg.pct_of_peak_sustained_elapsed", ""},
    {"tensor", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", ""},
    {"xu", "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", ""},
    {"lsu", "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed", ""},
    {"udp", "sm__inst_executed_pipe_uniform.avg.pct_of_peak_sustained_elapsed", ""},
    {"cbu", "sm__inst_executed_pipe_cbu.avg.pct_of_peak_sustained_elapsed", ""},
    {"tex", "sm__inst_executed_pipe_tex.avg.pct_of_peak_sustained_elapsed", ""},
    {"shared", "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed", ""},
    {"l1_return", "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed", ""},
    {"l1_fill", "l1tex__m_xbar2l1tex_read_sectors.avg.pct_of_peak_sustained_elapsed", ""},
    {"store_path", "l1tex__m_l1tex2xbar_write_sectors.avg.pct_of_peak_sustained_elapsed", ""},
    {"l2_read", "lts__t_sectors_op_read.avg.pct_of_peak_sustained_elapsed", ""},
    {"l2_write", "lts__t_sectors_op_write.avg.pct_of_peak_sustained_elapsed", ""},
    {"l2_slice", "lts__t_sectors.max.pct_of_peak_sustained_elapsed", "the busiest slice"},
    {"dram", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
     "of what the board reaches; the profiler says of the theoretical peak"},
};

struct Wait {
  std::string_view cause, name;
};

/// Causes of a simulation; cycles that a warp waits for each, per issue.
constexpr Wait waits[] = {
    {"dependence", "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"},
    {"math", "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio"},
    {"not_selected", "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio"},
    {"memory", "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"},
    {"l2", "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"},
    {"l1", "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"},
    {"shared", "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio"},
    {"barrier", "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"},
    {"constant", "smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio"},
    {"fetch", "smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio"},
    {"pipe", "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio"},
    {"queue", "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio"},
    {"registers", "smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio"},
};

void add_waits(const SimulationFacts& simulation, std::vector<ProfilerMetric>& metrics) {
  std::map<std::string_view, double> cycles;
  double issues = 0;
  for (const SimulationFacts::Instruction& instruction : simulation.instructions) {
    issues += instruction.issues;
    for (const auto& [cause, per_issue] : instruction.stalls) {
      const auto known = std::ranges::find(waits, cause, &Wait::cause);
      if (known != std::end(waits)) cycles[known->name] += instruction.issues * per_issue;
    }
  }
  for (const auto& [name, sum] : cycles)
    if (sum > 0) metrics.push_back({Group::waits, name, "", "warp/issue", ratio(sum, issues)});
}

}  // namespace

std::vector<ProfilerMetric> profiler_metrics(const Result& result) {
  std::vector<ProfilerMetric> metrics;
  for (const Figure& figure : figures) {
    metrics.push_back({figure.group, figure.name, figure.meaning, figure.unit, figure.of(result)});
  }
  for (const Result::Bound& bound : result.bounds) {
    const auto known = std::ranges::find(units, bound.resource, &Unit::resource);
    if (known != std::end(units)) {
      metrics.push_back({Group::speed, known->name, known->meaning, "%", percent * bound.share});
    }
  }
  add_waits(result.simulation, metrics);
  std::ranges::stable_sort(metrics, {}, &ProfilerMetric::group);
  return metrics;
}

}  // namespace forewarp::result
