// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/database.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/text.h"
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

/// What people leave out or add when they name a board: brand words and blanks.
std::string plain_name(std::string_view name) {
  static constexpr std::array<std::string_view, 5> brands = {"nvidia", "geforce", "tesla", "quadro",
                                                             "(r)"};
  std::string plain;
  for (const std::string_view word : split(name, ' ')) {
    const std::string part = lower(word);
    if (std::find(brands.begin(), brands.end(), part) == brands.end()) plain += part;
  }
  std::erase(plain, '-');
  return plain;
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

/// By marketing name; opens every board file, so only after the ids have failed.
Expected<fs::path> find_by_name(const HardwareDatabase& database, std::string_view name) {
  const fs::path folder = database.directory() / "gpus";
  const std::string wanted = plain_name(name);
  std::vector<std::string> candidates;
  for (const std::string& id : database.ids()) {
    const fs::path file = folder / (id + ".toml");
    const auto board = read_fact_file(file, shown_name(database.directory(), file));
    if (!board) continue;  // `gpu check` says what is wrong with it
    if (plain_name(board->word("name")) == wanted || plain_name(id) == wanted) return file;
    candidates.push_back(id);
  }
  return Diagnostic{"GPU '" + std::string(name) + "'", "no GPU has this id or name",
                    "perhaps " + join(nearest(lower(name), candidates), ", "),
                    "forewarp gpu list shows all"};
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
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = program.parent_path().parent_path() / "share/forewarp/data";
  if (holds_data(installed)) return HardwareDatabase(installed);
#ifdef FOREWARP_SOURCE_DATA
  if (holds_data(FOREWARP_SOURCE_DATA)) return HardwareDatabase(FOREWARP_SOURCE_DATA);
#endif
  return Diagnostic{"data", "the GPU files are not at " + installed.string(),
                    "gpus/, capabilities/, isa/ and memory/", "set FOREWARP_DATA to their folder"};
}

Expected<Gpu> HardwareDatabase::load(std::string_view name,
                                     const std::vector<FactOverride>& overrides) const {
  const std::size_t at = name.rfind('@');
  const std::string_view plain = name.substr(0, at);
  const std::string_view set = at == std::string_view::npos ? "" : name.substr(at + 1);
  fs::path file = is_path(plain) ? fs::path(plain) : directory_ / "gpus" / (lower(plain) + ".toml");
  std::error_code ignored;
  if (!is_path(plain) && !fs::exists(file, ignored)) {
    auto found = find_by_name(*this, plain);
    if (!found) return std::move(found).error();
    file = *std::move(found);
  }
  auto files = read_gpu_files(directory_, file, set, technology_change(overrides));
  if (!files) return std::move(files).error();
  // Files of the data folder are checked once, with the data; anyone's own each time.
  if (is_path(plain)) {
    for (const DataFinding& finding : check(file)) {
      if (finding.error) return finding.diagnostic;
    }
  }
  auto facts = merge_facts(*files, overrides);
  if (!facts) return std::move(facts).error();
  auto gpu = build_gpu(*std::move(facts));
  if (!gpu) return gpu;
  gpu->id = file.stem().string();
  gpu->file = files->board.file;
  gpu->parameter_set = set;
  return gpu;
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
