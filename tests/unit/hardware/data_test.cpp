// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

const HardwareDatabase& database() {
  static const HardwareDatabase data{FOREWARP_DATA_DIR};
  return data;
}

/// The ids that users and other programs rely on.
constexpr std::array promised = {
    "8800gtx",      "gtx280",       "gtx470",      "gtx480",   "c2075",     "gtx680",
    "k20x",         "k40",          "gtx970",      "gtx980",   "titanx",    "p100-pcie-16",
    "p4",           "gtx1080",      "gtx1080ti",   "titanv",   "t4",        "v100-pcie-16",
    "rtx2070",      "v100-sxm2-32", "rtx2070s",    "rtx2080s", "rtx2080ti", "titanrtx",
    "a100-pcie-40", "a100-sxm-40",  "a100-sxm-80", "a40",      "rtxa4000",  "rtxa6000",
    "rtx3060l",     "rtx3090",      "l4",          "l40",      "rtx4090",   "h100-pcie-80",
    "h100-sxm-80",  "h100-nvl",     "gh200-96",    "h200-sxm", "b200",      "rtx5090"};

TEST(Data, HoldsEveryPromisedBoard) {
  const std::vector<std::string> ids = database().ids();
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  for (const char* id : promised) {
    EXPECT_NE(std::find(ids.begin(), ids.end(), id), ids.end()) << id;
  }
}

void expect_positive(const Gpu& gpu) {
  const std::pair<const char*, double> numbers[] = {
      {"sms", gpu.sms},
      {"clock_base_mhz", gpu.clock_base_mhz},
      {"clock_boost_mhz", gpu.clock_boost_mhz},
      {"clock_sustained_mhz", gpu.clock_sustained_mhz},
      {"schedulers", gpu.schedulers},
      {"issue_interval", gpu.issue_interval},
      {"core_lanes", gpu.core_lanes},
      {"sfu_lanes", gpu.sfu_lanes},
      {"register_banks", gpu.register_banks},
      {"register_reads_per_bank", gpu.register_reads_per_bank},
      {"sector_bytes", gpu.sector_bytes},
      {"line_bytes", gpu.line_bytes},
      {"shared_banks", gpu.shared_banks},
      {"shared_bank_bytes", gpu.shared_bank_bytes},
      {"shared_cycles_per_pass", gpu.shared_cycles_per_pass},
      {"shared_cycles_minimum", gpu.shared_cycles_minimum},
      {"lsu_cycles", gpu.lsu_cycles},
      {"l1_return_bytes", gpu.l1.return_bytes},
      {"l1_fill_bytes", gpu.l1.fill_bytes},
      {"store_path_bytes", gpu.l1.store_bytes},
      {"shared_latency", gpu.shared_latency},
      {"memory_latency", gpu.memory.latency},
      {"memory_latency_mhz", gpu.memory.latency_mhz},
      {"memory_theory_gbs", gpu.memory.theory_gbs},
      {"memory_bytes", gpu.memory.bytes},
      {"memory_read", gpu.memory.read_share},
      {"memory_write", gpu.memory.write_share},
      {"memory_mixed", gpu.memory.mixed_share},
      {"contention_read", gpu.memory.contention_read},
      {"contention_mixed", gpu.memory.contention_mixed},
      {"contention_read_share", gpu.memory.contention_read_share},
      {"contention_mixed_share", gpu.memory.contention_mixed_share},
      {"block_turnaround", gpu.block_turnaround},
      {"block_launch_interval", gpu.block_launch_interval},
      {"warp_launch_cycles", gpu.warp_launch_cycles},
      {"event_us", gpu.event_us},
      {"stream_us", gpu.stream_us},
      {"graph_us", gpu.graph_us},
      {"host_us", gpu.host_us},
      {"warp_lanes", gpu.limits.warp_lanes},
      {"max_block", gpu.limits.max_block[2]},
      {"max_grid", gpu.limits.max_grid[2]},
  };
  for (const auto& [name, value] : numbers) EXPECT_GT(value, 0) << gpu.id << ' ' << name;
}

/// From 2.0 on device memory lies behind an L2.
void expect_cached(const Gpu& gpu) {
  EXPECT_GT(gpu.l1.bytes, 0) << gpu.id;
  EXPECT_GT(gpu.l1.latency, 0) << gpu.id;
  EXPECT_GT(gpu.l2.bytes, gpu.l1.bytes) << gpu.id;
  EXPECT_GT(gpu.l2.latency, gpu.l1.latency) << gpu.id;
  EXPECT_GE(gpu.l2.latency_far, gpu.l2.latency) << gpu.id;
  EXPECT_LT(gpu.l2.latency, gpu.memory.latency) << gpu.id;
  EXPECT_GT(gpu.l2.read_bytes, 0) << gpu.id;
  EXPECT_GT(gpu.l2.write_bytes, 0) << gpu.id;
  EXPECT_GT(gpu.l2.miss_from, 0) << gpu.id;
  EXPECT_GT(gpu.l2.miss_to, gpu.l2.miss_from) << gpu.id;
}

TEST(Data, EveryBoardIsComplete) {
  for (const std::string& id : database().ids()) {
    const auto gpu = database().load(id);
    ASSERT_TRUE(gpu) << id << ": " << gpu.error().line();
    EXPECT_EQ(gpu->id, id);
    EXPECT_EQ(gpu->file, "data/gpus/" + id + ".toml");
    for (const std::string& word : {gpu->name, gpu->chip, gpu->isa})
      EXPECT_FALSE(word.empty()) << id;
    expect_positive(*gpu);
    if (gpu->cc >= Capability{2, 0}) expect_cached(*gpu);
    ASSERT_FALSE(gpu->rules.empty());
    EXPECT_EQ(gpu->rules.front().name, "default");
    EXPECT_EQ(gpu->rules.front().use_control_words, gpu->cc >= Capability(3, 5)) << id;
  }
}

TEST(Data, EveryNumberSaysWhereItComesFrom) {
  for (const std::string& id : database().ids()) {
    const auto gpu = database().load(id);
    ASSERT_TRUE(gpu) << id;
    for (const auto& [path, fact] : gpu->facts) {
      if (!fact.text.empty()) continue;
      EXPECT_FALSE(fact.unit.empty()) << id << ' ' << path;
      EXPECT_FALSE(fact.source.empty()) << id << ' ' << path;
      EXPECT_FALSE(fact.file.empty()) << id << ' ' << path;
      // What a rule filled says which.
      const bool ruled = fact.file == "data/rules.toml";
      EXPECT_TRUE(!ruled || !fact.note.empty()) << id << ' ' << path;
    }
  }
}

TEST(Data, ShippedFilesPassTheirOwnCheck) {
  for (const std::string& id : database().ids()) {
    for (const DataFinding& finding :
         database().check(database().directory() / "gpus" / (id + ".toml"))) {
      EXPECT_FALSE(finding.error) << finding.diagnostic.line();
    }
  }
}

}  // namespace
}  // namespace forewarp::tests
