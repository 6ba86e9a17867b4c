// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Copies of a launch: how they are written, and what they add to its time.
#include <string>

#include <gtest/gtest.h>

#include "driver/point_predictor.h"
#include "driver/predictor.h"
#include "request/copy_request.h"
#include "request/files/case_fields.h"
#include "request/files/case_key.h"
#include "request/text/json_value.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

TEST(Copies, AreWrittenAsTexts) {
  const auto copy = parse_copy("h2d:4096");
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy_text(*copy), "h2d:4096:pageable");
  EXPECT_EQ(copy_text(*parse_copy("d2h:same=y:pinned")), "d2h:same=y:pinned");
  EXPECT_EQ(parse_copy("d2h:1.6e9")->bytes, 1600000000U);
  for (const char* text :
       {"h2d", "up:4", "h2d:x", "h2d:-4", "h2d:1.5", "h2d:4:paged", "h2d:4:::"}) {
    const auto bad = parse_copy(text);
    ASSERT_FALSE(bad) << text;
    EXPECT_NE(bad.error().line().find("--copy: '" + std::string(text) + "'"), std::string::npos);
    EXPECT_NE(bad.error().line().find("h2d|d2h:BYTES"), std::string::npos);
  }
}

Expected<Case> read(const std::string& copies) {
  const ValueOrigin origin{"c.jsonl", 1, {}};
  const auto table = parse_json("{\"copies\": " + copies + "}", origin);
  if (!table) return table.error();
  return read_case(*table, origin, CaseScope::launch);
}

TEST(Copies, AreReadFromCases) {
  const auto request = read(R"([{"bytes": 8, "direction": "h2d", "memory": "pinned"},
                                {"bytes": {"same": 1}, "direction": "d2h"}])");
  ASSERT_TRUE(request) << request.error().line();
  ASSERT_EQ(request->copies.size(), 2U);
  EXPECT_EQ(copy_text(request->copies[0]), "h2d:8:pinned");
  EXPECT_EQ(copy_text(request->copies[1]), "d2h:same=1:pageable");
  const std::pair<const char*, const char*> faults[] = {
      {"3", "a list"},
      {"[3]", "'copies[0]'"},
      {R"([{"bytes": 8}])", "has no 'direction'"},
      {R"([{"direction": "h2d"}])", "has no 'bytes'"},
      {R"([{"bytes": -1, "direction": "h2d"}])", "a size in bytes"},
      {R"([{"bytes": 1, "direction": "up"}])", "h2d or d2h"},
      {R"([{"bytes": 1, "direction": "h2d", "memory": "x"}])", "pageable or pinned"},
      {R"([{"bytes": 1, "direction": "h2d", "mem": "x"}])", "'copies[0].mem'"},
      {R"([{"bytes": {"same": -1}, "direction": "h2d"}])", "name or index"}};
  for (const auto& [text, part] : faults) {
    const auto bad = read(text);
    ASSERT_FALSE(bad) << text;
    EXPECT_NE(bad.error().line().find(part), std::string::npos) << bad.error().line();
  }
}

Case saxpy2(std::int64_t n) {
  Case request;
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/examples/saxpy2.sass";
  request.launch.grid = {static_cast<std::uint32_t>((n + 255) / 256), 1, 1};
  request.launch.block = {256, 1, 1};
  for (const auto& [name, value] : {std::pair<const char*, std::int64_t>{"n", n}, {"a", 128}}) {
    NamedArgument argument;
    argument.name = name;
    argument.value.integer = value;
    request.launch.arguments.push_back(argument);
  }
  for (const char* name : {"x", "y"}) {
    NamedArgument argument;
    argument.name = name;
    argument.value.kind = Argument::Kind::buffer;
    argument.value.buffer_bytes = static_cast<std::uint64_t>(4 * n);
    request.launch.arguments.push_back(argument);
  }
  request.copies = {*parse_copy("h2d:same=x"), *parse_copy("h2d:same=3"),
                    *parse_copy("d2h:same=y")};
  request.timing = Timing::host;
  return request;
}

class LaunchCopies : public testing::Test {
 protected:
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  PredictOptions options;

  LaunchCopies() {
    options.models = {"gajger"};
    options.execute = false;  // the thesis counts the last block as a whole one
  }

  Result must(const Case& request, const std::string& gpu) {
    auto result = predictor.predict(request, gpu, options, {});
    EXPECT_TRUE(result) << (result ? "" : result.error().line());
    return result ? *result : Result{};
  }
  static bool assumes(const Result& result, const std::string& id) {
    for (const auto& assumption : result.assumptions) {
      if (assumption.id == id) return true;
    }
    return false;
  }
};

TEST_F(LaunchCopies, AddUpToTheThesissApplication) {
  // Gajger 2017, section 1.7: 2 T_HtD + T_k + T_DtH, eqs 4.1, 5.6, 5.7; 1e6 elements.
  const Result r = must(saxpy2(1000000), "gtx970@gajger");
  ASSERT_EQ(r.copies.size(), 3U);
  const double in = 3.9687e-3 + 4e6 / (15.8e6 * 0.689), out = 5.1569e-3 + 4e6 / (15.8e6 * 0.653);
  EXPECT_NEAR(r.copies[0].time_ms, in, 1e-12);
  EXPECT_NEAR(r.copies[2].time_ms, out, 1e-12);
  EXPECT_NEAR(r.device_ms, 0.366708, 1e-6);
  EXPECT_NEAR(r.time_ms, 2 * in + out + r.device_ms, 1e-12);
  EXPECT_NEAR(r.time_ms, 1.502372, 1e-6);
  EXPECT_EQ(r.link.id, "pcie-3-x16@gajger");
  EXPECT_EQ(r.limited_by.resource, "link");
  EXPECT_TRUE(assumes(r, "copies-blocking"));
  EXPECT_EQ(r.models.front().time_ms, r.time_ms);
}

TEST_F(LaunchCopies, AreLeftOutWithOtherTimings) {
  Case request = saxpy2(1000000);
  request.timing = Timing::device;
  const Result r = must(request, "gtx970@gajger");
  EXPECT_TRUE(r.copies.empty());
  EXPECT_NEAR(r.time_ms, 0.366708, 1e-6);
  EXPECT_TRUE(assumes(r, "copies-left-out"));
}

TEST_F(LaunchCopies, GoOverTheLinkThatIsAsked) {
  Case request = saxpy2(1000000);
  request.link = "pcie-5-x16";
  const Result r = must(request, "gtx970");
  EXPECT_EQ(r.link.id, "pcie-5-x16");
  EXPECT_TRUE(assumes(r, "copies-assumed"));
  options.link = "pcie-2-x4@gajger";  // the command line wins
  EXPECT_NEAR(must(request, "gtx970").copies[0].time_ms, 7.3276e-3 + 4e6 / (2e6 * 0.8435), 1e-12);
  options.link = "pcie-9";
  const auto bad = predictor.predict(request, "gtx970", options, {});
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().line().find("link 'pcie-9'"), std::string::npos);
}

TEST_F(LaunchCopies, OfAnArgumentNeedItsSize) {
  Case request = saxpy2(1000);
  request.copies = {*parse_copy("h2d:same=n")};
  const auto bad = predictor.predict(request, "gtx970", options, {});
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().line().find("argument 'n' has no buffer of a known size"),
            std::string::npos);
}

TEST_F(LaunchCopies, WithoutCodeAreATimeOfTheirOwn) {
  Case request;
  request.copies = {*parse_copy("h2d:1000000000")};
  const Result r = must(request, "gtx970@gajger");
  EXPECT_NEAR(r.time_ms, 91.863387046, 1e-9);  // eq. 5.6
  EXPECT_EQ(r.device_ms, 0);
  EXPECT_EQ(r.model, "linear");
}

TEST_F(LaunchCopies, AreInThePointsOfASweep) {
  PointPredictor points(predictor);
  options.gpus = {"gtx970@gajger"};
  const auto point = points.predict(saxpy2(1000000), options, true);
  ASSERT_TRUE(point) << point.error().line();
  EXPECT_NEAR(point->time_ms, 1.502372, 1e-6);
}

TEST(Copies, BelongToTheKeyOfACase) {
  Case one = saxpy2(1000), other = one;
  other.copies[1].memory = HostMemory::pinned;
  EXPECT_NE(case_key_text(one), case_key_text(other));
  other = one;
  other.link = "pcie-4";
  EXPECT_NE(case_key_text(one), case_key_text(other));
}

}  // namespace
}  // namespace forewarp::tests
