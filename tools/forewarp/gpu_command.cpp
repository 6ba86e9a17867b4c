// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "command.h"
#include "gpu_access.h"
#include "gpu_new.h"
#include "gpu_show.h"
#include "hardware/database.h"
#include "hardware/reached_bandwidth.h"

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string format = "text";
  std::string gpu;
  std::vector<std::string> files, changes;
  AccessOptions access;
  NewGpuOptions made;
};

Expected<int> list_gpus(const HardwareDatabase& database, const Options& options) {
  Json rows = Json::array();
  for (const std::string& id : database.ids()) {
    const auto gpu = database.load(id);
    if (!gpu) return gpu.error();
    const ReachedBandwidth reached = reached_bandwidth(*gpu);
    if (options.format == "json") {
      rows.push_back({{"id", id},
                      {"name", gpu->name},
                      {"cc", gpu->cc.text()},
                      {"sms", gpu->sms},
                      {"clock_mhz", gpu->clock_sustained_mhz},
                      {"memory_gbs", gpu->memory.theory_gbs},
                      {"copies_gbs", reached.gbs},
                      {"copies_from", reached.own() ? "own" : "class"},
                      {"copies_basis", basis_name(reached.basis)},
                      {"copies_source", reached.source}});
      continue;
    }
    fmt::print("{:<18} {:<42} {:>5} {:>4} SMs {:>6} MHz {:>6} GB/s, copies {:>6} ({}: {})\n", id,
               gpu->name, gpu->cc.text(), gpu->sms, significant(gpu->clock_sustained_mhz),
               significant(gpu->memory.theory_gbs), significant(reached.gbs, 3),
               reached.own() ? "own" : "class", reached.source);
  }
  if (options.format == "json") fmt::print("{}\n", rows.dump(2));
  return 0;
}

Expected<std::vector<FactOverride>> parse_changes(const std::vector<std::string>& changes) {
  std::vector<FactOverride> overrides;
  for (const std::string& change : changes) {
    const std::size_t equals = change.find('=');
    const bool named = change.starts_with("hw.") && equals != std::string::npos;
    if (!named) return Diagnostic{"--set", "'" + change + "'", "hw.PATH=VALUE", ""};
    overrides.push_back({change.substr(3, equals - 3), change.substr(equals + 1)});
  }
  return overrides;
}

Expected<int> show_gpu(const HardwareDatabase& database, const Options& options) {
  const auto overrides = parse_changes(options.changes);
  if (!overrides) return overrides.error();
  const auto gpu = database.load(options.gpu, *overrides);
  if (!gpu) return gpu.error();
  fmt::print("{}", options.format == "json" ? gpu_as_json(*gpu) : gpu_as_text(*gpu));
  return 0;
}

Expected<int> ask_access(const HardwareDatabase& database, const Options& options) {
  const auto overrides = parse_changes(options.changes);
  if (!overrides) return overrides.error();
  const auto gpu = database.load(options.gpu, *overrides);
  if (!gpu) return gpu.error();
  const auto text = access_text(*gpu, options.access, options.format == "json");
  if (!text) return text.error();
  fmt::print("{}", *text);
  return 0;
}

Expected<int> new_gpu(const HardwareDatabase& database, const Options& options) {
  return write_new_gpu(database, options.made);
}

/// An id stands for its file.
std::filesystem::path file_of(const HardwareDatabase& database, const std::string& name) {
  const std::filesystem::path by_id = database.directory() / "gpus" / (name + ".toml");
  std::error_code ignored;
  return !std::filesystem::exists(name, ignored) && std::filesystem::exists(by_id, ignored)
             ? by_id
             : std::filesystem::path(name);
}

Expected<int> check_gpus(const HardwareDatabase& database, const Options& options) {
  std::size_t errors = 0;
  Json rows = Json::array();
  for (const std::string& name : options.files) {
    for (const DataFinding& finding : database.check(file_of(database, name))) {
      if (finding.error) ++errors;
      if (options.format == "json") {
        rows.push_back(
            {{"file", name}, {"error", finding.error}, {"text", finding.diagnostic.line()}});
      } else {
        fmt::print("{}: {}\n", finding.error ? "error" : "remark", finding.diagnostic.line());
      }
    }
  }
  if (options.format == "json") {
    fmt::print("{}\n", rows.dump(2));
  } else {
    fmt::print("{} file{}, {} error{}\n", options.files.size(),
               options.files.size() == 1 ? "" : "s", errors, errors == 1 ? "" : "s");
  }
  return errors == 0 ? 0 : 1;
}

/// Opens the database and goes on with it.
Action with_database(std::shared_ptr<Options> options,
                     Expected<int> (*act)(const HardwareDatabase&, const Options&)) {
  return [options = std::move(options), act]() -> Expected<int> {
    const auto database = HardwareDatabase::locate();
    if (!database) return database.error();
    return act(*database, *options);
  };
}

}  // namespace

Command gpu_command() {
  auto options = std::make_shared<Options>();
  const Flag format{"--format", &options->format, "text or json", {"text", "json"}};
  const Flag id{.names = "ID",
                .target = &options->gpu,
                .help = "id, ID@SET, marketing name, or a .toml file",
                .required = true};
  const Flag set{"--set", &options->changes,
                 "hw.PATH=VALUE, or xFACTOR: what if a number were another"};
  const Flag files{
      .names = "FILE", .target = &options->files, .help = "GPU files, or ids", .required = true};
  Command list{"list", "ids, names, sizes, and what copies reach", {format}};
  list.action = with_database(options, list_gpus);
  Command show{"show", "every number with its source", {format, id, set}};
  show.action = with_database(options, show_gpu);
  Command check{"check", "faults and contradictions of GPU files", {format, files}};
  check.action = with_database(options, check_gpus);
  Command access{"access", "what one warp's access takes, by its rules", {format, id, set}};
  for (Flag& flag : access_flags(options->access)) access.flags.push_back(std::move(flag));
  access.action = with_database(options, ask_access);
  Command made{"new", "the file that a new board begins with", new_gpu_flags(options->made)};
  made.action = with_database(options, new_gpu);
  Command command{"gpu", "the GPU database: list, show, check, access, new"};
  command.commands = {list, show, check, access, made};
  return command;
}

}  // namespace forewarp::cli
