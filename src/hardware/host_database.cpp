// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/host_database.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/text.h"
#include "hardware/fact_file.h"
#include "hardware/gpu_files.h"
#include "hardware/schema.h"

namespace forewarp::hardware {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_touch_path = "first_touch.gbs";
constexpr std::string_view graph_node_path = "graph.node_us";
constexpr std::string_view calls_prefix = "calls.";

struct Row {
  std::string_view path, unit;
  double* (*field)(Host&);  ///< null: a word
};

template <CopyDirection direction, double HostPath::*field>
double* of_path(Host& host) {
  return &(host.paths[static_cast<std::size_t>(direction)].*field);
}

// clang-format off
constexpr Row rows[] = {
    {"name", "word", nullptr},
    {"copies_of", "word", nullptr},
    {"h2d.gbs", "GB/s", of_path<CopyDirection::to_device, &HostPath::gbs>},
    {"h2d.startup_us", "us", of_path<CopyDirection::to_device, &HostPath::startup_us>},
    {"d2h.gbs", "GB/s", of_path<CopyDirection::to_host, &HostPath::gbs>},
    {"d2h.startup_us", "us", of_path<CopyDirection::to_host, &HostPath::startup_us>},
    {"staging.piece_bytes", "bytes", [](Host& h) { return &h.piece_bytes; }},
    {first_touch_path, "GB/s", [](Host& h) { return &h.first_touch_gbs; }},
    {"launch.us", "us", [](Host& h) { return &h.launch_us; }},
    {"launch.call_us", "us", [](Host& h) { return &h.launch_call_us; }},
    {"call.us", "us", [](Host& h) { return &h.call_us; }},
    {"graph.launch_us", "us", [](Host& h) { return &h.graph_launch_us; }},
    {graph_node_path, "us", [](Host& h) { return &h.graph_node_us; }},
};
// clang-format on

std::optional<Row> row_of(std::string_view path) {
  for (const Row& row : rows) {
    if (row.path == path) return row;
  }
  return std::nullopt;
}

/// Where a number of a host is kept, with its unit; null: it is a word, or there is no such path.
HostCallField field_of(Host& host, std::string_view path) {
  if (path.starts_with(calls_prefix))
    return host_call_field(host.calls, path.substr(calls_prefix.size()));
  const auto row = row_of(path);
  if (!row || row->field == nullptr) return {};
  return {row->field(host), row->unit};
}

Expected<void> check(std::string_view path, const Fact& fact) {
  const std::string place = place_in_file(fact.file, fact.line);
  const std::string name = "'" + std::string(path) + "'";
  Host trial;
  const HostCallField field = field_of(trial, path);
  const auto row = row_of(path);
  if (!row && field.number == nullptr) {
    std::vector<std::string> known;
    for (const Row& one : rows) known.emplace_back(one.path);
    return Diagnostic{place, name + " is no number of a host", join(nearest(path, known), " or "),
                      "see docs/hosts.md"};
  }
  const bool word = field.number == nullptr;
  const FactType type{word ? row->unit : field.unit, word ? FactKind::word : FactKind::number};
  if (auto fine = check_type(path, fact, type); !fine || word) return fine;
  if (!std::isfinite(fact.value) || fact.value <= 0) {
    return Diagnostic{place, name + " is " + significant(fact.value), "a number above zero",
                      "leave out what is not known"};
  }
  return {};
}

Expected<Host> build(Facts facts, std::string_view file) {
  Host host;
  for (const auto& [path, fact] : facts) {
    if (auto fine = check(path, fact); !fine) return fine.error();
    if (const HostCallField field = field_of(host, path); field.number != nullptr)
      *field.number = fact.value;
  }
  const auto word = [&facts](std::string_view path) {
    const auto found = facts.find(path);
    return found == facts.end() ? std::string() : found->second.text;
  };
  host.name = word("name");
  host.copies_of = word("copies_of");
  host.file = file;
  if (host.first_touch_gbs <= 0) {
    return Diagnostic{host.file, "'" + std::string(first_touch_path) + "' is missing",
                      "a number in GB/s", "see docs/hosts.md"};
  }
  host.facts = std::move(facts);
  return host;
}

Expected<FactFile> read_rules(const fs::path& directory) {
  return read_fact_file(directory / "host_rules.toml", "data/host_rules.toml");
}

fs::path file_of(const fs::path& directory, std::string_view id) {
  return directory / "hosts" / (std::string(id) + ".toml");
}

/// What the rules say, and for calls the numbers of the host that they name with `calls_of`.
Expected<void> fill(const fs::path& directory, const FactFile& rules, Facts& facts) {
  fill_missing(facts, rules.fills);
  const std::string_view like = rules.word("calls_of");
  if (like.empty()) return {};
  const fs::path path = file_of(directory, like);
  const auto other = read_fact_file(path, shown_name(directory, path));
  if (!other) return other.error();
  for (const auto& [name, fact] : other->facts) {
    if (name.starts_with(calls_prefix)) facts.emplace(name, fact);
  }
  return {};
}

bool is_known(const Facts& facts, std::string_view path) {
  const auto found = facts.find(path);
  return found != facts.end() && found->second.confidence != Confidence::assumed;
}

}  // namespace

bool Host::knows_first_touch() const {
  return is_known(facts, first_touch_path);
}

bool Host::knows_graph_nodes() const {
  return is_known(facts, graph_node_path);
}

std::string_view unit_of_host_path(std::string_view path) {
  Host trial;
  const HostCallField field = field_of(trial, path);
  const auto row = row_of(path);
  return field.number != nullptr ? field.unit : row ? row->unit : std::string_view();
}

HostDatabase::HostDatabase(fs::path data_directory) : directory_(std::move(data_directory)) {}

std::vector<std::string> HostDatabase::ids() const {
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(directory_ / "hosts", failed)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Expected<Host> HostDatabase::load(std::string_view name) const {
  const bool is_file = name.ends_with(".toml");
  const fs::path path = is_file ? fs::path(name) : file_of(directory_, name);
  std::error_code ignored;
  if (!is_file && !fs::exists(path, ignored)) {
    return Diagnostic{"host '" + std::string(name) + "'", "no host has this id",
                      "perhaps " + join(nearest(name, ids()), ", "),
                      "or a file: `forewarp calibrate --what host` writes one"};
  }
  auto file = read_fact_file(path, shown_name(directory_, path));
  if (!file) return std::move(file).error();
  if (file->word("name").empty()) {
    return Diagnostic{file->file, "'name' is missing", "name = \"..\"", "see docs/hosts.md"};
  }
  const auto rules = read_rules(directory_);
  if (!rules) return rules.error();
  if (auto done = fill(directory_, *rules, file->facts); !done) return done.error();
  auto host = build(std::move(file->facts), file->file);
  if (host) host->id = path.stem().string();
  return host;
}

Expected<Host> HostDatabase::undescribed() const {
  const auto rules = read_rules(directory_);
  if (!rules) return rules.error();
  Facts facts;
  if (auto done = fill(directory_, *rules, facts); !done) return done.error();
  return build(std::move(facts), rules->file);
}

Expected<Host> parse_host(std::string_view toml, std::string_view name) {
  auto file = parse_fact_file(toml, name);
  if (!file) return std::move(file).error();
  return build(std::move(file->facts), name);
}

}  // namespace forewarp::hardware
