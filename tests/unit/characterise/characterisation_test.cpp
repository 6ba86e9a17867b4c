// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// From stored samples to a GPU file: what is in it, what is missing, and what a factor moves.
#include "characterise/findings/characterisation.h"

#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "characterise/files/gpu_file_text.h"
#include "characterise/files/mwp_parameters.h"
#include "characterise/findings/fact_comparison.h"
#include "hardware/database.h"
#include "hardware/fact_file.h"
#include "sample_maker.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

std::string fixture(const std::string& name) {
  std::ifstream file(FOREWARP_FIXTURES "/samples/small/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Gpu like() {
  return *HardwareDatabase(FOREWARP_DATA_DIR).load("v100-pcie-16");
}

struct Input {
  MeasuredDevice device = *parse_device(fixture("device.json"), "device.json");
  SampleTable samples = *parse_samples(fixture("samples.tsv"), "samples.tsv");
  NumberList numbers = *parse_numbers(fixture("numbers.toml"), "numbers.toml");
  Characterisation found() const {
    auto made = characterise_samples(device, samples, numbers, like(), "Mine");
    EXPECT_TRUE(made) << made.error().line();
    return *std::move(made);
  }
};

TEST(Characterisation, NumbersOfTheFixture) {
  const Characterisation found = Input().found();
  const std::pair<const char*, double> expected[] = {
      {"class.fp32.latency", 4},
      {"class.fp32.cycles", 0.5},
      {"l1.latency_cycles", 28},
      {"l2.latency_cycles", 212},
      {"memory.latency_cycles", 430},
      {"launch.event_us", 2.3},
      {"l2.miss_from", 5. / 6},  // 5 of 6 MiB
      {"memory.read_share", 800 / (877e-3 * 2 * 4096 / 8)}};
  for (const auto& [path, value] : expected) {
    const FoundFact* fact = found.fact(path);
    ASSERT_NE(fact, nullptr) << path;
    EXPECT_NEAR(fact->fact.value / value, 1, 1e-5) << path;
    EXPECT_EQ(fact->fact.confidence, Confidence::measured);
    EXPECT_TRUE(fact->deviation) << path;
  }
  EXPECT_EQ(found.fact("class.fp32.latency")->fact.source,
            "measured by forewarp-bench, chain_ffma, 2026-03-01");
  EXPECT_EQ(found.fact("sm.count")->fact.confidence, Confidence::vendor_tool);
  EXPECT_EQ(found.fact("power.limit_w")->fact.confidence, Confidence::assumed);
  ASSERT_EQ(found.gaps.size(), 2U);
  EXPECT_EQ(found.gaps[0].path, "class.fp64.latency");
  EXPECT_EQ(found.gaps[0].reason,
            "no samples of time from chain_dfma; run forewarp-bench with these tests");
  EXPECT_EQ(found.gaps[1].reason, "no test reaches the limit");
  EXPECT_TRUE(found.gaps[1].filled.starts_with("250 W (datasheet: ")) << found.gaps[1].filled;
}

TEST(Characterisation, SamplesTimesAFactorMoveWhatIsTimeAndNothingElse) {
  Input input;
  const Characterisation before = input.found();
  for (Record& record : input.samples.records) {
    for (auto& [value, count] : record.samples) value *= 1.1;
  }
  const Characterisation after = input.found();
  // Cycles and times grow alike, rates fall alike, all else stays.
  const std::set<std::string> grow = {"class.fp32.latency",    "class.fp32.cycles",
                                      "l1.latency_cycles",     "l2.latency_cycles",
                                      "memory.latency_cycles", "launch.event_us"};
  ASSERT_EQ(before.facts.size(), after.facts.size());
  std::size_t moved = 0;
  for (std::size_t i = 0; i < before.facts.size(); ++i) {
    const FoundFact& a = before.facts[i];
    const FoundFact& b = after.facts[i];
    EXPECT_EQ(a.path, b.path);
    EXPECT_EQ(a.fact.text, b.fact.text);
    EXPECT_EQ(a.fact.source, b.fact.source);
    EXPECT_EQ(a.fact.note, b.fact.note);
    const bool falls = a.path == "memory.read_share" || a.path == "core.lanes";
    const double factor = grow.contains(a.path) ? 1.1 : falls ? 1 / 1.1 : 1.0;
    if (factor != 1) ++moved;
    EXPECT_NEAR(b.fact.value, a.fact.value * factor, 1e-9 * a.fact.value) << a.path;
    EXPECT_EQ(a.deviation.has_value(), b.deviation.has_value()) << a.path;
    EXPECT_NEAR(b.deviation.value_or(0), a.deviation.value_or(0) * factor, 1e-9) << a.path;
  }
  EXPECT_EQ(moved, 8U);
}

TEST(Characterisation, RowsOfOtherArchitecturesAndPatterns) {
  Input input;
  input.numbers.rows.front().sms.emplace(80, 90);
  NumberRow told;
  told.fact = "sm.count";
  told.unit = "1";
  told.how = "direct";
  input.numbers.rows.push_back(told);
  told.fact = "link.lanes";
  input.numbers.rows.push_back(told);
  input.numbers.invisible = {
      {"limits.*", "the driver refuses"}, {"class.*", "no test"}, {"none.*", "nothing"}};
  const Characterisation found = input.found();
  EXPECT_EQ(found.fact("class.fp32.latency"), nullptr);
  EXPECT_NE(found.fact("sm.count"), nullptr);
  EXPECT_EQ(found.fact("memory.latency_mhz")->fact.value, 1380);
  std::map<std::string, const FactGap*> gaps;
  for (const FactGap& gap : found.gaps) gaps[gap.path] = &gap;
  EXPECT_EQ(gaps.at("class.fp32.latency")->reason, "cannot be measured this way on 7.0");
  EXPECT_EQ(gaps.at("link.lanes")->reason, "the driver did not tell it");
  // A pattern is listed number by number, and not where a row has given its own reason.
  EXPECT_EQ(gaps.at("limits.warp_lanes")->reason, "the driver refuses");
  EXPECT_FALSE(gaps.contains("limits.*"));
  EXPECT_FALSE(gaps.contains("none.*"));
}

TEST(Characterisation, LanesFollowTheRateOfTheMainClass) {  // 32 / 0.4 = 80 lanes, not 64
  Input input;
  EXPECT_NEAR(input.found().fact("core.lanes")->fact.value, 64, 1e-3);
  for (NumberRow& row : input.numbers.rows) {
    if (row.fact == "class.fp32.cycles") row.factor = 0.8;
  }
  const Characterisation found = input.found();
  ASSERT_NE(found.fact("core.lanes"), nullptr);
  EXPECT_NEAR(found.fact("core.lanes")->fact.value, 80, 1e-3);
  EXPECT_EQ(found.fact("core.lanes")->fact.confidence, Confidence::derived);
}

TEST(Characterisation, TheFileReadsBack) {
  const Characterisation found = Input().found();
  const auto file = parse_fact_file(gpu_file_text(found), "mine.toml");
  ASSERT_TRUE(file) << file.error().line();
  EXPECT_EQ(file->word("name"), "Mine");
  EXPECT_EQ(file->word("cc"), "7.0");
  EXPECT_EQ(file->word("memory.technology"), "hbm2");
  for (const FoundFact& fact : found.facts) {
    const auto read = file->facts.find(fact.path);
    ASSERT_NE(read, file->facts.end()) << fact.path;
    EXPECT_NEAR(read->second.value, fact.fact.value, 1e-6 * fact.fact.value) << fact.path;
    EXPECT_EQ(read->second.unit, fact.fact.unit);
    EXPECT_EQ(read->second.source, fact.fact.source);
    if (fact.deviation) {
      EXPECT_TRUE(read->second.note.ends_with("deviation " + significant(*fact.deviation)))
          << read->second.note;
    }
  }
}

TEST(Characterisation, FactsThatAreNoneBecomeNotesAndGaps) {
  Input input;
  input.device.numbers["sm.colour"] = 3;
  input.numbers.rows.front().fact = "clas.fp32.latency";
  input.numbers.rows[1].unit = "us";
  const Characterisation found = input.found();
  EXPECT_EQ(found.notes,
            std::vector<std::string>{"the device's fact 'sm.colour' is none of a GPU file"});
  ASSERT_EQ(found.gaps.size(), 4U);
  EXPECT_TRUE(found.gaps[0].reason.find("no number is named 'clas.fp32.latency'") !=
              std::string::npos)
      << found.gaps[0].reason;
  EXPECT_TRUE(found.gaps[1].reason.find("'class.fp32.cycles' is in 'us'; expected cycles") !=
              std::string::npos)
      << found.gaps[1].reason;
  input.numbers.rows.front().how = "guess";
  const auto refused = characterise_samples(input.device, input.samples, input.numbers, like(), "");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().line().substr(0, 57),
            "numbers.toml:2: no estimator is named 'guess'; expected l");
}

TEST(Characterisation, WhatComesOutBelowZeroIsAGap) {  // 4 cycles times -1
  Input input;
  for (NumberRow& row : input.numbers.rows) {
    if (row.fact == "class.fp32.latency") row.factor = -1;
  }
  const Characterisation found = input.found();
  EXPECT_EQ(found.fact("class.fp32.latency"), nullptr);
  ASSERT_FALSE(found.gaps.empty());
  EXPECT_EQ(found.gaps[0].path, "class.fp32.latency");
  EXPECT_TRUE(found.gaps[0].reason.starts_with("comes out below 0: -")) << found.gaps[0].reason;
}

TEST(Comparison, VerdictsAndOtherSources) {
  const Characterisation found = Input().found();
  Gpu board = like();
  board.facts.at("class.fp32.latency").value = 5;
  board.facts.erase("launch.event_us");
  board.facts.at("l2.latency_cycles").alternatives = {{300, "another"}};
  std::size_t seen = 0;
  for (const ComparedFact& row : compare_facts(found, board)) {
    const std::string& path = row.found->path;
    EXPECT_NE(path, "power.limit_w");  // taken over: nothing to compare
    if (path == "class.fp32.latency") {
      EXPECT_EQ(row.verdict(), Verdict::differs);
      EXPECT_NEAR(row.others.front().ratio, 0.8, 1e-5);
      ++seen;
    } else if (path == "l2.latency_cycles") {
      EXPECT_EQ(row.verdict(), Verdict::agrees);
      ASSERT_EQ(row.others.size(), 2U);  // what other sources measured, with it
      EXPECT_EQ(row.others.back().verdict, Verdict::differs);
      EXPECT_EQ(row.others.back().source, "another");
      ++seen;
    } else if (path == "launch.event_us") {
      EXPECT_EQ(row.verdict(), Verdict::unknown);
      EXPECT_EQ(verdict_name(row.verdict()), "new");
      ++seen;
    }
  }
  EXPECT_EQ(seen, 3U);
}

TEST(MwpParameters, SevenWithUncertaintyAndWhatIsMissing) {
  const Characterisation found = Input().found();
  const MwpParameters parameters = mwp_parameters(found, like());
  std::map<std::string, ModelParameter> by_name;
  for (const ModelParameter& one : parameters.known) by_name[one.name] = one;
  EXPECT_EQ(by_name.size(), 8U);
  EXPECT_NEAR(by_name.at("instruction_latency_fp32").value, 4, 1e-4);
  EXPECT_TRUE(by_name.at("instruction_latency_fp32").deviation);
  EXPECT_EQ(by_name.at("warp_size").value, 32);
  EXPECT_NEAR(by_name.at("simd_width").value, 64, 1e-3);
  EXPECT_NEAR(by_name.at("hit_latency_l1").value, 28, 1e-3);
  EXPECT_NEAR(by_name.at("hit_latency_l2").value, 212, 1e-3);
  EXPECT_NEAR(by_name.at("dram_latency").value, 430, 1e-3);
  EXPECT_NEAR(by_name.at("memory_peak_bandwidth").value, 800, 0.01);
  EXPECT_EQ(by_name.at("memory_peak_bandwidth").unit, "GB/s");
  EXPECT_EQ(by_name.at("core_frequency").confidence, "assumed");
  std::set<std::string> missing;
  for (const FactGap& gap : parameters.missing) missing.insert(gap.path);
  for (const char* name : {"departure_delay_coalesced", "departure_delay_uncoalesced",
                           "transaction_size", "issue_cycles", "synchronisation_gamma"}) {
    EXPECT_TRUE(missing.contains(name)) << name;
  }
  const std::string text = mwp_text(parameters, found);
  EXPECT_NE(text.find("[hit_latency_l2]\nvalue = 212\nunit = \"cycles\"\ndeviation = "),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace forewarp::tests
