// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/collective/collective_time.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/text.h"

namespace forewarp::model {
namespace {

constexpr std::array<std::string_view, 5> kind_names = {"all_reduce", "all_gather",
                                                        "reduce_scatter", "broadcast", "send"};
constexpr std::array<std::string_view, 4> algorithm_names = {"ring", "tree", "nvls", "direct"};
constexpr std::array<std::string_view, 3> protocol_names = {"LL", "LL128", "Simple"};
constexpr double bytes_per_us = 1e3;  // 1 GB/s in bytes per us
constexpr double post_of_simple = 3;  // data, counter and flush

std::size_t index(auto value) {
  return static_cast<std::size_t>(value);
}

/// The tables' bandwidths and latencies for one place and kind.
class Estimate {
 public:
  Estimate(const CollectiveTables& tables, const CollectivePlace& place, CollectiveKind kind,
           double bytes)
      : t_(tables), p_(place), kind_(kind), bytes_(bytes) {}

  [[nodiscard]] std::vector<CollectiveOption> options() const {
    std::vector<CollectiveOption> options;
    for (std::size_t i = 0; i < collective_protocols; ++i) {
      const auto protocol = static_cast<CollectiveProtocol>(i);
      // LL128 needs stores of 128 bytes that arrive whole: NVLink, and no host memory between.
      const bool whole = p_.fabric == PeerKind::nvlink && p_.nodes == 1;
      if (protocol == CollectiveProtocol::ll128 && !whole) continue;
      options.push_back(made(CollectiveAlgorithm::ring, protocol));
      if (kind_ == CollectiveKind::all_reduce) {
        options.push_back(made(CollectiveAlgorithm::tree, protocol));
      }
    }
    if (p_.switch_reduces && p_.nodes == 1 && p_.ranks >= t_.nvls_fewest &&
        kind_ != CollectiveKind::broadcast && t_.nvls_share[p_.generation] > 0) {
      options.push_back(made(CollectiveAlgorithm::nvls, CollectiveProtocol::simple));
    }
    return options;
  }

 private:
  [[nodiscard]] double ranks() const { return p_.ranks; }
  [[nodiscard]] double per_node() const { return ranks() / p_.nodes; }
  [[nodiscard]] std::size_t cap_row() const { return std::min<std::size_t>(p_.nodes, 3) - 1; }
  [[nodiscard]] PeerKind bound() const { return p_.nodes > 1 ? PeerKind::network : p_.fabric; }

  [[nodiscard]] double steps() const {
    if (kind_ == CollectiveKind::all_reduce) return 2 * (ranks() - 1);
    return kind_ == CollectiveKind::broadcast ? ranks() : ranks() - 1;
  }

  [[nodiscard]] double used_adapters() const {
    return std::min<double>(std::max<std::uint32_t>(p_.adapters, 1), per_node());
  }

  [[nodiscard]] double channels() const {
    if (p_.nodes > 1) return t_.network_channels * used_adapters();
    return p_.fabric == PeerKind::nvlink ? t_.nvlink_channels[p_.generation] : t_.pcie_channels;
  }

  /// Of all channels of a ring, as the library thinks or as it is.
  [[nodiscard]] double ring_gbs(bool is_nominal) const {
    if (p_.nodes == 1) return p_.fabric_gbs;
    const bool is_known = is_nominal && p_.network_nominal_gbs > 0;
    const double out = (is_known ? p_.network_nominal_gbs : p_.network_gbs) * used_adapters();
    return per_node() > 1 ? std::min(out, p_.fabric_gbs) : out;
  }

  [[nodiscard]] double bus_gbs(CollectiveAlgorithm algorithm, CollectiveProtocol protocol,
                               bool is_nominal) const {
    const std::size_t row = cap_row(), i = index(protocol), g = p_.generation;
    if (algorithm == CollectiveAlgorithm::nvls) {
      const double heads = (channels() - 1) / channels() * t_.nvls_share[g];
      const double passes =
          kind_ == CollectiveKind::all_reduce ? 2.0 : (per_node() - 1) / per_node();
      return ring_gbs(is_nominal) * heads * passes;
    }
    const bool is_ring = algorithm == CollectiveAlgorithm::ring;
    const ByProtocol& share = is_ring         ? t_.ring_share
                              : p_.nodes == 1 ? t_.tree_share
                                              : t_.tree_between_share;
    double bus = ring_gbs(is_nominal) * share[i];
    if (!is_ring) bus = std::min(bus, channels() * t_.tree_cap[row][g]);
    if (protocol == CollectiveProtocol::ll) bus = std::min(bus, t_.ll_cap[row][g]);
    if (protocol == CollectiveProtocol::ll128) {
      const double each = is_ring ? t_.ring_ll128_cap[g] : t_.tree_ll128_cap[row][g];
      bus = std::min(bus, channels() * each);
    }
    return bus;
  }

  /// Bytes of the collective per byte over one link.
  [[nodiscard]] double ratio(CollectiveAlgorithm algorithm) const {
    const bool is_reduce = kind_ == CollectiveKind::all_reduce;
    if (algorithm == CollectiveAlgorithm::tree) return 0.5;
    if (algorithm == CollectiveAlgorithm::nvls && !is_reduce) return 1;
    return ranks() / steps();
  }

  [[nodiscard]] double correction(CollectiveProtocol protocol) const {
    const std::vector<double>& by_size = t_.tree_correction[index(protocol)];
    const auto units = static_cast<std::uint64_t>(bytes_ / t_.correction_first_bytes);
    const std::size_t at = units < 1 ? 0 : static_cast<std::size_t>(std::bit_width(units)) - 1;
    return at < by_size.size() ? by_size[at] : 1;
  }

  /// A step between nodes; where a GPU is alone on its node, nothing hides the network.
  [[nodiscard]] double between_us(CollectiveAlgorithm algorithm, std::size_t i) const {
    const bool exposed = algorithm == CollectiveAlgorithm::tree || per_node() == 1;
    const std::size_t net = index(PeerKind::network);
    const bool is_simple = i == index(CollectiveProtocol::simple);
    return (exposed ? t_.tree_step[net] : t_.ring_step[net])[i] +
           p_.network_latency_us * (is_simple ? 2 : 1);
  }

  /// Of all steps, us: within nodes and between them.
  struct Latency {
    double within = 0, between = 0;
  };

  [[nodiscard]] Latency ring_latency(std::size_t i) const {
    const std::size_t within = index(p_.fabric);
    const bool is_simple = i == index(CollectiveProtocol::simple);
    if (kind_ == CollectiveKind::broadcast) {
      if (p_.nodes == 1) return {t_.ring_step[within][i], 0};
      return {0, steps() * t_.tree_step[index(PeerKind::network)][i]};
    }
    double inside = t_.ring_step[within][i];
    if (p_.nodes == 1) return {steps() * inside, 0};
    inside = std::max(inside, t_.post_us * (is_simple ? post_of_simple : 1));
    const double between = (kind_ == CollectiveKind::all_reduce ? 2.0 : 1.0) * (p_.nodes - 1);
    return {(steps() - between) * inside, between * between_us(CollectiveAlgorithm::ring, i)};
  }

  [[nodiscard]] Latency latency(CollectiveAlgorithm algorithm, std::size_t i) const {
    if (algorithm == CollectiveAlgorithm::nvls) return {t_.nvls_us, 0};
    if (algorithm == CollectiveAlgorithm::ring) return ring_latency(i);
    const double levels = std::floor(std::log2(p_.nodes));
    return {2 * (per_node() - 1) * t_.tree_step[index(p_.fabric)][i],
            2 * levels * between_us(algorithm, i)};
  }

  [[nodiscard]] double plateau(CollectiveAlgorithm algorithm, CollectiveProtocol protocol) const {
    const bool is_it = algorithm == CollectiveAlgorithm::ring && p_.nodes > 1 &&
                       protocol == CollectiveProtocol::simple &&
                       kind_ == CollectiveKind::all_reduce &&
                       bytes_ / (channels() * ranks()) >= t_.plateau_bytes;
    return is_it ? t_.plateau : 1;
  }

  [[nodiscard]] CollectiveOption made(CollectiveAlgorithm algorithm,
                                      CollectiveProtocol protocol) const {
    CollectiveOption option{algorithm, protocol};
    const std::size_t i = index(protocol);
    const bool is_nvls = algorithm == CollectiveAlgorithm::nvls;
    const double times = plateau(algorithm, protocol);
    const double startup =
        is_nvls ? 0
                : times * (algorithm == CollectiveAlgorithm::ring ? t_.ring_startup
                                                                  : t_.tree_startup)[i];
    const auto [within, between] = latency(algorithm, i);
    const double per_bus =
        ratio(algorithm) * (algorithm == CollectiveAlgorithm::tree ? correction(protocol) : 1);
    option.table_us = startup + times * (within + between) +
                      bytes_ / (bus_gbs(algorithm, protocol, true) * per_bus) / bytes_per_us;
    const ReachedCollective& reached = t_.reached[index(bound())][p_.generation];
    const ReachedCollective& inside = t_.reached[index(p_.fabric)][p_.generation];
    option.startup_us = startup * reached.latency[i];
    option.latency_us =
        times * (within * (is_nvls ? 1 : inside.latency[i]) + between * reached.latency[i]);
    option.bus_gbs = bus_gbs(algorithm, protocol, false) * reached.share[i];
    // Each GPU's data pass its own link once.
    if (is_nvls) option.bus_gbs = std::min(option.bus_gbs, p_.fabric_gbs / per_bus);
    option.transfer_us = bytes_ / (option.bus_gbs * per_bus) / bytes_per_us;
    option.us = option.startup_us + option.latency_us + option.transfer_us;
    option.steps = algorithm == CollectiveAlgorithm::ring ? steps() : 2;
    option.channels = channels();
    const double parts = algorithm == CollectiveAlgorithm::ring ? ranks() : 1;
    option.chunk_bytes = bytes_ / (channels() * parts);
    return option;
  }

  const CollectiveTables& t_;
  const CollectivePlace& p_;
  CollectiveKind kind_;
  double bytes_;
};

CollectiveOption message(const CollectiveTables& tables, const CollectivePlace& place,
                         double bytes) {
  const bool between = place.nodes > 1;
  const bool is_short = bytes <= tables.send_short_bytes;
  CollectiveOption option{CollectiveAlgorithm::direct,
                          is_short ? CollectiveProtocol::ll : CollectiveProtocol::simple};
  option.startup_us = between             ? tables.send_network_us
                      : place.is_switched ? tables.send_switch_us
                                          : tables.send_direct_us;
  if (is_short) option.startup_us *= tables.send_short;
  const double share = tables.send_share * (bytes > place.l2_bytes ? tables.send_memory_share : 1);
  option.bus_gbs = between ? place.network_gbs : place.fabric_theory_gbs * share;
  option.transfer_us = bytes / option.bus_gbs / bytes_per_us;
  option.us = option.table_us = option.startup_us + option.transfer_us;
  option.steps = option.channels = 1;
  option.chunk_bytes = bytes;
  return option;
}

/// Bytes that pass one rank's link.
double passed(CollectiveKind kind, double ranks, double bytes) {
  const bool is_whole = kind == CollectiveKind::broadcast || kind == CollectiveKind::send_receive;
  if (is_whole) return bytes;
  return bytes * (ranks - 1) / ranks * (kind == CollectiveKind::all_reduce ? 2 : 1);
}

const MeasuredRange& spread_of(const CollectiveSpread& spread, const CollectivePlace& place,
                               double bytes) {
  const bool is_small = bytes < spread.small_bytes;
  if (place.nodes > 1) return is_small ? spread.between_small : spread.between;
  return is_small ? spread.within_small : spread.within;
}

Expected<void> check(const CollectivePlace& place, CollectiveKind kind, double bytes) {
  if (place.ranks < 2 || place.nodes < 1 || place.ranks % place.nodes != 0) {
    return Diagnostic{
        "collective",
        std::to_string(place.ranks) + " ranks on " + std::to_string(place.nodes) + " nodes",
        "two ranks or more, as many on each node", ""};
  }
  if (kind == CollectiveKind::send_receive && place.ranks != 2) {
    return Diagnostic{"collective", "a message between " + std::to_string(place.ranks) + " ranks",
                      "two", ""};
  }
  if (place.nodes > 1 && place.network_gbs <= 0) {
    return Diagnostic{"collective", std::to_string(place.nodes) + " nodes without a network",
                      "the network's bandwidth", "give one node, or what joins them"};
  }
  if (place.ranks > place.nodes && (place.fabric_gbs <= 0 || place.fabric_theory_gbs <= 0)) {
    return Diagnostic{"collective", "GPUs of a node without a link between them",
                      "the fabric's bandwidth", ""};
  }
  if (!std::isfinite(bytes) || bytes < 0) {
    return Diagnostic{"collective", significant(bytes) + " bytes", "a number from 0", ""};
  }
  return {};
}

std::vector<std::string> assumed(const CollectiveTables& tables, const CollectivePlace& place,
                                 CollectiveKind kind) {
  std::vector<std::string> said;
  if (kind == CollectiveKind::send_receive) return said;
  const PeerKind by = place.nodes > 1 ? PeerKind::network : place.fabric;
  if (tables.reached[index(by)][place.generation].confidence == Confidence::assumed) {
    said.push_back("nobody measured " + std::string(collective_generation_name(place.generation)) +
                   " over " + std::string(peer_kind_name(by)) +
                   ": as the nearest generation that was, or as " + tables.name + "'s tables");
  }
  said.push_back("all ranks come at the same time; who comes late makes the others wait");
  return said;
}

}  // namespace

std::string_view collective_name(CollectiveKind kind) {
  return kind_names[index(kind)];
}

std::optional<CollectiveKind> collective_named(std::string_view name) {
  const auto found = std::find(kind_names.begin(), kind_names.end(), name);
  if (found == kind_names.end()) return std::nullopt;
  return static_cast<CollectiveKind>(found - kind_names.begin());
}

std::string_view algorithm_name(CollectiveAlgorithm algorithm) {
  return algorithm_names[index(algorithm)];
}

std::string_view protocol_name(CollectiveProtocol protocol) {
  return protocol_names[index(protocol)];
}

Expected<CollectiveTime> collective_time(const CollectiveTables& tables,
                                         const CollectivePlace& place, CollectiveKind kind,
                                         double bytes) {
  if (auto fine = check(place, kind, bytes); !fine) return fine.error();
  CollectiveTime time;
  if (kind == CollectiveKind::send_receive) {
    time.options = {message(tables, place, bytes)};
  } else {
    time.options = Estimate(tables, place, kind, bytes).options();
    std::stable_sort(time.options.begin(), time.options.end(),
                     [](const CollectiveOption& a, const CollectiveOption& b) {
                       return a.table_us < b.table_us;
                     });
  }
  time.chosen = time.options.front();
  time.busy_gbs = passed(kind, place.ranks, bytes) / time.chosen.us / bytes_per_us;
  const auto [low, high] = spread_of(tables.spread, place, bytes);
  time.interval_us = {low * time.chosen.us, high * time.chosen.us};
  time.assumptions = assumed(tables, place, kind);
  return time;
}

}  // namespace forewarp::model
