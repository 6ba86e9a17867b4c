// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Samples made from the numbers of published boards give these numbers back.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/file.h"
#include "characterise/estimators/estimator.h"
#include "characterise/statistics/pipelining.h"
#include "hardware/database.h"
#include "sample_maker.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

Gpu board(const std::string& name) {
  auto gpu = HardwareDatabase(FOREWARP_DATA_DIR).load(name);
  EXPECT_TRUE(gpu) << gpu.error().line();
  return *std::move(gpu);
}

Expected<Estimate> estimate_of(const NumberRow& row, const Gpu& gpu,
                               const std::vector<Record>& records) {
  const auto facts = [&](std::string_view path) -> std::optional<double> {
    const auto found = gpu.facts.find(path);
    return found == gpu.facts.end() ? std::nullopt : std::optional(found->second.value);
  };
  const Registry<Estimator> all = estimators();
  return (*all.find(row.how))->estimate(row, Evidence(records, facts));
}

double estimated(const Gpu& gpu, const std::vector<Record>& records, const std::string& how,
                 const std::string& unit, std::vector<std::string> tests, double work,
                 const std::string& part = "") {
  NumberRow row;
  row.fact = how + " of " + tests.front();
  row.how = how;
  row.unit = unit;
  row.tests = std::move(tests);
  row.work = work;
  row.part = part;
  row.mean_below = 350;
  row.misses_below = 20;
  const auto found = estimate_of(row, gpu, records);
  EXPECT_TRUE(found) << found.error().line();
  return found ? found->value : std::nan("");
}

class VolkovBoard : public testing::TestWithParam<const char*> {};

TEST_P(VolkovBoard, LatenciesRatesAndLoadComeBack) {
  const Gpu gpu = board(std::string(GetParam()) + "@volkov");
  const double mhz = gpu.clock_sustained_mhz;
  const double sms = gpu.sms;
  const auto number = [&](const std::string& path) { return gpu.number("volkov." + path); };
  constexpr double operations = 64;
  std::vector<Record> records;
  unsigned seed = 3;
  for (const std::string name : {"add", "sfu", "smem", "smem2", "stream", "random"}) {
    // One warp: 4 us + passes x 64 x latency. Every SM: 8 blocks of 128 threads each, an
    // instruction takes the SM 32 lanes / (rate x schedulers) cycles.
    const double latency = number("latency." + name);
    const double cycles = 32 / (number("rate." + name) * gpu.schedulers);
    ASSERT_GT(latency, 0) << name;
    for (const double passes : {50., 100., 150.}) {
      const std::string swept = ",passes=" + significant(passes, 9);
      records.push_back(time_of("chain_" + name, "blocks=1,threads=32" + swept,
                                4 + passes * operations * latency / mhz, mhz, 1e-4, seed++));
      const double warps = 8 * 128 / 32;
      records.push_back(time_of("rate_" + name,
                                "blocks=" + significant(8 * sms, 9) + ",threads=128" + swept,
                                4 + passes * operations * warps * cycles / mhz, mhz, 1e-4, seed++));
    }
  }
  const double a = number("a"), b = number("b"), c = number("c");
  for (const double share : {.1, .3, .5, .7, .8, .9, .95}) {
    const double gbs = share * c;
    records.push_back(record_of("loaded", "gbs=" + significant(gbs, 12), "window",
                                {{a + b * gbs / (c - gbs), 1}}));
  }
  for (const std::string name : {"add", "sfu", "smem", "smem2", "stream", "random"}) {
    const double latency = number("latency." + name);
    EXPECT_NEAR(estimated(gpu, records, "latency", "cycles", {"chain_" + name}, operations),
                latency, std::min(2.0, 0.01 * latency))
        << name;
    const double rate =
        32 * estimated(gpu, records, "rate", "1/cycle", {"rate_" + name}, operations);
    EXPECT_NEAR(rate / gpu.schedulers / number("rate." + name), 1, 0.01) << name;
  }
  EXPECT_NEAR(estimated(gpu, records, "load", "cycles", {"loaded"}, 1, "a") / a, 1, 0.01);
  EXPECT_NEAR(estimated(gpu, records, "load", "cycles", {"loaded"}, 1, "b") / b, 1, 0.03);
  EXPECT_NEAR(estimated(gpu, records, "load", "GB/s", {"loaded"}, 1, "c") / c, 1, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Chapter6, VolkovBoard,
                         testing::Values("8800gtx", "gtx280", "gtx480", "gtx680", "gtx980"));

constexpr int warps = 200;  // that record a value each
constexpr int lanes = 32;

/// Windows of a warp whose mean is `cycles` plus the clock's 40: two neighbouring whole numbers.
Histogram around(double cycles, double share = 1) {
  const double below = std::floor(cycles);
  const auto above = static_cast<std::uint64_t>(std::lround((cycles - below) * warps * share));
  const auto rest = static_cast<std::uint64_t>(std::lround(warps * share)) - above;
  Histogram made;
  if (rest > 0) made.emplace_back(40 + below, rest * lanes);
  if (above > 0) made.emplace_back(41 + below, above * lanes);
  return made;
}

void add_pair(std::vector<Record>& records, const std::string& test, const std::string& config,
              Histogram windows) {
  records.push_back(record_of(test, config, "window", std::move(windows)));
  records.push_back(record_of(test, config, "empty", {{40, warps * lanes}}));
}

std::string config(int blocks, int threads) {
  return "blocks=" + std::to_string(blocks) + ",threads=" + std::to_string(threads);
}

// Table 12: so many independent operations, a window each.
const std::map<std::string, std::vector<double>> independent = {
    {"add", {17, 6, 28, 28, 33, 40, 42, 40}},
    {"sub", {17, 6, 28, 28, 33, 40, 42, 40}},
    {"mul", {17, 6, 28, 28, 33, 40, 42, 40}},
    {"div", {960, 1609, 2262, 2926, 3666, 4572, 5803, 6791}},
    {"mad", {17, 6, 24, 31, 31, 40, 25, 89}}};

TEST(SanchezBoard, ArithmeticOfTables10And12) {
  const Gpu gpu = board("k40@sanchez");
  for (const std::string name : {"add", "sub", "mul", "div", "mad"}) {
    const std::vector<double>& totals = gpu.facts.at("sanchez.independent." + name).values;
    ASSERT_EQ(totals, independent.at(name));
    std::map<std::size_t, double> found;
    for (std::size_t n = 1; n <= totals.size(); ++n) {
      std::vector<Record> records;
      for (const int blocks : {1, 15, 30}) {
        for (int threads = 32; threads <= 1024; threads += 32) {
          add_pair(records, name, config(blocks, threads), around(totals[n - 1]));
        }
      }
      found[n] = estimated(gpu, records, "window", "cycles", {name}, 1);
      EXPECT_NEAR(found[n], totals[n - 1], 1e-9);
    }
    EXPECT_NEAR(found[1], gpu.number("sanchez." + name), 1e-9);  // V9
    EXPECT_EQ(pipelining(found).rows.size(), 8U);
  }
}

/// Global loads over 1..30 blocks: hits of L2 alone up to 9856 threads with a mean below 350 and a
/// largest of 683; beyond, the mean of the hits makes the mean of all configurations 365, and
/// device memory follows its line.
std::vector<Record> global_loads(const Gpu& gpu, const std::string& test = "global") {
  const double slope = gpu.number("sanchez.memory_slope");
  const double shift = gpu.number("sanchez.memory_shift");
  const double boundary = gpu.number("sanchez.boundary");
  std::vector<std::pair<int, int>> inside, beyond;
  for (int blocks = 1; blocks <= 30; ++blocks) {
    for (int threads = 128; threads <= 1024; threads += 128) {
      (blocks * threads < 9984 ? inside : beyond).emplace_back(blocks, threads);
    }
  }
  const double low = 340;
  const auto all = static_cast<double>(inside.size() + beyond.size());
  const double high = (gpu.number("sanchez.l2") * all - low * static_cast<double>(inside.size())) /
                      static_cast<double>(beyond.size());
  std::vector<Record> records;
  for (const auto& [blocks, threads] : inside) {
    // One of 200 at the boundary; the others so that the mean is 340.
    Histogram windows = around((low - boundary / warps) * warps / (warps - 1), 199.0 / warps);
    windows.emplace_back(40 + boundary, lanes);
    add_pair(records, test, config(blocks, threads), windows);
    records.push_back(
        record_of(test, config(blocks, threads), "count/l2_read_sector_misses", {{3, 5}}));
  }
  for (const auto& [blocks, threads] : beyond) {
    Histogram windows = around(high, 0.75);
    const Histogram memory = around(slope * blocks * threads - shift, 0.25);
    windows.insert(windows.end(), memory.begin(), memory.end());
    add_pair(records, test, config(blocks, threads), windows);
    records.push_back(
        record_of(test, config(blocks, threads), "count/l2_read_sector_misses", {{400, 5}}));
  }
  return records;
}

/// L1 around its mode, four of five loads, and L2.
void add_local_loads(std::vector<Record>& records, const Gpu& gpu, const std::string& test) {
  for (int blocks = 1; blocks <= 15; ++blocks) {
    for (int threads = 128; threads <= 1024; threads += 128) {
      add_pair(records, test, config(blocks, threads),
               {{86, 20 * lanes},
                {40 + gpu.number("sanchez.l1"), 120 * lanes},
                {96, 20 * lanes},
                {540, 40 * lanes}});
    }
  }
}

TEST(SanchezBoard, LevelsOfMemory) {
  const Gpu gpu = board("k40@sanchez");
  std::vector<Record> records = global_loads(gpu);
  add_local_loads(records, gpu, "local");
  const double half_a_count = 0.005;  // masses are whole counts of 200
  EXPECT_NEAR(estimated(gpu, records, "window", "cycles", {"global"}, 1, "l2"),
              gpu.number("sanchez.l2"), half_a_count);
  EXPECT_NEAR(estimated(gpu, records, "window", "1", {"global"}, 1, "memory_slope"),
              gpu.number("sanchez.memory_slope"), 1e-6);
  EXPECT_NEAR(estimated(gpu, records, "window", "cycles", {"global"}, 1, "memory_shift"),
              -gpu.number("sanchez.memory_shift"), 0.02);
  EXPECT_GT(estimated(gpu, records, "window", "1", {"global"}, 1, "memory_r2"), 0.99999);
  EXPECT_NEAR(estimated(gpu, records, "window", "cycles", {"local", "global"}, 1, "l1"), 51,
              half_a_count);
}

// Every number of the file for his sweeps comes back: operations in a row, levels and their shares.
TEST(SanchezBoard, NumbersOfHisSweeps) {
  const Gpu gpu = board("k40@sanchez");
  std::vector<Record> records = global_loads(gpu, "window_global");
  add_local_loads(records, gpu, "window_local");
  std::map<std::string, double> wanted = {
      {"l1_share", 0.8},
      {"l2_share", 0.2},
      {"memory_share", 0},
      // The least of its line: the first configuration that leaves L2 has 9984 threads.
      {"memory", gpu.number("sanchez.memory_slope") * 9984 - gpu.number("sanchez.memory_shift")},
      {"l2", gpu.number("sanchez.l2")},
      {"l1", 51},
      {"memory_slope", gpu.number("sanchez.memory_slope")},
      {"memory_shift", -gpu.number("sanchez.memory_shift")},
      {"memory_r2", 1}};
  for (const auto& [operation, totals] : independent) {
    for (std::size_t n = 1; n <= totals.size(); ++n) {
      add_pair(records, "window_" + operation + "_" + std::to_string(n), config(1, 32),
               around(totals[n - 1]));
    }
    wanted["pipelining." + operation] = totals.back() / 8;
    wanted["window." + operation] = totals.front();
  }
  const std::string file = FOREWARP_SOURCE_DIR "/bench/sanchez_numbers.toml";
  const auto text = read_file(file);
  ASSERT_TRUE(text);
  const auto numbers = parse_numbers(*text, file);
  ASSERT_TRUE(numbers) << numbers.error().line();
  for (const NumberRow& row : numbers->rows) {
    const auto found = estimate_of(row, gpu, records);
    ASSERT_TRUE(found) << found.error().line();
    const std::string name = row.fact.substr(std::string("figure.").size());
    EXPECT_NEAR(found->value, wanted.at(name),
                name == "memory_shift" || name == "memory" ? 0.02 : 0.005)
        << row.fact;
  }
  EXPECT_EQ(numbers->rows.size(), 2 * independent.size() + 9);
}

// Loads that pass L1: a quarter of those that leave L2 come from device memory.
TEST(SanchezBoard, SharesOfLoadsThatPassL1) {
  const Gpu gpu = board("k40@sanchez");
  NumberRow row;
  row.fact = "figure.share";
  row.how = "window";
  row.tests = {"global"};
  row.mean_below = 350;
  row.misses_below = 20;
  const std::vector<Record> records = global_loads(gpu);
  const auto inside = std::ranges::count_if(records, [](const Record& record) {
    return record.quantity == "window" &&
           *record.number("blocks") * *record.number("threads") < 9984;
  });
  const std::map<std::string, std::pair<double, double>> parts = {{"l2_share", {1, 0.75}},
                                                                  {"memory_share", {0, 0.25}}};
  for (const auto& [part, shares] : parts) {
    row.part = part;
    const auto found = estimate_of(row, gpu, records);
    ASSERT_TRUE(found) << found.error().line();
    const auto as = [&](double share) {
      return std::ranges::count_if(found->points, [&](const EstimatePoint& point) {
        return std::abs(point.value - share) < 1e-9;
      });
    };
    EXPECT_EQ(as(shares.first), inside) << part;
    EXPECT_EQ(as(shares.second), 30 * 8 - inside) << part;
  }
  row.part = "l1_share";
  EXPECT_EQ(
      estimate_of(row, gpu, records).error().line(),
      "figure.share: l1_share of 1 tests; expected loads that may hit L1, then loads that pass it");
}

// L1 without loads that pass it: what is faster than the fastest load of a configuration that
// hardly hits it.
TEST(SanchezBoard, L1ByItsHits) {
  const Gpu gpu = board("k40@sanchez");
  std::vector<Record> records;
  add_local_loads(records, gpu, "local");
  for (const Record& record : std::vector<Record>(records)) {
    if (record.quantity != "window") continue;
    records.push_back(
        record_of("local", record.config_without(""), "count/l1_local_load_hit", {{900, 5}}));
  }
  NumberRow row;
  row.fact = "figure.l1";
  row.how = "window";
  row.tests = {"local"};
  row.part = "l1";
  EXPECT_EQ(estimate_of(row, gpu, records).error().line(),
            "figure.l1: L1 of one test needs a bound for the hits of loads that miss it; expected "
            "hits_below, or a second test, whose loads pass L1");
  row.hits_below = 10;
  EXPECT_FALSE(estimate_of(row, gpu, records));  // every configuration hits
  add_pair(records, "local", config(30, 1024), {{540, 200 * lanes}});
  records.push_back(record_of("local", config(30, 1024), "count/l1_local_load_hit", {{12, 5}}));
  EXPECT_FALSE(estimate_of(row, gpu, records));
  records.push_back(record_of("local", config(30, 1024), "empty/l1_local_load_hit", {{4, 5}}));
  const auto found = estimate_of(row, gpu, records);
  ASSERT_TRUE(found) << found.error().line();
  EXPECT_NEAR(found->value, 51, 0.005);
  EXPECT_NE(found->note.find("faster than 500 cycles"), std::string::npos) << found->note;
}

TEST(SanchezBoard, CopiesAndFactsOfTables4And5) {
  const Gpu gpu = board("k40@sanchez");
  EXPECT_EQ(gpu.sms * gpu.core_lanes, 2880);          // V1
  EXPECT_NEAR(gpu.memory.theory_gbs, 288.384, 1e-9);  // V2
  EXPECT_EQ(gpu.memory.bytes / 1048576, 11519.5625);  // V1
  EXPECT_EQ(gpu.limits.warp_lanes, 32U);
  EXPECT_EQ(gpu.clock_sustained_mhz, 745);
  EXPECT_EQ(gpu.l2.bytes, 1572864);
  for (const std::string name : {"copy", "host_to_device", "device_to_host", "device_to_device"}) {
    const double gbs = gpu.number("sanchez." + name + "_gbs");
    std::vector<Record> records;
    unsigned seed = 5;
    for (const double bytes : {33554432., 67108864.}) {
      records.push_back(time_of(name, "bytes=" + significant(bytes, 12), 8 + bytes / gbs / 1e3, 745,
                                1e-5, seed++));
    }
    EXPECT_NEAR(estimated(gpu, records, "bandwidth", "GB/s", {name}, 1) / gbs, 1, 1e-3) << name;
  }
}

}  // namespace
}  // namespace forewarp::tests
