// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "suite.h"

#include <cmath>
#include <filesystem>
#include <unistd.h>

#include <gtest/gtest.h>

#include "alteration.h"
#include "base/file.h"
#include "samples_file.h"
#include "synthetic_device.h"

namespace forewarp::tests {
namespace {

using cli::BenchTest;
using cli::parse_budget;
using cli::run_suite;
using cli::SamplesFile;
using cli::SuiteOptions;
using cli::SyntheticDevice;

class Suite : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("suite-" + std::to_string(::getpid()) + "-" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    auto device = SyntheticDevice::read(R"(name = "S"
cc = "7.0"
facts = { "sm.count" = 10 }
[readings.pair]
window = "17*70 18*20 25*10"
empty = "38 40"
)",
                                        "s.toml");
    ASSERT_TRUE(device) << device.error().line();
    device_ = *std::move(device);
    BenchTest test;
    test.id = "pair";
    test.kernel = "k";
    test.file = "k.cu";
    test.flags = {"-Xptxas", "-O0"};
    test.empty_kernel = "e";
    test.window = true;
    test.blocks = {"1", "sms"};
    test.threads = {"32"};
    tests_ = {test};
    order_.folder = folder_;
    order_.date = "2025-01-31";
    order_.seconds = [this] { return now_ += 1; };
    order_.tell = [this](const std::string& line) { told_.push_back(line); };
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string samples() const { return *read_file(folder_ / "samples.tsv"); }

  std::filesystem::path folder_;
  std::unique_ptr<SyntheticDevice> device_;
  std::vector<BenchTest> tests_;
  SuiteOptions order_;
  std::vector<std::string> told_;
  double now_ = 0;
};

constexpr const char* four_records =
    "# forewarp samples 1\n"
    "pair\tblocks=1,threads=32\twindow\tcycles\t-\t-\t17*70 18*20 25*10\n"
    "pair\tblocks=1,threads=32\tempty\tcycles\t-\t-\t38 40\n"
    "pair\tblocks=10,threads=32\twindow\tcycles\t-\t-\t17*70 18*20 25*10\n"
    "pair\tblocks=10,threads=32\tempty\tcycles\t-\t-\t38 40\n";

TEST_F(Suite, WritesALineForEveryRecord) {
  const auto summary = run_suite(tests_, *device_, order_);
  ASSERT_TRUE(summary) << summary.error().line();
  EXPECT_EQ(summary->recorded, 4U);
  EXPECT_EQ(samples(), four_records);
  const std::string device = *read_file(folder_ / "device.json");
  EXPECT_NE(device.find("\"date\": \"2025-01-31\""), std::string::npos);
  EXPECT_NE(device.find("\"flags\": \"k.cu: -Xptxas -O0\""), std::string::npos);
}

TEST_F(Suite, GoesOnAfterALineThatWasCut) {
  ASSERT_TRUE(run_suite(tests_, *device_, order_));
  const std::string whole = samples();
  ASSERT_TRUE(write_file(folder_ / "samples.tsv", whole.substr(0, whole.size() - 3)));
  order_.resume = true;
  const auto summary = run_suite(tests_, *device_, order_);
  ASSERT_TRUE(summary) << summary.error().line();
  EXPECT_EQ(summary->known, 3U);
  EXPECT_EQ(summary->recorded, 1U);
  EXPECT_EQ(samples(), four_records);
  EXPECT_EQ(told_,
            (std::vector<std::string>{"samples.tsv: the last line was cut and is measured again"}));
}

TEST_F(Suite, RefusesToBeginInAFolderWithSamples) {
  ASSERT_TRUE(run_suite(tests_, *device_, order_));
  const auto again = run_suite(tests_, *device_, order_);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().line(),
            (folder_ / "samples.tsv").string() +
                ": holds 4 records; expected a folder without samples; --resume goes on, --out DIR "
                "begins elsewhere");
}

TEST_F(Suite, GoesOnWithTheSameDeviceAlone) {
  ASSERT_TRUE(run_suite(tests_, *device_, order_));
  const std::string file = (folder_ / "device.json").string();
  const std::string before = *read_file(file);
  order_.resume = true;
  ASSERT_TRUE(run_suite(tests_, *device_, order_));
  std::string other = before;
  other.replace(other.find("\"sm.count\": 10"), 14, "\"sm.count\": 12");
  ASSERT_TRUE(write_file(file, other));
  EXPECT_EQ(run_suite(tests_, *device_, order_).error().line(),
            file +
                ": another device: 'facts' differs; expected the device whose samples lie there; "
                "--out DIR begins elsewhere");
  EXPECT_EQ(*read_file(file), other);
  ASSERT_TRUE(write_file(file, before));
  order_.alteration = "{}\n";
  EXPECT_EQ(run_suite(tests_, *device_, order_).error().line(),
            (folder_ / "altered.json").string() +
                ": another alteration; expected the device whose samples lie there; --out DIR "
                "begins elsewhere");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "altered.json"));
}

TEST_F(Suite, RefusesLaunchesThatNoGridCounts) {
  tests_.front().blocks = {"4294967296"};
  tests_.front().place = "t.toml:3";
  EXPECT_EQ(run_suite(tests_, *device_, order_).error().line(),
            "t.toml:3: blocks = '4294967296' is 4294967296; expected at most 4294967295");
}

// The clock reads 1 at the beginning and a second more with every look: a budget of 2.5 s lets the
// looks at 2 and 3 begin (1 and 2 s later), and not those at 4 and 5.
TEST_F(Suite, BeginsNoRecordBeyondItsBudget) {
  order_.budget_seconds = 2.5;
  const auto summary = run_suite(tests_, *device_, order_);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->recorded, 2U);
  EXPECT_EQ(summary->left, 2U);
}

TEST_F(Suite, LeavesOutWhatCannotBeMeasuredAndSaysSo) {
  tests_.front().id = "other";
  const auto summary = run_suite(tests_, *device_, order_);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->refused, 4U);
  EXPECT_EQ(told_.front(),
            "other blocks=1,threads=32: s.toml: says no window of 'other'; expected "
            "[readings.other]");
}

TEST_F(Suite, TakesTestsOfOtherArchitecturesOut) {
  tests_.front().architectures = {75, 90};
  const auto summary = run_suite(tests_, *device_, order_);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->recorded + summary->refused, 0U);
}

TEST_F(Suite, RefusesFilesOfOtherKinds) {
  std::filesystem::create_directories(folder_);
  const std::string file = (folder_ / "samples.tsv").string();
  ASSERT_TRUE(write_file(file, "gpu,time\n"));
  EXPECT_EQ(run_suite(tests_, *device_, order_).error().line(),
            file +
                ":1: another first line; expected # forewarp samples 1; name the folder that "
                "forewarp-bench wrote");
  ASSERT_TRUE(write_file(file, "# forewarp samples 1\na\tb\n"));
  EXPECT_EQ(run_suite(tests_, *device_, order_).error().line(),
            file +
                ":2: a line of 2 fields; expected test, config, quantity, unit, clock_mhz, power_w "
                "and samples, parted by tabs");
  ASSERT_TRUE(write_file(file, "# forewarp sam"));  // a run that was killed at its first line
  EXPECT_TRUE(run_suite(tests_, *device_, order_));
}

TEST(Alteration, LeavesSwitchesAsTheyAre) {
  Gpu gpu;
  for (const char* path : {"l1.unified", "l1.store_updates", "l1.latency_cycles"}) {
    gpu.facts[path].value = 1;
  }
  const auto found = cli::alterable(gpu);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().path, "l1.latency_cycles");
}

// Four schedulers issue an instruction in a quarter of a cycle: no unit is altered to be faster.
TEST(Alteration, NoUnitOutrunsTheSchedulers) {
  Gpu gpu;
  gpu.schedulers = 4;
  gpu.issue_interval = 1;
  gpu.facts["class.logic.cycles"] = {};
  gpu.facts["class.logic.cycles"].value = 0.25;
  gpu.facts["class.logic.cycles"].unit = "cycles";
  const auto all = [](const std::vector<FactOverride>&) { return true; };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_GE(cli::altered(gpu, seed, all).front().to, 0.25) << seed;
  }
}

// A unit that takes an instruction of each of 4 schedulers in 4 x 8 = 32 cycles, whose result is
// there after 33: a chain of them shows the longer of the two, so the altered latency is that one.
TEST(Alteration, ResultsComeAfterTheirUnit) {
  Gpu gpu;
  gpu.schedulers = 4;
  for (const auto& [path, value] :
       {std::pair("class.sfu.cycles", 8.0), std::pair("class.sfu.latency", 33.0)}) {
    gpu.facts[path].value = value;
    gpu.facts[path].unit = "cycles";
  }
  const auto all = [](const std::vector<FactOverride>&) { return true; };
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto changes = cli::altered(gpu, seed, all);
    ASSERT_FALSE(changes.empty());
    const double latency = changes.size() == 2 ? changes[1].to : 33;  // as before
    EXPECT_GE(latency, 4 * changes[0].to) << seed;
  }
}

// A chain of results that come after 4.03 cycles takes 5 a result: a latency of whole cycles is
// altered to another of them.
TEST(Alteration, LatenciesStayWholeCycles) {
  Gpu gpu;
  gpu.schedulers = 4;
  for (const auto& [path, value] :
       {std::pair("class.fp32.latency", 4.0), std::pair("l2.latency_cycles", 212.0),
        std::pair("class.fp64.latency", 8.5)}) {
    gpu.facts[path].value = value;
    gpu.facts[path].unit = "cycles";
  }
  const auto all = [](const std::vector<FactOverride>&) { return true; };
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const auto& change : cli::altered(gpu, seed, all)) {
      EXPECT_NE(change.to, change.from);
      EXPECT_EQ(change.to == std::floor(change.to), change.path != "class.fp64.latency")
          << change.path;
    }
  }
}

// How many parts L2 has means nothing without how far the other one is.
TEST(Alteration, TheHalvesOfL2Stay) {
  Gpu gpu;
  gpu.facts["l2.partitions"].value = 1;
  gpu.facts["l2.partitions"].unit = "1";
  EXPECT_TRUE(cli::alterable(gpu).empty());
}

// Together the SMs get no more of L2 than before: value x SMs stays below 32 x 10.
TEST(Alteration, SmsShareTheSlicesOfL2) {
  Gpu gpu;
  gpu.sms = 10;
  gpu.facts["sm.count"].value = 10;
  gpu.facts["l2.read_bytes"].value = 32;
  gpu.facts["l2.read_bytes"].unit = "B/cycle";
  gpu.facts["sm.count"].unit = "1";
  const auto all = [](const std::vector<FactOverride>&) { return true; };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    double product = 1;
    for (const auto& change : cli::altered(gpu, seed, all)) product *= change.to;
    EXPECT_LE(product, 320 * (1 + 1e-12)) << seed;
  }
}

TEST(Budget, IsATimeWithItsUnit) {
  EXPECT_EQ(*parse_budget("8m"), 480);
  EXPECT_EQ(*parse_budget("90s"), 90);
  EXPECT_EQ(*parse_budget("1.5h"), 5400);
  EXPECT_EQ(*parse_budget("30"), 30);
  for (const char* wrong : {"", "m", "0s", "-3", "soon"}) {
    EXPECT_EQ(parse_budget(wrong).error().line(),
              "--budget: '" + std::string(wrong) + "' is no time; expected 8m, 90s or 1h");
  }
}

}  // namespace
}  // namespace forewarp::tests
