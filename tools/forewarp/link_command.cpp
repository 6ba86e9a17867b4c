// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "command.h"
#include "gpu_show.h"
#include "hardware/database.h"
#include "hardware/link_database.h"
#include "model/transfer/copy_time.h"
#include "request/option_text.h"

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int digits = 6;
constexpr CopyDirection directions[] = {CopyDirection::to_device, CopyDirection::to_host};
constexpr HostMemory memories[] = {HostMemory::pageable, HostMemory::pinned};

struct Options {
  std::string link, format = "text", bytes, direction = "h2d", memory = "pageable", model = "auto";
  std::vector<std::string> files, changes;
};

bool as_json(const Options& options) {
  return options.format == "json";
}

Expected<std::vector<FactOverride>> parse_changes(const std::vector<std::string>& changes) {
  std::vector<FactOverride> overrides;
  for (const std::string& change : changes) {
    auto parsed = parse_link_override(change);
    if (!parsed) return std::move(parsed).error();
    overrides.push_back(*std::move(parsed));
  }
  return overrides;
}

Json summary_json(const Link& link) {
  Json json = {
      {"id", link.id}, {"name", link.name}, {"lanes", link.lanes}, {"theory_gbs", link.theory_gbs}};
  for (const CopyDirection direction : directions) {
    for (const HostMemory memory : memories) {
      const CopyPath& path = link.path(direction, memory);
      Json& copy = json["copies"][direction_name(direction)][memory_name(memory)];
      copy = {{"startup_us", path.startup_us},
              {"share", path.share},
              {"reached_gbs", steady_gbs(link, direction, memory)},
              {"confidence", confidence_name(path.confidence)}};
    }
  }
  return json;
}

Expected<int> list_links(const LinkDatabase& database, const Options& options) {
  Json rows = Json::array();
  if (!as_json(options)) {
    fmt::print("{:<16} {:<18} {:>14}  {:>12}  {}\n", "id", "name", "GB/s one way", "h2d pageable",
               "confidence");
  }
  for (const std::string& id : database.ids()) {
    const auto link = database.load(id);
    if (!link) return link.error();
    if (as_json(options)) {
      rows.push_back(summary_json(*link));
      continue;
    }
    const CopyPath& path = link->path(CopyDirection::to_device, HostMemory::pageable);
    fmt::print("{:<16} {:<18} {:>14}  {:>12}  {}\n", id, link->name,
               significant(link->theory_gbs, digits),
               significant(steady_gbs(*link, CopyDirection::to_device, HostMemory::pageable)),
               confidence_name(path.confidence));
  }
  if (as_json(options)) fmt::print("{}\n", rows.dump(2));
  return 0;
}

std::string titled(const Link& link) {
  const std::string set = link.parameter_set.empty() ? "" : "@" + link.parameter_set;
  return fmt::format("{} ({}{}), {} GB/s one way\n", link.name, link.id, set,
                     significant(link.theory_gbs, digits));
}

std::string shown_text(const Link& link) {
  std::string out = titled(link) + link.file + "\n\nreached\n";
  for (const CopyDirection direction : directions) {
    for (const HostMemory memory : memories) {
      const CopyPath& path = link.path(direction, memory);
      out += fmt::format(
          "  {} {:<10} {:>8} us + bytes / {:>8} GB/s   {}\n", direction_name(direction),
          memory_name(memory), significant(path.startup_us, digits),
          significant(steady_gbs(link, direction, memory)), confidence_name(path.confidence));
    }
  }
  out += "\nnumbers\n";
  for (const auto& [path, fact] : link.facts) add_fact(out, path, fact);
  return out;
}

Expected<int> show_link(const LinkDatabase& database, const Options& options) {
  const auto overrides = parse_changes(options.changes);
  if (!overrides) return overrides.error();
  const auto link = database.load(options.link, *overrides);
  if (!link) return link.error();
  if (!as_json(options)) {
    fmt::print("{}", shown_text(*link));
    return 0;
  }
  Json json = {{"schema", "forewarp.link/1"}};
  json.update(summary_json(*link));
  json["file"] = link->file;
  json["set"] = link->parameter_set;
  for (const auto& [path, fact] : link->facts)
    json["facts"][path] = Json::parse(fact_as_json_text(fact));
  fmt::print("{}\n", json.dump(2));
  return 0;
}

Expected<std::vector<double>> parse_sizes(const std::string& text) {
  std::vector<double> sizes;
  for (const std::string_view part : split(text, ',')) {
    const auto size = parse_number(trim(part));
    constexpr double most = 9e15;  // whole numbers end there
    if (!size || !(*size >= 0 && *size <= most) ||
        *size != static_cast<double>(static_cast<std::uint64_t>(*size))) {
      return Diagnostic{"--bytes", "'" + std::string(part) + "'", "sizes in bytes: N or N,N,..",
                        ""};
    }
    sizes.push_back(*size);
  }
  return sizes;
}

Json time_json(double bytes, const CopyTime& time) {
  return {{"bytes", static_cast<std::uint64_t>(bytes)},
          {"time_us", time.us},
          {"startup_us", time.startup_us},
          {"link_us", time.link_us},
          {"staging_us", time.staging_us},
          {"gbs", time.us > 0 ? bytes / time.us * 1e-3 : 0},
          {"model", copy_model_name(time.model)}};
}

void print_csv(const std::vector<double>& sizes, const std::vector<CopyTime>& times) {
  fmt::print("bytes,time_us,startup_us,link_us,staging_us,model\n");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const CopyTime& time = times[i];
    fmt::print("{},{:.6f},{:.6f},{:.6f},{:.6f},{}\n", static_cast<std::uint64_t>(sizes[i]), time.us,
               time.startup_us, time.link_us, time.staging_us, copy_model_name(time.model));
  }
}

void print_table(const Link& link, const Options& options, const std::vector<double>& sizes,
                 const std::vector<CopyTime>& times) {
  const CopyPath& path =
      link.path(*direction_named(options.direction), *memory_named(options.memory));
  fmt::print("{}{} {}: start-up {} us, {} of the theory reached ({}); model {}\n", titled(link),
             options.direction, options.memory, significant(path.startup_us, digits),
             significant(path.share), confidence_name(path.confidence),
             copy_model_name(times.front().model));
  fmt::print("{:>14}  {:>18}  {:>12}  {:>18}  {:>12}  {:>9}\n", "bytes", "time us", "start-up us",
             "link us", "staging us", "GB/s");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const CopyTime& time = times[i];
    fmt::print("{:>14}  {:>18.6f}  {:>12.6f}  {:>18.6f}  {:>12.6f}  {:>9}\n",
               static_cast<std::uint64_t>(sizes[i]), time.us, time.startup_us, time.link_us,
               time.staging_us, sizes[i] > 0 ? significant(sizes[i] / time.us * 1e-3) : "-");
  }
}

Expected<int> time_copies(const LinkDatabase& database, const Options& options) {
  const auto overrides = parse_changes(options.changes);
  if (!overrides) return overrides.error();
  const auto link = database.load(options.link, *overrides);
  if (!link) return link.error();
  const auto sizes = parse_sizes(options.bytes);
  if (!sizes) return sizes.error();
  const HostMemory memory = *memory_named(options.memory);
  const CopyModel model = *copy_model_named(options.model);
  std::vector<CopyTime> times;
  for (const double size : *sizes) {
    times.push_back(copy_time(*link, *direction_named(options.direction), memory, size, model));
  }
  if (model == CopyModel::staging && times.front().model != model) {
    return Diagnostic{"--model staging",
                      memory == HostMemory::pinned ? "pinned memory is not staged"
                                                   : link->id + " has no staging numbers",
                      "linear or auto", ""};
  }
  if (options.format == "csv") {
    print_csv(*sizes, times);
  } else if (as_json(options)) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < sizes->size(); ++i)
      rows.push_back(time_json((*sizes)[i], times[i]));
    const Json json = {{"schema", "forewarp.link-time/1"}, {"link", link->id},
                       {"set", link->parameter_set},       {"direction", options.direction},
                       {"memory", options.memory},         {"copies", rows}};
    fmt::print("{}\n", json.dump(2));
  } else {
    print_table(*link, options, *sizes, times);
  }
  return 0;
}

/// An id of a generation stands for its file.
std::filesystem::path file_of(const std::filesystem::path& data, const std::string& name) {
  const std::filesystem::path by_id = data / "links" / (name + ".toml");
  std::error_code ignored;
  return !std::filesystem::exists(name, ignored) && std::filesystem::exists(by_id, ignored)
             ? by_id
             : std::filesystem::path(name);
}

Expected<int> check_links(const LinkDatabase& database, const std::filesystem::path& data,
                          const Options& options) {
  std::size_t errors = 0;
  for (const std::string& name : options.files) {
    for (const DataFinding& finding : database.check(file_of(data, name))) {
      if (finding.error) ++errors;
      fmt::print("{}: {}\n", finding.error ? "error" : "remark", finding.diagnostic.line());
    }
  }
  fmt::print("{} file{}, {} error{}\n", options.files.size(), options.files.size() == 1 ? "" : "s",
             errors, errors == 1 ? "" : "s");
  return errors == 0 ? 0 : 1;
}

/// Opens the database and goes on with it.
Action with_links(std::shared_ptr<Options> options,
                  Expected<int> (*act)(const LinkDatabase&, const Options&)) {
  return [options = std::move(options), act]() -> Expected<int> {
    const auto located = HardwareDatabase::locate();
    if (!located) return located.error();
    return act(LinkDatabase(located->directory()), *options);
  };
}

}  // namespace

Command link_command() {
  auto options = std::make_shared<Options>();
  const Flag format{"--format", &options->format, "text or json", {"text", "json"}};
  const Flag id{.names = "ID",
                .target = &options->link,
                .help = "id, ID@SET, a board's words, or a .toml file",
                .required = true};
  const Flag set{"--set", &options->changes, "link.PATH=VALUE: what if a number were another"};
  Command list{"list", "ids, names and bandwidths of one direction", {format}};
  list.action = with_links(options, list_links);
  Command show{"show", "every number of a link with its source", {format, id, set}};
  show.action = with_links(options, show_link);
  Command check{"check", "faults of link files"};
  check.flags = {{.names = "FILE",
                  .target = &options->files,
                  .help = "link files, or generations as pcie-3",
                  .required = true}};
  check.action = [options]() -> Expected<int> {
    const auto located = HardwareDatabase::locate();
    if (!located) return located.error();
    return check_links(LinkDatabase(located->directory()), located->directory(), *options);
  };
  Command time{"time", "how long copies between host and device take"};
  time.flags = {
      id,
      set,
      {.names = "--bytes", .target = &options->bytes, .help = "sizes: N[,N..]", .required = true},
      {"--direction", &options->direction, "h2d (default) or d2h", {"h2d", "d2h"}},
      {"--memory",
       &options->memory,
       "of the host: pageable (default) or pinned",
       {"pageable", "pinned"}},
      {"--model",
       &options->model,
       "auto (default), linear or staging",
       {"auto", "linear", "staging"}},
      {"--format", &options->format, "text, csv or json", {"text", "csv", "json"}}};
  time.action = with_links(options, time_copies);
  Command command{"link", "links to the host: list, show, check, time of copies"};
  command.commands = {list, show, check, time};
  return command;
}

}  // namespace forewarp::cli
