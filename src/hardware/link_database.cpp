// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/link_database.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/text.h"
#include "hardware/fact_file.h"
#include "hardware/gpu_files.h"
#include "hardware/link_build.h"
#include "hardware/schema.h"

namespace forewarp::hardware {
namespace {

namespace fs = std::filesystem;

constexpr int deepest_like = 4;  // files chained by `like`

/// Parts of the requested name: a file, a width, a parameter set.
struct LinkName {
  std::string stem;
  std::optional<std::uint32_t> lanes;
  std::string set;
};

/// "PCIe 3.0 x16, as sold" -> {"pcie-3.0", 16}: a final number after "-x" or " x" is a width.
LinkName parse_name(std::string_view text) {
  LinkName name;
  const std::size_t at = text.rfind('@');
  if (at != std::string_view::npos) name.set = text.substr(at + 1);
  std::string plain = lower(trim(text.substr(0, at)));
  plain = std::string(trim(std::string_view(plain).substr(0, plain.find(','))));
  std::replace(plain.begin(), plain.end(), ' ', '-');
  const std::size_t cross = plain.rfind("-x");
  if (cross != std::string::npos) {
    const auto lanes = parse_natural(std::string_view(plain).substr(cross + 2));
    if (lanes && *lanes <= 64) {
      name.lanes = static_cast<std::uint32_t>(*lanes);
      plain.resize(cross);
    }
  }
  name.stem = plain;
  return name;
}

bool is_path(std::string_view name) {
  return name.ends_with(".toml");
}

std::vector<std::string> stems_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Expected<void> check_all(const Facts& facts) {
  for (const auto& [path, fact] : facts) {
    if (auto fine = check_link_fact(path, fact); !fine) return fine;
  }
  return {};
}

Expected<void> check_file(const FactFile& file) {
  if (auto fine = check_all(file.facts); !fine) return fine;
  for (const auto& [name, facts] : file.sets) {
    if (auto fine = check_all(facts); !fine) return fine;
  }
  return {};
}

/// Copies what this link lacks from one of another generation, except labels and rates.
void fill_like(Facts& facts, const Facts& other, const std::string& name) {
  for (const auto& [path, fact] : other) {
    const bool own = path.starts_with("lane.") || path.starts_with("theory.") ||
                     path.starts_with("peer.") || path == "name" || path == "like";
    if (own || facts.contains(path)) continue;
    Fact taken = fact;
    taken.confidence = Confidence::assumed;
    taken.note = "as " + name + (fact.note.empty() ? "" : ": " + fact.note);
    facts.emplace(path, std::move(taken));
  }
}

Expected<FactFile> read_rules(const fs::path& directory) {
  return read_fact_file(directory / "link_rules.toml", "data/link_rules.toml");
}

/// Fills all that is missing: by rules, then from the file that `like` names.
Expected<void> complete(const fs::path& directory, const FactFile& rules, Facts& facts, int depth) {
  fill_missing(facts, rules.fills);
  const auto like = facts.find("like");
  if (like == facts.end()) return {};
  const fs::path path = directory / "links" / (like->second.text + ".toml");
  std::error_code ignored;
  if (depth >= deepest_like || !fs::exists(path, ignored)) {
    return Diagnostic{place_in_file(like->second.file, like->second.line),
                      depth >= deepest_like ? "'like' forms a cycle"
                                            : "there is no " + shown_name(directory, path),
                      join(stems_in(directory / "links"), ", "), "see docs/links.md"};
  }
  auto other = read_fact_file(path, shown_name(directory, path));
  if (!other) return std::move(other).error();
  if (auto fine = check_file(*other); !fine) return fine;
  const std::string name(other->word("name"));
  if (auto done = complete(directory, rules, other->facts, depth + 1); !done) return done;
  fill_like(facts, other->facts, name);
  return {};
}

Expected<void> apply_override(const FactOverride& change, Facts& facts) {
  auto fact = changed_link_fact(change);
  if (!fact) return std::move(fact).error();
  facts.insert_or_assign(change.path, *std::move(fact));
  return {};
}

/// The completed facts of a file, with one of its sets and the user's changes applied.
Expected<Facts> merged(const fs::path& directory, const FactFile& file, const std::string& set,
                       const std::vector<FactOverride>& overrides) {
  if (auto fine = check_file(file); !fine) return fine.error();
  Facts facts = file.facts;
  if (!set.empty()) {
    const auto found = file.sets.find(set);
    if (found == file.sets.end()) {
      std::vector<std::string> known;
      for (const auto& [name, ignored] : file.sets) known.push_back(name);
      return Diagnostic{file.file, "there is no parameter set '" + set + "'",
                        known.empty() ? "none" : join(known, ", "), ""};
    }
    for (const auto& [path, fact] : found->second) facts.insert_or_assign(path, fact);
  }
  for (const FactOverride& change : overrides) {
    if (auto done = apply_override(change, facts); !done) return done.error();
  }
  auto rules = read_rules(directory);
  if (!rules) return std::move(rules).error();
  if (auto done = complete(directory, *rules, facts, 0); !done) return done.error();
  return facts;
}

Expected<std::uint32_t> width_of(const FactFile& file, const std::optional<std::uint32_t>& asked) {
  auto widths = link_widths(file.facts);
  if (!widths) return std::move(widths).error();
  if (!asked) return *std::max_element(widths->begin(), widths->end());
  if (std::find(widths->begin(), widths->end(), *asked) != widths->end()) return *asked;
  std::vector<std::string> known;
  for (const std::uint32_t width : *widths) known.push_back("x" + std::to_string(width));
  return Diagnostic{file.file, "has no width x" + std::to_string(*asked), join(known, ", "), ""};
}

std::string link_id(const std::string& stem, std::uint32_t lanes) {
  return stem + "-x" + std::to_string(lanes);
}

Expected<Link> link_of(const fs::path& directory, const fs::path& path, const FactFile& file,
                       const LinkName& asked, const std::vector<FactOverride>& overrides) {
  const auto lanes = width_of(file, asked.lanes);
  if (!lanes) return lanes.error();
  auto facts = merged(directory, file, asked.set, overrides);
  if (!facts) return std::move(facts).error();
  auto link = build_link(*std::move(facts), *lanes);
  if (!link) return link;
  link->id = link_id(path.stem().string(), *lanes);
  link->name += " x" + std::to_string(*lanes);
  link->file = file.file;
  link->parameter_set = asked.set;
  return link;
}

void remark_on_guesses(const Link& link, std::vector<DataFinding>& findings) {
  std::vector<std::string> guesses;
  for (const auto& [path, fact] : link.facts) {
    if (fact.text.empty() && fact.confidence == Confidence::assumed) guesses.push_back(path);
  }
  if (guesses.empty()) return;
  findings.push_back({false,
                      {link.file,
                       std::to_string(guesses.size()) +
                           " numbers are assumed, nobody measured them: " + join(guesses, ", "),
                       "", ""}});
}

}  // namespace

LinkDatabase::LinkDatabase(fs::path data_directory) : directory_(std::move(data_directory)) {}

std::vector<std::string> LinkDatabase::ids() const {
  std::vector<std::string> list;
  for (const std::string& stem : stems_in(directory_ / "links")) {
    const fs::path path = directory_ / "links" / (stem + ".toml");
    const auto file = read_fact_file(path, shown_name(directory_, path));
    if (!file) continue;  // `link check` reports its errors
    const auto widths = link_widths(file->facts);
    if (!widths) continue;
    for (const std::uint32_t width : *widths) list.push_back(link_id(stem, width));
  }
  return list;
}

Expected<Link> LinkDatabase::load(std::string_view name,
                                  const std::vector<FactOverride>& overrides) const {
  const std::size_t at = name.rfind('@');
  if (is_path(name.substr(0, at))) {
    const fs::path path(name.substr(0, at));
    const auto file = read_fact_file(path, shown_name(directory_, path));
    if (!file) return file.error();
    LinkName asked;
    if (at != std::string_view::npos) asked.set = name.substr(at + 1);
    return link_of(directory_, path, *file, asked, overrides);
  }
  const LinkName asked = parse_name(name);
  auto path = find_file(asked.stem);
  if (!path) {
    const std::string wanted = asked.lanes ? link_id(asked.stem, *asked.lanes) : asked.stem;
    return Diagnostic{"link '" + std::string(name) + "'", "no link has this id or name",
                      "perhaps " + join(nearest(wanted, ids()), ", "),
                      "forewarp link list shows all"};
  }
  const auto file = read_fact_file(*path, shown_name(directory_, *path));
  if (!file) return file.error();
  return link_of(directory_, *path, *file, asked, overrides);
}

std::optional<fs::path> LinkDatabase::find_file(const std::string& stem) const {
  std::error_code ignored;
  const fs::path folder = directory_ / "links";
  if (fs::path by_id = folder / (stem + ".toml"); fs::exists(by_id, ignored)) return by_id;
  for (const std::string& other : stems_in(folder)) {
    fs::path path = folder / (other + ".toml");
    const auto file = read_fact_file(path, shown_name(directory_, path));
    if (file && parse_name(file->word("name")).stem == stem) return path;
  }
  return std::nullopt;
}

std::vector<DataFinding> LinkDatabase::check(const fs::path& link_file) const {
  std::vector<DataFinding> findings;
  const auto file = read_fact_file(link_file, shown_name(directory_, link_file));
  if (!file) {
    findings.push_back({true, file.error()});
    return findings;
  }
  std::vector<std::string> sets = {""};
  for (const auto& [name, facts] : file->sets) sets.push_back(name);
  auto widths = link_widths(file->facts);
  if (!widths) {
    findings.push_back({true, widths.error()});
    return findings;
  }
  for (const std::string& set : sets) {
    for (const std::uint32_t width : *widths) {
      const auto link = link_of(directory_, link_file, *file, {"", width, set}, {});
      if (!link) {
        findings.push_back({true, link.error()});
        return findings;
      }
      if (set.empty() && width == widths->front()) remark_on_guesses(*link, findings);
    }
  }
  return findings;
}

Expected<Link> parse_link(std::string_view toml, std::string_view name) {
  const auto file = parse_fact_file(toml, name);
  if (!file) return file.error();
  if (auto fine = check_file(*file); !fine) return fine.error();
  const auto lanes = width_of(*file, {});
  if (!lanes) return lanes.error();
  return build_link(file->facts, *lanes);
}

}  // namespace forewarp::hardware
