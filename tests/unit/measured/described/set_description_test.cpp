// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/described/set_description.h"

#include <gtest/gtest.h>

#include "base/file.h"

namespace forewarp::tests {
namespace {

constexpr const char* head =
    "schema = \"forewarp.set/1\"\nname = \"s\"\ncsv = \"s.csv\"\nmeasured_ms = \"us / 1000\"\n";

Expected<MeasuredSet> points(const std::string& more, const std::string& csv) {
  const auto about = parse_description(head + more, "sets/s.toml");
  if (!about) return about.error();
  const auto table = parse_csv(csv, "s.csv");
  if (!table) return table.error();
  return described_points(*about, *table, {});
}

TEST(SetDescription, ARowBecomesACase) {
  const auto set = points(
      "id = \"{board}/{n}\"\ngpu = \"{board}\"\ninput = \"k.{arch}.sass\"\nkernel = "
      "\"scale_{kind}\"\n"
      "grid = [\"ceil(n / 256)\", 2]\nblock = [256]\ngroup = \"{board}\"\ntiming = \"event\"\n"
      "clock_mhz = \"clock\"\noverhead_us = \"clock / 100\"\nbaseline_bytes = \"8 * n\"\nregisters "
      "= \"regs\"\n"
      "args = [{buffer = \"4 * n\", content = \"zeros\"}, {i32 = \"n\"}, {f32 = 0.5}]\n"
      "[words.board]\n\"Tesla T4\" = \"t4\"\n"
      "[words.kind]\nfrom = \"op\"\nmul = \"two\"\n",
      "board,op,n,us,clock,regs\nTesla T4,mul,1000,12.5,1590,20\nA40,neg,512,3,1740,\n");
  ASSERT_TRUE(set) << set.error().line();
  ASSERT_EQ(set->points.size(), 2U);
  const MeasuredPoint& first = set->points[0];
  ASSERT_FALSE(first.fault) << first.fault->line();
  EXPECT_EQ(first.id, "s/t4/1000");
  EXPECT_EQ(first.request.gpu, "t4");
  EXPECT_EQ(first.request.kernel, "scale_two");
  EXPECT_EQ(first.request.input, "sets/k.{arch}.sass");
  EXPECT_EQ(first.request.launch.grid, (Extent{4, 2, 1}));
  EXPECT_EQ(first.request.launch.block, (Extent{256, 1, 1}));
  EXPECT_EQ(first.request.group, "t4");
  EXPECT_DOUBLE_EQ(*first.request.measured_ms, 0.0125);
  EXPECT_DOUBLE_EQ(first.request.clock->megahertz, 1590);
  EXPECT_DOUBLE_EQ(*first.request.overhead_us, 15.9);
  EXPECT_EQ(first.baseline_bytes, 8000);
  EXPECT_EQ(first.registers, 20);
  ASSERT_EQ(first.request.launch.arguments.size(), 3U);
  EXPECT_EQ(first.request.launch.arguments[0].value.buffer_bytes, 4000U);
  EXPECT_EQ(first.request.launch.arguments[1].value.integer, 1000);
  EXPECT_EQ(set->points[1].request.kernel, "scale_neg");  // a word that the table lacks stays
  EXPECT_FALSE(set->points[1].registers);
}

TEST(SetDescription, AWordMayHaveKeysOfItsOwn) {
  const auto set = points(
      "input = \"a.sass\"\nblock = [64]\n"
      "[by.op.mul]\ninput = \"{op}.sass\"\ngrid = [\"n\"]\n[by.op.neg]\nblock = [\"n * 2\"]\n",
      "op,n,us\nmul,3,1\nneg,5,1\nadd,7,1\n");
  ASSERT_TRUE(set) << set.error().line();
  EXPECT_EQ(set->points[0].request.input, "sets/mul.sass");
  EXPECT_EQ(set->points[0].request.launch.grid, (Extent{3, 1, 1}));
  EXPECT_EQ(set->points[0].request.launch.block, (Extent{64, 1, 1}));
  EXPECT_EQ(set->points[1].request.launch.block, (Extent{10, 1, 1}));
  EXPECT_FALSE(set->points[1].request.has_grid());
  EXPECT_EQ(set->points[2].request.input, "sets/a.sass");
  const auto unknown = points("[by.op.mul]\ncsv = \"x\"\n", "op,us\nmul,1\n");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().line().find("'by.op.mul.csv'"), std::string::npos)
      << unknown.error().line();
}

TEST(SetDescription, RowsAreChosenAndSetApart) {
  const auto set = points(
      "block = [32]\n[[where]]\ncolumn = \"op\"\nnot = [\"pow\"]\n[[where]]\ntest = \"n > 1\"\n"
      "[[apart]]\nname = \"old\"\ncolumn = \"op\"\nis = [\"div\"]\n",
      "op,n,us\nadd,1,1\nadd,2,1\npow,3,1\ndiv,4,1\n");
  ASSERT_TRUE(set) << set.error().line();
  ASSERT_EQ(set->points.size(), 2U);
  EXPECT_EQ(set->points[0].id, "s/2");  // row 2 of the file
  EXPECT_EQ(set->points[0].apart, "");
  EXPECT_EQ(set->points[1].apart, "old");
}

TEST(SetDescription, NewColumnsMayUseEarlierOnes) {
  const auto set = points("block = [\"z\"]\n[numbers]\ny = \"2 * n\"\nz = \"y + 1\"\na = \"z\"\n",
                          "n,us\n3,1\n");
  ASSERT_TRUE(set) << set.error().line();
  EXPECT_EQ(set->points[0].request.launch.block[0], 7U);
}

TEST(SetDescription, ABadRowIsAFaultNotTheEnd) {
  const auto set = points("block = [\"n\"]\n", "n,us\nmany,1\n64,1\n64,0\n");
  ASSERT_TRUE(set) << set.error().line();
  EXPECT_EQ(set->points[0].fault->line(),
            "s.csv row 1: 'n' has no value in this row; expected numbers in all of its columns");
  EXPECT_FALSE(set->points[1].fault);
  EXPECT_NE(set->points[2].fault->line().find("'measured_ms' is the number 0"), std::string::npos);
}

TEST(SetDescription, LeftOutNumbersBelongToAGpu) {
  const auto set = points("block = [32]\n[left_out.a40]\n\"memory.read_share\" = 0.9\n", "us\n1\n");
  ASSERT_TRUE(set) << set.error().line();
  ASSERT_EQ(set->left_out.count("a40"), 1U);
  EXPECT_EQ(set->left_out.at("a40")[0].path, "memory.read_share");
  EXPECT_EQ(set->left_out.at("a40")[0].value, "0.9");
}

TEST(SetDescription, CopiesAndReferencesFollowTheRow) {
  const auto set = points(
      "gpu = \"t4\"\nlink = \"pcie-{generation}-x8\"\ntiming = \"host\"\n"
      "copies = [{bytes = \"4 * n\", direction = \"{way}\"}, {bytes = {same = \"0\"}, "
      "direction = \"d2h\", memory = \"pinned\"}]\n"
      "[reference]\nname = \"the author\"\nms = \"2 * guess\"\n",
      "us,n,way,generation,guess\n5,100,h2d,4,0.5\n");
  ASSERT_TRUE(set) << set.error().line();
  const MeasuredPoint& point = set->points.at(0);
  ASSERT_FALSE(point.fault) << point.fault->line();
  EXPECT_EQ(point.request.link, "pcie-4-x8");
  ASSERT_EQ(point.request.copies.size(), 2U);
  EXPECT_EQ(point.request.copies[0].bytes, 400U);
  EXPECT_EQ(point.request.copies[1].same, "0");
  EXPECT_EQ(point.request.copies[1].memory, HostMemory::pinned);
  EXPECT_EQ(set->reference, "the author");
  EXPECT_EQ(point.reference_ms, 1);
  const auto half = parse_description(std::string(head) + "[reference]\nname = \"x\"\n", "s.toml");
  ASSERT_FALSE(half);
  EXPECT_NE(half.error().line().find("the reference is incomplete"), std::string::npos);
}

TEST(SetDescription, AColumnMayBeMadeOfSeveral) {
  const auto set = points(
      "block = [32]\n[words.sweep]\nfrom = \"{suite} {kernel}\"\n[by.sweep.\"a k\"]\nblock = "
      "[64]\n",
      "suite,kernel,us\na,k,1\nb,k,1\n");
  ASSERT_TRUE(set) << set.error().line();
  EXPECT_EQ(set->points[0].request.launch.block[0], 64U);
  EXPECT_EQ(set->points[1].request.launch.block[0], 32U);
}

class SetSources : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "two");
    ASSERT_TRUE(write_file(folder_ / "head.h", "#define real float\n"));
    ASSERT_TRUE(write_file(folder_ / "two" / "k_a.cl", "kernel real a(MARK);\n"));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Expected<MeasuredSet> points(const std::string& compile, const std::string& csv) {
    const auto about =
        parse_description(std::string(head) + "[compile]\n" + compile, "sets/s.toml");
    if (!about) return about.error();
    const auto table = parse_csv(csv, "s.csv");
    if (!table) return table.error();
    MeasuredOptions options;
    options.source_folders = {folder_.string()};
    return described_points(*about, *table, options);
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "set_sources";
};

TEST_F(SetSources, AFileIsChosenByTheRow) {
  const auto set = points("source = \"two/k_{kind}.cl\"\n", "kind,us\na,1\n");
  ASSERT_TRUE(set) << set.error().line();
  EXPECT_EQ(set->points[0].request.input, (folder_ / "two" / "k_a.cl").string());
  const auto missing = points("source = \"two/k_{kind}.cl\"\n", "kind,us\nb,1\n");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().line().find("the source 'two/k_b.cl' is in none"), std::string::npos);
}

TEST_F(SetSources, PartsMakeOneSource) {
  const auto set = points(
      "source = [\"head.h\", \"two/k_{kind}.cl\"]\nprepend = \"#define KIND {kind}\\n\"\n"
      "[compile.replace]\nMARK = \"{n}\"\n",
      "kind,n,us\na,4,1\n");
  ASSERT_TRUE(set) << set.error().line();
  ASSERT_FALSE(set->points[0].fault) << set->points[0].fault->line();
  const Case& request = set->points[0].request;
  EXPECT_TRUE(request.input.ends_with(".cu"));
  EXPECT_EQ(*read_file(request.input), "#define KIND a\n#define real float\nkernel real a(4);\n");
  EXPECT_EQ(request.compile_options,
            (std::vector<std::string>{"-I" + folder_.string(), "-I" + (folder_ / "two").string()}));
  EXPECT_NE(points("source = []\n", "us\n1\n").error().line().find("nothing is compiled"),
            std::string::npos);
}

TEST(SetDescription, RefusalsNameThePlace) {
  EXPECT_EQ(parse_description("name = \"s\"\n", "s.toml").error().line(),
            "s.toml:1:1: the key 'schema' is missing; expected schema = \"forewarp.set/1\"");
  const auto unknown = parse_description(std::string(head) + "blok = [32]\n", "s.toml");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().line().find("s.toml:5"), std::string::npos) << unknown.error().line();
  EXPECT_NE(unknown.error().line().find("block"), std::string::npos);
  const auto nameless =
      parse_description(std::string(head) + "[[apart]]\ncolumn = \"a\"\nis = [\"1\"]\n", "s.toml");
  ASSERT_FALSE(nameless);
  EXPECT_NE(nameless.error().line().find("rows apart have no name"), std::string::npos);
  EXPECT_EQ(points("block = [32]\n[numbers]\nx = \"ceil(us\"\n", "us\n1\n")
                .error()
                .line()
                .find("sets/s.toml: numbers.x: "),
            0U);
  const auto half = parse_description(std::string(head) + "[[where]]\ncolumn = \"a\"\n", "s.toml");
  ASSERT_FALSE(half);
  EXPECT_NE(half.error().line().find("the condition is incomplete"), std::string::npos);
  EXPECT_NE(points("block = [32]\n[[where]]\ncolumn = \"q\"\nis = [\"1\"]\n", "us\n1\n")
                .error()
                .line()
                .find("there is no column 'q'"),
            std::string::npos);
  EXPECT_EQ(points("[compile]\nsource = \"k.cu\"\n", "us\n1\n").error().line(),
            "sets/s.toml: the source 'k.cu' is in none of the folders of --sources; expected its "
            "public source (); --sources DIR");
}

}  // namespace
}  // namespace forewarp::tests
