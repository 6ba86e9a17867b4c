// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/files/case_writer.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "request/files/case_file.h"
#include "request/files/case_key.h"

namespace forewarp::tests {
namespace {

Case read(const std::string& json) {
  auto result = parse_case({3, json, false}, "/sets/cases.jsonl").parsed;
  EXPECT_TRUE(result) << (result ? "" : result.error().line());
  return result ? *result : Case{};
}

TEST(CaseWriter, WhatItWritesReadsBackAsTheSameCase) {
  const Case first = read(
      R"({"id": "conv/\"17\"", "input": "conv_17.sass", "kernel": "convolution", "gpu": "board-1",
      "grid": [128, 342, 1], "block": [32, 4, 1], "dynamic_shared": 512, "resident_blocks": 2,
      "compile_options": ["-DN=4", "-I."],
      "args": [{"buffer": 67108864, "content": "unknown"}, {"buffer": 64, "content": "random:1",
      "type": "u8"}, {"i32": 4096}, {"f32": 2.5}, 7, 1.0, {"same": 0}, {"hex": "00ff"}, -3,
      {"u64": 18446744073709551615}, {"buffer": 8, "content": "file:a.bin"}],
      "constants": {"filter": {"buffer": 900, "content": "fill:2"}},
      "copies": [{"bytes": {"same": "x"}, "direction": "d2h", "memory": "pinned"},
      {"bytes": 64, "direction": "h2d"}], "link": "pcie4",
      "clock_mhz": 1560.5, "timing": "event", "repeat": "warm",
      "measured_ms": 1.234, "spread": 0.01, "group": "n=4096"})");
  const Case second = read(case_line(first));
  EXPECT_EQ(case_key_text(first), case_key_text(second));
  EXPECT_EQ(second.id, first.id);
  EXPECT_EQ(second.measured_ms, first.measured_ms);
  EXPECT_EQ(second.spread, first.spread);
  EXPECT_EQ(second.group, first.group);
  EXPECT_EQ(case_line(second), case_line(first));
}

TEST(CaseWriter, PathsHoldFromElsewhere) {
  Case request;
  request.input = "k.sass";
  request.gpu = "board.toml";
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(case_line(request),
            "{\"input\": \"" + here + "/k.sass\", \"gpu\": \"" + here + "/board.toml\"}");
}

}  // namespace
}  // namespace forewarp::tests
