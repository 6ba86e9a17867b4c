// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <forewarp/session.h>
#include <forewarp/version.h>
#include <fstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "bundled.h"
#include "driver/predictor.h"
#include "result/result_json.h"

namespace forewarp::tests {
namespace {

std::string line_of(const auto& made) {
  return made ? "" : made.error().line();
}

TEST(Library, SaysItsVersion) {
  const std::string headers = std::to_string(FOREWARP_VERSION_MAJOR) + "." +
                              std::to_string(FOREWARP_VERSION_MINOR) + "." +
                              std::to_string(FOREWARP_VERSION_PATCH);
  EXPECT_EQ(api::version(), headers);
}

TEST(Library, ReadingAValueThatIsNotThereThrowsAtTheCaller) {
  const api::Expected<int> none(api::Error{"place", "found", "expected", "way out"});
  EXPECT_FALSE(none);
  EXPECT_EQ(none.error().line(), "place: found; expected expected; way out");
  EXPECT_THROW(static_cast<void>(*none), std::bad_variant_access);
  const api::Expected<int> some(3);
  EXPECT_EQ(*some, 3);
  EXPECT_THROW(static_cast<void>(some.error()), std::bad_variant_access);
}

TEST(Library, PredictsAsThePredictorDoes) {
  const api::Session session = opened();
  const auto made = session.predict(bundled(session, 24));
  ASSERT_TRUE(made) << line_of(made);

  driver::Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  Case request;
  request.input = bundled_file;
  request.launch.grid = {4'000'000 / 256, 1, 1};
  request.launch.block = {256, 1, 1};
  for (const auto& [name, value] : {std::pair<const char*, int>{"n", 4'000'000}, {"a", 24}}) {
    NamedArgument argument;
    argument.name = name;
    argument.value.integer = value;
    request.launch.arguments.push_back(argument);
  }
  PredictOptions options;
  options.cache = false;
  driver::ResultDetail detail;
  detail.counterfactuals = driver::WhatIfDepth::best;
  const auto direct = predictor.predict(request, "gtx970", options, detail);
  ASSERT_TRUE(direct) << line_of(direct);
  EXPECT_EQ(made->json(), to_json(*direct, JsonStyle::lean()));
  EXPECT_EQ(made->time_ms(), direct->time_ms);
  EXPECT_EQ(made->limited_by(), direct->limited_by.resource);
  EXPECT_EQ(made->bounds().size(), direct->bounds.size());
}

/// Many launches by many threads on one session are to the digit those of one thread on another.
TEST(Library, EightThreadsGiveTheDigitsOfOne) {
  struct Asked {
    int a;
    std::uint32_t block;
    const char* gpu;
  };
  std::vector<Asked> asked;
  for (const char* gpu : {"gtx970", "a100-sxm-40", "rtx3090"}) {
    for (const std::uint32_t block : {64U, 256U, 1000U}) {
      for (const int a : {0, 7}) asked.push_back({a, block, gpu});
    }
  }
  const api::Session alone = opened();
  std::vector<std::string> wanted;
  for (const Asked& one : asked) {
    auto query = bundled(alone, one.a, one.block, one.gpu);
    query.launch.set("assume-isa", "true");
    wanted.push_back(value_of(alone.predict(query)).json());
  }
  constexpr std::size_t most_threads = 8;
  const api::Session shared = opened();
  const api::Kernel kernel = value_of(shared.kernel(bundled_file));
  std::vector<std::vector<std::string>> got(most_threads, std::vector<std::string>(asked.size()));
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < most_threads; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::size_t i = 0; i < asked.size(); ++i) {
        const std::size_t at = (i + thread * 5) % asked.size();
        api::Launch launch = bundled_launch(asked[at].a, asked[at].block);
        launch.set("assume-isa", "true");
        const auto gpu = shared.gpu(asked[at].gpu);
        const auto made = shared.predict({kernel, *gpu, launch});
        got[thread][at] = made ? made->json() : made.error().line();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& one : got) EXPECT_EQ(one, wanted);
}

TEST(Library, CodeInMemoryIsKnownByItsContents) {
  const api::Session session = opened();
  const auto text = base::read_file(bundled_file);
  ASSERT_TRUE(text);
  std::string other = *text;
  const std::string name = "kernel saxpy2";
  ASSERT_NE(other.find(name), std::string::npos);
  for (auto at = other.find(name); at != other.npos; at = other.find(name)) {
    other.replace(at, name.size(), "kernel saxpy9");
  }
  const auto first = session.kernel(std::as_bytes(std::span(*text)), "given.sass");
  const auto second = session.kernel(std::as_bytes(std::span(other)), "given.sass");
  ASSERT_TRUE(first && second);
  const auto gpu = value_of(session.gpu("gtx970"));
  const auto a = session.predict({*first, gpu, bundled_launch(3)});
  const auto b = session.predict({*second, gpu, bundled_launch(3)});
  ASSERT_TRUE(a && b) << line_of(a) << line_of(b);
  EXPECT_EQ(a->kernel(), "saxpy2");
  EXPECT_EQ(b->kernel(), "saxpy9");
  EXPECT_EQ(a->time_ms(), b->time_ms());
  EXPECT_EQ(value_of(session.kernels(*second)).at(0).parameters.at(0).name, "n");
}

TEST(Library, AFileIsReadAnewAfterEveryKernel) {
  const std::string path = testing::TempDir() + "/library_changes.sass";
  const auto text = base::read_file(bundled_file);
  ASSERT_TRUE(text);
  const api::Session session = opened();
  const auto gpu = value_of(session.gpu("gtx970"));
  std::ofstream(path) << *text;
  ASSERT_TRUE(session.predict({value_of(session.kernel(path)), gpu, bundled_launch(3)}));
  std::ofstream(path) << "nothing";
  const auto refused = session.predict({value_of(session.kernel(path)), gpu, bundled_launch(3)});
  EXPECT_FALSE(refused);
}

TEST(Library, RefusesWhatItCannotDoInOneLine) {
  const api::Session session = opened();
  EXPECT_EQ(line_of(session.kernel("/nowhere/k.sass")),
            "/nowhere/k.sass: there is no such file; expected a SASS listing, .cubin, fatbin, "
            "executable, .ptx or .cu");
  EXPECT_NE(line_of(session.gpu("gtx97")).find("gtx970"), std::string::npos);
  EXPECT_NE(line_of(session.gpu("")).find("no GPU is given"), std::string::npos);
  EXPECT_NE(line_of(session.gpu("gtx970", {{"sm.cuont", "4"}})).find("sm.cuont"),
            std::string::npos);
  EXPECT_NE(line_of(session.query(R"({"grid": 4})")).find("names no GPU"), std::string::npos);
  EXPECT_NE(line_of(session.query(R"({"gird": 4})")).find("grid"), std::string::npos);
  api::SessionOptions options;
  options.data = FOREWARP_FIXTURES;
  EXPECT_NE(line_of(api::Session::open(options)).find("holds no GPU files"), std::string::npos);
  const auto result = session.predict(bundled(session, 3));
  ASSERT_TRUE(result);
  EXPECT_NE(line_of(session.report({*result}, "txet")).find("'txet'"), std::string::npos);
  EXPECT_NE(line_of(session.occupancy_curve("gtx970", "", {}, "blocks")).find("block, regs"),
            std::string::npos);
}

TEST(Library, WhatCannotBePredictedIsAResultWithAnError) {
  const api::Session session = opened();
  const api::Kernel kernel = value_of(session.kernel(bundled_file));
  const api::Result none = session.predict_or_error(kernel, "gtx9999", bundled_launch(3));
  ASSERT_TRUE(none.error());
  EXPECT_NE(none.error()->line().find("gtx9999"), std::string::npos);
  const api::Result some = session.predict_or_error(kernel, "gtx970", bundled_launch(3));
  EXPECT_FALSE(some.error());
  EXPECT_EQ(some.time_ms(), value_of(session.predict(bundled(session, 3))).time_ms());
}

TEST(Library, ACaseIsAQuery) {
  const api::Session session = opened();
  const auto query = session.query(
      R"({"input": "saxpy2.sass", "gpu": "gtx970", "grid": 15625, "block": 256,
          "args": {"n": 4000000, "a": 24, "x": {"buffer": 16000000}}})",
      FOREWARP_SOURCE_DIR "/examples");
  ASSERT_TRUE(query) << line_of(query);
  EXPECT_EQ(query->launch.buffer_bytes(), 16'000'000U);
  const auto made = session.predict(*query);
  ASSERT_TRUE(made) << line_of(made);
  EXPECT_GT(made->time_ms(), 0);
}

TEST(Library, AWhatIfChangesOneNumberOnce) {
  const api::Session session = opened();
  const api::Gpu gpu = value_of(session.gpu("gtx970"));
  const api::Gpu twice = value_of(gpu.with("sm.count", "x2"));
  EXPECT_EQ(twice.sms(), 2 * gpu.sms());
  EXPECT_EQ(twice.changes().size(), 1U);
  const api::Gpu more = value_of(twice.with("sm.count", 7.0));
  EXPECT_EQ(more.sms(), 7U);
  const api::Query query = bundled(session, 128);
  const auto compared = session.compare(query, {query.kernel, twice, query.launch});
  ASSERT_TRUE(compared) << line_of(compared);
  EXPECT_EQ(compared->b().error(), std::nullopt);
  EXPECT_NEAR(compared->ratio(), 0.5, 0.05);
  EXPECT_EQ(compared->b().time_ms(),
            value_of(session.predict({query.kernel, twice, query.launch})).time_ms());
}

TEST(Library, AFactHasItsSource) {
  const api::Session session = opened();
  const api::Gpu gpu = value_of(session.gpu("gtx970"));
  const auto fact = gpu.fact("memory.read_share");
  ASSERT_TRUE(fact) << line_of(fact);
  EXPECT_EQ(fact->confidence, "derived");
  EXPECT_FALSE(fact->source.empty());
  EXPECT_NE(line_of(gpu.fact("no.such")).find("no.such"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
