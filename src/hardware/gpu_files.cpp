// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/gpu_files.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/text.h"
#include "hardware/schema.h"

namespace forewarp::hardware {
namespace {

namespace fs = std::filesystem;

Expected<FactFile> read_named(const fs::path& directory, const std::string& folder,
                              std::string_view name, const FactFile& named_by) {
  const fs::path path = directory / folder / (std::string(name) + ".toml");
  std::error_code ignored;
  if (name.empty() || !fs::exists(path, ignored)) {
    std::vector<std::string> known;
    for (const auto& entry : fs::directory_iterator(directory / folder, ignored)) {
      known.push_back(entry.path().stem().string());
    }
    std::sort(known.begin(), known.end());
    return Diagnostic{named_by.file, "there is no " + shown_name(directory, path),
                      "a name of " + folder + ": " + join(known, ", "), "see docs/data.md"};
  }
  return read_fact_file(path, shown_name(directory, path));
}

Expected<void> check_all(const Facts& facts, const std::vector<std::string>& special) {
  for (const auto& [path, fact] : facts) {
    if (auto fine = check_fact(path, fact, special); !fine) return fine;
  }
  return {};
}

void put_over(Facts& target, const Facts& source) {
  for (const auto& [path, fact] : source) target.insert_or_assign(path, fact);
}

Diagnostic no_such_path(const FactOverride& change, const Facts& facts) {
  std::vector<std::string> known;
  for (const auto& [path, fact] : facts) known.push_back(path);
  for (const SchemaRow& row : schema()) {
    if (!facts.contains(row.path)) known.emplace_back(row.path);
  }
  return {"--set hw." + change.path, "no number is named '" + change.path + "'",
          join(nearest(change.path, known), " or "), "forewarp gpu show ID lists them"};
}

/// The unit of an overridden number; empty if the path cannot hold one.
std::string changed_unit(const std::string& path, const Facts& facts) {
  if (const auto found = facts.find(path); found != facts.end()) {
    return found->second.text.empty() ? found->second.unit : "word";
  }
  if (path.starts_with("class.") || path.starts_with("memory.segments.")) return {};
  if (path.starts_with("rules.")) {
    const std::size_t last = path.rfind('.');
    const bool latency = path.find(".latency.") != std::string::npos;
    if (!latency || !facts.contains("class." + path.substr(last + 1) + ".cycles")) return {};
  }
  return std::string(type_of_path(path, {}).unit);
}

/// `list`: one number is a list of one.
Expected<void> set_changed_value(const FactOverride& change, bool list, Fact& fact) {
  const std::string place = "--set hw." + change.path;
  if (fact.unit == "word") {
    fact.kind = FactKind::word;
    fact.text = change.value;
    return {};
  }
  if (change.value == "true" || change.value == "false") {
    fact.kind = FactKind::flag;
    fact.value = change.value == "true" ? 1 : 0;
    return {};
  }
  for (const std::string_view part : split(change.value, ',')) {
    const auto number = parse_number(trim(part));
    if (!number || !std::isfinite(*number)) {
      return Diagnostic{place, "'" + change.value + "' is no number", "a number in " + fact.unit,
                        ""};
    }
    fact.values.push_back(*number);
  }
  if (list || fact.values.size() != 1) {
    fact.kind = FactKind::list;
    return {};
  }
  fact.value = fact.values.front();
  fact.values.clear();
  return {};
}

/// The F in "xF"; nullopt if the text is no factor.
std::optional<std::string_view> factor_text(std::string_view value) {
  const std::string_view text = trim(value);
  if (text.size() < 2 || text.front() != 'x') return {};
  return text.substr(1);
}

constexpr std::string_view theory_path = "memory.theory_gbs";

/// "x2" doubles the number that the board would have otherwise.
Expected<void> apply_factor(const FactOverride& change, std::string_view text, Facts& facts,
                            const Facts& known) {
  const std::string place = "--set hw." + change.path;
  const auto factor = parse_number(text);
  if (!factor || !std::isfinite(*factor) || !(*factor > 0)) {
    return Diagnostic{place, "'" + change.value + "' is no factor", "x and a number above 0: x2",
                      ""};
  }
  const auto before = known.find(change.path);
  if (before == known.end()) {
    if (changed_unit(change.path, known).empty()) return no_such_path(change, known);
    return Diagnostic{place, "the board has no number there to multiply", "a number", ""};
  }
  if (!before->second.text.empty()) {
    return Diagnostic{
        place, "'" + change.value + "' is a factor, and '" + before->second.text + "' is no number",
        "a word", ""};
  }
  const auto scale = [&](const std::string& path, const Fact& from) {
    Fact fact = from;
    fact.alternatives = {{from.value, from.source}};
    fact.value *= *factor;
    for (double& value : fact.values) value *= *factor;
    fact.source = fact.file = override_source;
    fact.note = "set by the user: " + change.value;
    fact.confidence = Confidence::assumed;
    facts.insert_or_assign(path, std::move(fact));
  };
  scale(change.path, before->second);
  if (change.path != theory_path) return {};
  for (const auto& [path, fact] : known) {  // segments of memory scale with its bandwidth
    if (path.starts_with("memory.segments.") && path.ends_with(".gbs")) scale(path, fact);
  }
  return {};
}

/// Replaces an alternative name of a path by the name in the files.
FactOverride with_own_path(FactOverride change) {
  if (change.path == "memory.bandwidth") change.path = theory_path;
  return change;
}

/// A change is of the type that its path takes in a file.
Expected<void> check_change(const FactOverride& change, Fact fact,
                            const std::vector<std::string>& special) {
  fact.file = "--set hw." + change.path;
  return check_type(change.path, fact, type_of_path(change.path, special));
}

Expected<void> apply_override(const FactOverride& asked, Facts& facts, const Facts& known,
                              const std::vector<std::string>& special) {
  const FactOverride change = with_own_path(asked);
  if (const auto factor = factor_text(change.value)) {
    const auto word = known.find(change.path);
    const bool may_be =
        word == known.end() || word->second.text.empty() || parse_number(*factor).has_value();
    if (may_be) return apply_factor(change, *factor, facts, known);
  }
  Fact fact;
  fact.unit = changed_unit(change.path, known);
  if (fact.unit.empty()) return no_such_path(change, known);
  fact.source = override_source;
  fact.note = "set by the user";
  fact.confidence = Confidence::assumed;
  fact.file = override_source;
  const auto before = known.find(change.path);
  const bool list = before != known.end() && before->second.kind == FactKind::list;
  if (auto done = set_changed_value(change, list, fact); !done) return done;
  if (auto fine = check_change(change, fact, special); !fine) return fine;
  if (before != known.end() && !list && before->second.text.empty()) {
    fact.alternatives.emplace_back(before->second.value, before->second.source);
  }
  facts.insert_or_assign(change.path, std::move(fact));
  return {};
}

void apply_rules(const GpuFiles& files, Facts& facts) {
  scale_numbers(facts, files.rules.scales);
  fill_from_capability(facts, files.capability.fallback);
  fill_missing(facts, files.rules.fills);
}

}  // namespace

std::vector<std::string> GpuFiles::special() const {
  std::vector<std::string> names;
  for (const auto& [name, facts] : board.sets) names.push_back(name);
  return names;
}

std::string shown_name(const fs::path& directory, const fs::path& file) {
  const fs::path relative =
      file.lexically_normal().lexically_relative(directory.lexically_normal());
  if (relative.empty() || *relative.begin() == "..") return file.string();
  return ("data" / relative).string();
}

Expected<FactFile> read_capability(const fs::path& directory, std::string_view capability) {
  FactFile asked_by;
  asked_by.file = "compute capability " + std::string(capability);
  auto file = read_named(directory, "capabilities", capability, asked_by);
  if (!file || file->word("alias").empty()) return file;
  const std::string other(file->word("alias"));
  return read_named(directory, "capabilities", other, *file);
}

Expected<GpuFiles> read_gpu_files(const fs::path& directory, const fs::path& board,
                                  std::string_view set, std::string_view technology) {
  GpuFiles files;
  auto own = read_fact_file(board, shown_name(directory, board));
  if (!own) return std::move(own).error();
  files.board = *std::move(own);
  files.set = set;
  if (!set.empty() && !files.board.sets.contains(set)) {
    return Diagnostic{files.board.file, "there is no parameter set '" + std::string(set) + "'",
                      join(files.special(), ", "), ""};
  }
  if (files.board.word("cc").empty()) {
    return Diagnostic{files.board.file, "'cc' is missing", "cc = \"MAJOR.MINOR\"",
                      "see docs/data.md"};
  }
  auto capability = read_capability(directory, files.board.word("cc"));
  if (!capability) return std::move(capability).error();
  files.capability = *std::move(capability);
  auto isa = read_named(directory, "isa", files.capability.word("isa"), files.capability);
  if (!isa) return std::move(isa).error();
  files.isa = *std::move(isa);
  if (technology.empty()) technology = files.board.word("memory.technology");
  auto memory = read_named(directory, "memory", technology, files.board);
  if (!memory) return std::move(memory).error();
  files.memory = *std::move(memory);
  auto rules = read_fact_file(directory / "rules.toml", "data/rules.toml");
  if (!rules) return std::move(rules).error();
  files.rules = *std::move(rules);
  return files;
}

Expected<Facts> merge_facts(const GpuFiles& files, const std::vector<FactOverride>& overrides) {
  const std::vector<std::string> special = files.special();
  std::vector<const Facts*> layers = {&files.rules.facts, &files.isa.facts, &files.capability.facts,
                                      &files.memory.facts, &files.board.facts};
  for (const auto& [name, facts] : files.board.sets) {
    if (name == files.set) layers.push_back(&facts);
    if (auto fine = check_all(facts, special); !fine) return fine.error();
  }
  if (auto fine = check_all(files.capability.fallback, special); !fine) return fine.error();
  Facts facts;
  for (const Facts* layer : layers) {
    if (auto fine = check_all(*layer, special); !fine) return fine.error();
    put_over(facts, *layer);
  }
  if (overrides.empty()) {
    apply_rules(files, facts);
    return facts;
  }
  // Numbers that rules would fill can be overridden, and overrides can feed rules.
  Facts known = facts;
  apply_rules(files, known);
  for (const FactOverride& change : overrides) {
    if (auto done = apply_override(change, facts, known, special); !done) return done.error();
  }
  apply_rules(files, facts);
  return facts;
}

}  // namespace forewarp::hardware
