// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/schema.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <type_traits>
#include <utility>

#include "base/text.h"

namespace forewarp::hardware {
namespace {

constexpr Presence positive = Presence::positive;
constexpr Presence required = Presence::required;
constexpr Presence optional = Presence::optional;
constexpr std::monostate none{};

template <class>
struct FieldValue;
template <class Group, class Value>
struct FieldValue<Value Group::*> {
  using type = Value;
};
template <class Field>
using field_value_t = typename FieldValue<Field>::type;

// clang-format off
constexpr SchemaRow rows[] = {
    {"name", "word", positive, &Gpu::name},
    {"chip", "word", positive, &Gpu::chip},
    {"cc", "word", positive, none},
    {"isa", "word", positive, &Gpu::isa},
    {"alias", "word", optional, none},
    {"series", "word", optional, none},
    {"memory.technology", "word", positive, none},
    {"memory.ecc", "word", optional, none},
    {"link.host", "word", optional, &Gpu::host_link},
    {"link.peer", "word", optional, none},
    {"nvlink.generation", "1", optional, none},
    {"nvlink.links", "1", optional, none},
    {"nvlink.joined", "1", optional, none},
    {"peer.staged", "1", optional, none},

    {"limits.warp_lanes", "threads", positive, &SmLimits::warp_lanes},
    {"limits.threads_per_block", "threads", positive, &SmLimits::threads_per_block},
    {"limits.warps_per_sm", "warps", positive, &SmLimits::warps_per_sm},
    {"limits.blocks_per_sm", "blocks", positive, &SmLimits::blocks_per_sm},
    {"limits.registers_per_sm", "registers", positive, &SmLimits::registers_per_sm},
    {"limits.registers_per_block", "registers", positive, &SmLimits::registers_per_block},
    {"limits.registers_per_thread", "registers", positive, &SmLimits::registers_per_thread},
    {"limits.register_unit", "registers", positive, &SmLimits::register_unit},
    {"limits.register_unit_per_block", "1", optional, &SmLimits::register_unit_per_block},
    {"limits.partitions", "1", positive, &SmLimits::partitions},
    {"limits.launch_check_partitions", "1", optional, &SmLimits::launch_check_partitions},
    {"limits.warp_unit", "warps", positive, &SmLimits::warp_unit},
    {"limits.shared_per_sm", "bytes", positive, &SmLimits::shared_per_sm},
    {"limits.shared_per_block", "bytes", positive, &SmLimits::shared_per_block},
    {"limits.shared_per_block_optin", "bytes", positive, &SmLimits::shared_per_block_optin},
    {"limits.shared_reserved", "bytes", required, &SmLimits::shared_reserved},
    {"limits.shared_unit", "bytes", positive, &SmLimits::shared_unit},
    {"limits.carveouts", "bytes", optional, &SmLimits::carveouts},
    {"limits.barriers_per_block", "barriers", positive, &SmLimits::barriers_per_block},
    {"limits.barrier_pool", "barriers", required, &SmLimits::barrier_pool},
    {"limits.cluster_blocks", "blocks", optional, &SmLimits::cluster_blocks},
    {"limits.gpc_sms", "1", optional, &SmLimits::gpc_sms},
    {"limits.max_block", "threads", positive, &SmLimits::max_block},
    {"limits.max_grid", "blocks", positive, &SmLimits::max_grid},
    {"limits.resident_grids", "grids", optional, none},

    {"sm.count", "1", positive, &Gpu::sms},
    {"clock.base_mhz", "MHz", positive, &Gpu::clock_base_mhz},
    {"clock.boost_mhz", "MHz", positive, &Gpu::clock_boost_mhz},
    {"clock.sustained_mhz", "MHz", positive, &Gpu::clock_sustained_mhz},

    {"issue.schedulers", "1", positive, &Gpu::schedulers},
    {"issue.interval_cycles", "cycles", positive, &Gpu::issue_interval},
    {"issue.dual", "1", required, &Gpu::dual_issue},
    {"issue.reissue_slots", "1", required, &Gpu::reissue_slots},
    {"issue.jump_slots", "1", optional, &Gpu::jump_slots},
    {"core.lanes", "lanes", positive, &Gpu::core_lanes},
    {"sfu.lanes", "lanes", positive, &Gpu::sfu_lanes},
    {"register.banks", "1", positive, &Gpu::register_banks},
    {"register.reads_per_bank", "1/cycle", positive, &Gpu::register_reads_per_bank},

    {"cache.sector_bytes", "bytes", positive, &Gpu::sector_bytes},
    {"cache.line_bytes", "bytes", positive, &Gpu::line_bytes},
    {"coalescing.lanes", "threads", positive, &Gpu::coalescing_lanes},
    {"coalescing.request_bytes", "bytes", positive, &Gpu::request_bytes},
    {"coalescing.segments", "1", required, &Gpu::coalescing_segments},
    {"coalescing.in_order", "1", required, &Gpu::coalescing_in_order},
    {"bank.lanes", "threads", positive, &Gpu::bank_lanes},
    {"bank.word_bytes", "bytes", positive, &Gpu::bank_word_bytes},
    {"bank.single_broadcast", "1", required, &Gpu::bank_single_broadcast},
    {"bank.load_merge", "1", required, &Gpu::bank_load_merge},
    {"shared.banks", "1", positive, &Gpu::shared_banks},
    {"shared.bank_bytes", "bytes", positive, &Gpu::shared_bank_bytes},
    {"shared.cycles_per_pass", "cycles", positive, &Gpu::shared_cycles_per_pass},
    {"shared.cycles_minimum", "cycles", positive, &Gpu::shared_cycles_minimum},
    {"shared.latency_cycles", "cycles", positive, &Gpu::shared_latency},
    {"lsu.cycles", "cycles", positive, &Gpu::lsu_cycles},
    {"l1.return_bytes", "B/cycle", positive, &L1Facts::return_bytes},
    {"l1.return_bytes_64", "B/cycle", optional, &L1Facts::return_bytes_64},
    {"l1.return_bytes_128", "B/cycle", optional, &L1Facts::return_bytes_128},
    {"l1.latency_cycles", "cycles", required, &L1Facts::latency},
    {"l1.bytes", "bytes", required, &L1Facts::bytes},
    {"l1.fill_bytes", "B/cycle", positive, &L1Facts::fill_bytes},
    {"l1.store_bytes", "B/cycle", positive, &L1Facts::store_bytes},
    {"l1.caches_global", "1", required, &L1Facts::caches_global},
    {"l1.unified", "1", required, &L1Facts::unified},
    {"l1.fetch_bytes", "bytes", positive, &L1Facts::fetch_bytes},
    {"l1.store_updates", "1", required, &L1Facts::store_updates},
    {"l1.store_allocates", "1", required, &L1Facts::store_allocates},
    {"l1.local_write_back", "1", required, &L1Facts::local_write_back},
    {"l1.read_only_bytes", "bytes", required, &L1Facts::read_only_bytes},
    {"l1.miss_from", "1", positive, &L1Facts::miss_from},
    {"l1.miss_to", "1", positive, &L1Facts::miss_to},
    {"l1.many_warps", "warps", optional, &L1Facts::many_warps},
    {"l1.many_miss_from", "1", optional, &L1Facts::many_miss_from},
    {"l1.many_miss_to", "1", optional, &L1Facts::many_miss_to},
    {"l1.local_miss_from", "1", optional, &L1Facts::local_miss_from},
    {"l1.local_miss_to", "1", optional, &L1Facts::local_miss_to},
    {"l2.local_miss_from", "1", optional, &L2Facts::local_miss_from},
    {"l2.local_miss_to", "1", optional, &L2Facts::local_miss_to},
    {"memory.local_share", "1", optional, &MemoryFacts::local_share},
    {"l2.bytes", "bytes", required, &L2Facts::bytes},
    {"l2.fetch_bytes", "bytes", positive, &L2Facts::fetch_bytes},
    {"l2.latency_cycles", "cycles", required, &L2Facts::latency},
    {"l2.latency_far_cycles", "cycles", optional, &L2Facts::latency_far},
    {"l2.read_bytes", "B/cycle", required, &L2Facts::read_bytes},
    {"l2.write_bytes", "B/cycle", required, &L2Facts::write_bytes},
    {"l2.miss_from", "1", required, &L2Facts::miss_from},
    {"l2.miss_to", "1", required, &L2Facts::miss_to},
    {"l2.miss_to_mixed", "1", optional, &L2Facts::miss_to_mixed},
    {"l2.partitions", "1", positive, none},
    {"l2.far_from", "1", optional, &L2Facts::far_from},
    {"l2.far_to", "1", optional, &L2Facts::far_to},
    {"l2.slice_bits", "bits", optional, &L2Facts::slice_bits},
    {"l2.slice_bytes", "bytes", optional, &L2Facts::slice_bytes},
    {"l2.slice_line_sectors", "1", optional, &L2Facts::slice_line_sectors},
    {"l2.slice_lone_visits", "1", optional, &L2Facts::slice_lone_visits},
    {"l2.slice_part_visits", "1", optional, &L2Facts::slice_part_visits},
    {"l2.slice_part_line_visits", "1", optional, &L2Facts::slice_part_line_visits},
    {"l2.dirty_share", "1", optional, &L2Facts::dirty_share},
    {"l2.part_share", "1", optional, &L2Facts::part_share},
    {"l2.slice_sector_cycles", "cycles", optional, &L2Facts::slice_sector_cycles},
    {"atomic.visit_cycles", "cycles", optional, &AtomicFacts::visit_cycles},
    {"atomic.lane_cycles", "cycles", optional, &AtomicFacts::lane_cycles},
    {"atomic.float_lane_cycles", "cycles", optional, &AtomicFacts::float_lane_cycles},
    {"atomic.shared_lane_cycles", "cycles", optional, &AtomicFacts::shared_lane_cycles},
    {"atomic.shared_swap_cycles", "cycles", optional, &AtomicFacts::shared_swap_cycles},
    {"memory.latency_cycles", "cycles", positive, &MemoryFacts::latency},
    {"memory.latency_mhz", "MHz", positive, &MemoryFacts::latency_mhz},
    {"memory.theory_gbs", "GB/s", positive, &MemoryFacts::theory_gbs},
    {"memory.bytes", "bytes", positive, &MemoryFacts::bytes},
    {"memory.context_bytes", "bytes", optional, &MemoryFacts::context_bytes},
    {"memory.read_share", "1", positive, &MemoryFacts::read_share},
    {"memory.write_share", "1", positive, &MemoryFacts::write_share},
    {"memory.mixed_share", "1", positive, &MemoryFacts::mixed_share},
    {"memory.lattice_share", "1", optional, &MemoryFacts::lattice_share},
    {"memory.contention_read_cycles", "cycles", required, &MemoryFacts::contention_read},
    {"memory.contention_mixed_cycles", "cycles", required, &MemoryFacts::contention_mixed},
    {"memory.contention_first_cycles", "cycles", required, &MemoryFacts::contention_first},
    {"memory.clock_mhz", "MHz", optional, none},
    {"memory.bus_bits", "bits", optional, &MemoryFacts::bus_bits},
    {"memory.channel_bits", "bits", optional, &MemoryFacts::channel_bits},
    {"memory.banks_per_channel", "1", optional, &MemoryFacts::banks_per_channel},
    {"memory.data_rate", "1", optional, none},
    {"memory.place_ns", "ns", optional, &MemoryFacts::place_ns},
    {"memory.places_under_way", "1", optional, none},
    {"memory.write_place_share", "1", optional, none},
    {"memory.beside_share", "1", optional, &MemoryFacts::beside_share},
    {"memory.ecc_included", "1", optional, none},
    {"memory.request_limit", "1", optional, &MemoryFacts::request_limit},
    {"memory.contention_read_share", "1", positive, &MemoryFacts::contention_read_share},
    {"memory.contention_mixed_share", "1", positive, &MemoryFacts::contention_mixed_share},

    {"launch.block_turnaround_cycles", "cycles", positive, &Gpu::block_turnaround},
    {"launch.block_interval_cycles", "cycles", positive, &Gpu::block_launch_interval},
    {"launch.warp_cycles", "cycles", positive, &Gpu::warp_launch_cycles},
    {"launch.event_us", "us", positive, &Gpu::event_us},
    {"launch.stream_us", "us", positive, &Gpu::stream_us},
    {"launch.graph_us", "us", positive, &Gpu::graph_us},
    {"launch.host_us", "us", required, &Gpu::host_us},

    {"queue.memory_entries", "1", optional, &QueueFacts::memory_entries},
    {"queue.source_cycles", "cycles", optional, &QueueFacts::source_cycles},
    {"queue.sm_requests", "1", optional, &QueueFacts::sm_requests},
    {"queue.xu_entries", "1", optional, &QueueFacts::xu_entries},
    {"queue.leave_cycles", "cycles", optional, &QueueFacts::leave_cycles},
    {"queue.store_leave_cycles", "cycles", optional, &QueueFacts::store_leave_cycles},
    {"copy.bytes", "B/cycle", optional, &CopyFacts::bytes},
    {"copy.request_cycles", "cycles", optional, &CopyFacts::request_cycles},
    {"copy.latency_cycles", "cycles", optional, &CopyFacts::latency},
    {"copy.box_latency_cycles", "cycles", optional, &CopyFacts::box_latency},
    {"copy.wake_cycles", "cycles", optional, &CopyFacts::wake_latency},
    {"cluster.latency_cycles", "cycles", optional, &ClusterFacts::latency},
    {"cluster.bytes", "B/cycle", optional, &ClusterFacts::bytes},
    {"issue.yield_cycles", "cycles", optional, &Gpu::yield_cycles},
    {"sfu.common", "1", optional, &Gpu::sfu_common},
    {"issue.wide_multiply_hold_cycles", "cycles", optional, &Gpu::wide_multiply_hold},
    {"register.window_cycles", "cycles", optional, &Gpu::register_window},
    {"register.allocation_cycles", "cycles", optional, &Gpu::register_allocation},
    {"barrier.seen_cycles", "cycles", optional, &Gpu::barrier_seen},
    {"constant.line_bytes", "bytes", optional, &ConstantFacts::line_bytes},
    {"constant.placed_load_cycles", "cycles", optional, &ConstantFacts::placed_load_cycles},
    {"constant.hold_cycles", "cycles", optional, &ConstantFacts::hold_cycles},
    {"fetch.buffered", "1", optional, &FetchFacts::buffered},
    {"fetch.cache_bytes", "bytes", optional, &FetchFacts::cache_bytes},
    {"fetch.line_cycles", "cycles", optional, &FetchFacts::line_cycles},
    {"barrier.base_cycles", "cycles", optional, none},
    {"barrier.per_warp_cycles", "cycles", optional, none},
    {"constant.miss_cycles", "cycles", optional, &ConstantFacts::miss_cycles},
    {"constant.level1_bytes", "bytes", optional, &ConstantFacts::level1_bytes},
    {"l1.tag_lines", "1/cycle", optional, &L1Facts::tag_lines},
    {"l1.tag_hash_digits", "1", optional, &L1Facts::tag_hash_digits},
    {"tlb.page_bytes", "bytes", positive, &Gpu::page_bytes},
    {"tlb.level1_bytes", "bytes", required, none},
    {"tlb.level2_bytes", "bytes", required, none},
    {"tensor.half_macs", "1/cycle", optional, &TensorFacts::half_macs},
    {"tensor.integer_macs", "1/cycle", optional, &TensorFacts::integer_macs},
    {"tensor.double_macs", "1/cycle", optional, &TensorFacts::double_macs},
    {"tensor.single_macs", "1/cycle", optional, &TensorFacts::single_macs},
    {"tensor.byte_macs", "1/cycle", optional, &TensorFacts::byte_macs},
    {"tensor.nibble_macs", "1/cycle", optional, &TensorFacts::nibble_macs},
    {"tensor.binary_macs", "1/cycle", optional, &TensorFacts::binary_macs},
    {"tensor.wide_sum_share", "1", optional, &TensorFacts::wide_sum_share},
    {"tensor.warp_share", "1", optional, &TensorFacts::warp_share},
    {"tensor.latency_share", "1", optional, &TensorFacts::latency_share},
    {"tensor.clock_share", "1", optional, none},
    {"power.limit_w", "W", optional, &PowerFacts::limit_w},
    {"power.base_w", "W", optional, &PowerFacts::base_w},
    {"power.clock_w", "W", optional, &PowerFacts::clock_w},
    {"energy.other", "pJ", optional, &EnergyFacts::other},
    {"energy.memory_byte", "pJ", optional, &EnergyFacts::memory_byte},
    {"energy.l2_byte", "pJ", optional, &EnergyFacts::l2_byte},
    {"energy.matrix_operation", "pJ", optional, none},
    {"energy.quiet_share", "1", optional, &EnergyFacts::quiet_share},
};
// clang-format on

const SchemaRow* find_row(std::string_view path) {
  for (const SchemaRow& row : rows) {
    if (row.path == path) return &row;
  }
  return nullptr;
}

/// What the field that a row fills can hold.
FactKind kind_of(const SchemaRow& row) {
  if (row.unit == "word") return FactKind::word;
  return std::visit(
      [](const auto& field) {
        using Field = std::decay_t<decltype(field)>;
        if constexpr (std::is_same_v<Field, std::monostate>) {
          return FactKind::number;
        } else {
          using Value = field_value_t<Field>;
          if (std::is_same_v<Value, bool>) return FactKind::flag;
          return std::is_arithmetic_v<Value> ? FactKind::number : FactKind::list;
        }
      },
      row.field);
}

FactType class_type(std::string_view rest) {
  const std::size_t dot = rest.find('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view part = rest.substr(dot + 1);
  if (part == "pipe") return {"word", FactKind::word};
  if (part == "variable") return {"1", FactKind::flag};
  return {part == "cycles" || part == "latency" || part.starts_with("also.") ? "cycles" : ""};
}

FactType rules_type(std::string_view rest) {
  const std::size_t dot = rest.find('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view part = rest.substr(dot + 1);
  if (part == "use_control_words") return {"1", FactKind::flag};
  static constexpr std::array<std::string_view, 7> known = {
      "ilp",          "store_ilp", "branch_taken", "branch_not_taken",
      "guarded_exit", "barrier",   "replacement"};
  if (part.starts_with("latency.") || part.starts_with("load_gap.")) return {"cycles"};
  return {std::find(known.begin(), known.end(), part) == known.end() ? "" : "cycles"};
}

}  // namespace

std::span<const SchemaRow> schema() {
  return rows;
}

std::string_view path_of(const GpuField& field) {
  if (std::holds_alternative<std::monostate>(field)) return {};
  for (const SchemaRow& row : rows) {
    if (row.field == field) return row.path;
  }
  return {};
}

const Fact* fact_of(const Gpu& gpu, const GpuField& field) {
  const auto found = gpu.facts.find(path_of(field));
  return found == gpu.facts.end() ? nullptr : &found->second;
}

bool shown_with_result(std::string_view path) {
  static constexpr std::array<std::string_view, 10> groups = {
      "memory.", "clock.", "sm.", "issue.", "launch.", "l2.", "l1.", "shared.", "core.", "lsu."};
  return std::any_of(groups.begin(), groups.end(),
                     [&](std::string_view group) { return path.starts_with(group); });
}

FactType type_of_path(std::string_view path, const std::vector<std::string>& special) {
  if (path.starts_with("class.")) return class_type(path.substr(6));
  if (path.starts_with("model.")) return {"*"};  // a model's own constants
  if (path.starts_with("rules.")) return rules_type(path.substr(6));
  if (path.starts_with("memory.segments.")) {
    if (path.ends_with(".bytes")) return {"bytes"};
    if (path.ends_with(".reached_share")) return {"1"};
    return {path.ends_with(".gbs") ? "GB/s" : ""};
  }
  if (const SchemaRow* row = find_row(path)) return {row->unit, kind_of(*row)};
  if (path.starts_with("energy.")) return {"pJ"};  // per thread and instruction of a class
  for (const std::string& name : special) {
    if (path.starts_with(name) && path.substr(name.size()).starts_with('.')) {
      return {"*", FactKind::number, true};
    }
  }
  return {};
}

Expected<void> check_fact(std::string_view path, const Fact& fact,
                          const std::vector<std::string>& special) {
  const FactType type = type_of_path(path, special);
  if (!type.unit.empty()) return check_type(path, fact, type);
  std::vector<std::string> known;
  for (const SchemaRow& row : rows) known.emplace_back(row.path);
  return Diagnostic{place_in_file(fact.file, fact.line),
                    "no number is named '" + std::string(path) + "'",
                    join(nearest(path, known), " or "), "see docs/data.md"};
}

std::vector<std::string> nearest(std::string_view text, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, const std::string*>> scored;
  for (const std::string& name : names) {
    std::vector<std::size_t> row(name.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= text.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= name.size(); ++j) {
        const std::size_t above = row[j];
        const std::size_t change = text[i - 1] == name[j - 1] ? 0 : 1;
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + change});
        diagonal = above;
      }
    }
    // A name that contains the text is nearer than its edit distance suggests.
    const bool inside = !text.empty() && name.find(text) != std::string::npos;
    scored.emplace_back(inside ? 1 : row.back(), &name);
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> result;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, scored.size()); ++i) {
    result.push_back(*scored[i].second);
  }
  return result;
}

}  // namespace forewarp::hardware
