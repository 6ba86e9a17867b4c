// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/voudouris/voudouris_model.h"

#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "figure.h"
#include "hardware/database.h"
#include "model/aggregate_time.h"
#include "model/closed_form/form_list.h"
#include "model/mwp_cwp.h"
#include "model_case.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

/// His cycles, Table 7; the store of the preset that gives Tables 10 and 11; a latency of his own.
AggregateCycles cycles(double store, double load_average, double load_worst) {
  return {18, 6, 26, 30, store, 64, load_average, load_worst};
}
// Tables 8 and 9; one load from shared memory more in the rows, as Table 12 counts 146.
constexpr AggregateCounts rows{1, 78, 41, 9, 8, 9};
constexpr AggregateCounts columns{21, 57, 7, 3, 5, 2};

// 18 + 78 * 6 + 41 * 26 + 9 * 30 + 9 * 58 = 2344, 21 * 18 + 57 * 6 + 7 * 26 + 3 * 30 + 2 * 58 =
// 1108.
TEST(AggregateTime, BestAndWorstCaseOfTables10And11) {
  const AggregateTime r = aggregate_time(rows, cycles(58, 400, 400), 0);
  EXPECT_DOUBLE_EQ(r.base, 2344);
  EXPECT_DOUBLE_EQ(r.best, 2856);
  EXPECT_DOUBLE_EQ(r.worst, 5544);
  const AggregateTime c = aggregate_time(columns, cycles(58, 470, 470), 0);
  EXPECT_DOUBLE_EQ(c.base, 1108);
  EXPECT_DOUBLE_EQ(c.best, 1428);
  EXPECT_DOUBLE_EQ(c.worst, 3458);
}

// What is hidden (2034 and 230) was found from these very cells: inputs, not predictions.
TEST(AggregateTime, AverageCaseWithItsTwoInputs) {
  EXPECT_DOUBLE_EQ(aggregate_time(rows, cycles(58, 400, 400), 2034).average, 3510);
  EXPECT_DOUBLE_EQ(aggregate_time(columns, cycles(58, 470, 470), 230).average, 3228);
}

// Table 7 as printed, counts as printed.
TEST(AggregateTime, PlainTable7) {
  AggregateCounts plain = rows;
  plain.shared_loads = 40;
  const AggregateTime r = aggregate_time(plain, cycles(34, 370, 500), 0);
  EXPECT_DOUBLE_EQ(r.base, 2102);
  EXPECT_DOUBLE_EQ(r.best, 2614);
  EXPECT_DOUBLE_EQ(r.average, 5062);
  EXPECT_DOUBLE_EQ(r.worst, 6102);
  const AggregateTime c = aggregate_time(columns, cycles(34, 370, 500), 0);
  EXPECT_DOUBLE_EQ(c.base, 1060);
  EXPECT_DOUBLE_EQ(c.best, 1380);
  EXPECT_DOUBLE_EQ(c.average, 2910);
  EXPECT_DOUBLE_EQ(c.worst, 3560);
}

TEST(AggregateTime, NoLoadHidesMoreThanTheBestCaseLeaves) {
  const AggregateTime t = aggregate_time(columns, cycles(34, 370, 500), 1e6);
  EXPECT_DOUBLE_EQ(t.hidden, 5 * (370 - 64));
  EXPECT_DOUBLE_EQ(t.average, t.best);
}

// Figures 36 and 37: both are linear in the latency; MWP rises by 8 and 5, his by no more.
TEST(AggregateTime, SensitivityToTheLatencyBesideMwp) {
  const auto slope = [](const std::function<double(double)>& f) { return f(401) - f(400); };
  const auto mwp = [](double instructions, double loads) {
    return [=](double latency) {
      MwpCwpInput in;
      in.warps = 1;
      in.instructions = instructions;
      in.coalesced = loads;
      in.issue_cycles = 2;
      in.memory_latency = latency;
      return mwp_cwp(in).total;
    };
  };
  const auto his = [](const AggregateCounts& counts, double share) {
    return [=](double latency) {
      const double hidden = counts.loads * latency * share;
      return aggregate_time(counts, cycles(58, latency, latency), hidden).average;
    };
  };
  EXPECT_NEAR(slope(mwp(146, 8)), 8, 1e-9);
  EXPECT_NEAR(slope(mwp(95, 5)), 5, 1e-9);
  EXPECT_NEAR(slope(his(rows, 0.25)), 6, 1e-9);
  EXPECT_NEAR(slope(his(columns, 1)), 0, 1e-9);  // all that can be hidden is
}

/// One block of one warp on a board with his cycles: 10 instructions, two loads, a store.
struct OneWarp : ModelCase {
  OneWarp() {
    const auto put = [&](const char* name, double value) {
      gpu.facts[std::string("model.voudouris.") + name].value = value;
    };
    put("dep_cycles", 18);
    put("ind_cycles", 6);
    put("lds_cycles", 26);
    put("sts_cycles", 30);
    put("st_cycles", 34);
    put("ld_best", 64);
    put("ld_cycles", 370);
    put("ld_worst", 500);
    put("h1.st_cycles", 58);
    put("warps", 6);
    gpu.memory.latency = 400;
    demand.count(Count::instructions) = 10;
    demand.count(Count::thread_instructions) = 320;
    demand.count(Count::dependent) = 3;
    demand.of_class(InstructionClass::load_global) = 2;
    demand.of_class(InstructionClass::store_global) = 1;
    latency.memory_cycles = 600;  // of 800: a quarter is hidden
    launch = {10, 1, 32, 1, 8, Megahertz(1000), {}, {}};
  }
};

// 3 * 18 + 4 * 6 + 34 = 112; 112 + 2 * 370 - 740/4, 112 + 128, 112 + 1000 cycles at 1 GHz.
TEST(VoudourisModel, OneWarpPerSm) {
  const Prediction p = OneWarp().predict(VoudourisModel());
  EXPECT_TRUE(p.applies) << p.why;
  EXPECT_DOUBLE_EQ(p.time_ms, 667e-6);
  EXPECT_DOUBLE_EQ(p.low_ms, 240e-6);
  EXPECT_DOUBLE_EQ(p.high_ms, 1112e-6);
  EXPECT_DOUBLE_EQ(OneWarp().predict(VoudourisModel(), {{"voudouris.case", "wc"}}).time_ms,
                   1112e-6);
  EXPECT_DOUBLE_EQ(OneWarp().predict(VoudourisModel(), {{"voudouris.case", "bc"}}).time_ms, 240e-6);
}

TEST(VoudourisModel, ThePresetChangesWhatItNames) {
  const Prediction p = OneWarp().predict(VoudourisModel(), {{"voudouris.preset", "h1"}});
  EXPECT_DOUBLE_EQ(p.time_ms, (667 + 58 - 34) * 1e-6);
}

// Up to six warps the time is that of one.
TEST(VoudourisModel, SixWarpsTakeAsLongAsOne) {
  OneWarp c;
  c.launch.warps_per_block = 6;
  EXPECT_DOUBLE_EQ(c.predict(VoudourisModel()).time_ms, 667e-6);
  EXPECT_TRUE(c.predict(VoudourisModel()).applies);
}

TEST(VoudourisModel, OutsideItsRangeItSaysWhy) {
  const auto why = [](const std::function<void(OneWarp&)>& change) {
    OneWarp c;
    change(c);
    const Prediction p = c.predict(VoudourisModel());
    EXPECT_EQ(p.applies, p.why.empty());
    return std::string(p.why);
  };
  EXPECT_EQ(why([](OneWarp&) {}), "");
  EXPECT_EQ(why([](OneWarp& c) { c.launch.warps_per_block = 7; }),
            "more warps on an SM than leave its schedulers no choice");
  EXPECT_EQ(why([](OneWarp& c) { c.launch.blocks = 11; }), "several blocks on an SM");
  EXPECT_EQ(why([](OneWarp& c) { c.demand.count(Count::barriers) = 1; }), "barriers");
  EXPECT_EQ(why([](OneWarp& c) { c.demand.of_class(InstructionClass::atomic_global) = 1; }),
            "atomics");
  EXPECT_EQ(why([](OneWarp& c) { c.demand.count(Count::shared_wavefronts) = 1; }),
            "bank conflicts");
  EXPECT_EQ(why([](OneWarp& c) { c.demand.count(Count::thread_instructions) = 310; }),
            "divergent warps");
  EXPECT_EQ(why([](OneWarp& c) { c.gpu.facts.clear(); }),
            "its GPU's files hold no cycles per class");
}

// The preset of the data gives the four cells through the closed form.
TEST(VoudourisForm, CellsOfTheTablesFromTheData) {
  const auto gpu = HardwareDatabase{FOREWARP_DATA_DIR}.load("gtx470");
  ASSERT_TRUE(gpu);
  const auto form = find_closed_form("voudouris");
  ASSERT_TRUE(form);
  const auto cells = [&](std::map<std::string, double, std::less<>> inputs) {
    for (const FormParameter& p : form_parameters(**form, *gpu, "h1")) {
      if (p.fact != nullptr) inputs.emplace(p.input->name, p.value);
    }
    const NamedValues values = *evaluate_closed_form("voudouris", inputs);
    return std::pair(values[2].second, values[4].second);
  };
  EXPECT_EQ(cells({{"dep", 1},
                   {"ind", 78},
                   {"lds", 41},
                   {"sts", 9},
                   {"ld", 8},
                   {"st", 9},
                   {"ld_worst", 400}}),
            std::pair(2856.0, 5544.0));
  EXPECT_EQ(cells({{"dep", 21},
                   {"ind", 57},
                   {"lds", 7},
                   {"sts", 3},
                   {"ld", 5},
                   {"st", 2},
                   {"ld_worst", 470}}),
            std::pair(1428.0, 3458.0));
}

}  // namespace
}  // namespace forewarp::tests
