// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Reports of stored results, compared byte for byte. `scripts/golden` writes them anew.
#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "report/documents/report.h"
#include "stored_result.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

struct GoldenCase {
  std::string file;    ///< in tests/golden
  std::string result;  ///< in tests/golden/results
  std::string format;
  bool explain = false;
  std::vector<std::string> views = {};
};

const std::vector<GoldenCase> cases{
    {"saxpy2.txt", "saxpy2_gtx970.json", "text"},
    {"saxpy2_explain.txt", "saxpy2_gtx970.json", "text", true},
    {"saxpy2_views.txt",
     "saxpy2_gtx970.json",
     "text",
     false,
     {"occupancy", "models", "profile", "provenance"}},
    {"saxpy2.md", "saxpy2_gtx970.json", "markdown"},
    {"saxpy2.csv", "saxpy2_gtx970.json", "csv"},
    {"saxpy2.html", "saxpy2_gtx970.json", "html"},
    {"findings.txt", "transpose_findings.json", "text"},
    {"findings.md", "transpose_findings.json", "markdown", true},
    {"findings.html", "transpose_findings.json", "html"},
    {"copies.txt", "saxpy2_copies.json", "text"},
    {"simulated.txt",
     "saxpy2_sim.json",
     "text",
     false,
     {"summary", "stalls", "timeline", "listing", "occupancy"}},
    {"simulated.md", "saxpy2_sim.json", "markdown", false, {"stalls", "timeline", "occupancy"}},
    {"simulated.html", "saxpy2_sim.json", "html"},
    {"lines.gcc", "saxpy_lines.json", "gcc"},
    {"lines.explorer", "saxpy_lines.json", "compiler-explorer"},
    {"listing.gcc", "saxpy2_sim.json", "gcc"},
    {"listing.explorer", "saxpy2_sim.json", "compiler-explorer"},
    {"error.gcc", "error_block.json", "gcc"},
    {"error.txt", "error_block.json", "text"},
    {"error.html", "error_block.json", "html"},
    {"sweep.txt", "sweep.jsonl", "text"},
    {"sweep.csv", "sweep.jsonl", "csv"},
    {"sweep.md", "sweep.jsonl", "markdown"},
    {"sweep.html", "sweep.jsonl", "html"},
};

void PrintTo(const GoldenCase& golden, std::ostream* out) {
  *out << golden.file;
}

class Golden : public testing::TestWithParam<GoldenCase> {};

TEST_P(Golden, IsTheReport) {
  const GoldenCase& golden = GetParam();
  const std::vector<Result> results = stored_results(golden.result);
  RenderOptions options;
  options.views = golden.views;
  // Of the bundled listing: an instruction each 8 bytes, one line after the other.
  for (const Result::ListingLine& line : results.front().listing) {
    options.lines[line.address] = 10 + line.address / 8;
  }
  const Expected<std::string> report = golden.explain
                                           ? render_explain(results, golden.format, options)
                                           : render(results, golden.format, options);
  ASSERT_TRUE(report) << report.error().line();
  const std::string path = std::string(FOREWARP_SOURCE_DIR) + "/tests/golden/" + golden.file;
  if (std::getenv("FOREWARP_GOLDEN_WRITE") != nullptr) {
    ASSERT_TRUE(write_file(path, *report));
    return;
  }
  const Expected<std::string> expected = read_file(path);
  ASSERT_TRUE(expected) << expected.error().line();
  EXPECT_TRUE(*expected == *report) << path << " differs; scripts/golden writes it anew:\n"
                                    << report->substr(0, 4000);
}

std::string name_of(const testing::TestParamInfo<GoldenCase>& golden) {
  std::string name = golden.param.file;
  std::ranges::replace(name, '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Reports, Golden, testing::ValuesIn(cases), name_of);

}  // namespace
}  // namespace forewarp::tests
