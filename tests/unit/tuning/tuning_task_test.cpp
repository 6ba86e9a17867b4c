// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "tuning/tuning_task.h"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "request/argument_text.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class TuningTaskTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("forewarp-tuning-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    write("k.cu", "__global__ void k(float* a, int n) { if (n > TILE) a[threadIdx.x] = WORK; }\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const fs::path file = folder_ / name;
    EXPECT_TRUE(write_file(file, text));
    return file.string();
  }

  /// A source with the options that every case here has.
  TuningRequest source() {
    TuningRequest request;
    request.file = (folder_ / "k.cu").string();
    request.measured.defaults.gpu = "rtx3090";
    request.parameters = {"TILE=2:4"};
    request.grid = "ceil(n / (block_size_x * TILE))";
    Argument n;
    n.kind = Argument::Kind::integer;
    n.integer = 1000;
    request.measured.defaults.launch.arguments.push_back({"n", {}, n});
    return request;
  }

  static std::string refusal(const TuningRequest& request) {
    const auto task = read_tuning_task(request);
    if (!task) return task.error().line();
    return task->set.points[0].fault ? task->set.points[0].fault->line() : "read";
  }

  fs::path folder_;
};

TEST_F(TuningTaskTest, RefusesAParameterThatNothingNames) {
  TuningRequest request = source();
  request.parameters = {"TILE=2:4", "WORKS=1:2"};
  EXPECT_EQ(refusal(request),
            "--param WORKS: neither the source nor --grid, --block, --smem or --restrict names it; "
            "expected a macro of the source, or a name that one of these uses; did you mean "
            "'WORK'?");
  request.restrictions = {"WORKS < TILE"};
  EXPECT_NE(refusal(request).find("block"), std::string::npos);  // the next fault
  request.restrictions = {};
  write("more.h", "#define STEP WORKS\n");
  write("k.cu", "#include \"more.h\"\n__global__ void k(float* a) { a[TILE] = STEP; }\n");
  EXPECT_NE(refusal(request).find("block"), std::string::npos);
}

TEST_F(TuningTaskTest, NotesOneGridForBlocksOfSeveralSizes) {
  TuningRequest request = source();
  request.parameters = {"TILE=2", "block_size_x=64:128"};
  const auto follows = read_tuning_task(request);
  ASSERT_TRUE(follows);
  EXPECT_TRUE(follows->set.notes.empty());  // ceil(1000 / 128), ceil(1000 / 256)
  request.grid = "100";
  const auto stays = read_tuning_task(request);
  ASSERT_TRUE(stays);
  ASSERT_EQ(stays->set.notes.size(), 1U);
  EXPECT_EQ(stays->set.notes[0].find("the grid is the same for blocks of every size"), 0U);
}

TEST_F(TuningTaskTest, GridAndBlockOfASourceFollowTheParameters) {
  TuningRequest request = source();
  request.parameters.emplace_back("block=32x2,64x1");
  request.shared = "4 * block_size_x";
  const auto task = read_tuning_task(request);
  ASSERT_TRUE(task) << task.error().line();
  EXPECT_EQ(task->parameters, (Words{"TILE", "block_size_x", "block_size_y"}));
  ASSERT_EQ(task->set.points.size(), 4U);
  const Case& first = task->set.points[0].request;
  EXPECT_EQ(first.launch.block, (Extent{32, 2, 1}));
  EXPECT_EQ(first.launch.grid, (Extent{16, 1, 1}));  // ceil(1000 / (32 * 2))
  EXPECT_EQ(first.launch.dynamic_shared, 128U);
  EXPECT_EQ(task->set.points[3].request.launch.grid, (Extent{4, 1, 1}));  // ceil(1000 / (64 * 4))
  EXPECT_EQ(first.gpu, "rtx3090");
  EXPECT_EQ(first.timing, Timing::event);
  EXPECT_EQ(first.repeat, Repeat::warm);
  EXPECT_EQ(text_of(first.launch.arguments.at(0).value), "1000");
}

TEST_F(TuningTaskTest, FieldsOfStructuresStandInSizes) {
  TuningRequest request = source();
  request.parameters = {"TILE=2", "block_size_x=64"};
  request.grid = "ceil(p.n/(block_size_x*TILE))";
  request.measured.defaults.launch.arguments.at(0).name = "p.n";
  const auto task = read_tuning_task(request);
  ASSERT_TRUE(task) << task.error().line();
  ASSERT_FALSE(task->set.points.at(0).fault) << task->set.points[0].fault->line();
  EXPECT_EQ(task->set.points[0].request.launch.grid, (Extent{8, 1, 1}));  // ceil(1000 / 128)
}

/// block_size_x and the grid stand nowhere in the source: configurations that differ by them alone
/// share one compilation.
TEST_F(TuningTaskTest, OnlyMacrosThatTheSourceNamesAreDefined) {
  TuningRequest request = source();
  request.parameters = {"TILE=2:4", "block=32,64", "WORK=1"};
  auto task = read_tuning_task(request);
  ASSERT_TRUE(task) << task.error().line();
  EXPECT_EQ(task->set.points[0].request.compile_options, (Words{"-DTILE=2", "-DWORK=1"}));
  write("k.cu", "#define S(d) block_size_##d\n__global__ void k(int* a) { a[0] = S(x); }\n");
  task = read_tuning_task(request);
  ASSERT_TRUE(task) << task.error().line();
  EXPECT_TRUE(has(task->set.points[0].request.compile_options, "-Dblock_size_x=32"));
}

TEST_F(TuningTaskTest, WhatASourceLacksIsAskedFor) {
  const std::string file = (folder_ / "k.cu").string();
  TuningRequest request = source();
  EXPECT_EQ(refusal(request),
            file +
                ": nothing says how many threads a block has; expected --param "
                "block=32x4:256x8, or --block with expressions of the parameters; --block "
                "TILE,TILE");
  request.block = "32 * TILE";
  request.grid = "n / TILE";
  EXPECT_EQ(refusal(request), "read");  // 500 blocks, 250 blocks
  request.grid = "n / (3 * TILE)";
  EXPECT_NE(refusal(request).find("the grid in x is 166.7; expected a whole number from 1; ceil(A "
                                  "/ B) and A // B are whole"),
            std::string::npos)
      << refusal(request);
  request.grid = "";
  EXPECT_EQ(refusal(request), file +
                                  ": nothing says how many blocks the grid has; expected --grid "
                                  "with expressions of parameters and named arguments; --grid "
                                  "'ceil(n / block_size_x)'");
  request = source();
  request.parameters.clear();
  EXPECT_NE(refusal(request).find("is a source, and no parameter is given"), std::string::npos);
  request = source();
  request.parameters.emplace_back("block=32,64");
  request.block = "32";
  EXPECT_EQ(refusal(request),
            "--block: cannot be combined with a parameter of the block; expected one of the two");
}

TEST_F(TuningTaskTest, TheCommunitysDescriptionSaysEverything) {
  TuningRequest request;
  request.file = std::string(FOREWARP_FIXTURES) + "/tuning/axpy-t1.json";
  request.measured.defaults.gpu = "rtx3090";
  request.restrictions = {"block_size_x * TILE <= 1024"};
  const auto task = read_tuning_task(request);
  ASSERT_TRUE(task) << task.error().line();
  // 6 block sizes from 32 to 1024, three tiles; 1024 leaves out TILE 2 and 4, 512 leaves out 4.
  EXPECT_EQ(task->set.points.size(), 15U);
  EXPECT_DOUBLE_EQ(task->whole, 18);
  const Case& second = task->set.points[1].request;
  EXPECT_EQ(task->words[1], (Words{"32", "2"}));
  EXPECT_EQ(second.launch.grid, (Extent{15625, 1, 1}));  // 1000000 / (32 * 2)
  EXPECT_EQ(second.kernel, "axpy_tuned");
  EXPECT_FALSE(second.measured_ms);
  EXPECT_EQ(task->problem_size, (Words{"1000000"}));
  request.grid = "1";
  EXPECT_EQ(refusal(request),
            "--grid: cannot be combined with a T1 file; expected one of the two; the file "
            "says what is tuned");
}

TEST_F(TuningTaskTest, ASpaceInTomlIsADescriptionOfItsConfigurations) {
  TuningRequest request;
  request.file = write("s.toml", R"toml(
schema = "forewarp.space/1"
name = "k"
kernel = "k"
gpu = "t4"
input = "k.cu"
grid = ["ceil(n / (block_size_x * TILE))"]
block = ["block_size_x"]
args = [{buffer = "4 * n"}, {i32 = "n"}]
restrict = ["TILE < 4 or block_size_x == 64"]
[params]
block = "32:64"
TILE = [2, 4]
WORK = 1
[numbers]
n = "1000"
)toml");
  const auto task = read_tuning_task(request);
  ASSERT_TRUE(task) << task.error().line();
  EXPECT_EQ(task->parameters, (Words{"block_size_x", "TILE", "WORK"}));
  ASSERT_EQ(task->set.points.size(), 3U);
  const Case& last = task->set.points[2].request;
  ASSERT_FALSE(task->set.points[2].fault) << task->set.points[2].fault->line();
  EXPECT_EQ(last.gpu, "t4");
  EXPECT_EQ(last.launch.grid, (Extent{4, 1, 1}));  // ceil(1000 / (64 * 4))
  EXPECT_EQ(last.compile_options, (Words{"-Dblock_size_x=64", "-DTILE=4", "-DWORK=1"}));
  EXPECT_EQ(fs::path(last.input).filename(), "k.cu");
}

TEST_F(TuningTaskTest, ConfigurationsMayBeListedAndABaseGivesTheRest) {
  write("c.csv", "TILE,WORK,time\n2,1,0.5\n8,3,0.25\n");
  write("set.toml", R"(
schema = "forewarp.set/1"
name = "k"
csv = "c.csv"
kernel = "k"
gpu = "t4"
measured_ms = "time"
grid = ["10 * TILE"]
block = [64]
[compile]
source = "k.cu"
defines = ["TILE", "WORK"]
)");
  TuningRequest request;
  request.file = write("s.toml",
                       "schema = \"forewarp.space/1\"\nbase = \"set.toml\"\n"
                       "configurations = \"c.csv\"\n");
  const auto task = read_tuning_task(request);
  ASSERT_TRUE(task) << task.error().line();
  EXPECT_EQ(task->words, (std::vector<Words>{{"2", "1"}, {"8", "3"}}));
  EXPECT_EQ(task->set.points[1].request.launch.grid, (Extent{80, 1, 1}));
  EXPECT_FALSE(task->set.points[1].request.measured_ms);  // is not looked at
  request.restrictions = {"TILE > 2"};
  EXPECT_EQ(refusal(request),
            "--restrict: cannot be combined with a list of configurations; expected one of "
            "the two; leave rows out");
}

TEST_F(TuningTaskTest, ASpaceIsRefusedInOneLine) {
  const auto refuse = [](const std::string& toml) {
    const auto space = parse_space_file(toml, "s.toml");
    return space ? "read" : space.error().line();
  };
  const std::string schema = "schema = \"forewarp.space/1\"\n";
  EXPECT_EQ(refuse(schema),
            "s.toml:1:1: it says no configurations, or twice; expected a table "
            "[params], or configurations = \"FILE.csv\"");
  EXPECT_EQ(refuse("schema = \"forewarp.set/1\"\n"),
            "s.toml:1:10: 'schema' is the text 'forewarp.set/1'; expected 'forewarp.space/1'");
  EXPECT_EQ(refuse(schema + "[params]\nT = []\n"),
            "s.toml:3:5: a parameter has no value; expected one at least");
  EXPECT_EQ(refuse(schema + "[params]\nblock_size_x = 1\nblock = \"32:64\"\n"),
            "s.toml:2:1: 'params': the parameter 'block_size_x' stands twice; expected once");
}

TEST(T1Space, IsRefusedInOneLine) {
  const auto refuse = [](const std::string& json) {
    const auto space = parse_t1_space(json, "t1.json");
    return space ? "read" : space.error().line();
  };
  EXPECT_EQ(refuse("{}"),
            "t1.json: it has no parameters; expected ConfigurationSpace with TuningParameters");
  EXPECT_EQ(refuse(R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "A"}]}})"),
            "t1.json: the parameter is incomplete; expected Name and Values");
  const auto space = parse_t1_space(
      R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "A", "Values": [1, true]}],
          "Conditions": [{"Parameters": ["A"], "Expression": "A > 0"}, "A < 3"]}})",
      "t1.json");
  ASSERT_TRUE(space) << space.error().line();
  EXPECT_EQ(space->restrictions, (Words{"A > 0", "A < 3"}));
}

}  // namespace
}  // namespace forewarp::tests
