// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "compare_sides.h"

#include <string_view>
#include <utility>

#include "base/text.h"
#include "request/options/option_table.h"

namespace forewarp::cli {
namespace {

std::string key_of(const OptionRow& row) {
  std::string key(row.name == "INPUT" || row.name.empty() ? row.key : row.name);
  for (char& c : key) {
    if (c == '-') c = '_';
  }
  return key;
}

/// Keys of pairs go on with the pair's name: arg.n; a changed number is its own path.
std::vector<std::string> prefixes_of(const OptionRow& row) {
  if (row.kind != OptionKind::pairs) return {};
  if (row.name == "set") return {"hw.", "link."};
  return {key_of(row) + '.'};
}

std::vector<std::string> key_names() {
  std::vector<std::string> names, pairs;
  for (const OptionRow& row : option_rows()) {
    if (!row.may_stand(in_comparison)) continue;
    const std::vector<std::string> prefixes = prefixes_of(row);
    if (prefixes.empty()) names.push_back(key_of(row));
    for (const std::string& prefix : prefixes)
      pairs.push_back(prefix + (row.name == "set" ? "PATH" : "NAME"));
  }
  names.insert(names.end(), pairs.begin(), pairs.end());
  return names;
}

/// The option that "arg.n" is one of.
const OptionRow* pair_option(const std::string& name) {
  for (const OptionRow& row : option_rows()) {
    if (!row.may_stand(in_comparison)) continue;
    for (const std::string& prefix : prefixes_of(row)) {
      if (name.starts_with(prefix) && name.size() > prefix.size()) return &row;
    }
  }
  return nullptr;
}

/// Asks the option itself, so that a slip is refused where it stands.
Expected<void> check_value(const OptionRow& row, const std::string& name, const std::string& value,
                           const std::string& option) {
  if (row.key == "input" || row.name == "launch" || row.name == "calibration") return {};
  Asked scratch;
  const OptionTarget into{scratch.request, scratch.options, scratch.delivery};
  if (row.set(row, value, option, into)) return {};
  return Diagnostic{option, "'" + value + "' is no value of '" + name + "'", "",
                    "as on the command line of predict"};
}

Expected<void> set_key(PredictionOptions& side, const std::string& text,
                       const std::string& option) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos || name.empty()) {
    return Diagnostic{option, "'" + text + "'", "KEY=VALUE", "keys: " + side_keys()};
  }
  const std::string value = text.substr(equals + 1);
  if (const OptionRow* row = pair_option(name)) {
    side.add(*row, row->name == "set" ? text : text.substr(row->name.size() + 1));
    return {};
  }
  const OptionRow* row = option_at(in_comparison, name);
  if (row == nullptr || row->kind == OptionKind::pairs) {
    const auto near = closest(name, key_names());
    return Diagnostic{option, "no key '" + name + "'", side_keys(),
                      near ? "did you mean '" + *near + "'?" : ""};
  }
  if (value.empty() && row->key != "compile_options") {
    return Diagnostic{option, "'' is no value of '" + name + "'", "",
                      "as on the command line of predict"};
  }
  if (auto ok = check_value(*row, name, value, option); !ok) return ok;
  side.give(*row, {value});
  return {};
}

Expected<PredictionOptions> side_of(const PredictionOptions& common,
                                    const std::vector<std::string>& own,
                                    const std::string& option) {
  PredictionOptions side = common;
  for (const std::string& text : own) {
    if (auto ok = set_key(side, text, option); !ok) return ok.error();
  }
  return side;
}

ComparedSide compared(Asked asked) {
  return ComparedSide{std::move(asked.request), std::move(asked.options), ""};
}

}  // namespace

std::string side_keys() {
  return join(key_names(), ", ");
}

Expected<ComparedSide> read_side(const PredictionOptions& common, const std::string& input,
                                 const std::vector<std::string>& own, const std::string& option) {
  PredictionOptions with_input = common;
  with_input.give(*option_named(input.ends_with(".toml") ? "launch" : "INPUT"), {input});
  const auto side = side_of(with_input, own, option);
  if (!side) return side.error();
  auto asked = side->asked();
  if (!asked) return std::move(asked).error();
  return compared(*std::move(asked));
}

Expected<ComparedSide> read_case_side(const PredictionOptions& common, Case request,
                                      const std::vector<std::string>& own,
                                      const std::string& option) {
  const auto side = side_of(common, own, option);
  if (!side) return side.error();
  if (side->given("launch")) {
    return Diagnostic{"--launch", "cannot be combined with a file of cases",
                      "a launch that each case states by itself", "leave it out"};
  }
  Asked base;
  base.request = std::move(request);
  auto asked = side->asked_over(std::move(base));
  if (!asked) return std::move(asked).error();
  return compared(*std::move(asked));
}

}  // namespace forewarp::cli
