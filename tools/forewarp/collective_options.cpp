// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "collective_options.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "hardware/database.h"
#include "hardware/link_database.h"
#include "hardware/peer_link.h"
#include "request/text/count_text.h"

namespace forewarp::cli {
namespace {

constexpr std::uint32_t most_ranks = 1U << 24;
constexpr std::uint32_t most_adapters = 64;  // above any node: a typing error
constexpr double most_rate = 1e6, most_latency_us = 1e9;
constexpr std::string_view list_of_links = "'forewarp link list' has all";

Expected<std::uint32_t> natural(const char* flag, const std::string& text, std::uint32_t least,
                                std::uint32_t most) {
  const auto number = parse_natural(text);
  if (number && *number >= least && *number <= most) return static_cast<std::uint32_t>(*number);
  return Diagnostic{flag, "'" + text + "'",
                    fmt::format("a whole number from {} to {}", least, most), ""};
}

Expected<double> network_rate(const std::string& text) {
  const auto number = parse_number(text);
  if (number && *number > 0 && *number <= most_rate) return *number;
  return Diagnostic{"--network-gbs", "'" + text + "'",
                    "a number above 0, to " + significant(most_rate) + " GB/s", ""};
}

Expected<double> latency_us(const std::string& text) {
  if (text.empty()) return 0.0;
  const auto number = parse_number(text);
  if (number && *number >= 0 && *number <= most_latency_us) return *number;
  return Diagnostic{"--latency", "'" + text + "'",
                    "a number from 0 to " + significant(most_latency_us) + " us", ""};
}

Expected<std::vector<double>> sizes_of(const std::string& text) {
  constexpr double most_bytes = 9e15;
  std::vector<double> sizes;
  for (const std::string_view part : split(text, ',')) {
    const auto count = parse_count(trim(part));
    const auto size =
        count ? std::optional<double>(static_cast<double>(*count)) : parse_number(trim(part));
    if (!size || !(*size >= 0 && *size <= most_bytes) || *size != std::floor(*size)) {
      return Diagnostic{"--bytes", "'" + std::string(part) + "'",
                        "sizes in whole bytes, up to " + significant(most_bytes) + ": N[,N..]",
                        "--bytes 16M,64MB,1G, or 1e9"};
    }
    sizes.push_back(*size);
  }
  return sizes;
}

Expected<void> count_ranks(const CollectiveOptions& options, CollectivePlace& place) {
  const auto ranks = natural("--ranks", options.ranks, 2, most_ranks);
  if (!ranks) return ranks.error();
  const auto nodes = natural("--nodes", options.nodes, 1, most_ranks);
  if (!nodes) return nodes.error();
  if (*ranks % *nodes != 0) {
    return Diagnostic{"--ranks", fmt::format("{} ranks on {} nodes", *ranks, *nodes),
                      "as many on each node",
                      "--ranks is the number of GPUs of all nodes together"};
  }
  place.ranks = *ranks;
  place.nodes = *nodes;
  return {};
}

/// Options that were given and change nothing.
void say_without_effect(std::vector<std::string> given, const std::string& why,
                        AskedCollective& asked) {
  std::erase(given, "");
  if (given.empty()) return;
  asked.assumptions.push_back(fmt::format("without effect: {}: {}", fmt::join(given, ", "), why));
}

std::string flag_if(const std::string& value, const char* flag) {
  return value.empty() ? "" : flag;
}

/// The link between the GPUs of a node.
Expected<void> join_gpus(const CollectiveOptions& options, const Gpu& gpu,
                         const LinkDatabase& links, AskedCollective& asked) {
  CollectivePlace& place = asked.place;
  const std::uint32_t per_node = place.ranks / place.nodes;
  if (per_node == 1) {
    say_without_effect(
        {flag_if(options.fabric, "--fabric"), options.reduces == "auto" ? "" : "--switch"},
        "each node has one GPU", asked);
    return {};
  }
  if (options.fabric.empty()) {
    return Diagnostic{
        "--fabric", fmt::format("is missing: {} GPUs of a node exchange data", per_node),
        "a link between them: nvlink-4, pcie-5, a .toml file", std::string(list_of_links)};
  }
  const auto link = links.load(options.fabric);
  if (!link) return link.error();
  if (!link->peer.kind || link->peer.gbs <= 0) {
    return Diagnostic{"--fabric", "nothing says what GPUs reach over " + link->id,
                      "peer.kind and peer.gbs in its file", "see docs/collectives.md"};
  }
  if (link->peer.kind == PeerKind::network) {
    return Diagnostic{"--fabric", link->id + " joins nodes", "a link between GPUs: nvlink, pcie",
                      "--network names it"};
  }
  if (auto fine = check_peer_link(links, gpu, *link, per_node, "--fabric"); !fine) return fine;
  place.fabric = *link->peer.kind;
  place.fabric_gbs = link->peer.gbs;
  place.fabric_theory_gbs = link->theory_gbs;
  asked.title += ", " + link->id;
  if (copies_through_host(gpu, *link)) {
    asked.assumptions.push_back(fmt::format(
        "a lower bound: {} has no peer access over PCIe (peer.staged), data go through the host's "
        "memory; the time is that of a link with peer access",
        gpu.name));
  }
  return {};
}

/// The link between nodes; a rate that was given stands for what a message reaches over it.
Expected<void> join_nodes(const CollectiveOptions& options, const LinkDatabase& links,
                          AskedCollective& asked) {
  CollectivePlace& place = asked.place;
  if (options.network.empty() && options.network_gbs.empty()) {
    return Diagnostic{"--network", fmt::format("is missing: {} nodes exchange data", place.nodes),
                      "a link between them: infiniband-ndr, roce-x4, a .toml file, or its "
                      "--network-gbs",
                      std::string(list_of_links)};
  }
  if (!options.network.empty()) {
    const auto link = links.load(options.network);
    if (!link) return link.error();
    if (link->peer.kind && link->peer.kind != PeerKind::network) {
      return Diagnostic{"--network", link->id + " joins GPUs of a node",
                        "a link between nodes: infiniband, roce", "--fabric names it"};
    }
    place.network_gbs = link->peer.gbs;
    asked.title += ", " + link->id + " between nodes";
    if (place.network_gbs <= 0 && options.network_gbs.empty()) {
      return Diagnostic{"--network", "nothing says what GPUs reach over " + link->id,
                        "peer.kind and peer.gbs in its file", "or give --network-gbs"};
    }
  }
  if (options.network_gbs.empty()) return {};
  place.network_nominal_gbs = place.network_gbs;  // of the link by which the library chooses
  place.network_gbs = *network_rate(options.network_gbs);
  return {};
}

/// What nodes have between them; their options are in range, whether they count or not.
Expected<void> place_nodes(const CollectiveOptions& options, const LinkDatabase& links,
                           AskedCollective& asked) {
  CollectivePlace& place = asked.place;
  const std::uint32_t per_node = place.ranks / place.nodes;
  place.adapters = per_node;
  if (!options.adapters.empty()) {
    const auto adapters = natural("--adapters", options.adapters, 1, most_adapters);
    if (!adapters) return adapters.error();
    place.adapters = *adapters;
  }
  const auto latency = latency_us(options.latency);
  if (!latency) return latency.error();
  place.network_latency_us = *latency;
  if (!options.network_gbs.empty()) {
    if (const auto rate = network_rate(options.network_gbs); !rate) return rate.error();
  }
  if (place.nodes == 1) {
    say_without_effect(
        {flag_if(options.network, "--network"), flag_if(options.network_gbs, "--network-gbs"),
         flag_if(options.adapters, "--adapters"), flag_if(options.latency, "--latency")},
        "all GPUs stand in one node (--nodes)", asked);
    return {};
  }
  if (!options.adapters.empty() && place.adapters > per_node) {
    asked.assumptions.push_back(fmt::format("of {} adapters of a node {} {} used: one for each GPU",
                                            place.adapters, per_node, per_node > 1 ? "are" : "is"));
  }
  return join_nodes(options, links, asked);
}

/// Whether a switch stands between the GPUs of a node, and adds up.
Expected<void> place_switch(const CollectiveOptions& options, const Gpu& gpu,
                            AskedCollective& asked) {
  CollectivePlace& place = asked.place;
  const bool is_nvlink = place.fabric == PeerKind::nvlink;
  const bool can_reduce = is_nvlink && asked.tables.nvls_share[place.generation] > 0;
  if (options.reduces == "reduces" && place.ranks > place.nodes && !can_reduce) {
    return Diagnostic{"--switch",
                      is_nvlink ? "'reduces' between boards of capability " + gpu.cc.text()
                                : std::string("'reduces' without NVLink"),
                      "auto, none or plain: switches add up between boards from Hopper on, over "
                      "NVLink",
                      ""};
  }
  place.is_switched = options.reduces == "plain" || options.reduces == "reduces" ||
                      (options.reduces == "auto" && is_nvlink && place.ranks / place.nodes > 2);
  place.switch_reduces = options.reduces == "reduces" ||
                         (options.reduces == "auto" && place.is_switched && can_reduce);
  return {};
}

}  // namespace

Expected<AskedCollective> asked_collective(const CollectiveOptions& options) {
  const auto located = HardwareDatabase::locate();
  if (!located) return located.error();
  AskedCollective asked;
  auto tables = load_collective_tables(located->directory(), options.tables);
  if (!tables) return std::move(tables).error();
  asked.tables = *std::move(tables);
  const auto gpu = located->load(options.gpu);
  if (!gpu) return gpu.error();
  CollectivePlace& place = asked.place;
  place.generation = collective_generation(static_cast<std::uint32_t>(gpu->cc.sm()));
  place.l2_bytes = gpu->l2.bytes;
  const LinkDatabase links(located->directory());
  if (auto fine = count_ranks(options, place); !fine) return fine.error();
  if (auto fine = join_gpus(options, *gpu, links, asked); !fine) return fine.error();
  if (auto fine = place_nodes(options, links, asked); !fine) return fine.error();
  if (auto fine = place_switch(options, *gpu, asked); !fine) return fine.error();
  asked.kind = *collective_named(options.kind);
  auto sizes = sizes_of(options.bytes);
  if (!sizes) return std::move(sizes).error();
  asked.sizes = *std::move(sizes);
  asked.title =
      fmt::format("{} over {} x {}{}{}", options.kind, place.ranks, gpu->name,
                  place.nodes > 1 ? fmt::format(" on {} nodes", place.nodes) : "", asked.title);
  return asked;
}

}  // namespace forewarp::cli
