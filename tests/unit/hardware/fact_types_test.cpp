// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Every field of a board's file takes values of its own type, and no others.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "hardware/database.h"
#include "hardware/fact_file.h"
#include "hardware/gpu_files.h"
#include "hardware/schema.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

/// The files of a board, with one more fact in its own.
std::string outcome_with(const std::string& path, const std::string& value,
                         const std::string& unit) {
  static const GpuFiles files = *read_gpu_files(
      FOREWARP_DATA_DIR, std::filesystem::path(FOREWARP_DATA_DIR) / "gpus/gtx970.toml", "", "");
  const std::string provenance =
      ", unit = \"" + unit + "\", source = \"s\", confidence = \"measured\" }\n";
  auto stated = parse_fact_file(path + " = { value = " + value + provenance, "board.toml");
  if (!stated) return stated.error().line();
  GpuFiles changed = files;
  for (const auto& [name, fact] : stated->facts) changed.board.facts.insert_or_assign(name, fact);
  auto facts = merge_facts(changed, {});
  if (!facts) return facts.error().line();
  const auto gpu = build_gpu(*std::move(facts));
  return gpu ? "taken" : gpu.error().line();
}

// Values of each kind; a field takes its own kind and refuses each of the others.
TEST(FactTypes, EveryFieldRefusesValuesOfOtherKinds) {
  struct Value {
    const char* text;
    FactKind kind;
  };
  const Value values[] = {{"[13]", FactKind::list},         {"[]", FactKind::list},
                          {"[1, 2, 3, 4]", FactKind::list}, {"true", FactKind::flag},
                          {"false", FactKind::flag},        {"\"13\"", FactKind::word},
                          {"\"\"", FactKind::word},         {"2", FactKind::number}};
  std::size_t refused = 0;
  for (const SchemaRow& row : schema()) {
    const FactType type = type_of_path(row.path, {});
    for (const Value& value : values) {
      if (value.kind == type.kind) continue;
      const std::string outcome =
          outcome_with(std::string(row.path), value.text, std::string(row.unit));
      EXPECT_NE(outcome, "taken") << row.path << " = " << value.text;
      EXPECT_NE(outcome.find("board.toml:1"), std::string::npos) << outcome;
      ++refused;
    }
  }
  EXPECT_GT(refused, 6 * schema().size()) << "of eight values at most two are a field's own";
}

TEST(FactTypes, ARefusalSaysWhatStandsThereAndWhatShould) {
  EXPECT_EQ(outcome_with("sm.count", "[13]", "1"),
            "board.toml:1: 'sm.count' is a list; expected a number");
  EXPECT_EQ(outcome_with("sm.count", "true", "1"),
            "board.toml:1: 'sm.count' is true; expected a number");
  EXPECT_EQ(outcome_with("clock.boost_mhz", "\"fast\"", "MHz"),
            "board.toml:1: 'clock.boost_mhz' is 'fast'; expected a number in MHz");
  EXPECT_EQ(outcome_with("issue.dual", "2", "1"),
            "board.toml:1: 'issue.dual' is 2; expected true or false, or 1 or 0");
  EXPECT_EQ(outcome_with("limits.max_grid", "7", "blocks"),
            "board.toml:1: 'limits.max_grid' is 7; expected a list of numbers in blocks");
  EXPECT_EQ(outcome_with("limits.max_grid", "[1, 0, 1]", "blocks"),
            "board.toml:1: 'limits.max_grid' has no three whole numbers above zero; expected "
            "[x, y, z]");
  EXPECT_EQ(
      outcome_with("limits.max_grid", "[]", "blocks"),
      "board.toml:1: 'limits.max_grid' is an empty list; expected a list of numbers in blocks");
  EXPECT_EQ(outcome_with("model.bsp.l1_cycles", "[]", "cycles"),
            "board.toml:1: 'model.bsp.l1_cycles' is an empty list; expected a number");
  EXPECT_EQ(outcome_with("chip", "7", "word"), "board.toml:1: 'chip' is 7; expected words");
  EXPECT_EQ(outcome_with("class.fp32.variable", "3", "1").substr(0, 22), "board.toml:1: 'class.f");
  EXPECT_EQ(outcome_with("model.bsp.l1_cycles", "true", "cycles"),
            "board.toml:1: 'model.bsp.l1_cycles' is true; expected a number");
}

TEST(FactTypes, AFlagIsWrittenInFourWays) {
  for (const char* value : {"true", "false", "1", "0"}) {
    EXPECT_EQ(outcome_with("issue.dual", value, "1"), "taken") << value;
  }
}

// The same on the command line.
TEST(FactTypes, WhatIsSetIsOfTheFieldsType) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  const auto refusal = [&](const char* path, const char* value) {
    const auto gpu = database.load("gtx970", {{path, value}});
    return gpu ? std::string("taken") : gpu.error().line();
  };
  EXPECT_EQ(refusal("sm.count", "true"),
            "--set hw.sm.count: 'sm.count' is true; expected a number");
  EXPECT_EQ(refusal("sm.count", "1,2"),
            "--set hw.sm.count: 'sm.count' is a list; expected a number");
  EXPECT_NE(refusal("issue.dual", "2").find("'issue.dual' is 2; expected true or false"),
            std::string::npos);
  EXPECT_NE(refusal("issue.dual", "x2"), "taken");
  EXPECT_EQ(refusal("issue.dual", "false"), "taken");
}

// What describes a number is text; a description that nobody reads is a typing error.
TEST(FactTypes, DescriptionsAreText) {
  const auto refusal = [](const std::string& text) {
    const auto file = parse_fact_file(text, "x.toml");
    return file ? std::string("taken") : file.error().line();
  };
  const std::string rest = ", source = \"s\", confidence = \"measured\" }";
  EXPECT_NE(refusal("a = { value = 1, unit = 3" + rest).find("'unit' is no text"),
            std::string::npos);
  EXPECT_NE(
      refusal("a = { value = 1, unit = \"1\", note = [\"n\"]" + rest).find("'note' is no text"),
      std::string::npos);
  EXPECT_NE(refusal("a = { value = 1, unit = \"1\", alternatives = 3" + rest).find("are no list"),
            std::string::npos);
  EXPECT_NE(refusal("[a]\n_uint = \"MHz\"\n").find("no description named '_uint'"),
            std::string::npos);
  EXPECT_NE(refusal("[a]\n_source = true\n").find("'_source' is no text"), std::string::npos);
  EXPECT_NE(refusal("name = { value = \"x\", confidence = \"sure\" }").find("confidence 'sure'"),
            std::string::npos);
  EXPECT_NE(refusal("name = \"\"").find("has no words"), std::string::npos);
  EXPECT_NE(refusal("[check]\nbound = true\n").find("is no number"), std::string::npos);
}

TEST(FactTypes, RulesAreCheckedToo) {
  const auto refusal = [](const std::string& line) {
    const auto file = parse_fact_file(
        "[[fill]]\npath = \"a.b\"\nunit = \"1\"\nvalue = 2\n"
        "rule = \"r\"\nsource = \"s\"\n" +
            line,
        "x.toml");
    return file ? std::string("taken") : file.error().line();
  };
  EXPECT_EQ(refusal(""), "taken");
  EXPECT_NE(refusal("when = { series = true }").find("compares 'series' with no word or number"),
            std::string::npos);
  EXPECT_NE(refusal("when = 3").find("'when' of a rule is no table"), std::string::npos);
  EXPECT_NE(refusal("times = [3]").find("'times' of a rule holds no path"), std::string::npos);
  EXPECT_NE(refusal("times = \"c.d\"").find("'times' of a rule is no list"), std::string::npos);
  EXPECT_NE(refusal("most = \"3\"").find("'most' of a rule is no number"), std::string::npos);
  EXPECT_NE(refusal("from = 7.0").find("'from' is no text"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
