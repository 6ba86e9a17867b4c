// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Each row of the table of options is honest: what it says of itself is what it does.
#include "request/options/option_table.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "request/files/case_file.h"
#include "request/files/launch_file.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

using Texts = std::vector<std::string>;

std::string name_of(const OptionRow& row) {
  return std::string(row.name.empty() ? row.key : row.name);
}

/// A file to read cannot stand in a table.
std::string example_of(const OptionRow& row) {
  return row.name == "calibration" ? FOREWARP_SOURCE_DIR
             "/tests/fuzz/corpus/calibration/numbers.toml"
                                   : std::string(row.example);
}

Expected<void> set(const OptionRow& row, const std::string& text, Asked& asked) {
  return row.set(row, text, "HERE", {asked.request, asked.options, asked.delivery});
}

Texts get(const OptionRow& row, const Asked& asked) {
  return row.get({asked.request, asked.options, asked.delivery});
}

Asked with(const OptionRow& row) {
  Asked asked;
  const auto done = set(row, example_of(row), asked);
  EXPECT_TRUE(done) << name_of(row) << ": " << done.error().line();
  return asked;
}

/// Of the result's options, what begins with `name`.
Texts echoed(const Asked& asked, const std::string& name) {
  Texts texts;
  for (const auto& [key, value] : option_echo(asked.request, asked.options)) {
    if (key == name) texts.push_back(value);
    if (key.starts_with(name + '.')) texts.push_back(key.substr(name.size() + 1) + '=' + value);
  }
  return texts;
}

TEST(OptionTable, NamesAndKeysStandOnce) {
  std::map<std::string, int> names, keys;
  for (const OptionRow& row : option_rows()) {
    EXPECT_FALSE(row.name.empty() && row.key.empty());
    EXPECT_LE(++names[std::string(row.name)], row.name.empty() ? 99 : 1) << row.name;
    EXPECT_LE(++keys[std::string(row.key)], row.key.empty() ? 99 : 1) << row.key;
    EXPECT_FALSE(row.help.empty() || row.values.empty()) << name_of(row);
    EXPECT_EQ(row.may_stand(on_command_line), !row.name.empty()) << name_of(row);
    EXPECT_EQ(row.may_stand(in_case), !row.key.empty()) << name_of(row);
    EXPECT_EQ(row.read != nullptr, !row.key.empty()) << name_of(row);
    EXPECT_TRUE(row.may_stand(in_case) || !row.may_stand(in_launch_file)) << name_of(row);
  }
}

TEST(OptionTable, WhatASetterStoresAGetterGivesBack) {
  for (const OptionRow& row : option_rows()) {
    const Asked asked = with(row);
    EXPECT_EQ(get(row, asked), Texts{example_of(row)}) << name_of(row);
    const bool state = row.name == "cold";  // what is so anyway
    EXPECT_TRUE(state || get(row, Asked{}) != get(row, asked)) << name_of(row);
  }
}

TEST(OptionTable, EveryOptionThatMayChangeAResultIsInIt) {
  for (const OptionRow& row : option_rows()) {
    if (row.changes == OptionEffect::nothing) continue;
    EXPECT_FALSE(row.shown.empty()) << name_of(row) << " changes a result that does not tell it";
    if (!row.shown.starts_with("options.")) continue;
    Asked asked = with(row);
    if (row.changes == OptionEffect::copies) {  // part of a time of the host alone
      asked.options.timing = Timing::host;
      if (asked.request.copies.empty()) asked.request.copies.emplace_back();
    }
    const std::string shown(row.shown.substr(std::string_view("options.").size()));
    const Texts expected = shown == "warm" ? Texts{"true"} : get(row, asked);
    EXPECT_EQ(echoed(asked, shown), expected) << name_of(row);
  }
}

TEST(OptionTable, WithoutAnyOptionTheEchoHasTheDefaults) {
  const std::vector<std::pair<std::string, std::string>> defaults{
      {"clock", "sustained"}, {"timing", "device"}, {"cold", "true"}};
  EXPECT_EQ(option_echo({}, {}), defaults);
}

TEST(OptionTable, LinksAreToldWhereCopiesAreTimed) {
  Asked asked;
  ASSERT_TRUE(set(*option_named("set"), "link.h2d.pinned.share=0.9", asked));
  ASSERT_TRUE(set(*option_named("copy"), "h2d:4096", asked));
  EXPECT_EQ(echoed(asked, "set"), Texts{});
  EXPECT_EQ(echoed(asked, "copy"), Texts{});
  asked.options.timing = Timing::host;
  EXPECT_EQ(echoed(asked, "set"), Texts{"link.h2d.pinned.share=0.9"});
  EXPECT_EQ(echoed(asked, "copy"), Texts{"h2d:4096:pageable"});
}

TEST(OptionTable, AKeySetsWhatTheFlagSets) {
  for (const OptionRow& row : option_rows()) {
    if (!row.may_stand(in_case)) continue;
    const std::string json =
        "{\"" + std::string(row.key) + "\": " + std::string(row.key_example) + "}";
    const auto line = parse_case({1, json, false}, "cases.jsonl").parsed;
    ASSERT_TRUE(line) << json << ": " << line.error().line();
    EXPECT_EQ(get(row, {*line, {}, {}}), get(row, with(row))) << json;
  }
}

TEST(OptionTable, ALaunchFileHasTheKeysThatMayStandThere) {
  for (const OptionRow& row : option_rows()) {
    if (row.key.empty()) continue;
    std::string toml = std::string(row.key) + " = " + std::string(row.key_example);
    for (std::size_t at = 0; (at = toml.find("\": ", at)) != std::string::npos;) {
      toml.replace(at, 3, "\" = ");
    }
    const auto read = parse_launch(toml, "l.toml");
    ASSERT_EQ(read.has_value(), row.may_stand(in_launch_file)) << toml;
    if (!read) continue;
    EXPECT_EQ(get(row, {*read, {}, {}}), get(row, with(row))) << toml;
  }
}

TEST(OptionTable, AnUnknownKeyIsAnsweredWithTheNearest) {
  const auto read = parse_launch("timming = \"event\"", "l.toml");
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().line().ends_with("did you mean 'timing'?")) << read.error().line();
}

/// What none of the values of a row can be.
Texts wrong_values(const OptionRow& row) {
  switch (row.kind) {
    case OptionKind::natural:
      return {"", "x", "-1", "1.5", "nan", "99999999999999999999"};
    case OptionKind::positive:
      return {"", "x", "-1", "nan", "inf", "-inf"};
    case OptionKind::flag:
      return {"", "yes", "1"};
    case OptionKind::list:
      return {"", "a,,b"};
    case OptionKind::pairs:
      return {"", "=", "x"};
    case OptionKind::sizes:
      return {"", "0", "1,2,3,4", "nan", "4294967296"};
    default:
      break;
  }
  const bool word = row.values.find(" or ") != std::string_view::npos && row.name != "INPUT" &&
                    row.changes != OptionEffect::nothing && row.name != "link";
  return word ? Texts{"", "nonsense"} : Texts{};
}

TEST(OptionTable, OutOfRangeIsRefusedInOneLine) {
  for (const OptionRow& row : option_rows()) {
    for (const std::string& text : wrong_values(row)) {
      Asked asked;
      const auto done = set(row, text, asked);
      EXPECT_FALSE(done) << name_of(row) << " takes '" << text << "'";
      if (done) continue;
      const std::string line = done.error().line();
      EXPECT_NE(line.find("HERE: "), std::string::npos) << name_of(row) << ": " << line;
      EXPECT_NE(line.find("expected "), std::string::npos) << name_of(row) << ": " << line;
      EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
    if (row.kind != OptionKind::natural || row.least == 0) continue;
    Asked asked;
    EXPECT_FALSE(set(row, "0", asked)) << name_of(row);
  }
}

TEST(OptionTable, ColdAndWarmExcludeEachOther) {
  Asked asked;
  ASSERT_TRUE(set(*option_named("cold"), "true", asked));
  EXPECT_EQ(set(*option_named("warm"), "true", asked).error().line(),
            "--cold: cannot be combined with --warm; expected one of the two");
}

TEST(OptionTable, FindsByNameKeyAndPlace) {
  EXPECT_EQ(option_named("smem"), option_with_key("dynamic_shared"));
  EXPECT_EQ(option_at(in_comparison, "dynamic_shared"), option_named("smem"));
  EXPECT_EQ(option_at(in_comparison, "assume_isa"), option_named("assume-isa"));
  EXPECT_EQ(option_at(in_comparison, "jobs"), nullptr);
  EXPECT_EQ(option_at(in_sweep, ""), nullptr);
  EXPECT_EQ(option_named(""), nullptr);
  EXPECT_EQ(option_title(*option_with_key("spread")), "spread");
  EXPECT_EQ(option_title(*option_named("grid")), "--grid");
}

}  // namespace
}  // namespace forewarp::tests
