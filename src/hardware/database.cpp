// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/database.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/own_file.h"
#include "base/text.h"
#include "embedded/source_data.h"
#include "hardware/board_names.h"
#include "hardware/gpu_files.h"
#include "hardware/schema.h"

namespace forewarp::hardware {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_path(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".toml");
}

bool holds_data(const fs::path& directory) {
  std::error_code ignored;
  return fs::is_directory(directory / "gpus", ignored);
}

std::string_view technology_change(const std::vector<FactOverride>& overrides) {
  for (const FactOverride& change : overrides) {
    if (change.path == "memory.technology") return change.value;
  }
  return {};
}

/// What distinguishes boards of one name, one entry each: "a100-pcie-40 (40 GB, 250 W)".
std::string candidates_text(const HardwareDatabase& database,
                            const std::vector<BoardName>& boards) {
  constexpr std::size_t shown = 8;
  using Row = std::array<std::string, 4>;
  std::vector<std::string> ids;
  std::vector<Row> rows;
  for (const BoardName& board : boards) {
    const auto gpu = database.load(board.id);
    if (!gpu) continue;  // `gpu check` reports its errors
    constexpr double gigabyte = 1024.0 * 1024 * 1024;
    ids.push_back(board.id);
    rows.push_back(
        {significant(gpu->memory.bytes / gigabyte) + " GB", std::to_string(gpu->sms) + " SMs",
         significant(gpu->memory.theory_gbs) + " GB/s", significant(gpu->power.limit_w) + " W"});
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < rows.size() && i < shown; ++i) {
    std::vector<std::string> parts;
    for (std::size_t c = 0; c < rows[i].size(); ++c) {
      const bool differs = std::any_of(rows.begin(), rows.end(),
                                       [&](const Row& row) { return row[c] != rows.front()[c]; });
      if (differs) parts.push_back(rows[i][c]);
    }
    texts.push_back(ids[i] + (parts.empty() ? "" : " (" + join(parts, ", ") + ")"));
  }
  if (rows.size() > shown) texts.push_back(std::to_string(rows.size() - shown) + " more");
  return join(texts, ", ");
}

/// The boards that have a name.
struct FoundByName {
  std::vector<BoardName> boards;
  bool exact = false;  ///< one, by id or whole name, ignoring blanks and brand words
};

/// Opens every board file, so it is called only if no id matches. Fails where no board has it.
Expected<FoundByName> find_by_name(const HardwareDatabase& database, std::string_view name) {
  const fs::path folder = database.directory() / "gpus";
  const std::string wanted = plain_name(name);
  std::vector<BoardName> boards;
  std::vector<std::string> ids;
  for (const std::string& id : database.ids()) {
    const fs::path file = folder / (id + ".toml");
    const auto board = read_fact_file(file, shown_name(database.directory(), file));
    if (!board) continue;  // `gpu check` reports its errors
    if (plain_name(board->word("name")) == wanted || plain_name(id) == wanted) {
      return FoundByName{{{id, std::string(board->word("name")), 0}}, true};
    }
    const auto bytes = board->facts.find("memory.bytes");
    const bool sized = bytes != board->facts.end();
    boards.push_back({id, std::string(board->word("name")), sized ? bytes->second.value : 0});
    ids.push_back(id);
  }
  std::vector<BoardName> named = boards_named(name, boards);
  if (!named.empty()) return FoundByName{std::move(named), false};
  return Diagnostic{"GPU '" + std::string(name) + "'", "no GPU has this id or name",
                    "perhaps " + join(nearest(lower(name), ids), ", "),
                    "forewarp gpu list shows all"};
}

/// A board's name, and behind '@' the name of a parameter set.
struct AskedName {
  explicit AskedName(std::string_view asked)
      : name(asked.substr(0, asked.rfind('@'))),
        set(name.size() < asked.size() ? asked.substr(name.size() + 1) : "") {}
  std::string_view name, set;
};

/// The file that a path or an id names.
std::optional<fs::path> file_named(const fs::path& directory, std::string_view name) {
  if (is_path(name)) return fs::path(name);
  fs::path file = directory / "gpus" / (lower(name) + ".toml");
  std::error_code ignored;
  return fs::exists(file, ignored) ? std::optional(std::move(file)) : std::nullopt;
}

}  // namespace

HardwareDatabase::HardwareDatabase(fs::path data_directory)
    : directory_(std::move(data_directory)) {}

Expected<HardwareDatabase> HardwareDatabase::locate() {
  if (const char* stated = std::getenv("FOREWARP_DATA"); stated != nullptr && *stated != '\0') {
    if (holds_data(stated)) return HardwareDatabase(stated);
    return Diagnostic{"FOREWARP_DATA", "'" + std::string(stated) + "' holds no GPU files",
                      "a folder with gpus/, capabilities/, isa/ and memory/", ""};
  }
  // bin/forewarp, lib/libforewarp.so, lib/x86_64-linux-gnu/libforewarp.so
  fs::path folder = own_file().parent_path();
  const fs::path first = folder.parent_path() / "share/forewarp/data";
  constexpr int most_levels = 3;
  for (int level = 0; level < most_levels && folder.has_relative_path(); ++level) {
    folder = folder.parent_path();
    if (holds_data(folder / "share/forewarp/data")) {
      return HardwareDatabase(folder / "share/forewarp/data");
    }
  }
  if (holds_data(FOREWARP_SOURCE_DATA)) return HardwareDatabase(FOREWARP_SOURCE_DATA);
  return Diagnostic{"data", "the GPU files are not at " + first.string(),
                    "gpus/, capabilities/, isa/ and memory/", "set FOREWARP_DATA to their folder"};
}

Expected<Gpu> HardwareDatabase::load(std::string_view name,
                                     const std::vector<FactOverride>& overrides) const {
  const AskedName asked(name);
  std::optional<fs::path> file = file_named(directory_, asked.name);
  bool by_part = false;
  if (!file) {
    const auto found = find_by_name(*this, asked.name);
    if (!found) return found.error();
    if (found->boards.size() > 1) {
      return Diagnostic{"GPU '" + std::string(asked.name) + "'",
                        std::to_string(found->boards.size()) + " boards have this name",
                        "one of " + candidates_text(*this, found->boards), ""};
    }
    file = directory_ / "gpus" / (found->boards.front().id + ".toml");
    by_part = !found->exact;
  }
  auto files = read_gpu_files(directory_, *file, asked.set, technology_change(overrides));
  if (!files) return std::move(files).error();
  // Files of the data folder are checked once, together with the data; users' files every time.
  if (is_path(asked.name)) {
    for (const DataFinding& finding : check(*file)) {
      if (finding.error) return finding.diagnostic;
    }
  }
  auto facts = merge_facts(*files, overrides);
  if (!facts) return std::move(facts).error();
  auto gpu = build_gpu(*std::move(facts));
  if (!gpu) return gpu;
  gpu->id = file->stem().string();
  gpu->file = files->board.file;
  gpu->parameter_set = asked.set;
  if (by_part) gpu->asked_as = asked.name;
  return gpu;
}

Expected<std::vector<std::string>> HardwareDatabase::family(std::string_view name) const {
  const AskedName asked(name);
  if (file_named(directory_, asked.name)) return std::vector{std::string(name)};
  const auto found = find_by_name(*this, asked.name);
  if (!found) return found.error();
  if (found->boards.size() == 1) return std::vector{std::string(name)};
  std::vector<std::string> ids;
  for (const BoardName& board : found->boards) {
    ids.push_back(board.id + (asked.set.empty() ? "" : "@" + std::string(asked.set)));
  }
  return ids;
}

Expected<SmLimits> HardwareDatabase::limits(Capability capability) const {
  const auto file = read_capability(directory_, capability.text());
  if (!file) return file.error();
  return build_limits(file->facts);
}

std::vector<Capability> HardwareDatabase::capabilities() const {
  std::vector<Capability> list;
  for (const std::string& name : names_in(directory_ / "capabilities")) {
    if (const auto capability = parse_capability(name)) list.push_back(*capability);
  }
  std::sort(list.begin(), list.end());
  return list;
}

std::vector<std::string> HardwareDatabase::ids() const {
  return names_in(directory_ / "gpus");
}

}  // namespace forewarp::hardware
