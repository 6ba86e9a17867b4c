// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/loop_trip.h"

#include <functional>

#include <gtest/gtest.h>

#include "analysis/kernel_analysis.h"
#include "kernel_builder.h"
#include "walk.h"

namespace forewarp::tests {
namespace {

using testing::Arguments;
using testing::fixture;
using testing::fixture_text;
using testing::kernel_from;
using testing::kernels_of;
using testing::LoopRun;
using testing::walk;
using testing::Walk;

const char* const families[] = {"52", "70", "80", "90"};

TEST(LoopTrip, Saxpy2TurnsATimesOnEveryFamily) {
  for (const char* sm : {"35", "50", "52", "60", "61", "70", "75", "80", "86", "89", "90"}) {
    const Kernel kernel = fixture(std::string("saxpy2.sm_") + sm + ".sass");
    const KernelAnalysis analysis(kernel);
    ASSERT_EQ(analysis.loops().all().size(), 1U) << sm;
    EXPECT_EQ(analysis.pass_text(0), "a") << sm;
    EXPECT_EQ(analysis.trip_text(0), "a") << sm;
    std::vector<std::string> conditions;
    for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
      const Condition* c = analysis.condition(i);
      if (c != nullptr) conditions.push_back(analysis.text(c->effect));
    }
    EXPECT_EQ(conditions, std::vector<std::string>(
                              {"blockDim.x*blockIdx.x + threadIdx.x >= n", "a < 1", "k0 + 1 < a"}))
        << sm;
  }
}

TEST(LoopTrip, Saxpy2OfTheThesisListing) {
  const Kernel kernel = fixture("gajger2017-saxpy2-sm52.sass");
  const KernelAnalysis analysis(kernel);
  ASSERT_EQ(analysis.loops().all().size(), 1U);
  EXPECT_EQ(analysis.pass_text(0), "a");
  EXPECT_EQ(analysis.trip_program(0).evaluate(Arguments(kernel).set("a", 128).binding()), 128);
}

/// A loop as its source says it: its passes for one argument value.
struct Counted {
  const char* kernel;
  const char* formula;  ///< with arg0 .. for the arguments; empty: not compared
  std::function<std::int64_t(std::int64_t)> passes;
};

std::int64_t turns(std::int64_t from, std::int64_t to, std::int64_t step) {
  std::int64_t count = 0;
  for (std::int64_t k = from; k < to; k += step) ++count;
  return count;
}

const Counted counted[] = {
    {"count_down", "(arg0 + 2)/3",
     [](std::int64_t n) {
       std::int64_t count = 0;
       for (std::int64_t k = n; k > 0; k -= 3) ++count;
       return count;
     }},
    {"count_unsigned", "(arg0 + 1)/7", [](std::int64_t n) { return turns(5, n, 7); }},
    {"count_unequal", "arg0", [](std::int64_t n) { return turns(0, n, 1); }},
    {"count_inclusive", "arg0/2 + 1", [](std::int64_t n) { return turns(0, n + 1, 2); }},
    {"count_doubling", "",
     [](std::int64_t n) {
       std::int64_t count = 0;
       for (std::int64_t k = 1; k < n; k *= 2) ++count;
       return count;
     }},
};

TEST(LoopTrip, CountsAsTheSourceDoes) {
  for (const char* sm : families) {
    for (const Counted& c : counted) {
      const Kernel kernel = fixture(std::string("counted_loops.sm_") + sm + ".sass", c.kernel);
      const KernelAnalysis analysis(kernel);
      ASSERT_EQ(analysis.loops().all().size(), 1U) << c.kernel << sm;
      if (*c.formula != '\0') {
        EXPECT_EQ(analysis.pass_text(0), c.formula) << c.kernel << sm;
      }
      for (std::int64_t n = 0; n < 70; ++n) {
        const std::int64_t passes = c.passes(n);
        if (passes == 0) continue;  // not entered
        EXPECT_EQ(analysis.trip_program(0).evaluate(Arguments(kernel).set(0, n).binding()), passes)
            << c.kernel << " sm_" << sm << " n = " << n;
      }
    }
  }
}

TEST(LoopTrip, SixtyFourBitCounters) {
  for (const char* sm : families) {
    const Kernel kernel = fixture(std::string("counted_loops.sm_") + sm + ".sass", "count_long");
    const KernelAnalysis analysis(kernel);
    ASSERT_EQ(analysis.loops().all().size(), 1U);
    EXPECT_EQ(analysis.pass_text(0), "arg1 - arg0") << sm;
    Arguments arguments(kernel);
    arguments.set(0, -(1LL << 33)).set(1, (1LL << 34) + 7);
    EXPECT_EQ(analysis.trip_program(0).evaluate(arguments.binding()), (3LL << 33) + 7) << sm;
  }
}

TEST(LoopTrip, AGridStrideLoopDependsOnThePlaceOfTheThread) {
  for (const char* sm : families) {
    const Kernel kernel = fixture(std::string("counted_loops.sm_") + sm + ".sass", "count_grid");
    const KernelAnalysis analysis(kernel);
    ASSERT_EQ(analysis.loops().all().size(), 1U);
    Arguments arguments(kernel);
    for (const std::int64_t n : {1, 100, 1000, 4097}) {
      Binding binding = arguments.set(0, n).binding();
      binding.block = {32, 1, 1};
      binding.grid = {5, 1, 1};
      for (std::uint32_t block = 0; block < 5; ++block) {
        binding.block_index = {block, 0, 0};
        binding.thread = {block * 6, 0, 0};
        const std::int64_t first = block * 32 + block * 6;
        if (first >= n) continue;
        EXPECT_EQ(analysis.trip_program(0).evaluate(binding), turns(first, n, 160)) << sm;
      }
    }
  }
}

TEST(LoopTrip, UnrolledLoopsHaveAMainLoopAndARemainder) {
  for (const char* sm : families) {
    const Kernel kernel = fixture(std::string("unrolled_loop.sm_") + sm + ".sass");
    const KernelAnalysis analysis(kernel);
    ASSERT_EQ(analysis.loops().all().size(), 2U);
    EXPECT_EQ(analysis.pass_text(0), "n/4") << sm;
    EXPECT_EQ(analysis.pass_text(1), "n % 4") << sm;
  }
}

TEST(LoopTrip, TheInnerLoopOfATriangleCountsByTheOuterOne) {
  for (const char* sm : families) {
    const Kernel kernel = fixture(std::string("triangular_loop.sm_") + sm + ".sass");
    const KernelAnalysis analysis(kernel);
    ASSERT_EQ(analysis.loops().all().size(), 2U);
    EXPECT_EQ(analysis.pass_text(0), "n") << sm;
    EXPECT_EQ(analysis.pass_text(1), "k0 + 1") << sm;
  }
}

TEST(LoopTrip, TilesRoundUp) {
  const Kernel kernel = fixture("counted_loops.sm_80.sass", "count_tiles");
  const KernelAnalysis analysis(kernel);
  ASSERT_EQ(analysis.loops().all().size(), 2U);  // unrolled by four
  EXPECT_EQ(analysis.pass_text(0), "(arg0 + 63)/256");
  EXPECT_EQ(analysis.pass_text(1), "((arg0 + 63)/64) % 4");
}

TEST(LoopTrip, HalvingStepsCountLogarithmically) {
  for (const char* sm : families) {
    const Kernel kernel = fixture(std::string("reduction_shared.sm_") + sm + ".sass");
    const KernelAnalysis analysis(kernel);
    ASSERT_EQ(analysis.loops().all().size(), 1U);
    for (std::uint32_t block = 2; block <= 1024; ++block) {
      Binding binding;
      binding.block = {block, 1, 1};
      std::int64_t count = 0;
      for (std::uint32_t step = block / 2; step > 0; step >>= 1) ++count;
      EXPECT_EQ(analysis.trip_program(0).evaluate(binding), count) << sm << " " << block;
    }
  }
}

/// Argument values that make loops of all kinds turn a few times.
Arguments small_arguments(const Kernel& kernel, std::int64_t seed) {
  Arguments arguments(kernel);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const bool pointer = kernel.parameters[i].pointer;
    arguments.set(i, pointer ? 0x7000'0000'0000 + 0x1000000 * static_cast<std::int64_t>(i)
                             : seed * 7 % 23 + seed + static_cast<std::int64_t>(i));
  }
  return arguments;
}

// Every entry of every counted loop, in the order of the code, against its formula.
TEST(LoopTrip, FormulasAgreeWithWalkingTheConditionsPassByPass) {
  std::size_t checked = 0;
  for (const char* name : {"counted_loops", "nested_loops", "triangular_loop", "unrolled_loop",
                           "matmul_tiled", "matmul_naive", "divergent", "triad", "stencil_column",
                           "saxpy2", "reduction_shared", "function_call", "fma_chain"}) {
    for (const char* sm : families) {
      for (const Kernel& kernel :
           kernels_of(fixture_text(std::string(name) + ".sm_" + sm + ".sass"))) {
        const KernelAnalysis analysis(kernel);
        for (std::int64_t seed = 1; seed < 40; seed += 3) {
          const Arguments arguments = small_arguments(kernel, seed);
          Binding binding = arguments.binding();
          binding.block = {32, 2, 1};
          binding.grid = {3, 2, 1};
          binding.thread = {static_cast<std::uint32_t>(seed) % 32, 1, 0};
          binding.block_index = {1, 1, 0};
          const Walk way = walk(analysis, binding, 20'000);
          for (const LoopRun& run : way.runs) {
            const LoopTrip& trip = analysis.trip(run.loop);
            if (!trip.known || !way.complete) continue;
            binding.iterations = run.outer;
            EXPECT_EQ(analysis.compile(trip.passes).evaluate(binding), run.passes)
                << kernel.name << " sm_" << sm << " loop " << run.loop << " seed " << seed << ": "
                << analysis.pass_text(run.loop);
            EXPECT_EQ(analysis.trip_program(run.loop).evaluate(binding),
                      trip.exit_block == no_block
                          ? run.passes
                          : std::max<std::int64_t>(analysis.trip(run.loop).trips == trip.passes
                                                       ? run.passes
                                                       : run.back_edges,
                                                   0));
            ++checked;
          }
        }
      }
    }
  }
  EXPECT_GT(checked, 2000U);
}

TEST(LoopTrip, SaysWhatACountDependsOn) {
  const Kernel kernel = fixture("data_loop.sm_80.sass");
  const KernelAnalysis analysis(kernel);
  ASSERT_EQ(analysis.loops().all().size(), 1U);
  const LoopTrip& trip = analysis.trip(0);
  EXPECT_FALSE(trip.known);
  EXPECT_TRUE(analysis.pass_text(0).empty());
  EXPECT_TRUE(trip.reason.starts_with("the loop 0x0120-0x01a0 ")) << trip.reason;
  EXPECT_TRUE(trip.reason.ends_with("; give --trip 0x0120=N")) << trip.reason;
  EXPECT_EQ(trip.reason.find('\n'), std::string::npos);
}

// A chain of pointers: it begins at an argument, and what is loaded in each pass decides.
TEST(LoopTrip, AChainDependsOnWhatIsLoaded) {
  const Kernel kernel = kernel_from(80, {"// param 0 p float*", "MOV R2, c[0x0][0x160]",
                                         "MOV R3, c[0x0][0x164]", "ISETP.EQ.AND P0, PT, R2, RZ, PT",
                                         "@P0 EXIT", "LDG.E.64 R2, [R2.64]", "BRA 0x20", "EXIT"});
  const KernelAnalysis analysis(kernel);
  ASSERT_EQ(analysis.loops().all().size(), 1U);
  EXPECT_FALSE(analysis.trip(0).known);
  EXPECT_NE(analysis.trip(0).reason.find("loaded at 0x0040"), std::string::npos)
      << analysis.trip(0).reason;
}

TEST(LoopTrip, AnEarlyExitBoundsTheCountOnly) {
  const Kernel kernel = fixture("counted_loops.sm_80.sass", "count_until");
  const KernelAnalysis analysis(kernel);
  ASSERT_EQ(analysis.loops().all().size(), 1U);
  EXPECT_FALSE(analysis.trip(0).known);
  EXPECT_NE(analysis.trip(0).reason.find("computed at"), std::string::npos);
}

TEST(LoopTrip, ALoopWithoutAnEndIsNotCounted) {
  const Kernel kernel =
      kernel_from(80, {"MOV R0, RZ", "IADD3 R0, R0, 0x1, RZ", "BRA 0x10", "EXIT"});
  const KernelAnalysis analysis(kernel);
  ASSERT_EQ(analysis.loops().all().size(), 1U);
  EXPECT_FALSE(analysis.trip(0).known);
  EXPECT_NE(analysis.trip(0).reason.find("has no exit"), std::string::npos);
}

TEST(LoopTrip, ACounterThatRunsAwayIsNotCounted) {
  const Kernel kernel =
      kernel_from(80, {"// param 0 n int", "MOV R0, RZ", "IADD3 R0, R0, -0x1, RZ",
                       "ISETP.GE.AND P0, PT, R0, c[0x0][0x160], PT", "@!P0 BRA 0x10", "EXIT"});
  const KernelAnalysis analysis(kernel);
  EXPECT_FALSE(analysis.trip(0).known);
  EXPECT_NE(analysis.trip(0).reason.find("does not move towards its bound"), std::string::npos);
}

TEST(LoopTrip, ALoopTestedAtItsTopCountsItsBody) {
  const Kernel kernel =
      kernel_from(80, {
                          "// param 0 n int",
                          "MOV R0, RZ",
                          "ISETP.GE.AND P0, PT, R0, c[0x0][0x160], PT",  // 0x10: header
                          "@P0 BRA 0x60",
                          "IADD3 R0, R0, 0x1, RZ",
                          "BRA 0x10",
                          "NOP",
                          "EXIT",
                      });
  const KernelAnalysis analysis(kernel);
  ASSERT_EQ(analysis.loops().all().size(), 1U);
  EXPECT_EQ(analysis.pass_text(0), "max(1, n + 1) - 1");
  EXPECT_EQ(analysis.trip_program(0).evaluate(Arguments(kernel).set(0, 5).binding()), 5);
  EXPECT_EQ(analysis.trip_program(0).evaluate(Arguments(kernel).set(0, -5).binding()), 0);
}

TEST(LoopTrip, TheFirstOfTwoCountedExitsEndsTheLoop) {
  const Kernel kernel = kernel_from(80, {
                                            "// param 0 n int",
                                            "// param 1 m int",
                                            "MOV R0, RZ",
                                            "ISETP.GE.AND P0, PT, R0, c[0x0][0x160], PT",
                                            "@P0 BRA 0x60",
                                            "IADD3 R0, R0, 0x1, RZ",
                                            "ISETP.GE.AND P1, PT, R0, c[0x0][0x164], PT",
                                            "@!P1 BRA 0x10",
                                            "EXIT",
                                        });
  const KernelAnalysis analysis(kernel);
  ASSERT_TRUE(analysis.trip(0).known) << analysis.trip(0).reason;
  for (std::int64_t n = 0; n < 6; ++n) {
    for (std::int64_t m = 1; m < 6; ++m) {
      const auto passes = analysis.compile(analysis.trip(0).passes)
                              .evaluate(Arguments(kernel).set(0, n).set(1, m).binding());
      EXPECT_EQ(passes, std::min(n + 1, m)) << n << " " << m;
    }
  }
}

}  // namespace
}  // namespace forewarp::tests
