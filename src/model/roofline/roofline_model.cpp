// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/roofline/roofline_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/quantities.h"
#include "model/device_memory.h"
#include "model/warp_mix.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { bandwidth };
enum Bandwidth : int { reached, paper };
enum Roof : std::size_t {
  dram,
  l2,
  l1,
  shared,
  half,
  single,
  twice,
  integer,
  matrix,
  special,
  issue,
  unit,
  roofs
};

constexpr std::array<ModelOption, 1> declared{{
    {"bandwidth", "reached|paper", "reached", "of device memory"},
}};

using Name = std::pair<std::string_view, std::string_view>;

constexpr Name name_of(ResourceRole role) {
  return {resource_name(role).name, resource_name(role).label};
}

constexpr std::array<Name, roofs> names{{
    name_of(ResourceRole::device_memory),
    name_of(ResourceRole::l2),
    name_of(ResourceRole::l1),
    name_of(ResourceRole::shared_memory),
    {"fp16", "FP16 arithmetic"},
    {"fp32", "FP32 arithmetic"},
    {"fp64", "FP64 arithmetic"},
    {"integer", "integer arithmetic"},
    {"tensor", "tensor cores"},
    {"sfu", "special functions"},
    name_of(ResourceRole::issue),
    {"unit", "busiest unit"},
}};

/// The roof that bounds instructions of a class; `roofs`: none.
constexpr Roof roof_of(InstructionClass c) {
  using enum InstructionClass;
  switch (c) {
    case fp16:
    case fp16_mma:
      return half;
    case fp32:
      return single;
    case fp64:
      return twice;
    case InstructionClass::integer:
    case integer_multiply:
    case integer_multiply_wide:
    case shift_add:
      return Roof::integer;
    case tensor_half:
    case tensor_integer:
    case tensor_double:
    case tensor_binary:
      return matrix;
    case sfu:
      return Roof::special;
    default:
      return roofs;
  }
}

double class_cycles(const Gpu& gpu, InstructionClass c) {
  const auto found = gpu.classes.find(class_name(c));
  return found == gpu.classes.end() ? 0 : found->second.cycles;
}

using RoofCycles = std::array<double, roofs>;  ///< per warp

void add_memory(const ModelInput& in, const OptionValues& options, RoofCycles& cycles) {
  const DeviceMemory memory = device_memory(in.gpu, in.demand, in.launch.clock);
  const bool on_paper = static_cast<int>(options[bandwidth]) == paper;
  const BytesPerCycle pin =
      per_cycle(GigabytesPerSecond(in.gpu.memory.theory_gbs), in.gpu.sms * in.launch.clock);
  const bool by_pins = on_paper && pin > BytesPerCycle(0);
  cycles[dram] = (by_pins ? memory.bytes_per_warp / pin : memory.cycles_per_warp).value();
  for (std::size_t r = 0; r < in.resources.size(); ++r) {
    const ResourceRole role = in.resources[r].role;
    const double taken = in.demand.cycles(r);
    const bool to_l2 = role == ResourceRole::l2_read || role == ResourceRole::l2_write;
    if (to_l2) cycles[l2] = std::max(cycles[l2], taken);
    if (role == ResourceRole::l1_return) cycles[l1] = taken;
    if (role == ResourceRole::shared_memory) cycles[shared] = taken;
    if (role == ResourceRole::issue) cycles[issue] = taken;
  }
}

/// SM cycles per warp under each roof alone.
RoofCycles roof_cycles(const ModelInput& in, const OptionValues& options) {
  RoofCycles cycles{};
  add_memory(in, options, cycles);
  cycles[unit] = warp_mix(in).pipe_cycles;
  for (std::size_t c = 0; c < class_kinds; ++c) {
    const auto kind = static_cast<InstructionClass>(c);
    const Roof roof = roof_of(kind);
    const double times = in.demand.of_class(kind);
    if (roof != roofs && times > 0) cycles[roof] += times * class_cycles(in.gpu, kind);
  }
  return cycles;
}

/// Most operations per cycle and SM, of the kind whose compute roof is the warp's tightest.
double peak_operations(const ModelInput& in, const RoofCycles& cycles) {
  const auto tallest = std::max_element(cycles.begin() + half, cycles.begin() + issue);
  const double macs = in.gpu.limits.warp_lanes;
  const auto per_cycle = [&](InstructionClass c, double each) {
    const double one = class_cycles(in.gpu, c);
    return one > 0 ? each * macs / one : 0;
  };
  constexpr double fused = 2;  // operations per multiply-add
  constexpr double pair = 2;   // results per packed instruction
  switch (*tallest > 0 ? static_cast<Roof>(tallest - cycles.begin()) : single) {
    case half:
      return per_cycle(InstructionClass::fp16, fused * pair);
    case twice:
      return per_cycle(InstructionClass::fp64, fused);
    case Roof::integer:
      return per_cycle(InstructionClass::integer_multiply, fused);
    case matrix:
      return fused * in.gpu.tensor.half_macs;
    case Roof::special:
      return per_cycle(InstructionClass::sfu, 1);
    default:
      return per_cycle(InstructionClass::fp32, fused);
  }
}

double operations(const Demand& demand) {
  return demand.count(Count::half_operations) + demand.count(Count::single_operations) +
         demand.count(Count::double_operations) + demand.count(Count::integer_operations) +
         demand.count(Count::matrix_operations);
}

double over(double amount, double by) {
  return by > 0 ? amount / by : 0;
}

}  // namespace

std::span<const ModelOption> RooflineModel::options() const {
  return declared;
}

std::vector<ResourceInfo> RooflineModel::bounds(std::span<const ResourceInfo> resources) const {
  (void)resources;
  std::vector<ResourceInfo> list;
  for (const auto& [name, label] : names) list.emplace_back(name, label);
  return list;
}

Prediction RooflineModel::predict(const ModelInput& input, const OptionValues& options) const {
  const RoofCycles cycles = roof_cycles(input, options);
  Prediction p;
  p.bound_count = roofs;
  std::copy(cycles.begin(), cycles.end(), p.bound_cycles.begin());
  const auto tightest = std::max_element(cycles.begin(), cycles.end());
  p.limiting = static_cast<std::int16_t>(tightest - cycles.begin());
  p.latency_cycles = input.latency.cycles;
  p.resident_warps = input.launch.blocks_per_sm * input.launch.warps_per_block;
  p.applies = *tightest > 0;
  if (!p.applies) p.why = "nothing of it is under a roof";
  p.throughput_bound = p.warp_throughput = over(1, *tightest);
  p.needed_warps = p.latency_cycles * p.throughput_bound;
  const double warps = input.launch.blocks * input.launch.warps_per_block;
  p.time_ms = (time_of(Cycles(warps * *tightest), input.gpu.sms * input.launch.clock) +
               to_milliseconds(input.launch.added))
                  .value();
  p.low_ms = p.high_ms = p.time_ms;
  p.waves = over(warps, p.resident_warps * input.gpu.sms);
  p.memory_gbs = over(warps * input.demand.count(Count::global_bytes), p.time_ms * 1e6);
  return p;
}

std::vector<ModelNumber> RooflineModel::numbers(const ModelInput& input,
                                                const OptionValues& options,
                                                const Prediction& prediction) const {
  const RoofCycles cycles = roof_cycles(input, options);
  const Demand& demand = input.demand;
  const double done = operations(demand);
  const double peak = peak_operations(input, cycles);
  const double giga =
      (input.gpu.sms * input.launch.clock).value() * 1e-3;  // SM cycles of the GPU per ns
  const double by_latency = over(prediction.resident_warps, prediction.latency_cycles);
  const double rate = by_latency > 0 ? std::min(by_latency, prediction.throughput_bound)
                                     : prediction.throughput_bound;
  const std::array<double, 4> bytes{
      demand.count(Count::read_bytes) + demand.count(Count::write_bytes),
      demand.count(Count::passed_bytes), demand.count(Count::global_bytes),
      demand.count(Count::shared_bytes)};
  const auto ridge = [&](Roof level) { return over(peak * cycles[level], bytes[level]); };
  return {{"operations", done, true},
          {"intensity_dram", over(done, bytes[dram])},
          {"intensity_l2", over(done, bytes[l2])},
          {"intensity_l1", over(done, bytes[l1])},
          {"intensity_shared", over(done, bytes[shared])},
          {"ridge_dram", ridge(dram)},
          {"ridge_l2", ridge(l2)},
          {"ridge_l1", ridge(l1)},
          {"ridge_shared", ridge(shared)},
          {"peak_gops", peak * giga},
          {"attainable_gops", done * prediction.throughput_bound * giga},
          {"reached_gops", done * rate * giga}};
}

}  // namespace forewarp::model
