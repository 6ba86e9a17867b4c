// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result/result_json.h"

#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "full_result.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

using Json = nlohmann::ordered_json;

Json parsed(const Result& result, const JsonStyle& style = JsonStyle::compact()) {
  return Json::parse(to_json(result, style));
}

/// One element with default members in every list of records, so that both sides have all keys.
Result default_result() {
  Result r;
  r.bounds.resize(1);
  r.models.resize(1);
  r.findings.resize(1);
  r.assumptions.resize(1);
  r.listing.resize(1);
  r.provenance.resize(1);
  return r;
}

TEST(ResultJson, EveryMemberSurvivesTheRoundTrip) {
  const Result full = full_result();
  for (const JsonStyle& style : {JsonStyle::compact(), JsonStyle::indented()}) {
    const Expected<Result> again = from_json(to_json(full, style));
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_TRUE(*again == full) << to_json(*again, JsonStyle::indented());
  }
}

TEST(ResultJson, TheRoundTripFixtureSetsEveryKey) {
  const Json full = parsed(full_result()).flatten();
  const Json plain = parsed(default_result()).flatten();
  for (const auto& [place, value] : plain.items()) {
    if (place == "/schema" || place == "/error") continue;
    EXPECT_TRUE(!full.contains(place) || full.at(place) != value) << place << " is a default";
  }
}

TEST(ResultJson, HasEveryKeyOfTheContract) {
  const Json document = parsed(full_result());
  for (const char* place : {"/schema",
                            "/id",
                            "/kernel/name",
                            "/kernel/input",
                            "/kernel/arch",
                            "/kernel/sha256",
                            "/kernel/registers",
                            "/kernel/static_shared",
                            "/kernel/local_bytes",
                            "/gpu/id",
                            "/gpu/name",
                            "/gpu/cc",
                            "/gpu/clock_mhz",
                            "/launch/grid/2",
                            "/launch/block/2",
                            "/launch/dynamic_shared",
                            "/launch/args/n",
                            "/time_ms",
                            "/interval_ms/1",
                            "/interval_meaning",
                            "/timing",
                            "/model",
                            "/chosen_because",
                            "/limited_by/resource",
                            "/limited_by/share",
                            "/limited_by/sentence",
                            "/occupancy/blocks_per_sm",
                            "/occupancy/warps_per_sm",
                            "/occupancy/limiter/0",
                            "/occupancy/needed_warps",
                            "/occupancy/waves",
                            "/latency/cycles",
                            "/latency/formula",
                            "/bounds/0/resource",
                            "/bounds/0/cycles_per_warp",
                            "/bounds/0/time_ms",
                            "/bounds/0/share",
                            "/profile/warp_instructions",
                            "/profile/thread_instructions",
                            "/profile/executed_blocks",
                            "/profile/of_blocks",
                            "/profile/by_class/fadd",
                            "/profile/global_load_requests",
                            "/profile/global_load_sectors",
                            "/profile/global_store_sectors",
                            "/profile/shared_wavefronts",
                            "/profile/l2_read_sectors",
                            "/profile/l2_write_sectors",
                            "/profile/l1_hit_rate",
                            "/profile/l2_hit_rate",
                            "/profile/dram_read_bytes",
                            "/profile/dram_write_bytes",
                            "/profile/source",
                            "/models/0/name",
                            "/models/0/time_ms",
                            "/models/0/applies",
                            "/models/0/why",
                            "/findings/0/kind",
                            "/findings/0/text",
                            "/stalls/issued",
                            "/assumptions/0/id",
                            "/assumptions/0/text",
                            "/assumptions/0/change_with",
                            "/error"}) {
    EXPECT_TRUE(document.contains(Json::json_pointer(place))) << place;
  }
  EXPECT_EQ(document["schema"], "forewarp.result/1");
  EXPECT_TRUE(document["error"].is_null());
}

/// Names of members, down through lists; keys that are data (argument names) are left out.
void collect_keys(const Json& node, std::set<std::string>& keys) {
  const std::set<std::string> with_data{
      "args",    "options", "model_options",    "by_class",          "stalls",
      "numbers", "stack",   "threads_by_class", "threads_by_opcode", "nsight_compute"};
  for (const auto& [key, value] : node.items()) {
    if (node.is_object()) keys.insert(key);
    if (value.is_structured() && !with_data.contains(key)) collect_keys(value, keys);
  }
}

TEST(ResultJson, EveryKeyIsDocumented) {
  const Expected<std::string> page = read_file(FOREWARP_SOURCE_DIR "/docs/result.md");
  ASSERT_TRUE(page) << page.error().line();
  std::set<std::string> keys;
  collect_keys(parsed(full_result()), keys);
  for (const std::string& key : keys) {
    const bool told = page->find('`' + key + '`') != std::string::npos ||
                      page->find("`." + key + '`') != std::string::npos;
    EXPECT_TRUE(told) << key << " is not in docs/result.md";
  }
}

TEST(ResultJson, KeysKeepTheirOrder) {
  std::vector<std::string> keys;
  const Json document = parsed(full_result());
  for (const auto& [key, value] : document.items()) keys.push_back(key);
  const std::vector<std::string> first(keys.begin(), keys.begin() + 7);
  EXPECT_EQ(first, (std::vector<std::string>{"schema", "id", "kernel", "gpu", "launch", "options",
                                             "time_ms"}));
  EXPECT_EQ(keys.back(), "error");
}

// Not in a line of a long run, and nowhere else where no reader asks for everything.
TEST(ResultJson, FiguresUnderTheProfilersNames) {
  const Json full = parsed(full_result());
  ASSERT_TRUE(full.contains("nsight_compute"));
  // A profiler counts the blocks that were too long to be executed here, too.
  EXPECT_EQ(full["nsight_compute"]["smsp__inst_executed.sum"], 6725 + 9000);
  EXPECT_EQ(full["profile"]["warp_instructions"], 6725);
  EXPECT_FALSE(parsed(full_result(), JsonStyle::lean()).contains("nsight_compute"));
}

TEST(ResultJson, AnErrorHasNoPrediction) {
  Result result = full_result();
  result.error = Diagnostic{"", "a line: found; expected", "", ""};
  const Json document = parsed(result);
  EXPECT_EQ(document["error"], "a line: found; expected");
  for (const char* key : {"time_ms", "interval_ms", "model", "bounds", "models", "occupancy",
                          "limited_by", "profile", "stalls", "listing"}) {
    EXPECT_FALSE(document.contains(key)) << key;
  }
  EXPECT_TRUE(document.contains("assumptions"));
  const Expected<Result> again = from_json(to_json(result, JsonStyle::compact()));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->error, result.error);
  EXPECT_EQ(again->kernel, result.kernel);
}

TEST(ResultJson, NumbersThatAreNotFiniteAreNull) {
  Result result = full_result();
  result.time_ms = std::numeric_limits<double>::quiet_NaN();
  result.interval_ms = {-std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::infinity()};
  const Json document = parsed(result);
  EXPECT_TRUE(document["time_ms"].is_null());
  EXPECT_TRUE(document["interval_ms"][0].is_null());
  const Expected<Result> again = from_json(document.dump());
  ASSERT_TRUE(again);
  EXPECT_TRUE(std::isnan(again->time_ms));
  EXPECT_TRUE(std::isnan(again->interval_ms[1]));
}

TEST(ResultJson, NumbersAreTheShortestThatReadBack) {
  for (const double value :
       {0.1, 1.0 / 3, 1e300, 5e-324, 400000000.0, 1e15, 123456789012345.0, -2.5, 0.0}) {
    Result result;
    result.time_ms = value;
    const std::string text = to_json(result, JsonStyle::compact());
    EXPECT_EQ(from_json(text)->time_ms, value) << text;
  }
  Result result;
  result.time_ms = 0.1;
  result.latency.cycles = 3990;
  const std::string text = to_json(result, JsonStyle::compact());
  EXPECT_NE(text.find("\"time_ms\":0.1,"), std::string::npos);
  EXPECT_NE(text.find("\"cycles\":3990,"), std::string::npos);
}

TEST(ResultJson, ArgumentsThatAreNumbersAreWrittenAsSuch) {
  Result result;
  result.launch.arguments = {{"n", "400000000"}, {"b", "-7"},      {"f", "2.5"},
                             {"h", "0x10"},      {"t", "1.50"},    {"big", "18446744073709551615"},
                             {"e", ""},          {"z", "007"},     {"inf", "inf"},
                             {"m", "-"},         {"huge", "1e999"}};
  const Json args = parsed(result)["launch"]["args"];
  for (const char* name : {"n", "b", "f", "big"}) EXPECT_TRUE(args[name].is_number()) << name;
  for (const char* name : {"h", "t", "e", "z", "inf", "m", "huge"}) {
    EXPECT_TRUE(args[name].is_string()) << name;
  }
  const Expected<Result> again = from_json(to_json(result, JsonStyle::compact()));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->launch.arguments, result.launch.arguments);
}

TEST(ResultJson, AnyTextIsWrittenAsValidJson) {
  Result result;
  result.id = "quote \" back \\ line\n tab\t bell\x07 umlaut \xc3\xa4 </script>";
  EXPECT_EQ(from_json(to_json(result, JsonStyle::compact()))->id, result.id);
  // Broken UTF-8: a lone continuation, a cut sequence, an overlong form, a surrogate.
  for (const char* broken : {"\x80", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80"}) {
    result.id = std::string("a") + broken;
    const Expected<Result> again = from_json(to_json(result, JsonStyle::compact()));
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->id.starts_with("a\xef\xbf\xbd")) << again->id;
  }
}

TEST(ResultJson, CompactIsOneLineAndLeanLeavesTheLargePartsOut) {
  EXPECT_EQ(to_json(full_result(), JsonStyle::compact()).find('\n'), std::string::npos);
  const Json lean = parsed(full_result(), JsonStyle::lean());
  EXPECT_FALSE(lean.contains("listing"));
  EXPECT_FALSE(lean.contains("provenance"));
  EXPECT_TRUE(lean.contains("bounds"));
}

TEST(ResultJson, IndentedPutsEachElementOfAListOnALine) {
  const std::string text = to_json(full_result(), JsonStyle::indented());
  EXPECT_NE(text.find("\n    \"grid\": [4, 3, 2],\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n    {\"kind\": \"out-of-bounds\", \"text\": \"reads past x\"}\n"),
            std::string::npos);
  EXPECT_TRUE(text.ends_with("\n}"));
}

std::string refusal(std::string_view text) {
  const Expected<Result> result = from_json(text);
  return result ? "accepted" : result.error().line();
}

TEST(ResultJson, RefusesWithThePlace) {
  EXPECT_EQ(refusal("{\n \"schema\": }"),
            "result:2:12: not JSON; expected an object of schema forewarp.result/1");
  EXPECT_EQ(refusal("[]"), "result: found array; expected an object");
  EXPECT_EQ(refusal("{}"), "/schema: missing; expected \"forewarp.result/1\"");
  EXPECT_EQ(refusal(R"({"schema": "forewarp.result/2"})"),
            "/schema: found \"forewarp.result/2\"; expected \"forewarp.result/1\"");
  const auto with = [](const std::string& rest) {
    return refusal(R"({"schema": "forewarp.result/1", )" + rest + "}");
  };
  EXPECT_EQ(with(R"("gpu": {"sms": "13"})"),
            "/gpu/sms: found string; expected a whole number of 32 bits");
  EXPECT_EQ(with(R"("gpu": {"sms": -1})"),
            "/gpu/sms: found number; expected a whole number of 32 bits");
  EXPECT_EQ(with(R"("gpu": {"sms": 4294967296})"),
            "/gpu/sms: found number; expected a whole number of 32 bits");
  EXPECT_EQ(with(R"("time_ms": "1")"), "/time_ms: found string; expected a number or null");
  EXPECT_EQ(with(R"("launch": {"grid": [1, 2]})"),
            "/launch/grid: found array; expected an array of 3");
  EXPECT_EQ(with(R"("bounds": [{}, {"share": true}])"),
            "/bounds/1/share: found boolean; expected a number or null");
  EXPECT_EQ(with(R"("bounds": {})"), "/bounds: found object; expected an array");
  EXPECT_EQ(with(R"("kernel": [])"), "/kernel: found array; expected an object");
}

TEST(ResultJson, PassesOverUnknownKeysAndKeepsDefaultsForMissingOnes) {
  const Expected<Result> result =
      from_json(R"({"schema": "forewarp.result/1", "future": {"a": []}, "time_ms": 2})");
  ASSERT_TRUE(result) << result.error().line();
  EXPECT_EQ(result->time_ms, 2);
  EXPECT_EQ(result->profile.source, Result().profile.source);
}

TEST(ResultJson, ReadsAnObjectAnArrayAndLines) {
  const std::string one = to_json(full_result(), JsonStyle::compact());
  for (const auto& [text, count] : std::vector<std::pair<std::string, std::size_t>>{
           {one, 1}, {"[" + one + "," + one + "]", 2}, {one + "\n\n" + one + "\n", 2}, {"[]", 0}}) {
    const Expected<std::vector<Result>> results = results_from_json(text);
    ASSERT_TRUE(results) << results.error().line();
    EXPECT_EQ(results->size(), count);
  }
}

TEST(ResultJson, NamesTheLineAndTheResultThatIsWrong) {
  const std::string one = to_json(full_result(), JsonStyle::compact());
  EXPECT_EQ(results_from_json(one + "\n{broken\n").error().line(),
            "result:2: not JSON; expected an object of schema forewarp.result/1");
  EXPECT_EQ(results_from_json("[" + one + ", {}]").error().line(),
            "result 2 /schema: missing; expected \"forewarp.result/1\"");
}

TEST(ResultJson, AProfileAloneHasNoKeyThatPredicts) {
  Result result = full_result();
  result.profile_only = true;
  const std::string text = to_json(result, {});
  for (const char* key : {"\"time_ms\"", "\"model\"", "\"bounds\"", "\"stalls\""}) {
    EXPECT_EQ(text.find(key), std::string::npos) << key;
  }
  const auto again = from_json(text);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->profile_only);
  EXPECT_EQ(again->profile, result.profile);
  EXPECT_EQ(again->execution, result.execution);
}

}  // namespace
}  // namespace forewarp::tests
