// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/database.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "test_paths.h"

namespace forewarp::tests {
namespace {

const HardwareDatabase& database() {
  static const HardwareDatabase data{FOREWARP_DATA_DIR};
  return data;
}

std::string refusal(std::string_view name, const std::vector<FactOverride>& changes = {}) {
  const auto gpu = database().load(name, changes);
  return gpu ? "loaded" : gpu.error().line();
}

bool says(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

TEST(Database, FindsByIdNameAndPath) {
  const std::string path = std::string(FOREWARP_DATA_DIR) + "/gpus/gtx970.toml";
  for (const std::string& name :
       {std::string("gtx970"), std::string("GTX970"), std::string("NVIDIA GeForce GTX 970"),
        std::string("nvidia geforce gtx 970"), std::string("geforce GTX 970"),
        std::string("gtx 970"), path}) {
    const auto gpu = database().load(name);
    ASSERT_TRUE(gpu) << name << ": " << gpu.error().line();
    EXPECT_EQ(gpu->id, "gtx970") << name;
  }
  // Names that are not their ids with a brand before them.
  EXPECT_EQ(database().load("geforce gtx titan x")->id, "titanx");
  EXPECT_EQ(database().load("Tesla V100-SXM2-32GB")->id, "v100-sxm2-32");
  const auto set = database().load("GeForce GTX 680@volkov");
  ASSERT_TRUE(set);
  EXPECT_EQ(set->clock_sustained_mhz, 1124);
}

TEST(Database, UnknownNamesAreAnsweredWithTheNearest) {
  const std::string line = refusal("gtx972");
  EXPECT_TRUE(says(line, "'gtx972'")) << line;
  EXPECT_TRUE(says(line, "gtx970")) << line;
  EXPECT_TRUE(says(refusal("a100"), "a100-pcie-40")) << refusal("a100");
  EXPECT_TRUE(says(refusal("gtx970@volkof"), "no parameter set 'volkof'"));
  EXPECT_TRUE(says(refusal("gtx970@volkof"), "gajger"));
  EXPECT_TRUE(says(refusal("no/such/file.toml"), "no/such/file.toml"));
  EXPECT_NE(refusal(""), "loaded");
}

TEST(Database, OverridesReplaceNumbersAndAreKept) {
  const auto gpu = database().load("gtx970", {{"memory.latency_cycles", "500"},
                                              {"l1.return_bytes", "64"},
                                              {"limits.carveouts", "0, 1024"},
                                              {"class.fp32.latency", "7"},
                                              {"rules.gajger.latency.sfu", "11"},
                                              {"issue.dual", "false"}});
  ASSERT_TRUE(gpu) << gpu.error().line();
  EXPECT_EQ(gpu->memory.latency, 500);
  const Fact& fact = gpu->facts.at("memory.latency_cycles");
  EXPECT_EQ(fact.source, "--set");
  ASSERT_EQ(fact.alternatives.size(), 1U) << "the file's own number stays visible";
  EXPECT_EQ(fact.alternatives[0].first, 368);
  EXPECT_EQ(gpu->limits.carveouts, (std::vector<std::uint32_t>{0, 1024}));
  EXPECT_EQ(gpu->classes.at("fp32").latency, 7);
  EXPECT_EQ(gpu->rules_named("gajger")->latency.at("sfu"), 11);
  EXPECT_FALSE(gpu->dual_issue);
  const auto other = database().load("gtx680", {{"l1.return_bytes", "64"}});
  ASSERT_TRUE(other) << other.error().line();
  EXPECT_EQ(other->l1.fill_bytes, 32) << "half of the L1 return width: rules follow what is set";
}

TEST(Database, AnotherMemoryTechnologyIsAWhatIf) {
  const auto gpu = database().load("rtx3090", {{"memory.technology", "gddr6"}});
  ASSERT_TRUE(gpu) << gpu.error().line();
  EXPECT_EQ(gpu->memory.read_share, database().load("a40")->memory.read_share);
  EXPECT_TRUE(says(refusal("rtx3090", {{"memory.technology", "gddr66"}}), "gddr6x"));
}

TEST(Database, OverridesThatCannotBeAreRefused) {
  const std::string line = refusal("gtx970", {{"memory.latncy_cycles", "500"}});
  EXPECT_TRUE(says(line, "--set hw.memory.latncy_cycles")) << line;
  EXPECT_TRUE(says(line, "memory.latency_cycles")) << line;
  EXPECT_TRUE(says(refusal("gtx970", {{"l2.bytes", "big"}}), "'big' is no number"));
  EXPECT_TRUE(says(refusal("gtx970", {{"l2.bytes", "1,2"}}), "is a list"));
  EXPECT_TRUE(says(refusal("gtx970", {{"sm.count", "0"}}), "'sm.count' is 0"));
  EXPECT_TRUE(says(refusal("gtx970", {{"sm.count", "1.5"}}), "a whole number"));
  EXPECT_TRUE(says(refusal("gtx970", {{"clock.sustained_mhz", "-1"}}), "a number above zero"));
  EXPECT_TRUE(says(refusal("gtx970", {{"clock.sustained_mhz", "inf"}}), "'inf' is no number"));
  EXPECT_TRUE(says(refusal("gtx970", {{"limits.max_grid", "1,2"}}), "three whole numbers"));
  EXPECT_TRUE(says(refusal("gtx970", {{"class.fp31.cycles", "1"}}), "class.fp32.cycles"));
  EXPECT_TRUE(says(refusal("gtx970", {{"", "1"}}), "no number is named ''"));
}

TEST(Database, AnEmptyFolderHasNoBoards) {
  EXPECT_TRUE(HardwareDatabase{"/nonexistent"}.ids().empty());
  EXPECT_TRUE(HardwareDatabase{"/nonexistent"}.capabilities().empty());
  EXPECT_FALSE(HardwareDatabase{"/nonexistent"}.load("gtx970"));
}

TEST(Database, LocateTakesTheEnvironment) {
  ::setenv("FOREWARP_DATA", FOREWARP_DATA_DIR, 1);
  ASSERT_TRUE(HardwareDatabase::locate());
  EXPECT_EQ(HardwareDatabase::locate()->directory(), FOREWARP_DATA_DIR);
  ::setenv("FOREWARP_DATA", "/nonexistent", 1);
  const auto wrong = HardwareDatabase::locate();
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(says(wrong.error().line(), "FOREWARP_DATA"));
  ::unsetenv("FOREWARP_DATA");
  EXPECT_TRUE(HardwareDatabase::locate()) << "the source tree";
}

/// A copy of one board's file with one piece of its text replaced, checked.
class ChangedBoard : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "forewarp_changed_board";
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string errors(std::string_view from, std::string_view to) {
    std::ifstream original(std::string(FOREWARP_DATA_DIR) + "/gpus/gtx970.toml");
    std::stringstream content;
    content << original.rdbuf();
    std::string text = content.str();
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const auto file = folder_ / "board.toml";
    std::ofstream(file) << text;
    std::string lines;
    for (const DataFinding& finding : database().check(file)) {
      if (finding.error) lines += finding.diagnostic.line() + "\n";
    }
    return lines;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(ChangedBoard, SoundCopyHasNoErrors) {
  EXPECT_EQ(errors("GM204", "GM204"), "");
}

TEST_F(ChangedBoard, WrongUnit) {
  const std::string lines = errors("value = 1050, unit = \"MHz\"", "value = 1.05, unit = \"GHz\"");
  EXPECT_TRUE(says(lines, "board.toml:15: 'clock.base_mhz' is in 'GHz'; expected MHz")) << lines;
}

TEST_F(ChangedBoard, UnknownKey) {
  const std::string lines = errors("base_mhz =", "bass_mhz =");
  EXPECT_TRUE(says(lines, "no number is named 'clock.bass_mhz'; expected clock.base_mhz")) << lines;
}

TEST_F(ChangedBoard, MissingNumber) {
  const std::string lines = errors("count = { value = 13, unit = \"1\" }", "");
  EXPECT_TRUE(says(lines, "'sm.count' is missing")) << lines;
}

TEST_F(ChangedBoard, BandwidthAgainstClockTimesWidth) {
  const std::string lines = errors("clock_mhz = { value = 1753, unit = \"MHz\" }",
                                   "clock_mhz = { value = 1753, unit = \"MHz\" }\ntheory_gbs = { "
                                   "value = 250, unit = \"GB/s\" }");
  EXPECT_TRUE(says(lines, "'memory.theory_gbs' is 250")) << lines;
  EXPECT_TRUE(says(lines, "224.4, the product of clock, width and rate")) << lines;
}

TEST_F(ChangedBoard, SustainedClockFarFromBoost) {
  EXPECT_TRUE(says(errors("sustained_mhz = { value = 1253", "sustained_mhz = { value = 2500"),
                   "'clock.sustained_mhz' is 2.122 of the boost clock; expected 0.4 to 1.3"));
}

TEST_F(ChangedBoard, SegmentsThatDoNotAddUp) {
  EXPECT_TRUE(says(errors("value = 536870912", "value = 536870911"), "the sum of its segments"));
}

TEST_F(ChangedBoard, UnknownCapabilityAndTechnology) {
  EXPECT_TRUE(says(errors("cc = \"5.2\"", "cc = \"5.7\""), "capabilities/5.7.toml"));
  EXPECT_TRUE(says(errors("gddr5-maxwell", "gddr5-maxwel"), "gddr5-maxwell"));
  EXPECT_TRUE(says(errors("cc = \"5.2\"\n", ""), "'cc' is missing"));
}

TEST_F(ChangedBoard, FaultInsideAParameterSet) {
  EXPECT_TRUE(says(errors("sustained_mhz = { value = 1253, unit = \"MHz\", source = \"Gajger 2017, "
                          "Table 6.1\", confidence = \"published\" }\n\n[set.gajger.gajger",
                          "sustained_mhz = { value = 9253, unit = \"MHz\", source = \"s\", "
                          "confidence = \"published\" }\n\n[set.gajger.gajger"),
                   "(@gajger)"));
}

}  // namespace
}  // namespace forewarp::tests
