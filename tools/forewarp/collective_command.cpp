// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "command.h"
#include "hardware/collective_tables.h"
#include "hardware/database.h"
#include "hardware/link_database.h"
#include "model/collective/collective_time.h"
#include "request/text/count_text.h"

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string kind, bytes, gpu, fabric, network, network_gbs, format = "text", reduces = "auto",
                                                              tables = "nccl";
  std::string ranks, nodes = "1", adapters = "0", latency = "0";
  bool all = false;
};

/// What was asked, as numbers.
struct Asked {
  CollectiveTables tables;
  CollectivePlace place;
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::vector<double> sizes;
  std::string title;
};

constexpr std::uint32_t most_ranks = 1U << 24;

Expected<std::uint32_t> natural(const char* flag, const std::string& text, std::uint32_t least) {
  const auto number = parse_natural(text);
  if (number && *number >= least && *number <= most_ranks) {
    return static_cast<std::uint32_t>(*number);
  }
  return Diagnostic{flag, "'" + text + "'", "a whole number from " + std::to_string(least), ""};
}

Expected<double> positive(const char* flag, const std::string& text) {
  const auto number = parse_number(text);
  if (number && *number >= 0 && *number < 1e9) return *number;
  return Diagnostic{flag, "'" + text + "'", "a number from 0", ""};
}

Expected<std::vector<double>> sizes_of(const std::string& text) {
  std::vector<double> sizes;
  for (const std::string_view part : split(text, ',')) {
    const auto count = parse_count(trim(part));
    const auto size =
        count ? std::optional<double>(static_cast<double>(*count)) : parse_number(trim(part));
    if (!size || !(*size >= 0 && *size <= 9e15)) {
      return Diagnostic{"--bytes", "'" + std::string(part) + "'", "sizes in bytes: N[,N..]",
                        "--bytes 16M,64MB,1G, or 1e9"};
    }
    sizes.push_back(*size);
  }
  return sizes;
}

/// The links that join the GPUs, by their files.
Expected<std::string> join_gpus(const Options& options, const LinkDatabase& links,
                                CollectivePlace& place) {
  std::string title;
  if (!options.fabric.empty()) {
    const auto link = links.load(options.fabric);
    if (!link) return link.error();
    if (!link->peer.kind || link->peer.gbs <= 0) {
      return Diagnostic{"--fabric", "nothing says what GPUs reach over " + link->id,
                        "peer.kind and peer.gbs in its file", "see docs/collectives.md"};
    }
    place.fabric = *link->peer.kind;
    place.fabric_gbs = link->peer.gbs;
    place.fabric_theory_gbs = link->theory_gbs;
    title += ", " + link->id;
  }
  if (options.network.empty()) return title;
  const auto link = links.load(options.network);
  if (!link) return link.error();
  place.network_gbs = link->peer.gbs;
  return title + ", " + link->id + " between nodes";
}

Expected<void> place_ranks(const Options& options, CollectivePlace& place) {
  const auto ranks = natural("--ranks", options.ranks, 2);
  const auto nodes = natural("--nodes", options.nodes, 1);
  const auto adapters = natural("--adapters", options.adapters, 0);
  const auto latency = positive("--latency", options.latency);
  if (!ranks || !nodes) return ranks ? nodes.error() : ranks.error();
  if (!adapters || !latency) return adapters ? latency.error() : adapters.error();
  place.ranks = *ranks;
  place.nodes = *nodes;
  place.adapters = *adapters == 0 ? std::max(1U, *ranks / *nodes) : *adapters;
  place.network_latency_us = *latency;
  if (options.network_gbs.empty()) return {};
  const auto gbs = positive("--network-gbs", options.network_gbs);
  if (!gbs) return gbs.error();
  place.network_nominal_gbs = place.network_gbs;  // of the link by which the library chooses
  place.network_gbs = *gbs;
  return {};
}

Expected<Asked> asked(const Options& options) {
  const auto located = HardwareDatabase::locate();
  if (!located) return located.error();
  Asked asked;
  auto tables = load_collective_tables(located->directory(), options.tables);
  if (!tables) return std::move(tables).error();
  asked.tables = *std::move(tables);
  const auto gpu = located->load(options.gpu);
  if (!gpu) return gpu.error();
  CollectivePlace& place = asked.place;
  place.generation = collective_generation(static_cast<std::uint32_t>(gpu->cc.sm()));
  place.l2_bytes = gpu->l2.bytes;
  const auto joined = join_gpus(options, LinkDatabase(located->directory()), place);
  if (!joined) return joined.error();
  if (auto fine = place_ranks(options, place); !fine) return fine.error();
  const bool is_nvlink = place.fabric == PeerKind::nvlink;
  place.is_switched = options.reduces == "plain" || options.reduces == "reduces" ||
                      (options.reduces == "auto" && is_nvlink && place.ranks / place.nodes > 2);
  place.switch_reduces =
      options.reduces == "reduces" || (options.reduces == "auto" && place.is_switched &&
                                       asked.tables.nvls_share[place.generation] > 0);
  asked.kind = *collective_named(options.kind);
  const auto sizes = sizes_of(options.bytes);
  if (!sizes) return sizes.error();
  asked.sizes = *sizes;
  asked.title =
      fmt::format("{} over {} x {}{}{}", options.kind, place.ranks, gpu->name,
                  place.nodes > 1 ? fmt::format(" on {} nodes", place.nodes) : "", *joined);
  return asked;
}

std::string named(const CollectiveOption& option) {
  return fmt::format("{}/{}", algorithm_name(option.algorithm), protocol_name(option.protocol));
}

Json option_json(const CollectiveOption& option) {
  return {{"algorithm", algorithm_name(option.algorithm)},
          {"protocol", protocol_name(option.protocol)},
          {"table_us", option.table_us},
          {"time_us", option.us},
          {"startup_us", option.startup_us},
          {"latency_us", option.latency_us},
          {"transfer_us", option.transfer_us},
          {"bus_gbs", option.bus_gbs},
          {"steps", option.steps},
          {"channels", option.channels},
          {"chunk_bytes", option.chunk_bytes}};
}

void print_json(const Options& options, const Asked& asked,
                const std::vector<CollectiveTime>& times) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < times.size(); ++i) {
    Json row = {{"bytes", asked.sizes[i]}};
    row.update(option_json(times[i].chosen));
    row["interval_us"] = times[i].interval_us;
    row["busy_gbs"] = times[i].busy_gbs;
    if (options.all) {
      for (const CollectiveOption& one : times[i].options)
        row["options"].push_back(option_json(one));
    }
    rows.push_back(row);
  }
  const Json json = {{"schema", "forewarp.collective/1"},
                     {"collective", options.kind},
                     {"ranks", asked.place.ranks},
                     {"nodes", asked.place.nodes},
                     {"tables", asked.tables.id},
                     {"sizes", rows},
                     {"assumptions", times.front().assumptions}};
  fmt::print("{}\n", json.dump(2));
}

void print_table(const Options& options, const Asked& asked,
                 const std::vector<CollectiveTime>& times) {
  fmt::print("{}\n{:>14}  {:>12}  {:>22}  {:<12}  {:>10}  {:>10}  {:>11}  {:>9}\n", asked.title,
             "bytes", "time us", "80 % of measured", "by", "start-up", "steps us", "transfer us",
             "bus GB/s");
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto& options_of = times[i].options;
    const auto [from, to] = times[i].interval_us;
    const std::size_t shown = options.all ? options_of.size() : 1;
    for (std::size_t k = 0; k < shown; ++k) {
      const CollectiveOption& one = options_of[k];
      fmt::print("{:>14}  {:>12.2f}  {:>22}  {:<12}  {:>10.2f}  {:>10.2f}  {:>11.2f}  {:>9.1f}{}\n",
                 k == 0 ? fmt::format("{:.0f}", asked.sizes[i]) : "", one.us,
                 k == 0 ? fmt::format("{:.2f} to {:.2f}", from, to) : "", named(one),
                 one.startup_us, one.latency_us, one.transfer_us, one.bus_gbs,
                 options.all
                     ? fmt::format("   {} estimates {:.2f}", asked.tables.name, one.table_us)
                     : "");
    }
  }
  for (const std::string& line : times.front().assumptions) fmt::print("assumed: {}\n", line);
}

Expected<int> time_collectives(const Options& options) {
  const auto asked_for = asked(options);
  if (!asked_for) return asked_for.error();
  std::vector<CollectiveTime> times;
  for (const double size : asked_for->sizes) {
    auto time = collective_time(asked_for->tables, asked_for->place, asked_for->kind, size);
    if (!time) return std::move(time).error();
    times.push_back(*std::move(time));
  }
  if (options.format == "json") {
    print_json(options, *asked_for, times);
  } else {
    print_table(options, *asked_for, times);
  }
  return 0;
}

}  // namespace

Command collective_command() {
  auto own = std::make_shared<Options>();
  Command command{"collective", "how long GPUs take to exchange data: all-reduce, all-gather, .."};
  command.flags = {
      {"KIND",
       &own->kind,
       "all_reduce, all_gather, reduce_scatter, broadcast or send",
       {"all_reduce", "all_gather", "reduce_scatter", "broadcast", "send"},
       true},
      {.names = "--bytes",
       .target = &own->bytes,
       .help =
           "sizes: N[,N..], 16M, 64MB; of the whole result of an all_gather, the whole input of a "
           "reduce_scatter",
       .required = true},
      {.names = "--gpu", .target = &own->gpu, .help = "id of the GPUs", .required = true},
      {.names = "--ranks", .target = &own->ranks, .help = "GPUs in all", .required = true},
      {"--nodes", &own->nodes, "machines that they stand in (default 1)"},
      {"--fabric", &own->fabric, "link between the GPUs of a node: nvlink-3, pcie-4, a .toml file"},
      {"--network", &own->network, "link between nodes: infiniband-hdr, roce-x4, a .toml file"},
      {"--network-gbs", &own->network_gbs,
       "GB/s that a message reaches over one adapter; the library chooses by those of --network"},
      {"--latency", &own->latency, "us of the network beyond what the tables say of a step"},
      {"--adapters", &own->adapters, "network adapters of a node (default: one for each GPU)"},
      {"--switch",
       &own->reduces,
       "between the GPUs of a node: none, plain, reduces (it adds up), auto (default: where more "
       "than two GPUs have "
       "NVLink; it adds up from Hopper on)",
       {"auto", "none", "plain", "reduces"}},
      {"--tables", &own->tables,
       "of a library: an id of data/collectives (default nccl) or a .toml file"},
      {"--all", &own->all, "every algorithm and protocol, and what the library estimates"},
      {"--format", &own->format, "text or json", {"text", "json"}}};
  command.action = [own]() -> Expected<int> { return time_collectives(*own); };
  return command;
}

}  // namespace forewarp::cli
