// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/fact_file.h"

#include <utility>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

FactFile read(std::string_view text) {
  auto file = parse_fact_file(text, "x.toml");
  EXPECT_TRUE(file) << (file ? "" : file.error().line());
  return file ? std::move(file).value() : FactFile{};
}

std::string refusal(std::string_view text) {
  const auto file = parse_fact_file(text, "x.toml");
  return file ? "accepted" : file.error().line();
}

TEST(FactFile, OneNumberKeepsAllItsParts) {
  const FactFile file = read(
      "[clock]\n"
      "base_mhz = { value = 1050, unit = \"MHz\", source = \"sheet\", confidence = \"measured\", "
      "note = \"n\", alternatives = [{ value = 1000, source = \"other\" }] }\n");
  const Fact& fact = file.facts.at("clock.base_mhz");
  EXPECT_EQ(fact.value, 1050);
  EXPECT_EQ(fact.unit, "MHz");
  EXPECT_EQ(fact.source, "sheet");
  EXPECT_EQ(fact.confidence, Confidence::measured);
  EXPECT_EQ(fact.note, "n");
  EXPECT_EQ(fact.file, "x.toml");
  EXPECT_EQ(fact.line, 2U);
  ASSERT_EQ(fact.alternatives.size(), 1U);
  EXPECT_EQ(fact.alternatives[0], (std::pair<double, std::string>(1000, "other")));
}

TEST(FactFile, ADeviationStandsInTheNote) {
  const std::string head =
      "[a]\nb = { value = 4, unit = \"1\", source = \"s\", confidence = \"measured\", ";
  EXPECT_EQ(read(head + "note = \"n\", deviation = 0.25 }\n").facts.at("a.b").note,
            "n; deviation 0.25");
  EXPECT_EQ(read(head + "deviation = 0 }\n").facts.at("a.b").note, "deviation 0");
  EXPECT_EQ(refusal(head + "deviation = -1 }\n"),
            "x.toml:2:81: 'a.b' has a deviation that is no number from 0 on; expected one standard "
            "deviation in its unit; see docs/data.md");
}

TEST(FactFile, TablesHandDownTheirDefaults) {
  const FactFile file = read(R"(
[rules.gajger]
_source = "thesis"
_confidence = "published"
_unit = "cycles"
ilp = 3
replacement = { value = 150, source = "nobody", confidence = "assumed" }
[rules.gajger.latency]
fp32 = 6
)");
  EXPECT_EQ(file.facts.at("rules.gajger.ilp").source, "thesis");
  EXPECT_EQ(file.facts.at("rules.gajger.ilp").confidence, Confidence::published);
  EXPECT_EQ(file.facts.at("rules.gajger.latency.fp32").unit, "cycles");
  EXPECT_EQ(file.facts.at("rules.gajger.latency.fp32").source, "thesis");
  EXPECT_EQ(file.facts.at("rules.gajger.replacement").source, "nobody");
  EXPECT_EQ(file.facts.at("rules.gajger.replacement").confidence, Confidence::assumed);
  EXPECT_EQ(file.facts.size(), 3U);
}

TEST(FactFile, WordsListsAndFlags) {
  const FactFile file = read(R"(
name = "Board"
[limits]
_source = "s"
_confidence = "datasheet"
_unit = "bytes"
carveouts = [0, 8192]
flag = true
)");
  EXPECT_EQ(file.word("name"), "Board");
  EXPECT_EQ(file.word("chip"), "");
  EXPECT_EQ(file.facts.at("limits.carveouts").values, (std::vector<double>{0, 8192}));
  EXPECT_EQ(file.facts.at("limits.flag").value, 1);
}

TEST(FactFile, OneRowServesSeveralClasses) {
  const FactFile file = read(R"(
[class]
_source = "guide"
_confidence = "datasheet"
_latency_source = "compiler"
_latency_confidence = "vendor_tool"
"fp32 integer" = { pipe = "core", cycles = 0.25, latency = 6 }
[class.sfu]
pipe = "xu"
cycles = 1
latency = 20
variable = true
also = { core = 0.5 }
source = "own"
confidence = "measured"
)");
  EXPECT_EQ(file.facts.at("class.integer.cycles").value, 0.25);
  EXPECT_EQ(file.facts.at("class.fp32.pipe").text, "core");
  EXPECT_EQ(file.facts.at("class.fp32.cycles").source, "guide");
  EXPECT_EQ(file.facts.at("class.fp32.latency").source, "compiler");
  EXPECT_EQ(file.facts.at("class.fp32.latency").confidence, Confidence::vendor_tool);
  EXPECT_EQ(file.facts.at("class.fp32.cycles").unit, "cycles");
  EXPECT_EQ(file.facts.at("class.sfu.variable").value, 1);
  EXPECT_EQ(file.facts.at("class.sfu.also.core").value, 0.5);
  EXPECT_EQ(file.facts.at("class.sfu.latency").source, "own") << "a row's own source is nearer";
}

TEST(FactFile, SetsFallbackAndRulesStandApart) {
  const FactFile file = read(R"(
[fallback.l2]
latency_cycles = { value = 250, unit = "cycles", source = "s", confidence = "measured" }
[set.volkov.clock]
sustained_mhz = { value = 1124, unit = "MHz", source = "s", confidence = "published" }
[[fill]]
path = "a.b"
unit = "1"
value = 2
times = ["c.d"]
from = "7.0"
when = { series = "geforce", "l2.partitions" = 2 }
rule = "twice"
source = "s"
[[scale]]
paths = ["a.b"]
factor = 0.5
rule = "half"
source = "s"
[check]
bound = 1.5
)");
  EXPECT_TRUE(file.facts.empty());
  EXPECT_EQ(file.fallback.at("l2.latency_cycles").value, 250);
  EXPECT_EQ(file.sets.find("volkov")->second.at("clock.sustained_mhz").value, 1124);
  ASSERT_EQ(file.fills.size(), 1U);
  EXPECT_EQ(file.fills[0].fact.value, 2);
  EXPECT_EQ(file.fills[0].fact.note, "twice");
  EXPECT_EQ(file.fills[0].fact.confidence, Confidence::derived);
  EXPECT_EQ(file.fills[0].condition.from, "7.0");
  EXPECT_EQ(file.fills[0].condition.words.size(), 1U);
  EXPECT_EQ(file.fills[0].condition.numbers.size(), 1U);
  ASSERT_EQ(file.scales.size(), 1U);
  EXPECT_EQ(file.scales[0].fact.value, 0.5);
  EXPECT_EQ(file.check.find("bound")->second, 1.5);
}

TEST(FactFile, ArraysOfTablesAreNumbered) {
  const FactFile file = read(R"(
[[memory.segments]]
bytes = { value = 5, unit = "bytes", source = "s", confidence = "assumed" }
[[memory.segments]]
bytes = { value = 6, unit = "bytes", source = "s", confidence = "assumed" }
)");
  EXPECT_EQ(file.facts.at("memory.segments.1.bytes").value, 6);
}

TEST(FactFile, Refusals) {
  EXPECT_EQ(refusal("[a]\nb = { value = 1, source = \"s\", confidence = \"measured\" }\n"),
            "x.toml:2:5: 'a.b' has no unit; expected unit = \"..\" or _unit; see docs/data.md");
  EXPECT_EQ(
      refusal("[a]\nb = { value = 1, unit = \"1\", confidence = \"measured\" }\n"),
      "x.toml:2:5: 'a.b' has no source; expected source = \"..\" or _source; see docs/data.md");
  EXPECT_EQ(
      refusal("[a]\nb = { value = 1, unit = \"1\", source = \"s\", confidence = \"sure\" }\n"),
      "x.toml:2:5: 'a.b' has confidence 'sure'; expected datasheet, vendor_tool, measured, "
      "published, derived or assumed; see docs/data.md");
  EXPECT_NE(refusal("[a]\nb = { value = 1, unot = \"1\" }\n").find("a part named 'unot'"),
            std::string::npos);
  EXPECT_NE(refusal("[a]\nb = 2020-01-01\n").find("a value of a kind that no fact has"),
            std::string::npos);
  EXPECT_NE(refusal("[a]\nb = { value = [1, \"x\"] }\n").find("holds something that is no number"),
            std::string::npos);
  EXPECT_NE(refusal("[a]\nb = { value = nan }\n").find("a value of a kind that no fact has"),
            std::string::npos);
  EXPECT_NE(refusal("[class]\nfp32 = 4\n").find("class 'fp32' is no table"), std::string::npos);
  EXPECT_NE(refusal("[class]\nfp32 = { pipes = \"x\" }\n").find("a part named 'pipes'"),
            std::string::npos);
  EXPECT_NE(refusal("[[fill]]\npath = \"a\"\n").find("a rule lacks"), std::string::npos);
  EXPECT_NE(refusal("set = 3\n").find("'set' is no table"), std::string::npos);
  EXPECT_NE(refusal("fill = 3\n").find("rules are no list"), std::string::npos);
  EXPECT_NE(refusal("[check]\na = \"x\"\n").find("'check.a' is no number"), std::string::npos);
}

TEST(FactFile, AnIncompleteAlternativeIsRefused) {
  EXPECT_NE(refusal("[a]\nb = { value = 1, unit = \"1\", source = \"s\", confidence = \"assumed\", "
                    "alternatives = [{ value = 2 }] }\n")
                .find("an alternative of 'a.b' is incomplete"),
            std::string::npos);
}

TEST(FactFile, SyntaxFaultsSayWhere) {
  const std::string line = refusal("[a]\nb = = 3\n");
  EXPECT_EQ(line.find("x.toml:2:"), 0U) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_NE(refusal(std::string_view("\0\1\2", 3)), "accepted");
}

TEST(FactFile, AMissingFileIsNamed) {
  const auto file = read_fact_file("/nonexistent/x.toml", "x.toml");
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().line().find("/nonexistent/x.toml"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
