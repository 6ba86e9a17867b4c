// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Answers and simulations that one process keeps for the next.
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <unistd.h>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "base/cache/disk_cache.h"
#include "base/file.h"
#include "hardware/schema.h"
#include "prediction/execution.h"
#include "prediction/simulation_archive.h"
#include "prediction/trace_archive.h"
#include "result/result_archive.h"
#include "result/result_json.h"
#include "saxpy2_case.h"

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;

/// To the last bit; times of models that were not asked are not numbers, which differ from
/// themselves.
bool same(const Result& a, const Result& b) {
  return pack_result(a) == pack_result(b) &&
         to_json(a, JsonStyle::indented()) == to_json(b, JsonStyle::indented());
}

/// With a cache of its own on disk.
class KeptAnswers : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* before = std::getenv("XDG_CACHE_HOME")) before_ = before;
    fs::remove_all(folder);
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  }
  void TearDown() override {
    before_.empty() ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", before_.c_str(), 1);
    fs::remove_all(folder);
  }

  /// As a process of its own predicts it.
  static Result predicted(const Case& request = saxpy2_case(16, 256, "titanx"),
                          const PredictOptions& options = {}, const ResultDetail& detail = {}) {
    Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
    auto result = predictor.predict(request, "", options, detail);
    EXPECT_TRUE(result) << (result ? "" : result.error().line());
    return result ? *result : Result{};
  }

  [[nodiscard]] std::vector<fs::path> kept(const std::string& kind) const {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder / "forewarp" / kind, none))
      files.push_back(entry.path());
    return files;
  }

  /// The only answer that is kept is now one of another time.
  void put_other_time(double time_ms) const {
    const auto files = kept("answers");
    ASSERT_EQ(files.size(), 1U);
    const auto content = read_file(files[0]);
    ASSERT_TRUE(content);
    auto result = unpack_result(unsealed(*content).value());
    ASSERT_TRUE(result);
    result->time_ms = time_ms;
    ASSERT_TRUE(write_file(files[0], sealed(pack_result(*result))));
  }

  const fs::path folder =
      fs::temp_directory_path() / ("forewarp-kept-answers-" + std::to_string(getpid()));

 private:
  std::string before_;
};

TEST_F(KeptAnswers, AreTheSameToTheLastDigit) {
  const ResultDetail everything{true, true, true, true, true, true, WhatIfDepth::all};
  for (const char* model : {"auto", "sim"}) {
    PredictOptions options;
    options.models = {model};
    const Case request = saxpy2_case(16, 256, "titanx");
    const Result made = predicted(request, options, everything);
    const Result recalled = predicted(request, options, everything);
    EXPECT_TRUE(same(recalled, made)) << model;
    PredictOptions fresh = options;
    fresh.cache = false;
    Result again = predicted(request, fresh, everything);
    again.options = made.options;
    EXPECT_TRUE(same(again, made)) << model;
  }
  EXPECT_EQ(kept("answers").size(), 2U);
}

TEST_F(KeptAnswers, AreFoundAndNotMadeAgain) {
  const double time_ms = predicted().time_ms;
  put_other_time(2 * time_ms);
  EXPECT_EQ(predicted().time_ms, 2 * time_ms);
  Case named = saxpy2_case(16, 256, "titanx");
  named.id = "another";
  EXPECT_EQ(predicted(named).time_ms, 2 * time_ms);
  EXPECT_EQ(predicted(named).id, "another");
  PredictOptions fresh;
  fresh.cache = false;
  EXPECT_EQ(predicted(named, fresh).time_ms, time_ms);
}

TEST_F(KeptAnswers, AreNotThoseOfAnotherQuestion) {
  predicted();
  put_other_time(1e9);
  const auto with = [](const std::function<void(PredictOptions&)>& change) {
    PredictOptions options;
    change(options);
    return predicted(saxpy2_case(16, 256, "titanx"), options).time_ms;
  };
  ASSERT_EQ(with([](PredictOptions&) {}), 1e9);
  EXPECT_LT(predicted(saxpy2_case(17, 256, "titanx")).time_ms, 1e9);
  EXPECT_LT(predicted(saxpy2_case(16, 128, "titanx")).time_ms, 1e9);
  EXPECT_LT(predicted(saxpy2_case(16, 256, "gtx980")).time_ms, 1e9);
  EXPECT_LT(with([](PredictOptions& o) { o.timing = Timing::event; }), 1e9);
  EXPECT_LT(with([](PredictOptions& o) { o.models = {"volkov"}; }), 1e9);
  EXPECT_LT(with([](PredictOptions& o) { o.repeat = Repeat::warm; }), 1e9);
  EXPECT_LT(with([](PredictOptions& o) { o.overrides = {{"l2.bytes", "2097152"}}; }), 1e9);
  EXPECT_LT(with([](PredictOptions& o) {
              o.clock = ClockChoice{ClockChoice::Kind::stated, 500};
            }),
            1e9);
  EXPECT_LT(predicted(saxpy2_case(16, 256, "titanx"), {}, {.power = true}).time_ms, 1e9);
}

TEST_F(KeptAnswers, AreMadeAgainWhereABoardsFileChanged) {
  const auto text = read_file(fs::path(FOREWARP_DATA_DIR) / "gpus" / "titanx.toml");
  ASSERT_TRUE(text);
  fs::create_directories(folder);
  const std::string file = (folder / "board.toml").string();
  ASSERT_TRUE(write_file(file, *text));
  const Result before = predicted(saxpy2_case(16, 256, file));
  const std::string sms = "count = { value = 24,";
  const std::size_t at = text->find(sms);
  ASSERT_NE(at, std::string::npos) << "the board's file states its SMs elsewhere";
  std::string fewer = *text;
  fewer.replace(at, sms.size(), "count = { value = 12,");
  ASSERT_TRUE(write_file(file, fewer));
  const Result after = predicted(saxpy2_case(16, 256, file));
  EXPECT_EQ(after.gpu.sms, 12U);
  EXPECT_GT(after.time_ms, before.time_ms);
}

TEST_F(KeptAnswers, DamagedOnesAreMadeAgain) {
  const Result made = predicted();
  const auto files = kept("answers");
  ASSERT_EQ(files.size(), 1U);
  const auto whole = read_file(files[0]);
  ASSERT_TRUE(whole);
  std::vector<std::string> damaged{"", whole->substr(0, whole->size() / 2), *whole + "x", *whole,
                                   sealed("not a result")};
  damaged[3][whole->size() - 9] ^= 1;
  for (const std::string& content : damaged) {
    ASSERT_TRUE(write_file(files[0], content));
    EXPECT_TRUE(same(predicted(), made)) << content.size();
    const auto now = read_file(files[0]);
    ASSERT_TRUE(now);
    EXPECT_EQ(*now, *whole);
  }
}

// A what-if on what no replay depends on finds the launch; one on the caches does not.
TEST_F(KeptAnswers, LaunchesAreExecutedOnceForAllBoardsOfTheSameCaches) {
  const auto with = [](const FactOverride& change) {
    PredictOptions options;
    options.overrides = {change};
    return predicted(saxpy2_case(16, 256, "titanx"), options);
  };
  predicted();
  ASSERT_EQ(kept("launches").size(), 1U);
  for (const FactOverride& change : std::vector<FactOverride>{{"memory.latency_cycles", "900"},
                                                              {"clock.boost_mhz", "1300"},
                                                              {"launch.event_us", "9"}}) {
    with(change);
    EXPECT_EQ(kept("launches").size(), 1U) << change.path;
  }
  std::size_t count = 1;
  for (const FactOverride& change : std::vector<FactOverride>{
           {"l2.bytes", "2097152"}, {"l1.bytes", "16384"}, {"sm.count", "12"}}) {
    with(change);
    EXPECT_EQ(kept("launches").size(), ++count) << change.path;
  }
}

// Of every number of a board: if a launch kept for another value is found, it is the same launch.
TEST_F(KeptAnswers, NoNumberOutsideTheKeyChangesWhatAReplayFinds) {
  Case request = saxpy2_case(2, 256, "a100-sxm-40");
  request.launch.grid = {2048, 1, 1};
  PredictOptions options;
  options.assume_isa = true;
  const auto replayed = [&](bool cache) {
    options.cache = cache;
    Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
    const auto made = predictor.evaluate(request, "", options);
    return made && (*made)->trace->memory
               ? pack_launch({without_accesses(*(*made)->trace->profile), *(*made)->trace->memory})
               : std::string();
  };
  ASSERT_FALSE(replayed(true).empty());
  int asked = 0;
  for (const SchemaRow& row : schema()) {
    if (row.unit == "word" || std::holds_alternative<std::monostate>(row.field)) continue;
    options.overrides = {{std::string(row.path), "3"}};
    const std::string found = replayed(true);
    if (found.empty()) continue;  // no such board
    ++asked;
    EXPECT_TRUE(found == replayed(false)) << row.path;
  }
  EXPECT_GT(asked, 20);
}

// What asks for evaluations and not for results (compare, a table of boards) finds those.
TEST_F(KeptAnswers, SimulationsAreFoundByWhateverAsksForThem) {
  PredictOptions options;
  options.models = {"sim"};
  const auto evaluated = [&] {
    Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
    auto evaluation = predictor.evaluate(saxpy2_case(16, 256, "titanx"), "", options);
    EXPECT_TRUE(evaluation);
    return evaluation ? (*evaluation)->taken().prediction.time_ms : 0;
  };
  const double time_ms = evaluated();
  const auto files = kept("simulations");
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(evaluated(), time_ms);
  const auto content = read_file(files[0]);
  ASSERT_TRUE(content);
  auto simulation = unpack_simulation(unsealed(*content).value());
  ASSERT_TRUE(simulation);
  simulation->cycles *= 2;
  ASSERT_TRUE(write_file(files[0], sealed(pack_simulation(*simulation))));
  EXPECT_GT(evaluated(), 1.5 * time_ms);
  options.cache = false;
  EXPECT_EQ(evaluated(), time_ms);
}

}  // namespace
}  // namespace forewarp::tests
