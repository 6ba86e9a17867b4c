// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/cases_runner.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

CaseOutput echo(const CaseLine& line, unsigned) {
  if (!line.parsed) return {line.id + " error " + line.parsed.error().line(), true};
  return {line.id + " block " + std::to_string(line.parsed->launch.block[0]), false};
}

std::string run(const std::string& text, unsigned jobs, CasesSummary* summary = nullptr) {
  std::istringstream input(text);
  std::string output;
  const CasesSummary done = run_cases(input, "f.jsonl", jobs, echo, [&](const std::string& line) {
    output += line + "\n";
    return true;
  });
  if (summary != nullptr) *summary = done;
  return output;
}

TEST(CasesRunner, OneLineOutPerLineIn) {
  CasesSummary summary;
  EXPECT_EQ(run("{\"id\": \"a\", \"block\": 32}\n\n{\"id\": \"b\", \"block\": 0}\n{\n"
                "{\"id\": \"d\", \"block\": 64}",
                1, &summary),
            "a block 32\n"
            "b error f.jsonl:3: 'block' is the number 0; expected a whole number from 1 to "
            "4294967295\n"
            " error f.jsonl:4:2: unexpected end of input; expected string literal; expected one "
            "JSON object\n"
            "d block 64\n");
  EXPECT_EQ(summary.cases, 4U);
  EXPECT_EQ(summary.failed, 2U);
}

TEST(CasesRunner, TheOutputDoesNotDependOnTheThreads) {
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    text += i % 13 == 0 ? "broken\n"
                        : "{\"id\": " + std::to_string(i) +
                              ", \"block\": " + std::to_string(i % 1024 + 1) + "}\n";
  }
  CasesSummary summary;
  const std::string alone = run(text, 1, &summary);
  EXPECT_EQ(summary.cases, 2000U);
  EXPECT_EQ(summary.failed, 154U);  // ceil(2000 / 13)
  EXPECT_EQ(run(text, 2), alone);
  EXPECT_EQ(run(text, 7), alone);
}

TEST(CasesRunner, AFileThatCannotBeReadIsNamed) {
  const LineSink sink = [](const std::string&) { return true; };
  EXPECT_EQ(run_cases_file("/nowhere/f.jsonl", 1, echo, sink).error().line(),
            "/nowhere/f.jsonl: cannot be opened: No such file or directory; expected a file with "
            "one JSON object per line");
  EXPECT_EQ(run_cases_file("/", 1, echo, sink).error().line(),
            "/: is not a readable file; expected a file with one JSON object per line");
}

TEST(CasesRunner, ReadsAFile) {
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) / "forewarp_cases_runner_test.jsonl";
  std::ofstream(path) << "{\"id\": 1}\n{\"id\": 2}\n";
  std::uint64_t lines = 0;
  const auto summary = run_cases_file(path, 2, echo, [&](const std::string&) {
    ++lines;
    return true;
  });
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->cases, 2U);
  EXPECT_EQ(lines, 2U);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace forewarp::tests
