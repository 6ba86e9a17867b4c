// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/fill_rule.h"

#include <utility>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

Fact number(double value, const char* source = "s") {
  Fact fact;
  fact.value = value;
  fact.unit = "1";
  fact.source = source;
  return fact;
}

Fact word(const char* text) {
  Fact fact;
  fact.text = text;
  return fact;
}

FillRule rule(const char* path, double value, std::vector<std::string> times = {}) {
  FillRule fill;
  fill.path = path;
  fill.fact = number(value);
  fill.fact.note = "the rule";
  fill.times = std::move(times);
  return fill;
}

TEST(FillRule, OnlyWhatIsMissingIsFilledAndTheFirstRuleWins) {
  Facts facts = {{"a", number(1)}};
  fill_missing(facts, {rule("a", 9), rule("b", 2), rule("b", 3)});
  EXPECT_EQ(facts.at("a").value, 1);
  EXPECT_EQ(facts.at("b").value, 2);
  EXPECT_EQ(facts.at("b").note, "the rule");
}

TEST(FillRule, ProductOfFactsAndAFactor) {
  // 1753 MHz x 256 bit x 4 / 8000 = 224.384 GB/s
  Facts facts = {{"clock", number(1753)}, {"bits", number(256)}, {"rate", number(4)}};
  fill_missing(facts, {rule("theory", 0.000125, {"clock", "bits", "rate"})});
  EXPECT_NEAR(facts.at("theory").value, 224.384, 1e-9);
}

TEST(FillRule, AMissingFactorLeavesTheNextRuleItsTurn) {
  Facts facts;
  fill_missing(facts, {rule("b", 2, {"absent"}), rule("b", 7)});
  EXPECT_EQ(facts.at("b").value, 7);
}

TEST(FillRule, CapabilityRangeIsInclusive) {
  const auto filled = [](const char* cc) {
    Facts facts = {{"cc", word(cc)}};
    FillRule ranged = rule("b", 1);
    ranged.condition.from = "7.0";
    ranged.condition.to = "9.0";
    fill_missing(facts, {ranged});
    return facts.contains("b");
  };
  EXPECT_FALSE(filled("6.2"));
  EXPECT_TRUE(filled("7.0"));
  EXPECT_TRUE(filled("9.0"));
  EXPECT_FALSE(filled("12.0")) << "12 comes after 9";
}

TEST(FillRule, WordsAndNumbersMustMatch) {
  FillRule conditional = rule("b", 1);
  conditional.condition.words = {{"series", "geforce"}};
  conditional.condition.numbers = {{"included", 0}};
  Facts facts = {{"series", word("geforce")}};
  fill_missing(facts, {conditional});
  EXPECT_TRUE(facts.contains("b")) << "a missing number counts as zero";
  Facts other = {{"series", word("tesla")}};
  fill_missing(other, {conditional});
  EXPECT_FALSE(other.contains("b"));
  Facts included = {{"series", word("geforce")}, {"included", number(1)}};
  fill_missing(included, {conditional});
  EXPECT_FALSE(included.contains("b"));
}

/// Facts of a board whose file is board.toml: "own" stands there, "of_class" elsewhere.
Facts board_facts() {
  Facts facts = {{"name", word("a board")}, {"own", number(0.7)}, {"of_class", number(0.9)}};
  facts.at("name").file = facts.at("own").file = "board.toml";
  facts.at("of_class").file = "memory.toml";
  return facts;
}

TEST(FillRule, OverTheClassButNeverOverTheBoardsOwn) {
  Facts facts = board_facts();
  FillRule over = rule("own", 2);
  over.over_class = true;
  FillRule first = rule("of_class", 0.5, {"own"}), second = rule("of_class", 3);
  first.over_class = second.over_class = true;
  fill_missing(facts, {over, rule("of_class", 5), first, second});
  EXPECT_EQ(facts.at("own").value, 0.7);
  EXPECT_EQ(facts.at("of_class").value, 0.35) << "half of 0.7, and the first rule wins";
  ASSERT_EQ(facts.at("of_class").alternatives.size(), 1U);
  EXPECT_EQ(facts.at("of_class").alternatives[0].first, 0.9);
}

TEST(FillRule, AProductHasALimitWhereTheRuleGivesOne) {
  Facts facts = {{"boost", number(1815)}};
  FillRule capped = rule("sustained", 1.14, {"boost"});
  capped.most = 1950;
  fill_missing(facts, {capped});
  EXPECT_EQ(facts.at("sustained").value, 1950) << "1.14 x 1815 is 2069";
}

TEST(ScaleRule, NumbersOfTheBoardItselfAreAsItRuns) {
  Facts facts = board_facts();
  ScaleRule scale;
  scale.paths = {"own", "of_class"};
  scale.fact = number(0.5);
  scale_numbers(facts, {scale});
  EXPECT_EQ(facts.at("own").value, 0.7);
  EXPECT_EQ(facts.at("of_class").value, 0.45);
}

TEST(ScaleRule, ScalesOnceAndLeavesTheUsersNumbersAlone) {
  ScaleRule scale;
  scale.paths = {"a", "b", "absent"};
  scale.fact = number(0.78);
  scale.fact.note = "error correction";
  Facts facts = {{"a", number(0.5)}, {"b", number(0.5, override_source)}};
  scale_numbers(facts, {scale});
  EXPECT_NEAR(facts.at("a").value, 0.39, 1e-12);
  EXPECT_EQ(facts.at("a").confidence, Confidence::derived);
  EXPECT_EQ(facts.at("a").note, "error correction");
  EXPECT_EQ(facts.at("b").value, 0.5);
}

TEST(Fallback, FillsAndSaysSo) {
  Facts facts = {{"a", number(1)}};
  Fact measured = number(250);
  measured.confidence = Confidence::measured;
  fill_from_capability(facts, {{"a", number(2)}, {"b", measured}});
  EXPECT_EQ(facts.at("a").value, 1);
  EXPECT_EQ(facts.at("b").value, 250);
  EXPECT_EQ(facts.at("b").confidence, Confidence::derived);
  EXPECT_EQ(facts.at("b").note, "same capability");
}

}  // namespace
}  // namespace forewarp::tests
