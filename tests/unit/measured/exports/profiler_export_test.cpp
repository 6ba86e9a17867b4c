// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/exports/profiler_export.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "measured/exports/export_values.h"
#include "measured/measured_file.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

std::string fixture(const std::string& name) {
  return std::string(FOREWARP_FIXTURES) + "/exports/" + name;
}

ProfilerExport read(const std::string& name) {
  const auto text = read_file(fixture(name));
  EXPECT_TRUE(text);
  auto data = parse_export(*text, name);
  EXPECT_TRUE(data) << data.error().line();
  return data ? std::move(*data) : ProfilerExport{};
}

std::string refusal(const std::string& text) {
  const auto data = parse_export(text, "e.csv");
  return data ? "read" : data.error().line();
}

TEST(ExportValues, NumbersOfAnyLocale) {
  EXPECT_EQ(exported_number("1,215,000,000.50"), 1215000000.5);
  EXPECT_EQ(exported_number("491,520"), 491520);
  EXPECT_EQ(exported_number("27.595.520"), 27595520);
  EXPECT_EQ(exported_number("1.234,5"), 1234.5);
  EXPECT_EQ(exported_number("65,77 %"), 65.77);
  EXPECT_EQ(exported_number("117.344"), 117.344);
  EXPECT_EQ(exported_number("4.0e-05"), 4e-5);
  EXPECT_EQ(exported_number("-3"), -3);
  EXPECT_FALSE(exported_number("n/a"));
  EXPECT_FALSE(exported_number(""));
  EXPECT_FALSE(exported_number("12.5GB/s"));
  EXPECT_FALSE(exported_number("inf"));
}

TEST(ExportValues, UnitsBecomeBytesAndSeconds) {
  EXPECT_EQ(unit_factor("usecond"), 1e-6);
  EXPECT_EQ(unit_factor("ns"), 1e-9);
  EXPECT_EQ(unit_factor("msec"), 1e-3);
  EXPECT_EQ(unit_factor("second"), 1);
  EXPECT_EQ(unit_factor("Mbyte"), 1e6);
  EXPECT_EQ(unit_factor("Kbyte/block"), 1e3);
  EXPECT_EQ(unit_factor("KB", true), 1024);
  EXPECT_EQ(unit_factor("inst"), 1);
  EXPECT_EQ(unit_factor("Threads"), 1);  // no prefix
  EXPECT_TRUE(is_time_unit("us"));
  EXPECT_TRUE(is_time_unit("nsec"));
  EXPECT_FALSE(is_time_unit("MB"));
  EXPECT_FALSE(is_time_unit("m"));
}

TEST(ExportValues, KernelsAreCalledByTheirPlainName) {
  EXPECT_EQ(exported_kernel_name("saxpy"), "saxpy");
  EXPECT_EQ(exported_kernel_name("void ns::f<(int)4, g<int>>(float *, int)"), "f");
  EXPECT_EQ(exported_kernel_name("(anonymous namespace)::f(int)"), "f");
  EXPECT_EQ(exported_kernel_name("a::<unnamed>::f(int)"), "f");
  EXPECT_EQ(exported_kernel_name("f(float*) [112]"), "f");
  EXPECT_EQ(exported_kernel_name("_Z1fPf"), "_Z1fPf");
  EXPECT_EQ(exported_device("NVIDIA A40 (0)"), "NVIDIA A40");
  EXPECT_EQ(exported_device("Board (fast)"), "Board (fast)");
}

TEST(ProfilerExport, RowsOfOneLaunchMakeOnePoint) {
  const ProfilerExport data = read("ncu_details.csv");
  ASSERT_EQ(data.launches.size(), 2U);
  const ExportedLaunch& first = data.launches[0];
  EXPECT_EQ(first.kernel, "saxpy");
  EXPECT_EQ(first.grid, (Extent{4096, 1, 1}));
  EXPECT_EQ(first.block, (Extent{256, 1, 1}));
  EXPECT_DOUBLE_EQ(*first.time_ms, 0.02451);
  EXPECT_EQ(*first.registers, 10);
  EXPECT_EQ(*first.dynamic_shared, 0);
  EXPECT_EQ(first.numbers.at("smsp__inst_executed.sum"), 458752);
  EXPECT_DOUBLE_EQ(first.numbers.at("dram__bytes_read.sum"), 8.39e6);
  EXPECT_DOUBLE_EQ(*data.launches[1].time_ms, 0.024832);
  EXPECT_FALSE(data.launches[1].numbers.contains("smsp__inst_executed.sum"));  // n/a
}

TEST(ProfilerExport, AWidePageHasARowOfUnits) {
  const ProfilerExport data = read("ncu_raw.csv");
  ASSERT_EQ(data.launches.size(), 2U);
  EXPECT_EQ(data.launches[0].kernel, "saxpy");
  EXPECT_DOUBLE_EQ(*data.launches[0].time_ms, 0.02451);
  EXPECT_DOUBLE_EQ(data.launches[0].numbers.at("dram__bytes_read.sum"), 8390660);
  EXPECT_DOUBLE_EQ(*data.launches[0].dynamic_shared, 1020);
  EXPECT_EQ(data.launches[1].block, (Extent{32, 2, 1}));
}

TEST(ProfilerExport, ATraceHasLaunchesAmongCopies) {
  const ProfilerExport data = read("nsys_trace.csv");
  ASSERT_EQ(data.launches.size(), 2U);
  EXPECT_EQ(data.copies, 1U);
  EXPECT_EQ(data.launches[0].id, "121");
  EXPECT_EQ(data.launches[0].device, "NVIDIA GeForce RTX 2080 Ti");
  EXPECT_DOUBLE_EQ(*data.launches[0].time_ms, 0.02464);
  EXPECT_EQ(*data.launches[0].registers, 10);
  const ProfilerExport old = read("nvprof_trace.csv");
  ASSERT_EQ(old.launches.size(), 1U);
  EXPECT_DOUBLE_EQ(*old.launches[0].time_ms, 0.024576);
  EXPECT_DOUBLE_EQ(*old.launches[0].dynamic_shared, 512);  // 0.5 KB
  EXPECT_EQ(old.launches[0].kernel, "saxpy");
}

TEST(ProfilerExport, MetricsAloneHaveNoTime) {
  const ProfilerExport data = read("nvprof_metrics.csv");
  ASSERT_EQ(data.launches.size(), 1U);
  EXPECT_FALSE(data.launches[0].time_ms);
  EXPECT_EQ(data.launches[0].numbers.at("inst_executed"), 491520);
  EXPECT_EQ(data.launches[0].numbers.at("dram_read_transactions"), 262200);
  const ProfilerExport by_launch = read("nvprof_launches.csv");
  ASSERT_EQ(by_launch.launches.size(), 1U);
  EXPECT_EQ(by_launch.launches[0].numbers.at("inst_executed"), 491520);
}

TEST(ProfilerExport, PointsTakeCodeAndArgumentsFromTheCommandLine) {
  MeasuredOptions options;
  options.defaults.input = "saxpy.sass";
  options.defaults.gpu = "g";
  options.defaults.kernel = "saxpy";
  options.defaults.launch.arguments.push_back({"n", {}, {}});
  const auto set = read_measured(fixture("ncu_raw.csv"), options);
  ASSERT_TRUE(set) << set.error().line();
  ASSERT_EQ(set->points.size(), 1U);
  const MeasuredPoint& point = set->points[0];
  EXPECT_EQ(point.id, "ncu_raw/3");
  EXPECT_EQ(point.request.input, "saxpy.sass");
  EXPECT_EQ(point.request.gpu, "g");
  EXPECT_EQ(point.request.launch.arguments.size(), 1U);
  EXPECT_EQ(point.request.timing, Timing::device);
  EXPECT_EQ(point.request.repeat, Repeat::cold);
  EXPECT_EQ(point.request.clock->kind, ClockChoice::Kind::base);
  EXPECT_EQ(*point.registers, 10);
  EXPECT_EQ(set->notes.back(), "1 launches of other kernels are left out");
}

TEST(ProfilerExport, APointWithoutAGridTakesItFromTheLaunchFile) {
  MeasuredOptions options;
  options.defaults.input = "saxpy.sass";
  const auto faulty = read_measured(fixture("nvprof_metrics.csv"), options);
  ASSERT_TRUE(faulty);
  ASSERT_TRUE(faulty->points.at(0).fault);
  EXPECT_EQ(faulty->points[0].fault->line(),
            "launch saxpy: this form has no grid and block; expected the launch; --launch FILE "
            "with grid and block");
  options.defaults.launch.grid = {4096, 1, 1};
  options.defaults.launch.block = {256, 1, 1};
  const auto set = read_measured(fixture("nvprof_metrics.csv"), options);
  ASSERT_TRUE(set);
  EXPECT_FALSE(set->points.at(0).fault);
  EXPECT_EQ(set->points[0].request.launch.grid, (Extent{4096, 1, 1}));
  EXPECT_FALSE(set->points[0].request.measured_ms);
}

TEST(ProfilerExport, RefusalsSayWhatIsMissing) {
  EXPECT_NE(refusal("a,b\n1,2\n").find("has no table that a profiler writes"), std::string::npos);
  EXPECT_EQ(
      refusal("\"ID\",\"Kernel Name\",\"Grid Size\",\"Block Size\"\n\"0\",\"k\",\"x\",\"(1)\"\n"),
      "e.csv launch 0: grid 'x' and block '(1)'; expected (X, Y, Z)");
  EXPECT_EQ(
      refusal("Start,Duration (parsec),GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Name\n1,2,1,1,1,1,1,1,k\n"),
      "e.csv: the durations have the unit 'parsec'; expected ns, us, ms or s");
  const auto no_code = read_measured(fixture("nsys_trace.csv"), {});
  ASSERT_FALSE(no_code);
  EXPECT_NE(no_code.error().line().find("--code FILE"), std::string::npos);
  MeasuredOptions with_code;
  with_code.defaults.input = "saxpy.sass";
  const auto no_gpu = read_measured(fixture("ncu_raw.csv"), with_code);
  ASSERT_FALSE(no_gpu);
  EXPECT_NE(no_gpu.error().line().find("--gpu ID"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
