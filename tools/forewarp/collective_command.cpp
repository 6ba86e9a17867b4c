// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "collective_options.h"
#include "command.h"

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  CollectiveOptions asked;
  std::string format = "text";
  bool all = false;
};

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

void print_json(const Options& options, const AskedCollective& asked,
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
                     {"collective", options.asked.kind},
                     {"ranks", asked.place.ranks},
                     {"nodes", asked.place.nodes},
                     {"tables", asked.tables.id},
                     {"sizes", rows},
                     {"assumptions", times.front().assumptions}};
  fmt::print("{}\n", json.dump(2));
}

void print_table(const Options& options, const AskedCollective& asked,
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
  const auto asked_for = asked_collective(options.asked);
  if (!asked_for) return asked_for.error();
  std::vector<CollectiveTime> times;
  for (const double size : asked_for->sizes) {
    auto time = collective_time(asked_for->tables, asked_for->place, asked_for->kind, size);
    if (!time) return std::move(time).error();
    time->assumptions.insert(time->assumptions.begin(), asked_for->assumptions.begin(),
                             asked_for->assumptions.end());
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
       &own->asked.kind,
       "all_reduce, all_gather, reduce_scatter, broadcast or send",
       {"all_reduce", "all_gather", "reduce_scatter", "broadcast", "send"},
       true},
      {.names = "--bytes",
       .target = &own->asked.bytes,
       .help =
           "sizes: N[,N..], 16M, 64MB; of the whole result of an all_gather, the whole input of a "
           "reduce_scatter",
       .required = true},
      {.names = "--gpu", .target = &own->asked.gpu, .help = "id of the GPUs", .required = true},
      {.names = "--ranks", .target = &own->asked.ranks, .help = "GPUs in all", .required = true},
      {"--nodes", &own->asked.nodes, "machines that they stand in (default 1)"},
      {"--fabric", &own->asked.fabric,
       "link between the GPUs of a node: nvlink-3, pcie-4, a .toml file"},
      {"--network", &own->asked.network,
       "link between nodes: infiniband-hdr, roce-x4, a .toml file"},
      {"--network-gbs", &own->asked.network_gbs,
       "GB/s that a message reaches over one adapter; the library chooses by those of --network"},
      {"--latency", &own->asked.latency, "us of the network beyond what the tables say of a step"},
      {"--adapters", &own->asked.adapters,
       "network adapters of a node (default: one for each GPU)"},
      {"--switch",
       &own->asked.reduces,
       "between the GPUs of a node: none, plain, reduces (it adds up), auto (default: where more "
       "than two GPUs have "
       "NVLink; it adds up from Hopper on)",
       {"auto", "none", "plain", "reduces"}},
      {"--tables", &own->asked.tables,
       "of a library: an id of data/collectives (default nccl) or a .toml file"},
      {"--all", &own->all, "every algorithm and protocol, and what the library estimates"},
      {"--format", &own->format, "text or json", {"text", "json"}}};
  command.action = [own]() -> Expected<int> { return time_collectives(*own); };
  return command;
}

}  // namespace forewarp::cli
