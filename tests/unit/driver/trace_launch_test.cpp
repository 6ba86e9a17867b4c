// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Launches on committed listings, traced and read back.
#include "driver/trace_launch.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../trace/events.h"
#include "base/file.h"
#include "driver/predictor.h"
#include "execution/grid/grid_runner.h"
#include "execution/lowering/kernel_lowering.h"
#include "prediction/execution_launch.h"
#include "prediction/launch.h"
#include "request/argument_text.h"
#include "test_paths.h"
#include "trace/accel_sim_format.h"
#include "trace/builtin.h"
#include "trace/trace_reader.h"

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;

class TraceLaunch : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("forewarp-" + std::string(info->name()) + std::to_string(::getpid()));
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// What the last trace() wrote.
  Expected<TraceSummary> trace(const Case& request, const std::string& format = "forewarp",
                               const PredictOptions& options = {}) {
    return predictor_.trace(request, "", options, {folder_, format});
  }
  [[nodiscard]] std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<TraceEvent>> events()
      const {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<TraceEvent>> all;
    auto reader = TraceReader::open(folder_);
    EXPECT_TRUE(reader) << reader.error().line();
    while (*reader->next_block()) {
      while (*reader->next_warp()) {
        auto& warp = all[{reader->block(), reader->warp()}];
        TraceEvent event;
        while (*reader->next(event)) warp.push_back(event);
      }
    }
    return all;
  }

  Predictor predictor_{HardwareDatabase(FOREWARP_DATA_DIR)};
  fs::path folder_;
};

Case launch(const std::string& listing, const std::string& gpu, Extent grid, Extent block,
            const std::vector<std::string>& arguments) {
  Case request;
  request.input = std::string(FOREWARP_FIXTURES) + "/listings/" + listing;
  request.gpu = gpu;
  request.launch.grid = grid;
  request.launch.block = block;
  for (const std::string& text : arguments) {
    request.launch.arguments.push_back(*parse_argument(text));
  }
  return request;
}

Case saxpy2(int a, Extent grid = {1, 1, 1}, Extent block = {32, 1, 1}) {
  Case request =
      launch("saxpy2.sm_52.sass", "gtx970", grid, block, {"n=50", "a=" + std::to_string(a)});
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/examples/saxpy2.sass";
  return request;
}

// 16 instructions up to the branch round the loop, 3 before it, 4 in each of a passes, 7 behind it.
TEST_F(TraceLaunch, OneWarpByHand) {
  for (const int a : {1, 2, 128}) {
    const auto written = trace(saxpy2(a));
    ASSERT_TRUE(written) << written.error().line();
    const auto all = events();
    ASSERT_EQ(all.size(), 1U);
    const auto& warp = all.at({0, 0});
    EXPECT_EQ(warp.size(), 16U + 3U + 4U * static_cast<unsigned>(a) + 7U);
    EXPECT_EQ(written->header.recorded, warp.size());
    const auto profile = predictor_.profile(saxpy2(a), "", {});
    ASSERT_TRUE(profile);
    EXPECT_EQ(static_cast<double>(warp.size()), profile->profile.warp_instructions);
    EXPECT_EQ(warp[7].lanes, 0U);  // @P0 EXIT, which no lane takes
    const TraceEvent& load = warp[17];
    ASSERT_EQ(load.access_count, 1U);
    EXPECT_EQ(written->header.code[load.instruction].text, "LDG.E R0, [R2]");
    EXPECT_EQ(load.accesses[0].address[31] - load.accesses[0].address[0], 4U * 31U);
    EXPECT_EQ(load.accesses[0].address[0], written->header.buffers.at(0).address);
    const TraceEvent& store = warp[warp.size() - 2];
    EXPECT_EQ(store.accesses[0].kind, AccessKind::store);
    EXPECT_EQ(store.accesses[0].address[0], written->header.buffers.at(1).address);
  }
}

/// What the executor tells, kept as it is.
struct Heard : NoSink {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<TraceEvent>> warps;

  [[nodiscard]] Heard empty() const { return {}; }
  void merge(const Heard& later) { warps.insert(later.warps.begin(), later.warps.end()); }
  void executed(const Warp& warp, std::uint32_t instruction, LaneMask active, LaneMask lanes) {
    TraceEvent event;
    event.instruction = instruction;
    event.active = active;
    event.lanes = lanes;
    warps[{warp.block->linear, warp.number}].push_back(event);
  }
  void accessed(const Warp& warp, const MemoryAccess& access) {
    TraceEvent& event = warps[{warp.block->linear, warp.number}].back();
    event.accesses[event.access_count++] = access;
  }
};

TEST_F(TraceLaunch, HoldsWhatTheExecutorTold) {
  const Case launches[] = {
      launch("divergent.sm_70.sass", "titanv", {3, 1, 1}, {64, 1, 1},
             {"x=buffer:4096:ones", "n=5"}),
      launch("asynchronous_copy.sm_80.sass", "a100-sxm-40", {2, 1, 1}, {128, 1, 1},
             {"0=buffer:65536", "1=buffer:65536", "2=3"}),
      launch("atomics_histogram.sm_52.sass", "gtx970", {2, 1, 1}, {64, 1, 1},
             {"0=buffer:65536:random:1:0:255", "1=buffer:1024:zeros", "2=200"}),
      launch("transpose_conflicts.sm_90.sass", "h100-sxm-80", {2, 2, 1}, {32, 8, 1},
             {"0=buffer:65536", "1=buffer:65536", "2=64", "3=64"})};
  for (const Case& request : launches) {
    SCOPED_TRACE(request.input);
    const auto gpu = predictor_.gpu(request.gpu, {});
    ASSERT_TRUE(gpu);
    const auto loaded = predictor_.kernel(request, **gpu, {});
    ASSERT_TRUE(loaded);
    const auto draft = plan_launch(*loaded, *gpu, make_query(request, {}, request.gpu));
    ASSERT_TRUE(draft);
    const auto execution = execution_launch(*loaded->kernel, draft->config, draft->arguments, {},
                                            (*gpu)->limits.shared_per_block_optin);
    ASSERT_TRUE(execution);
    const auto program = lower_kernel(*loaded->kernel);
    ASSERT_TRUE(program);
    Heard heard;
    ASSERT_TRUE(
        run_grid(*program, execution->input, plan_all(request.launch.grid).blocks(), {}, heard));
    const auto written = trace(request);
    ASSERT_TRUE(written) << written.error().line();
    const auto all = events();
    ASSERT_EQ(all.size(), heard.warps.size());
    for (const auto& [place, warp] : heard.warps) {
      EXPECT_TRUE(same_events(all.at(place), warp)) << place.first << "." << place.second;
    }
  }
}

std::string text_of_file(const fs::path& path) {
  auto text = read_file(path);
  EXPECT_TRUE(text) << text.error().line();
  return text ? *text : "";
}

// Written by: forewarp trace tests/fixtures/listings/saxpy2.sm_70.sass --gpu titanv --grid 2
// --block 40 --arg n=50 --arg a=1 -o DIR --as accel-sim. Accel-Sim's parser reads it.
TEST_F(TraceLaunch, AccelSimTextIsAsItWas) {
  const Case request =
      launch("saxpy2.sm_70.sass", "titanv", {2, 1, 1}, {40, 1, 1}, {"n=50", "a=1"});
  const auto written = trace(request, "accel-sim");
  ASSERT_TRUE(written) << written.error().line();
  EXPECT_TRUE(written->notes.empty());
  std::string golden = text_of_file(fs::path(FOREWARP_FIXTURES) / "traces" / "saxpy2.sm_70.traceg");
  const std::string version = "-forewarp version = ";
  golden.insert(golden.find(version) + version.size(), written->header.tool_version);
  EXPECT_EQ(text_of_file(folder_ / "kernel-1.traceg"), golden);
  EXPECT_EQ(text_of_file(folder_ / "kernelslist.g"), "kernel-1.traceg\n");
}

TEST_F(TraceLaunch, ASampleHoldsTheChosenBlocks) {
  PredictOptions options;
  options.sample = {SampleChoice::Mode::count, 8};
  const auto written = trace(saxpy2(2, {100, 1, 1}), "accel-sim", options);
  ASSERT_TRUE(written) << written.error().line();
  const TraceHeader& header = written->header;
  EXPECT_EQ(header.of_blocks, 100U);
  EXPECT_LT(header.held_blocks, 20U);
  ASSERT_EQ(written->notes.size(), 2U);
  EXPECT_EQ(written->notes[0],
            "kernel-1.traceg holds only these blocks and states them as its whole grid");
  EXPECT_EQ(
      written->notes[1],
      "Accel-Sim has no opcodes of sm_52: its parser reads the trace, its simulator does not");
  const std::string text = text_of_file(folder_ / "kernel-1.traceg");
  const std::string held = std::to_string(header.held_blocks);
  EXPECT_NE(text.find("-grid dim = (" + held + ",1,1)\n"), std::string::npos);
  EXPECT_NE(text.find("-forewarp sample = " + held + " of 100 blocks of the grid (100,1,1)\n"),
            std::string::npos);
  EXPECT_NE(text.find("\nthread block = 99,0,0\n"), std::string::npos);
}

TEST_F(TraceLaunch, AFullDiskEndsItInOneLineAndLeavesNothing) {
  fs::create_directories(folder_);
  fs::create_symlink("/dev/full", folder_ / AccelSimFormat::kernel_name);
  Kernel kernel;
  TraceHeader header;
  header.launch.grid = {1, 1, 1};
  const auto writer = AccelSimFormat().open(folder_, {&kernel, &header});
  const auto failure = writer ? (*writer)->finish() : Expected<void>(writer.error());
  ASSERT_FALSE(failure);
  EXPECT_NE(failure.error().line().find("cannot be written: No space left"), std::string::npos);
}

TEST_F(TraceLaunch, AnUnknownFormatIsAnsweredWithThoseThereAre) {
  const auto written = trace(saxpy2(1), "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().line(),
            "--as text: no trace format is named 'text'; expected forewarp, accel-sim");
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(TraceLaunch, AKernelThatStopsLeavesNothing) {
  const auto written =
      trace(launch("data_loop.sm_80.sass", "a100-sxm-40", {1, 1, 1}, {32, 1, 1}, {}));
  ASSERT_FALSE(written);
  EXPECT_FALSE(fs::exists(folder_));
}

}  // namespace
}  // namespace forewarp::tests
