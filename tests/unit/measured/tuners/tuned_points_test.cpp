// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/tuners/tuned_points.h"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"
#include "measured/measured_file.h"
#include "request/argument_text.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

std::string fixture(const std::string& name) {
  return std::string(FOREWARP_FIXTURES) + "/tuning/" + name;
}

MeasuredSet read(const std::string& name, const MeasuredOptions& options = {}) {
  auto set = read_measured(fixture(name), options);
  EXPECT_TRUE(set) << set.error().line();
  return set ? std::move(*set) : MeasuredSet{};
}

std::string refusal(const std::string& json, const MeasuredOptions& options = {}) {
  const auto set = read_tuning_results("r.json", json, options);
  return set ? "read" : set.error().line();
}

std::vector<std::string> argument_texts(const LaunchConfig& launch) {
  std::vector<std::string> texts;
  for (const NamedArgument& argument : launch.arguments) texts.push_back(text_of(argument.value));
  return texts;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST(TunedPoints, ResultsTakeTheirLaunchFromTheDescriptionBeside) {
  const MeasuredSet set = read("axpy-results.json");
  ASSERT_EQ(set.points.size(), 2U);
  const Case& first = set.points[0].request;
  EXPECT_FALSE(set.points[0].fault);
  EXPECT_EQ(first.kernel, "axpy_tuned");
  EXPECT_EQ(first.gpu, "NVIDIA GeForce RTX 2080 Ti");
  EXPECT_EQ(first.launch.block, (Extent{128, 1, 1}));
  EXPECT_EQ(first.launch.grid, (Extent{7813, 1, 1}));                  // ceil(1000000 / 128)
  EXPECT_EQ(set.points[1].request.launch.grid, (Extent{2605, 1, 1}));  // ceil(1000000 / (96 * 4))
  EXPECT_EQ(argument_texts(first.launch),
            (std::vector<std::string>{"buffer.f32:4000000:fill:0.5", "buffer.f32:4000000:random:1",
                                      "f32:2.5", "i32:1000000"}));
  EXPECT_EQ(first.timing, Timing::event);
  EXPECT_EQ(first.repeat, Repeat::warm);
}

TEST(TunedPoints, TimesAreTheMedianInMilliseconds) {
  const MeasuredSet set = read("axpy-results.json");
  ASSERT_EQ(set.points.size(), 2U);
  EXPECT_DOUBLE_EQ(*set.points[0].request.measured_ms, 0.025);
  // mean 26.333, deviations -2.333, 3.667, -1.333: sqrt(20.667 / 2) / 26.333
  EXPECT_NEAR(*set.points[0].request.spread, std::sqrt(62.0 / 3 / 2) / (79.0 / 3), 1e-12);
  EXPECT_DOUBLE_EQ(*set.points[1].request.measured_ms, 0.027);  // the measurement, in its own unit
  EXPECT_FALSE(set.points[1].request.spread);
  ASSERT_EQ(set.notes.size(), 4U);
  EXPECT_NE(set.notes[0].find("axpy-t1.json"), std::string::npos);
  EXPECT_EQ(set.notes[1], "the grid is ProblemSize / GridDiv, rounded up");
  EXPECT_EQ(set.notes[3], "1 failed configurations are left out");
}

TEST(TunedPoints, ParametersAreMacrosAndNumbersInPragmas) {
  const MeasuredSet set = read("axpy-results.json");
  const auto& options = set.points.at(1).request.compile_options;
  for (const char* wanted : {"-std=c++14", "-Dblock_size_x=96", "-DTILE=4", "-Dkernel_tuner=1",
                             "-Dgrid_size_x=2605", "-Dblock_size_y=1"}) {
    EXPECT_TRUE(has(options, wanted)) << wanted;
  }
  const auto copy = read_file(set.points[1].request.input);
  ASSERT_TRUE(copy);
  EXPECT_NE(copy->find("#pragma unroll 4\n"), std::string::npos);
  EXPECT_EQ(set.points[1].numbers.at("TILE"), 4);
}

TEST(TunedPoints, ACacheFileWithoutItsEndFollowsTheDescriptionOfItsKernel) {
  const MeasuredSet set = read("axpy-cache.json");
  ASSERT_EQ(set.points.size(), 1U);
  EXPECT_DOUBLE_EQ(*set.points[0].request.measured_ms, 0.024);         // between 0.023 and 0.025
  EXPECT_EQ(set.points[0].request.launch.grid, (Extent{7813, 1, 1}));  // 64 * 2 by GridDivX
  EXPECT_EQ(set.notes.back(), "2 failed configurations are left out");
}

TEST(TunedPoints, ACacheFileAloneFollowsThePlainRule) {
  const auto text = read_file(fixture("axpy-cache.json"));
  ASSERT_TRUE(text);
  const auto results = parse_tuning_results(*text, "cache.json");
  ASSERT_TRUE(results) << results.error().line();
  MeasuredOptions options;
  options.defaults.input = fixture("axpy.cu");
  const auto set = tuned_points(*results, nullptr, options);
  ASSERT_TRUE(set) << set.error().line();
  ASSERT_EQ(set->points.size(), 1U);
  const LaunchConfig& launch = set->points[0].request.launch;
  EXPECT_EQ(launch.block, (Extent{64, 1, 1}));
  EXPECT_EQ(launch.grid, (Extent{7813, 3, 1}));  // 1000000 / (64 * 2), 3 / 1
  EXPECT_NE(set->notes[0].find("block_size_* times grid_div_*"), std::string::npos);
}

TuningProblem problem_with(const std::string& keys) {
  auto problem = parse_tuning_problem(
      R"({"KernelSpecification": {"KernelName": "k", "KernelFile": "axpy.cu", )" + keys + "}}",
      fixture("p.json"));
  EXPECT_TRUE(problem) << problem.error().line();
  return problem ? std::move(*problem) : TuningProblem{};
}

MeasuredPoint one_point(const TuningProblem& problem) {
  TuningResults results;
  results.origin.file = "r.json";
  results.device = "g";
  results.configurations.push_back({{{"bx", "64"}, {"name", "abc"}}, 1, 0, 1});
  const auto set = tuned_points(results, &problem, {});
  EXPECT_TRUE(set) << set.error().line();
  return set ? set->points.at(0) : MeasuredPoint{};
}

TEST(TunedPoints, ATemplateIsInstantiatedInACopy) {
  TuningProblem problem = problem_with(R"("LocalSize": {"X": "bx"}, "ProblemSize": [640])");
  problem.kernel = "ns::scale<float, bx>";
  const MeasuredPoint point = one_point(problem);
  EXPECT_EQ(point.request.kernel, "scale");
  const auto copy = read_file(point.request.input);
  ASSERT_TRUE(copy);
  EXPECT_TRUE(copy->ends_with("= &ns::scale<float, bx>;\n"));
}

TEST(TunedPoints, AGlobalSizeCountsThreadsOrBlocks) {
  const std::string sizes = R"("LocalSize": {"X": "bx"}, "GlobalSize": {"X": "1000", "Y": 2}, )";
  const MeasuredPoint threads = one_point(problem_with(sizes + R"("GlobalSizeType": "OpenCL")"));
  EXPECT_EQ(threads.request.launch.grid, (Extent{16, 2, 1}));  // ceil(1000 / 64), 2 / 1
  const MeasuredPoint blocks = one_point(problem_with(sizes + R"("GlobalSizeType": "CUDA")"));
  EXPECT_EQ(blocks.request.launch.grid, (Extent{1000, 2, 1}));
  // Kernel Tuner divides by the block where a divisor is not given.
  const MeasuredPoint divided = one_point(problem_with(
      R"("LocalSize": {"X": "bx"}, "ProblemSize": [1000, 2], "GridDivX": null, "GridDivY": [])"));
  EXPECT_EQ(divided.request.launch.grid, (Extent{16, 2, 1}));
}

TEST(TunedPoints, SymbolsAreConstantsAndLocalMemoryIsDynamic) {
  const MeasuredPoint point = one_point(problem_with(R"json(
      "LocalSize": {"X": "bx"}, "ProblemSize": [640], "SharedMemory": "bx * 4", "Arguments": [
      {"Name": "table", "Type": "double2", "MemoryType": "Symbol", "Size": 8,
       "FillType": "Constant"},
      {"Name": "f", "Type": "float", "MemoryType": "Vector", "MemType": "Constant",
       "Size": "max(bx)"},
      {"Name": "s", "Type": "float", "MemoryType": "Local", "Size": "bx"},
      {"Name": "o", "Type": "custom", "TypeSize": 12, "MemoryType": "Vector", "Size": 5,
       "FillType": "Random", "FillValue": -2, "RandomSeed": 7}])json"));
  EXPECT_FALSE(point.fault) << point.fault->line();
  EXPECT_EQ(point.request.launch.dynamic_shared, 64U * 4 + 64 * 4);
  EXPECT_EQ(argument_texts(point.request.launch),
            (std::vector<std::string>{"buffer.f32:256", "buffer:60:random:7:-2:0"}));
  ASSERT_EQ(point.request.launch.constants.size(), 2U);
  EXPECT_EQ(point.request.launch.constants[0].name, "table");
  EXPECT_EQ(text_of(point.request.launch.constants[0].value), "buffer.f64:128:zeros");
  EXPECT_EQ(point.request.launch.constants[1].name, "f");
}

std::string with_argument(const std::string& keys) {
  return R"("ProblemSize": [64], "Arguments": [{)" + keys + "}]";
}

TEST(TunedPoints, AConfigurationThatCannotBeLaunchedIsAFault) {
  const auto fault = [](const std::string& keys) {
    const MeasuredPoint point = one_point(problem_with(keys));
    return point.fault ? point.fault->line() : std::string("none");
  };
  EXPECT_EQ(fault(R"("LocalSize": {"X": "bx / 3"}, "ProblemSize": [64])"),
            "r.json configuration 1: the block in x is 21.33; expected a whole number from 1; "
            "ceil(A / B) and A // B are whole");
  EXPECT_NE(fault(R"("LocalSize": {"X": "by"}, "ProblemSize": [64])").find("'by'"),
            std::string::npos);
  EXPECT_NE(fault(R"("LocalSize": {"X": "bx"})").find("neither a problem size nor a global size"),
            std::string::npos);
  EXPECT_NE(fault(with_argument(R"("MemoryType": "Vector", "Type": "custom", "Size": 4)"))
                .find("has 0 bytes"),
            std::string::npos);
  EXPECT_NE(fault(with_argument(R"("MemoryType": "Scalar", "Type": "int8", "FillValue": 300)"))
                .find("a value of int8"),
            std::string::npos);
}

TEST(TunedPoints, RefusalsSayWhatIsMissing) {
  const std::string cache =
      R"({"tune_params_keys": ["a"], "cache": {"1": {"a": 1, "time": 2}}, "kernel_name": "none"})";
  EXPECT_EQ(refusal(cache),
            "r.json: says what was tuned but not its code; expected the description that goes with "
            "it, or the source; --t1 FILE or --code FILE");
  MeasuredOptions with_code;
  with_code.defaults.input = fixture("axpy.cu");
  EXPECT_EQ(refusal(cache, with_code),
            "r.json: does not say which GPU was measured; expected its name; --gpu ID");
  EXPECT_NE(refusal(R"({"results": [{"configuration": {"a": 1}}]})").find("--t1 FILE"),
            std::string::npos);
  EXPECT_NE(
      refusal(R"({"metadata": {"timeunit": "days"}, "results": []})").find("'days' is unknown"),
      std::string::npos);
  EXPECT_NE(refusal(R"({"tune_params_keys": ["b"], "cache": {"1": {"a": 1, "time": 2}}})")
                .find("lacks 'b'"),
            std::string::npos);
  const auto opencl = parse_tuning_problem(
      R"({"KernelSpecification": {"KernelName": "k", "Language": "OpenCL"}})", "p.json");
  ASSERT_FALSE(opencl);
  EXPECT_EQ(opencl.error().line(), "p.json: the kernel is written in OpenCL; expected CUDA");
}

}  // namespace
}  // namespace forewarp::tests
