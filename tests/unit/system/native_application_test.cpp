// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "system/run/child.h"

namespace forewarp::tests {
namespace {

constexpr const char* system_text = R"(
[[component]]
name = 'a'
kind = 'cpu'
performance = 1e9
power = { active_w = 10 }
clocks = [{ share = 0.5, active_w = 3 }]
labels = { A = 1 }
[[component]]
name = 'b'
kind = 'cpu'
labels = { B = 1 }
[[component]]
name = 'd'
kind = 'disk'
read_gbs = 4
write_gbs = 2
latency_us = 100
[[link]]
ends = ['a', 'b']
gbs = 10
latency_us = 5
[[link]]
ends = ['a', 'd']
gbs = 3
latency_us = 5
)";

class NativeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    file_ = std::filesystem::temp_directory_path() /
            ("forewarp-native-" + std::to_string(::getpid()) + ".toml");
    ASSERT_TRUE(write_file(file_, system_text));
  }
  void TearDown() override { std::filesystem::remove(file_); }

  Outcome run(const std::vector<std::pair<std::string, ActorBody>>& bodies) const {
    SimulationOptions order;
    order.system = file_.string();
    order.application = "native";
    order.native.bodies = bodies;
    const auto outcome = simulate(order);
    EXPECT_TRUE(outcome);
    return *outcome;
  }

  std::filesystem::path file_;
};

TEST_F(NativeTest, MessagesAndWorkAreThoseOfScripts) {  // 1 s of work, then 1 GB / 10 GB/s + 5 us
  const Outcome got = run({{"A",
                            [](Actor& own) {
                              own.operations(1e9);
                              own.send(own.rank_of("B", 0), 1e9);
                            }},
                           {"B", [](Actor& own) { (void)own.receive(); }}});
  ASSERT_FALSE(got.error) << got.error->line();
  EXPECT_NEAR(got.overall_s, 1.100005, 1e-9);
  EXPECT_NEAR(got.energy_j, 10, 1e-9);
}

TEST_F(NativeTest, FaultsNameTheProcess) {
  const Outcome got = run({{"A", [](Actor& own) { own.send(7, 1); }}});
  ASSERT_TRUE(got.error);
  EXPECT_EQ(got.error->line(), "native: process A:0 at 0 s: there is no process of rank 7");
}

/// 1 s of work of which 0.25 s pass at the usual clock: the rest takes 0.75 / 0.5 s, at 3 W.
TEST_F(NativeTest, AClockChangesWorkInProgress) {
  const Outcome got = run({{"A", [](Actor& own) {
                              own.compute(0.25);
                              own.clock(0.5);
                              own.compute(0.75);
                            }}});
  ASSERT_FALSE(got.error) << got.error->line();
  EXPECT_NEAR(got.overall_s, 0.25 + 0.75 / 0.5, 1e-9);
  EXPECT_NEAR(got.energy_j, 0.25 * 10 + 1.5 * 3, 1e-9);
  ASSERT_EQ(got.assumptions.size(), 1U);
  EXPECT_EQ(got.assumptions[0], "work lasts in inverse proportion to the clock: a");
}

constexpr const char* gpu_text = R"(
[[component]]
name = 'host'
kind = 'cpu'
labels = { A = 1 }
[[component]]
name = 'gpu'
kind = 'gpu'
[[link]]
ends = ['host', 'gpu']
gbs = 10
latency_us = 10
)";

/// Two copies at a time, what is assumed to lie between nodes, and a kernel.
TEST_F(NativeTest, AGraphIsLaunchedAtOnce) {
  ASSERT_TRUE(write_file(file_, gpu_text));
  const Outcome got = run({{"A", [](Actor& own) {
                              Graph& graph = own.graph();
                              const CopyRun in{CopyDirection::to_device, 1e8};
                              const CopyRun out{CopyDirection::to_host, 1e7};
                              const auto first = own.copy(in, graph);
                              const auto second = own.copy(out, graph, after_nothing());
                              own.kernel({"both", 0.02}, graph, NodeOrder({first, second}));
                              own.launch(graph);
                            }}});
  ASSERT_FALSE(got.error) << got.error->line();
  EXPECT_NEAR(got.overall_s, 1e-5 + 0.01 + 0.68e-6 + 0.02, 1e-9);
  EXPECT_EQ(got.assumptions.size(), 3U);
}

/// The link of 3 GB/s limits a read, the disk's 2 GB/s a write.
TEST_F(NativeTest, DisksAndTheirLinks) {
  const Outcome got = run({{"A", [](Actor& own) {
                              own.read(3e9);
                              own.write(2e9, "d");
                            }}});
  ASSERT_FALSE(got.error) << got.error->line();
  EXPECT_NEAR(got.overall_s, 2 + 2 * 105e-6, 1e-9);
  const Outcome none = run({{"B", [](Actor& own) { own.read(1); }}});
  ASSERT_TRUE(none.error);
  EXPECT_NE(none.error->line().find("b has links to 0 disks; expected one, or disk = \"NAME\""),
            std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
