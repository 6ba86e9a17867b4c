// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/fill_rule.h"

#include <utility>

#include <gtest/gtest.h>

namespace forewarp {
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
}  // namespace forewarp
