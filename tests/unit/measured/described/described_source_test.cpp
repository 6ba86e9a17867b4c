// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "measured/described/set_description.h"

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;

class DescribedSource : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("forewarp-described-" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "a");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  [[nodiscard]] Expected<MeasuredSet> points(const std::string& description,
                                             const std::string& csv) const {
    const auto about = parse_description(description, folder_ / "s.toml");
    if (!about) return about.error();
    const auto table = parse_csv(csv, "s.csv");
    if (!table) return table.error();
    MeasuredOptions options;
    options.source_folders = {folder_.string()};
    return described_points(*about, *table, options);
  }

  static std::string content_of(const MeasuredPoint& point) {
    EXPECT_FALSE(point.fault) << point.fault->line();
    const auto text = read_file(point.request.input);
    if (text) fs::remove(point.request.input);
    return text ? *text : "";
  }

  fs::path folder_;
};

constexpr const char* head =
    "schema = \"forewarp.set/1\"\nname = \"s\"\ncsv = \"s.csv\"\nmeasured_ms = \"ms\"\n";

TEST_F(DescribedSource, ARowNamesItsFileAndWhatStandsAroundIt) {
  write("a/one.cuh", "one");
  write("a/two.cuh", "two");
  const auto set = points(
      std::string(head) +
          "[compile]\nsource = \"a/{k}.cuh\"\nprepend = \"first {k}\\n\"\noptions = [\"-DX\"]\n"
          "[by.k.two]\ncompile.append = \"\\nlast\\n\"\ncompile.options = [\"-DY={ms}\"]\n",
      "k,ms\none,1\ntwo,2\n");
  ASSERT_TRUE(set) << set.error().line();
  EXPECT_EQ(content_of(set->points[0]), "first one\none");
  EXPECT_EQ(content_of(set->points[1]), "first two\ntwo\nlast\n");
  const std::string include = "-I" + (folder_ / "a").string();
  EXPECT_EQ(set->points[0].request.compile_options, (std::vector<std::string>{"-DX", include}));
  EXPECT_EQ(set->points[1].request.compile_options, (std::vector<std::string>{"-DY=2", include}));
}

TEST_F(DescribedSource, AWordMayHaveAnotherFile) {
  write("a/one.cu", "one");
  write("a/other.cu", "other");
  const auto set = points(std::string(head) +
                              "[compile]\nsource = \"a/one.cu\"\n"
                              "[by.k.two]\ncompile.source = \"a/other.cu\"\n",
                          "k,ms\none,1\ntwo,2\n");
  ASSERT_TRUE(set) << set.error().line();
  EXPECT_EQ(set->points[0].request.input, (folder_ / "a/one.cu").string());
  EXPECT_EQ(set->points[1].request.input, (folder_ / "a/other.cu").string());
  const auto missing =
      points(std::string(head) + "[compile]\nsource = \"a/{k}.cu\"\n", "k,ms\nthree,1\n");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().line().find("the source 'a/three.cu' is in none"), std::string::npos);
}

TEST_F(DescribedSource, AColumnIsCutOutOfAnothersText) {
  const auto set = points(std::string(head) +
                              "block = [\"n\"]\nkernel = \"k{what}\"\n"
                              "[cut.n]\nfrom = \"p\"\npattern = \"Size=[^;=]*= ([0-9]+)\"\n"
                              "[cut.what]\nfrom = \"p\"\npattern = \"W=([a-z]+)\"\n",
                          "p,ms\nSize=2^9 = 512;W=ab,1\nSize=2^5 = 32,1\n");
  ASSERT_TRUE(set) << set.error().line();
  EXPECT_EQ(set->points[0].request.launch.block[0], 512U);
  EXPECT_EQ(set->points[0].request.kernel, "kab");
  EXPECT_EQ(set->points[1].request.launch.block[0], 32U);
  EXPECT_EQ(set->points[1].request.kernel, "k");  // without a match the column is empty
  const auto refused = [&](const std::string& cut) {
    const auto read = points(std::string(head) + "[cut.n]\n" + cut, "p,ms\na,1\n");
    return read ? std::string("taken") : read.error().line();
  };
  EXPECT_NE(refused("from = \"p\"\npattern = \"(a\"\n").find("is no pattern"), std::string::npos);
  EXPECT_NE(refused("from = \"p\"\npattern = \"a\"\n").find("the cut is incomplete"),
            std::string::npos);
  EXPECT_NE(refused("from = \"q\"\npattern = \"(a)\"\n").find("there is no column 'q'"),
            std::string::npos);
}

TEST_F(DescribedSource, ADescriptionStandsOnAnother) {
  write("below.toml", std::string(head) + "title = \"below\"\nblock = [64]\ntiming = \"stream\"\n");
  const auto set = points(
      "schema = \"forewarp.set/1\"\nbase = \"below.toml\"\nname = \"above\"\nblock = [128]\n",
      "ms\n1\n");
  ASSERT_TRUE(set) << set.error().line();
  EXPECT_EQ(set->name, "above");
  EXPECT_EQ(set->title, "below");
  EXPECT_EQ(set->points[0].request.launch.block[0], 128U);
  EXPECT_EQ(set->points[0].request.timing, Timing::stream);
  write("wrong.toml", std::string(head) + "blok = [64]\n");
  const auto wrong = points("schema = \"forewarp.set/1\"\nbase = \"wrong.toml\"\n", "ms\n1\n");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().line().find((folder_ / "wrong.toml").string() + ":5"), 0U)
      << wrong.error().line();
}

}  // namespace
}  // namespace forewarp::tests
