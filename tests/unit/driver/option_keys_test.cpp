// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Every option that changes a prediction changes it also where a prediction without the option is
// kept: each stage's key has what the stage reads.
#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "request/options/option_table.h"
#include "saxpy2_case.h"

namespace forewarp::tests {
namespace {

/// A launch and options that further ones are added to.
struct Question {
  Case request;
  PredictOptions options;
};

/// Everything by which two predictions may differ, in words.
std::string told(const Expected<Result>& result) {
  if (!result) return "refused: " + result.error().line();
  std::string text = ::testing::PrintToString(result->time_ms);
  for (const double end : result->interval_ms) text += ' ' + ::testing::PrintToString(end);
  for (const auto& model : result->models)
    text += ' ' + model.name + ' ' + ::testing::PrintToString(model.time_ms);
  for (const auto& found : result->findings) text += '\n' + found.kind + ' ' + found.text;
  for (const auto& one : result->assumptions) text += '\n' + one.id + ' ' + one.text;
  return text;
}

/// The bundled kernel with a reciprocal in place of an addition.
std::string other_listing() {
  std::string text = *read_file(FOREWARP_SOURCE_DIR "/examples/saxpy2.sass");
  const std::string addition = "FADD R5, R0, R5;";
  text.replace(text.find(addition), addition.size(), "MUFU.RCP R5, R5;");
  std::string file = ::testing::TempDir() + "other.sass";
  std::ofstream(file) << text;
  return file;
}

/// Values that mean something to the bundled kernel, where the table's example does not.
std::string value_of(const OptionRow& row) {
  static const std::map<std::string_view, std::string> fitting{
      {"INPUT", other_listing()},
      {"gpu", "titanx"},
      {"kernel", "saxpy2"},
      {"grid", "1000"},
      {"block", "128"},
      {"smem", "20000"},
      {"arg", "a=9"},
      {"trip", "0x00d0=40"},
      {"assume-branch", "0x00a8=0.25"},
      {"model", "volkov"},
      {"link", "pcie-4"},
      {"clock", "900"},
      {"calibration", FOREWARP_SOURCE_DIR "/tests/fuzz/corpus/calibration/numbers.toml"}};
  const auto found = fitting.find(row.name);
  return found == fitting.end() ? std::string(row.example) : found->second;
}

/// Asks with each option in turn a predictor that has answered without it, and one that has
/// answered nothing and keeps nothing on disk. Returns the options whose answer is not the one
/// without.
std::vector<std::string> options_that_count(const Question& asked) {
  Predictor kept{HardwareDatabase(FOREWARP_DATA_DIR)};
  const auto answer = [](Predictor& predictor, const Question& question) {
    return told(predictor.predict(question.request, "", question.options, {}));
  };
  const std::string without = answer(kept, asked);
  std::vector<std::string> count;
  for (const OptionRow& row : option_rows()) {
    if (row.changes == OptionEffect::nothing) continue;
    Question with = asked;
    Delivery delivery;
    const auto set = row.set(row, value_of(row), "", {with.request, with.options, delivery});
    EXPECT_TRUE(set.has_value()) << option_title(row) << " does not take '" << value_of(row) << "'";
    Predictor fresh{HardwareDatabase(FOREWARP_DATA_DIR)};
    Question alone = with;
    alone.options.cache = false;
    const std::string expected = answer(fresh, alone);
    EXPECT_EQ(answer(kept, with), expected) << option_title(row);
    if (expected != without && !expected.starts_with("refused"))
      count.emplace_back(option_title(row));
  }
  EXPECT_EQ(answer(kept, asked), without);
  return count;
}

bool holds(const std::vector<std::string>& titles, const std::string& title) {
  return std::find(titles.begin(), titles.end(), title) != titles.end();
}

TEST(OptionKeys, AnExecutedLaunchIsKeptByEachOptionThatItReads) {
  Question executed{saxpy2_case(4), {}};
  executed.request.launch.grid = {500, 1, 1};
  const auto count = options_that_count(executed);
  for (const char* title :
       {"--grid", "--block", "--arg", "--gpu", "--set", "--clock", "--model", "--timing", "--trip",
        "--static", "--calibration", "--smem", "resident_blocks"})
    EXPECT_TRUE(holds(count, title)) << title;
}

TEST(OptionKeys, AnAnalysedLaunchIsKeptByEachOptionThatItReads) {
  Question analysed{saxpy2_case(4), {}};
  analysed.options.execute = false;
  const auto count = options_that_count(analysed);
  for (const char* title : {"--trip", "--assume-branch", "--arg", "--smem"})
    EXPECT_TRUE(holds(count, title)) << title;
}

TEST(OptionKeys, ASimulatedTimeIsKeptByEachOptionThatItReads) {
  Question simulated{saxpy2_case(4), {}};
  simulated.options.models = {"sim"};
  simulated.request.launch.grid = {100, 1, 1};
  const auto count = options_that_count(simulated);
  for (const char* title : {"--trip", "--set", "--clock"})
    EXPECT_TRUE(holds(count, title)) << title;
}

}  // namespace
}  // namespace forewarp::tests
