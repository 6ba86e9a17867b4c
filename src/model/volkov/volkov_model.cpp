// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/volkov/volkov_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/quantities.h"
#include "model/device_memory.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { contention, path, smooth, waves, turnaround, burst, occupancy, block };

constexpr std::array<ModelOption, 8> declared{{
    {"contention", "off|on", "on", "latency grows with the load on device memory"},
    {"path", "off|on", "on", "a warp's requests queue behind the other resident warps' in the SM"},
    {"smooth", "number", "8", "exponent of the p-norm between limits; 0: the slowest alone counts",
     exponent_range},
    {"waves", "off|on", "on", "whole waves of blocks and a tail; off: a continuous rate"},
    {"turnaround", "off|on", "on", "cycles between two blocks in one slot are part of a latency"},
    {"burst", "off|on", "on", "warps that wait for memory together want the pipes together"},
    {"occupancy", "number", "0", "warps per SM; 0: what fits", resident_range},
    {"block", "off|on", "on", "latency is a whole block's alone on an SM, where it was followed"},
}};

constexpr int bisection_steps = 60;  // more than the bits of a double's mantissa
constexpr int meeting_steps = 40;
constexpr double meeting_close = 1e-10;  // relative

/// The larger of two times; `exponent` > 0 smooths the corner where they meet (p-norm).
double combine(double a, double b, double exponent) {
  if (exponent <= 0 || a <= 0 || b <= 0) return std::max(a, b);
  const double high = std::max(a, b);
  const double ratio = std::min(a, b) / high;
  return high * std::pow(1 + std::pow(ratio, exponent), 1 / exponent);
}

/// What is the same in a full wave and in the tail.
struct Machine {
  const ModelInput& in;
  DeviceMemory memory;
  double exponent = 0;
  bool queued = false;         ///< with memory contention
  double latency = 0;          ///< of the lone warp or its block, including turnaround
  double lone = 0;             ///< of the lone warp
  double between = 0;          ///< of `lone`: between two blocks in one slot
  double waiting = 0;          ///< of `lone`: for memory, and for the slot
  double path_cycles = 0;      ///< for which each warp's data occupy the path through the SM
  double store_cycles = 0;     ///< of `path_cycles`: stores
  bool block_known = false;    ///< the latency is a whole block's
  double scheduler_bound = 0;  ///< tightest of each scheduler's own units, cycles per warp
  double memory_bound = 0;     ///< tightest of units that an SM has once, without device memory
  double rounds = 1;           ///< dependent round trips to memory
  double launch_bound = 0;     ///< the front end's rate, cycles per warp
  double chip_bound = 0;       ///< tightest of units that the chip has once, likewise
  double pipe_cycles = 0;      ///< of the SM's busiest unit, per warp
  double other_bound = 0;      ///< tightest bound without device memory, cycles per warp
};

double cycles_at(const ModelInput& in, ResourceRole role) {
  for (std::size_t r = 0; r < in.resources.size(); ++r) {
    if (in.resources[r].role == role) return in.demand.cycles(r);
  }
  return 0;
}

double store_path_per_warp(const ModelInput& in) {
  return cycles_at(in, ResourceRole::store_path);
}

/// Cycles by which each resident warp delays the others on the path through the SM: data from L2
/// are filled into L1, stores leave through a path of their own.
double path_per_warp(const ModelInput& in) {
  return in.gpu.warp_launch_cycles + cycles_at(in, ResourceRole::l1_fill) + store_path_per_warp(in);
}

/// Cycles of L1's data stage that hits take. Hits wait for nothing beyond L1, so to them the stage
/// is a unit like any other.
double hit_cycles(const ModelInput& in) {
  double filled = 0;
  if (in.gpu.l1.return_bytes > 0) {
    filled = cycles_at(in, ResourceRole::l1_fill) * in.gpu.l1.fill_bytes / in.gpu.l1.return_bytes;
  }
  return std::max(0.0, cycles_at(in, ResourceRole::l1_return) - filled);
}

/// Cycles of the resident warps on the path through the SM that the latency does not include yet. A
/// block's time includes the path of its own warps except for stores: no warp waits for those, but
/// the block's slot is free only when they have left.
double way_cycles(const Machine& m, double resident) {
  if (!m.block_known) return resident * m.path_cycles;
  const double own = std::min(resident, m.in.launch.warps_per_block);
  return (resident - own) * m.path_cycles + own * m.store_cycles;
}

/// Units on the path to and from memory, which are counted elsewhere; of L1's data stage,
/// hit_cycles() counts what hits take.
bool on_the_way(ResourceRole role) {
  switch (role) {
    case ResourceRole::l1_fill:
    case ResourceRole::l1_return:
    case ResourceRole::store_path:
    case ResourceRole::l2_read:
    case ResourceRole::l2_write:
    case ResourceRole::requests:
    case ResourceRole::l2_slice:
      return true;
    default:
      return false;
  }
}

double busiest_unit(const ModelInput& in) {
  double most = hit_cycles(in);
  for (std::size_t r = 0; r < in.resources.size(); ++r) {
    if (!on_the_way(in.resources[r].role)) most = std::max(most, in.demand.cycles(r));
  }
  return most;
}

/// Cycles until the last of `together` warps ends: they wait at the same time, then need the same
/// units, while the last one's own latencies pass. In every round trip but one, the data of
/// `resident` warps arrive while others compute; if a block was replayed alone, its time already
/// includes the arrival of its own warps' data.
double burst_cycles(const Machine& m, double together, double resident) {
  const double own = combine(m.lone - m.waiting, together * m.pipe_cycles, m.exponent);
  const double way = way_cycles(m, resident);
  return m.waiting + own + std::max(way / m.rounds, way - own);
}

/// Warps per cycle and SM when only latency and device memory limit them: `resident` warps on each
/// active SM, `active` being the share of SMs.
double memory_rate(const Machine& m, double resident, double active) {
  const double together = std::min(resident, m.in.launch.warps_per_block);
  const double base =
      m.block_known ? m.latency + way_cycles(m, resident) : burst_cycles(m, together, resident);
  const double free_rate = resident / base;
  if (m.memory.cycles_per_warp <= Cycles(0)) return free_rate;
  const double limit = 1 / (m.memory.cycles_per_warp * active).value();
  if (!m.queued || !m.memory.queues) return std::min(free_rate, limit);
  double low = 0, high = std::min(free_rate, limit);
  for (int i = 0; i < bisection_steps; ++i) {
    const double x = (low + high) / 2;
    const double time = base + m.rounds * m.memory.delay(x / limit);
    (x * time > resident ? high : low) = x;
  }
  return (low + high) / 2;
}

/// Cycles per warp and SM when blocks, whose time alone is the latency, meet at the schedulers and
/// at the memory unit: mean value analysis of a closed network (Reiser and Lavenberg 1980). A block
/// that arrives at a unit waits for the mean number of blocks there. A block with fewer warps than
/// the SM has schedulers uses only some of them: it is served more slowly there, and meets only the
/// blocks on the same ones. `queued`: what each block waits for device memory besides.
double meeting_cycles(const Machine& m, double resident, double queued) {
  const double per_block = m.in.launch.warps_per_block;
  const double schedulers = std::max(1.0, m.in.gpu.schedulers);
  const std::array<double, 2> units{schedulers / std::min(schedulers, per_block), 1};
  std::array<double, 2> service{m.scheduler_bound * per_block * units[0],
                                m.memory_bound * per_block};
  const double served = service[0] + service[1];
  if (served > m.latency) {  // hidden inside the block by overlap: takes no turn
    for (double& cycles : service) cycles *= m.latency / served;
  }
  const double elsewhere = std::max(0.0, m.latency - served) + queued;
  std::array<double, 2> there{};
  double rate = 0;
  const auto blocks = static_cast<int>(std::max(1.0, std::round(resident / per_block)));
  for (int n = 1; n <= blocks; ++n) {
    std::array<double, 2> stay{};
    for (std::size_t s = 0; s < stay.size(); ++s) stay[s] = service[s] * (1 + there[s] / units[s]);
    rate = n / (elsewhere + stay[0] + stay[1]);
    for (std::size_t s = 0; s < stay.size(); ++s) there[s] = rate * stay[s];
  }
  return 1 / (rate * per_block);
}

/// Cycles per warp under all bounds of an SM; latency and device memory alone give `cycles`.
double combine_with_bound(const Machine& m, double cycles, double resident) {
  if (!m.block_known) return combine(cycles, m.other_bound, m.exponent);
  const double throughput = combine(m.memory.cycles_per_warp.value(), m.other_bound, m.exponent);
  return std::max({cycles, throughput, meeting_cycles(m, resident, 0)});
}

/// Cycles per warp of a steady rate whose blocks meet and also queue for device memory, as far as
/// that is above `least`. At a slower pace the queue is shorter: the pace is that which its own
/// queue allows, found by false position (Illinois).
double queued_meeting_cycles(const Machine& m, double resident, double least) {
  const double bound = m.memory.cycles_per_warp.value();
  if (!m.block_known || !m.queued || !m.memory.queues || bound <= 0) return least;
  const auto above = [&](double pace) {  // what blocks take at a pace, beyond it
    return meeting_cycles(m, resident, m.rounds * m.memory.delay(bound / pace)) - pace;
  };
  constexpr double off_pole = 1 + 1e-6;
  double low = std::max(least, bound / m.memory.pole_over_reached * off_pole);
  double low_above = above(low);
  if (!(low_above > 0)) return least;
  double high = low + low_above;
  double high_above = above(high);
  for (int i = 0; i < meeting_steps; ++i) {
    const double pace = low + (high - low) * low_above / (low_above - high_above);
    const double over = above(pace);
    if (std::fabs(over) <= meeting_close * pace) return pace;
    if (over > 0) {
      low = pace;
      low_above = over;
      high_above /= 2;
    } else {
      high = pace;
      high_above = over;
      low_above /= 2;
    }
  }
  return high;
}

/// Warps per cycle and SM under all limits.
double warp_rate(const Machine& m, double resident, double active) {
  const double x = memory_rate(m, resident, active);
  const double least =
      std::max({combine_with_bound(m, 1 / x, resident), m.launch_bound, m.chip_bound});
  return 1 / queued_meeting_cycles(m, resident, least);
}

Machine machine_of(const ModelInput& in, const OptionValues& options) {
  Machine m{in, device_memory(in.gpu, in.demand, in.launch.clock)};
  m.exponent = options[smooth];
  m.queued = options[contention] != 0;
  m.latency = in.latency.cycles;
  m.lone = m.latency;
  if (options[block] != 0 && in.latency.block_cycles > 0) {
    m.latency = std::max(m.latency, in.latency.block_cycles);
    m.block_known = true;
  }
  m.waiting = in.latency.memory_cycles;
  if (options[turnaround] != 0 && !in.latency.replacement_included) {
    m.between = in.gpu.block_turnaround;
    m.latency += m.between;
    m.lone += m.between;
    m.waiting += m.between;
  }
  if (options[path] != 0) {
    m.path_cycles = path_per_warp(in);
    m.store_cycles = store_path_per_warp(in);
  }
  if (options[burst] != 0) m.pipe_cycles = busiest_unit(in);
  const double loads = in.demand.count(Count::load_requests);
  if (in.gpu.memory.latency > 0 && in.gpu.memory.latency_mhz > 0 && loads > 0) {
    const double trip = in.gpu.memory.latency * in.launch.clock.value() / in.gpu.memory.latency_mhz;
    const double waits =
        in.latency.memory_cycles > 0 ? in.latency.memory_cycles : in.latency.cycles;
    m.rounds = std::clamp(std::floor(waits / trip), 1.0, std::max(1.0, loads));
  }
  return m;
}

void fill_bounds(const Machine& m, Prediction& p) {
  const auto cycles = m.in.demand.cycles();
  for (std::size_t r = 0; r < cycles.size(); ++r) p.bound_cycles[r] = cycles[r];
  std::size_t count = cycles.size();
  p.bound_cycles[count++] = m.memory.cycles_per_warp.value();
  // One front end hands out the blocks of the whole GPU, one after the other.
  p.bound_cycles[count++] = m.in.launch.started * m.in.gpu.block_launch_interval * m.in.gpu.sms /
                            m.in.launch.warps_per_block;
  p.bound_count = static_cast<std::uint16_t>(count);
}

/// Cycles of the tail. The chip's bounds hold from the first round trip on; on the fullest SM all
/// warps wait together for each round trip and then share the units.
double tail_cycles(const Machine& m, double blocks) {
  const double sms = m.in.gpu.sms;
  const double resident = std::ceil(blocks / sms) * m.in.launch.warps_per_block;
  const double shared = std::max(m.memory.cycles_per_warp.value(), m.chip_bound);
  const double chip = std::max(blocks * m.in.launch.warps_per_block * shared / sms,
                               blocks * m.in.gpu.block_launch_interval);
  const double alone = m.latency + way_cycles(m, resident);
  if (m.pipe_cycles <= 0) {
    return resident * combine_with_bound(m, (alone + chip) / resident, resident);
  }
  const double first = m.between + (alone - m.between) / m.rounds;
  double busy = std::max(burst_cycles(m, resident, resident), resident * m.other_bound);
  // `chip` has what these few blocks wait for device memory: no queue of a full chip besides.
  if (m.block_known) busy = std::max({busy, alone, resident * meeting_cycles(m, resident, 0)});
  return combine(first + chip, busy, m.exponent);
}

/// Cycles for all blocks: the first wave starts together, further whole waves follow at the steady
/// rate, then the tail on fewer or emptier SMs.
double grid_cycles(const Machine& m, double resident_warps, double throughput, bool in_waves) {
  const double warps_per_block = m.in.launch.warps_per_block;
  const double sms = m.in.gpu.sms;
  if (!in_waves) return m.in.launch.blocks * warps_per_block / (throughput * sms);
  const double capacity = resident_warps / warps_per_block * sms;
  if (m.in.launch.blocks <= capacity) return tail_cycles(m, m.in.launch.blocks);
  const double wave = capacity * warps_per_block / (throughput * sms);
  const double further = m.in.launch.blocks - capacity;
  const double whole = std::floor(further / capacity);
  double cycles = tail_cycles(m, capacity) + whole * wave;
  const double rest = further - whole * capacity;
  if (rest > 0) cycles += std::min(tail_cycles(m, rest), wave);
  return cycles;
}

/// Each part of the grid with data in a slow segment of memory takes its share of the time that the
/// whole grid would take if all of it lay there.
double stretched_cycles(const Machine& m, const Prediction& p, bool in_waves) {
  double share = 1, cycles = 0;
  for (const MemoryStretch& stretch : m.in.launch.stretches) {
    if (stretch.share <= 0 || stretch.gbs >= m.memory.reached.value()) continue;
    Machine slow = m;
    slow.memory.cycles_per_warp *= m.memory.reached / GigabytesPerSecond(stretch.gbs);
    const double rate = warp_rate(slow, p.resident_warps, 1);
    cycles += stretch.share * grid_cycles(slow, p.resident_warps, rate, in_waves);
    share -= stretch.share;
  }
  return cycles +
         std::max(share, 0.0) * grid_cycles(m, p.resident_warps, p.warp_throughput, in_waves);
}

}  // namespace

std::span<const ModelOption> VolkovModel::options() const {
  return declared;
}

Mechanisms VolkovModel::accounts_for() const {
  return {Mechanism::occupancy,      Mechanism::arithmetic_latency,
          Mechanism::memory_latency, Mechanism::issue,
          Mechanism::pipes,          Mechanism::bandwidth,
          Mechanism::contention,     Mechanism::caches,
          Mechanism::barriers,       Mechanism::waves,
          Mechanism::launch_cost};
}

std::vector<ResourceInfo> VolkovModel::bounds(std::span<const ResourceInfo> resources) const {
  std::vector<ResourceInfo> all(resources.begin(), resources.end());
  all.emplace_back(ResourceRole::device_memory);
  all.push_back({"block_launch", "block launch rate"});
  return all;
}

Prediction VolkovModel::predict(const ModelInput& input, const OptionValues& options) const {
  Machine m = machine_of(input, options);
  Prediction p;
  fill_bounds(m, p);
  const std::size_t dram = input.demand.cycles().size();
  std::size_t tightest = 0;
  for (std::size_t b = 0; b < p.bound_count; ++b) {
    if (p.bound_cycles[b] > p.bound_cycles[tightest]) tightest = b;
    if (b < dram && input.resources[b].scope == ResourceScope::chip) {
      m.chip_bound = std::max(m.chip_bound, p.bound_cycles[b]);
    } else if (b < dram) {
      m.other_bound = std::max(m.other_bound, p.bound_cycles[b]);
      double& side =
          input.resources[b].scope == ResourceScope::scheduler ? m.scheduler_bound : m.memory_bound;
      side = std::max(side, p.bound_cycles[b]);
    }
    if (b > dram) m.launch_bound = p.bound_cycles[b];
  }
  const double fitting = input.launch.blocks_per_sm * input.launch.warps_per_block;
  p.resident_warps = options[occupancy] > 0 ? options[occupancy] : fitting;
  p.latency_cycles = m.latency;
  p.throughput_bound = p.bound_cycles[tightest] > 0 ? 1 / p.bound_cycles[tightest] : 0;
  p.needed_warps = p.latency_cycles * p.throughput_bound;
  p.warp_throughput = warp_rate(m, p.resident_warps, 1);
  p.waves = waves_of(input, p.resident_warps / input.launch.warps_per_block);

  const double cycles = stretched_cycles(m, p, options[waves] != 0);
  p.time_ms =
      (time_of(Cycles(cycles), input.launch.clock) + to_milliseconds(input.launch.added)).value();
  const double warps = input.launch.blocks * input.launch.warps_per_block;
  const Milliseconds bound =
      time_of(Cycles(warps * p.bound_cycles[tightest]), input.gpu.sms * input.launch.clock);
  // A throughput bound counts as the limit only if it alone would take half of the time.
  const bool by_latency =
      p.resident_warps < p.needed_warps || bound < Milliseconds(0.5 * p.time_ms);
  p.limiting = by_latency ? Prediction::latency_limit : static_cast<std::int16_t>(tightest);
  const Bytes moved = m.memory.bytes_per_warp;
  const GigabytesPerSecond rate =
      options[waves] != 0
          ? warps * moved / Milliseconds(p.time_ms)
          : per_second(BytesPerCycle(p.warp_throughput * moved.value() * input.gpu.sms),
                       input.launch.clock);
  p.memory_gbs = rate.value();
  p.low_ms = p.high_ms = p.time_ms;
  return p;
}

std::vector<ModelNumber> VolkovModel::numbers(const ModelInput& input, const OptionValues& options,
                                              const Prediction& prediction) const {
  const Machine m = machine_of(input, options);
  const double slope = (input.gpu.sms * input.launch.clock).value() * 1e-3 *
                       m.memory.bytes_per_warp.value() / prediction.latency_cycles;
  return {{"latency_bound", prediction.latency_cycles},
          {"throughput_bound", prediction.throughput_bound},
          {"warp_throughput", prediction.warp_throughput},
          {"needed_warps", prediction.needed_warps},
          {"memory_gbs", prediction.memory_gbs},
          {"memory_gbs_per_warp", slope},
          {"memory_peak_gbs", m.memory.reached.value()},
          {"memory_bytes_per_warp", m.memory.bytes_per_warp.value()}};
}

std::vector<StackPart> VolkovModel::stack(const ModelInput& input, const OptionValues& options,
                                          const Prediction& prediction) const {
  if (prediction.warp_throughput <= 0) return {};
  const Machine m = machine_of(input, options);
  double left = prediction.resident_warps / prediction.warp_throughput;  // Little's law
  std::vector<StackPart> parts;
  const auto take = [&](std::string name, double cycles) {
    cycles = std::clamp(cycles, 0.0, left);
    if (cycles > 0) parts.push_back({std::move(name), cycles});
    left -= cycles;
  };
  const double arithmetic = m.lone - m.waiting;
  const double issue = input.demand.count(Count::instructions) * input.gpu.issue_interval;
  take("issue", std::min(issue, arithmetic));
  take("dependence", arithmetic - issue);
  take("memory", m.waiting - m.between);
  take("turnaround", m.between);
  take("block", m.latency - m.lone);
  const double load = (prediction.warp_throughput * m.memory.cycles_per_warp).value();
  if (m.queued) take("memory_queue", m.rounds * m.memory.delay(std::min(load, 1.0)));
  const auto bounds = std::span(prediction.bound_cycles).first(prediction.bound_count);
  const auto tightest = std::max_element(bounds.begin(), bounds.end());
  if (tightest == bounds.end()) return parts;
  const auto unit = static_cast<std::size_t>(tightest - bounds.begin());
  take("bandwidth_" + this->bounds(input.resources)[unit].name, left);
  return parts;
}

}  // namespace forewarp::model
