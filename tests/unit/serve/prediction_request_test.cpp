// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/work/prediction_request.h"

#include <unistd.h>

#include <gtest/gtest.h>

#include "serve/process/frame.h"
#include "serve/work/input_store.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

Expected<PredictionRequest> order(const std::string& json) {
  return read_prediction_request(json, HardwareDatabase(FOREWARP_DATA_DIR));
}

std::string refusal_of(const std::string& json) {
  const auto read = order(json);
  return read ? "" : read.error().line();
}

TEST(PredictionRequest, HasTheCaseTheOptionsAndTheBoard) {
  const auto read = order(R"({"input": "i/k.sass", "gpu": "gtx970", "detail": "lean",
    "case": {"grid": [7], "block": [64, 2], "args": {"n": 3}},
    "options": {"fast": true, "set": ["hw.sm.count=4"], "model": ["volkov", "gajger"]}})");
  ASSERT_TRUE(read) << read.error().line();
  EXPECT_EQ(read->request.input, "i/k.sass");
  EXPECT_EQ(read->request.launch.grid[0], 7U);
  EXPECT_EQ(read->request.launch.block[1], 2U);
  EXPECT_EQ(read->options.gpus, std::vector<std::string>{"gtx970"});
  EXPECT_EQ(read->options.models, (std::vector<std::string>{"volkov", "gajger"}));
  EXPECT_TRUE(read->options.fast);
  ASSERT_EQ(read->options.overrides.size(), 1U);
  EXPECT_FALSE(read->detail.listing);
}

TEST(PredictionRequest, NothingLeadsToAFile) {
  EXPECT_NE(refusal_of(R"({"gpu": "/etc/passwd"})"), "");
  EXPECT_NE(refusal_of(R"({"gpu": "gtx970/../gtx980"})"), "");
  EXPECT_NE(refusal_of(R"({"case": {"args": [{"buffer": 4, "content": "file:/etc/passwd"}]}})"),
            "");
  EXPECT_NE(refusal_of(R"({"case": {"input": "/etc/passwd"}})"), "");
  EXPECT_NE(refusal_of(R"({"case": {"link": "/etc/x.toml"}})"), "");
  EXPECT_NE(refusal_of(R"({"options": {"calibration": "/etc/passwd"}})"), "");
  EXPECT_NE(refusal_of(R"({"case": {"compile_options": ["-I/etc"]}})"), "");
}

TEST(PredictionRequest, OptionsOfTheCompilerNameNoFile) {
  for (const char* good :
       {"-DN=4", "-DNAME", "-std=c++17", "-O3", "-maxrregcount=32", "-lineinfo"}) {
    EXPECT_TRUE(harmless_option(good)) << good;
  }
  for (const char* bad :
       {"-D", "-DX=\"/etc/passwd\"", "-I/etc", "-include", "-std=c++17/..", "-ccbin=x",
        "-maxrregcount=", "--options-file=x", "-Xcompiler", "-DX=a/b"}) {
    EXPECT_FALSE(harmless_option(bad)) << bad;
  }
}

TEST(InputStore, OlderInputsMakeRoom) {
  InputStore store(25);
  const auto first = store.put("../../a b.sass", "0123456789");
  ASSERT_TRUE(first);
  EXPECT_EQ((*first)->name, (*first)->id + "/ab.sass");
  const auto second = store.put("", "abcdefghij");
  ASSERT_TRUE(second);
  EXPECT_NE(store.find((*first)->id), nullptr);  // now the newest
  ASSERT_TRUE(store.put("c", "ABCDEFGHIJ"));
  EXPECT_NE(store.find((*first)->id), nullptr);
  EXPECT_EQ(store.find((*second)->id), nullptr);
  EXPECT_FALSE(store.put("empty", ""));
  EXPECT_FALSE(store.put("zip", std::string("PK\x03\x04\0\0", 6)));
}

TEST(Frame, ComesWholeLateOrNotAtAll) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Frame frame;
  ASSERT_TRUE(write_frame(ends[1], 'P', std::string(3000, 'x')));
  EXPECT_EQ(read_frame(ends[0], frame), FrameEnd::whole);
  EXPECT_EQ(frame.kind, 'P');
  EXPECT_EQ(frame.text, std::string(3000, 'x'));
  const Patience short_one{std::chrono::steady_clock::now() + std::chrono::milliseconds(5),
                           nullptr};
  EXPECT_EQ(read_frame(ends[0], frame, short_one), FrameEnd::late);
  const std::atomic<bool> stop = true;
  EXPECT_EQ(read_frame(ends[0], frame, {{}, &stop}), FrameEnd::stopped);
  ASSERT_EQ(::write(ends[1], "P\xff\xff\xff\xff", 5), 5);
  EXPECT_EQ(read_frame(ends[0], frame), FrameEnd::too_long);
  ::close(ends[1]);
  EXPECT_EQ(read_frame(ends[0], frame), FrameEnd::closed);
  ::close(ends[0]);
}

}  // namespace
}  // namespace forewarp::tests
