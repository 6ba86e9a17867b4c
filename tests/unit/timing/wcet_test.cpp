// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Upper bounds after Voudouris 2014, against his tables and against sums done by hand.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/kernel_analysis.h"
#include "hardware/database.h"
#include "input/asfermi/asfermi_reader.h"
#include "test_paths.h"
#include "timing/wcet/block_bound.h"
#include "timing/wcet/feasible_bound.h"

namespace forewarp::tests::test {
namespace {

WorstRules fermi() {
  const auto gpu = HardwareDatabase(FOREWARP_DATA_DIR).load("gtx470", {});
  EXPECT_TRUE(gpu);
  const auto rules = worst_rules(*gpu);
  EXPECT_TRUE(rules);
  return *rules;
}

/// A kernel of lines of assembly, all reached, with accesses that are all alike.
class Subject {
 public:
  explicit Subject(const std::string& lines, const WorstAccess& access = {true, 1, 1}) {
    AsfermiReader reader(InputSource::of_text("k.asfermi", lines));
    auto read = reader.next();
    EXPECT_TRUE(read) << (read ? "" : read.error().line());
    if (read && *read) kernel = std::move(**read);
    const std::vector<WorstAccess> accesses(kernel.instructions.size(), access);
    const std::vector<std::uint8_t> reached(kernel.instructions.size(), 1);
    auto bound = bind_worst(kernel, fermi(), accesses, reached);
    refusal = bound ? "" : bound.error().line();
    if (bound) worst = std::move(*bound);
  }
  Subject(const Subject&) = delete;

  [[nodiscard]] TraceStep run(std::uint32_t first, std::uint32_t last) const {
    TraceStep step;
    step.first = first;
    step.last = last;
    return step;
  }
  [[nodiscard]] WarpBound along(const std::vector<TraceStep>& steps) const {
    WarpTimeline timeline(worst);
    timeline.follow(steps);
    return timeline.finish();
  }
  [[nodiscard]] WarpBound straight() const {
    return along({run(0, static_cast<std::uint32_t>(kernel.instructions.size()))});
  }

  Kernel kernel;
  WorstKernel worst;
  std::string refusal;
};

/// Cycles between two readings of the clock around `count` operations in turn.
double clocked(const std::vector<std::string>& operations, int count, bool dependent) {
  std::string text = "S2R R0, SR_ClockLo; SHL.W R1, R0, 0x1\n";
  for (int i = 0; i < count; ++i) {
    const std::string& op = operations[static_cast<std::size_t>(i) % operations.size()];
    const std::string source = dependent ? "R" + std::to_string(10 + i) : "R4";
    text += op + " R" + std::to_string(11 + i) + ", " + source;
    if (op != "COS") text += ", R5";
    if (op == "MAD") text += ", R6";
    text += "\n";
  }
  text += "S2R R2, SR_ClockLo; SHL.W R3, R2, 0x1\n";
  const Subject subject(text);
  const WarpBound bound = subject.straight();
  for (const auto& [key, region] : bound.regions) {
    if (key.first == 0 && key.second != 0) return region.most;
  }
  return -1;
}

// Tables 19 and 21: T = 24 + 6 n, whatever the operations.
TEST(WorstCase, IndependentArithmeticIsAsMeasured) {
  for (const char* op : {"ADD", "MUL", "COS", "MAD"}) {
    for (int n = 1; n <= 5; ++n) EXPECT_EQ(clocked({op}, n, false), 24 + 6 * n) << op << n;
  }
  for (const char* op : {"MUL", "MAD", "COS"}) {
    for (int n = 2; n <= 8; n += 2) EXPECT_EQ(clocked({op, "ADD"}, n, false), 24 + 6 * n);
  }
}

// Table 20: T = 24 + 6 + (n - 1) L, with L of the producer: 18, 22 of COS, and 2 more than measured
// after a MAD.
TEST(WorstCase, DependentArithmeticIsAsMeasured) {
  for (int n = 1; n <= 5; ++n) {
    EXPECT_EQ(clocked({"ADD"}, n, true), 30 + 18 * (n - 1));
    EXPECT_EQ(clocked({"MUL"}, n, true), 30 + 18 * (n - 1));
    EXPECT_EQ(clocked({"COS"}, n, true), 30 + 22 * (n - 1));
    EXPECT_EQ(clocked({"MAD"}, n, true), 30 + 20 * (n - 1));
  }
}

// Table 22. The margin covers what its second column has beyond 30 + 18 (n - 1).
TEST(WorstCase, NoMeasurementOfTable22IsAboveIt) {
  const double mad_measured[] = {48, 86, 122, 160};
  const double mad_bound[] = {50, 88, 126, 164};
  const double cos_measured[] = {52, 92, 132, 172};
  for (int i = 0; i < 4; ++i) {
    const int n = 2 * (i + 1);
    EXPECT_EQ(clocked({"MUL", "ADD"}, n, true), 30 + 18 * (n - 1));
    EXPECT_EQ(clocked({"MAD", "ADD"}, n, true), mad_bound[i]);
    EXPECT_GE(mad_bound[i], mad_measured[i]);
    EXPECT_EQ(clocked({"COS", "ADD"}, n, true), cos_measured[i]);
  }
}

// A dependence three instructions back costs nothing: max(0, 18 - 6 d).
TEST(WorstCase, DistanceHidesADependence) {
  const std::string end = "ADD R13, R10, R5";
  EXPECT_EQ(Subject("ADD R10, R4, R5\n" + end).straight().cycles, 18 + 18);
  EXPECT_EQ(Subject("ADD R10, R4, R5\nADD R11, R4, R5\n" + end).straight().cycles, 18 + 18);
  EXPECT_EQ(Subject("ADD R10, R4, R5\nADD R11, R4, R5\nADD R12, R4, R5\n" + end).straight().cycles,
            3 * 6 + 18);
}

// LD.E: 500 + 10 (t - 1); ST.E: 34 + 100 + 10 (t - 1); LDS: 26 d; STS: 30 d; nothing overlaps.
TEST(WorstCase, AccessesHoldTheirWarp) {
  const std::string text = "LD.E R2, [R4]\nADD R9, R5, R5\nST.E [R4], R2\nEXIT";
  // The last EXIT takes 32 cycles, the longer of both ways of a branch.
  EXPECT_EQ(Subject(text).straight().cycles, 500 + 6 + 134 + 32);
  EXPECT_EQ(Subject(text, {true, 3, 1}).straight().cycles, 520 + 6 + 154 + 32);
  EXPECT_EQ(Subject(text, {}).straight().cycles, 810 + 6 + 444 + 32);
  const std::string shared = "LDS R2, [R4]\nSTS [R4], R2\nEXIT";
  EXPECT_EQ(Subject(shared).straight().cycles, 26 + 30 + 32);
  EXPECT_EQ(Subject(shared, {true, 1, 4}).straight().cycles, 4 * 56 + 32);
  EXPECT_EQ(Subject(shared, {}).straight().cycles, 32 * 56 + 32);
}

TEST(WorstCase, LoopsThatRepeatAreNotGoneThrough) {
  const Subject subject(
      "MOV R1, 10\nLDS R2, [R4]\nADD R3, R3, R2\nMAD R5, R3, R3, R5\nBAR.SYNC 0x0\nADD R1, R1, "
      "-1\nEXIT");
  const auto pass = subject.run(1, 6);
  TraceStep loop;
  loop.body = {pass};
  loop.trips = 1000;
  std::vector<TraceStep> unrolled{subject.run(0, 1)};
  for (int i = 0; i < 1000; ++i) unrolled.push_back(pass);
  unrolled.push_back(subject.run(6, 7));
  const WarpBound slow = subject.along(unrolled);
  const WarpBound fast = subject.along({subject.run(0, 1), loop, subject.run(6, 7)});
  EXPECT_EQ(fast.cycles, slow.cycles);
  EXPECT_EQ(fast.units, slow.units);
  EXPECT_EQ(fast.delays, slow.delays);
  EXPECT_EQ(fast.barriers, 1000);
  EXPECT_EQ(fast.components, slow.components);
  ASSERT_EQ(fast.regions.size(), slow.regions.size());
  for (const auto& [key, region] : slow.regions) {
    const RegionTime& other = fast.regions.at(key);
    EXPECT_EQ(other.count, region.count);
    EXPECT_EQ(other.most, region.most);
    EXPECT_EQ(other.cycles.compute, region.cycles.compute);
  }
}

TEST(WorstCase, LoopsInsideARegionToo) {
  const Subject subject("LDS R2, [R4]\nADD R3, R3, R2\nEXIT");
  TraceStep loop;
  loop.body = {subject.run(0, 2)};
  loop.trips = 500;
  // A pass: 26 for the load, then the sum, of which the next load does not wait: 6. The last sum is
  // 12 cycles from done when the EXIT issues, and the EXIT takes longer than that.
  const WarpBound bound = subject.along({loop, subject.run(2, 3)});
  EXPECT_EQ(bound.cycles, 500 * 32 + 32);
  ASSERT_EQ(bound.regions.size(), 1U);
  EXPECT_EQ(bound.regions.begin()->second.most, bound.cycles);
}

// Everything of a region adds up to what the region takes, in whatever order.
TEST(WorstCase, RegionsAndComponentsCoverTheTime) {
  const Subject subject(
      "S2R R0, SR_ClockLo\nLD.E R2, [R4]\nCOS R3, R2\nADD R6, R3, R3\nBAR.SYNC 0x0\nSTS [R4], R6\n"
      "ST.E [R4], R6\nEXIT");
  const WarpBound bound = subject.straight();
  double regions = 0, components = 0;
  for (const auto& [key, region] : bound.regions) {
    regions += region.cycles.total();
    EXPECT_EQ(region.cycles.total(), region.most);
  }
  for (const double cycles : bound.components) components += cycles;
  EXPECT_EQ(regions, bound.cycles);
  EXPECT_EQ(components, bound.cycles);
}

WarpBound warp(double cycles, double units, double delays) {
  WarpBound bound;
  bound.cycles = cycles;
  bound.units = units;
  bound.delays = delays;
  bound.regions[{0, 9}] = {1, {cycles, 0, 0}, cycles};
  return bound;
}

// Three warps: two on one scheduler, so 2 cycles at the start and after each of at most 5 long
// instructions; and the units of the two others, at most 70 - 10.
TEST(WorstCase, WarpsInEachOthersWay) {
  const BlockBound one = block_bound({warp(100, 30, 5)}, fermi(), true);
  EXPECT_EQ(one.cycles, 100);
  EXPECT_EQ(one.interference, 0);
  const BlockBound three =
      block_bound({warp(100, 30, 5), warp(90, 30, 4), warp(80, 10, 4)}, fermi(), true);
  EXPECT_EQ(three.interference, 60 + 2 * 1 * (1 + 5));
  EXPECT_EQ(three.cycles, 100 + three.interference);
}

// Between barriers the slower of both counts: 60 + 50, not the longer sum of one warp.
TEST(WorstCase, BarriersWaitForTheSlowest) {
  WarpBound first = warp(70, 0, 0), second = warp(90, 0, 0);
  first.regions = {{{0, 4}, {1, {60, 0, 0}, 60}}, {{4, 9}, {1, {10, 0, 0}, 10}}};
  second.regions = {{{0, 4}, {1, {40, 0, 0}, 40}}, {{4, 9}, {1, {50, 0, 0}, 50}}};
  EXPECT_EQ(block_bound({first, second}, fermi(), true).cycles, 90);  // no barrier
  first.barriers = second.barriers = 1;
  EXPECT_EQ(block_bound({first, second}, fermi(), true).cycles, 110);
  // Different regions: one after the other is what is sure.
  second.regions[{4, 9}].count = 2;
  EXPECT_EQ(block_bound({first, second}, fermi(), true).cycles, 160);
}

/// As the analysis sees it: a branch over one side, then a common end.
const char* const two_sides =
    "S2R R0, SR_Tid_X\nISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 BRA other\n"
    "LD.E R2, [R4]\nBRA end\n!Label other\nLDS R2, [R6]\n!Label end\nEXIT";

double feasible_cycles(const Subject& subject, std::vector<double> passes, bool divides) {
  const KernelAnalysis analysis = analyze(subject.kernel);
  std::vector<std::uint8_t> divided(analysis.flow().blocks().size(), 0);
  divided[0] = divides ? 1 : 0;
  const auto bound = feasible_bound(subject.worst, analysis, {passes, divided});
  EXPECT_TRUE(bound) << (bound ? "" : bound.error().line());
  return bound ? bound->cycles : -1;
}

// Each block may begin 18 = 22 + 2 - 6 cycles late. Blocks: S2R 18, ISETP 22 longer than the
// branch's 32 at its end, so 18 + 22 + 32; LD.E and BRA 500 + 32; LDS 26; EXIT 32.
TEST(FeasibleWays, TheLongerSideOrBoth) {
  const Subject subject(std::string("!Kernel k\n") + two_sides + "\n!EndKernel\n");
  const double head = 18 + 18 + 22 + 32, load = 18 + 500 + 32, other = 18 + 26, end = 18 + 32;
  EXPECT_EQ(feasible_cycles(subject, {}, false), head + load + end);
  EXPECT_EQ(feasible_cycles(subject, {}, true), head + load + other + end);
}

TEST(FeasibleWays, LoopsTimesTheirPasses) {
  const Subject subject(
      "!Kernel k\nMOV R1, 10\n!Label again\nIADD R1, R1, -1\nISETP.NE.AND P0, PT, R1, RZ, PT\n"
      "@P0 BRA again\nEXIT\n!EndKernel\n");
  const double head = 18 + 18, pass = 18 + 18 + 22 + 32, end = 18 + 32;
  EXPECT_EQ(feasible_cycles(subject, {10}, false), head + 10 * pass + end);
}

TEST(WorstCaseRefusals, NameTheComponent) {
  EXPECT_EQ(Subject("LDC R1, c[0x0][R2]\nEXIT").refusal,
            "k 0x0000: 'LDC R1, c[0x0][R2]' has no upper bound (constant cache, "
            "limited-information: hits depend on its state); expected arithmetic, accesses to "
            "shared, global and local memory, branches and barriers");
  const auto has = [](const std::string& line, const char* part) {
    return Subject(line + "\nEXIT").refusal.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has("RED.ADD [R2], R3", "(interconnect and off-chip memory, limited-information"));
  EXPECT_TRUE(has("ATOMS.ADD R1, [R2], R3", "(atomics in shared memory, variable-tight-bounded"));
  EXPECT_TRUE(has("FROB R1, R2", "(arithmetic units"));
  EXPECT_EQ(Subject("IADD R1, R2, R3\nEXIT").refusal, "");
}

TEST(WorstCaseRefusals, OtherGenerations) {
  const auto gpu = HardwareDatabase(FOREWARP_DATA_DIR).load("gtx970", {});
  ASSERT_TRUE(gpu);
  EXPECT_EQ(worst_rules(*gpu).error().line(),
            "gtx970: has no worst-case cycles (compute capability 5.2); expected a GPU of compute "
            "capability 2.x, for which they were measured");
}

TEST(Predictability, EveryComponentHasAClassAndAReason) {
  for (std::size_t c = 0; c < static_cast<std::size_t>(Component::count_); ++c) {
    const ComponentInfo& info = component_info(static_cast<Component>(c));
    EXPECT_FALSE(info.name.empty());
    EXPECT_FALSE(info.reason.empty());
  }
  // Voudouris 2014, section 1.4 of his first paper, in the order of Component.
  const std::string constant = "constant", tight = "variable-tight-bounded",
                    limited = "limited-information";
  const std::vector<std::string> classes = {constant, constant, constant,    limited, limited,
                                            constant, tight,    tight,       tight,   limited,
                                            limited,  limited,  "infeasible"};
  ASSERT_EQ(classes.size(), static_cast<std::size_t>(Component::count_));
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const ComponentInfo& info = component_info(static_cast<Component>(c));
    EXPECT_EQ(timing_class_name(info.timing_class), classes[c]) << info.name;
  }
}

}  // namespace
}  // namespace forewarp::tests::test
