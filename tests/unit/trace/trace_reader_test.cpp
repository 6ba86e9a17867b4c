// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_reader.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

#include "events.h"
#include "trace/bytes/gzip_file.h"
#include "trace/forewarp_format.h"

namespace forewarp::tests {
namespace {

TraceHeader four_blocks() {
  TraceHeader header;
  header.launch.grid = {4, 1, 1};
  header.choose(plan_all(header.launch.grid));
  header.code.resize(3);
  return header;
}

TraceReader reader_of(const std::string& stream) {
  struct Kept : TextSource {
    explicit Kept(std::string bytes)
        : TextSource(""), kept(std::make_unique<std::string>(std::move(bytes))) {
      static_cast<TextSource&>(*this) = TextSource(*kept);
    }
    std::unique_ptr<std::string> kept;
  };
  return {four_blocks(), std::make_unique<Kept>(stream), "S"};
}

std::string bytes(std::initializer_list<int> list) {
  std::string text(ForewarpFormat::magic);
  for (const int byte : list) text += static_cast<char>(byte);
  return text;
}

// Blocks 0 and 2 with two warps each; a warp runs 0 1 2, in one byte of records, or 0 alone.
const std::initializer_list<int> two_blocks = {1, 2, 3, 1, 0x10, 1, 1, 0x00,  //
                                               3, 2, 1, 1, 0x00, 3, 1, 0x10,  //
                                               0, 2};

TEST(TraceReader, GivesBlocksWarpsAndInstructions) {
  TraceReader reader = reader_of(bytes(two_blocks));
  std::string seen;
  TraceEvent event;
  while (*reader.next_block()) {
    while (*reader.next_warp()) {
      seen += std::to_string(reader.block()) + "." + std::to_string(reader.warp()) + ":";
      while (*reader.next(event)) seen += std::to_string(event.instruction);
      seen += ' ';
    }
  }
  EXPECT_EQ(seen, "0.0:012 0.1:0 2.0:0 2.1:012 ");
  EXPECT_FALSE(*reader.next_block());
}

TEST(TraceReader, WhatIsNotReadIsPassedOver) {
  TraceReader reader = reader_of(bytes(two_blocks));
  ASSERT_TRUE(*reader.next_block());
  ASSERT_TRUE(*reader.next_warp());
  TraceEvent event;
  ASSERT_TRUE(*reader.next(event));
  ASSERT_TRUE(*reader.next_block());
  EXPECT_EQ(reader.block(), 2U);
  ASSERT_TRUE(*reader.next_warp());
  ASSERT_TRUE(*reader.next_warp());
  EXPECT_EQ(reader.warp_instructions(), 3U);
  EXPECT_FALSE(*reader.next_block());
}

/// The line that stops a reader who wants everything.
std::string refusal(const std::string& stream) {
  TraceReader reader = reader_of(stream);
  TraceEvent event;
  while (true) {
    const auto block = reader.next_block();
    if (!block) return block.error().line();
    if (!*block) return "read";
    while (true) {
      const auto warp = reader.next_warp();
      if (!warp) return warp.error().line();
      if (!*warp) break;
      while (true) {
        const auto more = reader.next(event);
        if (!more) return more.error().line();
        if (!*more) break;
      }
    }
  }
}

TEST(TraceReader, EveryCutIsNoticed) {
  const std::string whole = bytes(two_blocks);
  EXPECT_EQ(refusal(whole), "read");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(refusal(whole.substr(0, size)).find("ends in the middle"), std::string::npos) << size;
  }
}

TEST(TraceReader, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal("fwt2"),
            "S, byte 4: does not begin like a trace; expected fwt1; write the trace again");
  EXPECT_NE(refusal(bytes({5, 1})).find("block 4; expected one of 4"), std::string::npos);
  EXPECT_NE(refusal(bytes({1, 0, 0, 2})).find("the end states 2 blocks; expected 1"),
            std::string::npos);
  EXPECT_NE(refusal(bytes({1, 1, 3, 2, 0x10, 0x07})).find("record of kind 7"), std::string::npos);
  // The records of a warp go on in what belongs to the next one.
  EXPECT_NE(refusal(bytes({1, 2, 1, 1, 0x0b, 0x01, 0, 0})).find("end early"), std::string::npos);
}

class TraceFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("forewarp-" + std::string(info->name()) + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void put(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }
  [[nodiscard]] std::string opening() const {
    const auto reader = TraceReader::open(folder_);
    return reader ? "open" : reader.error().line();
  }

  std::filesystem::path folder_;
};

TEST_F(TraceFiles, OnlyACompleteTraceOfThisFormatIsRead) {
  EXPECT_NE(opening().find("trace.json: cannot be opened"), std::string::npos);
  TraceHeader header = four_blocks();
  header.written_as = "accel-sim";
  put("trace.json", to_json(header));
  EXPECT_NE(opening().find("holds a trace in the format 'accel-sim'; expected forewarp"),
            std::string::npos);
  header.written_as = "forewarp";
  put("trace.json", to_json(header));
  EXPECT_NE(opening().find("holds a trace that was not finished"), std::string::npos);
  header.complete = true;
  put("trace.json", to_json(header));
  EXPECT_NE(opening().find("warps.gz: cannot be opened: No such file"), std::string::npos);
  put("warps.gz", "plain");
  EXPECT_NE(opening().find("warps.gz: is no gzip file"), std::string::npos);
  auto file = GzipWriter::create(folder_ / "warps.gz");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write(bytes(two_blocks)));
  ASSERT_TRUE(file->close());
  EXPECT_EQ(opening(), "open");
}

TEST_F(TraceFiles, ADamagedGzipFileIsNoticed) {
  const std::filesystem::path path = folder_ / "f.gz";
  auto file = GzipWriter::create(path);
  ASSERT_TRUE(file);
  std::string content;
  for (std::uint32_t i = 0; i < 100000; ++i) content += static_cast<char>(i * i >> 3);
  ASSERT_TRUE(file->write(content));
  ASSERT_TRUE(file->close());
  const auto read_all = [&]() -> std::string {
    auto source = GzipSource::open(path);
    if (!source) return source.error().line();
    std::string all(2 * content.size(), '\0');
    std::size_t size = 0;
    while (true) {
      const auto count = (*source)->read(all.data() + size, all.size() - size);
      if (!count) return count.error().line();
      if (*count == 0) return all.substr(0, size) == content ? "same" : "other";
      size += *count;
    }
  };
  EXPECT_EQ(read_all(), "same");
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_NE(read_all().find("f.gz: cannot be read: damaged gzip data"), std::string::npos);
}

TEST_F(TraceFiles, AFullDiskIsNoticed) {
  std::filesystem::create_symlink("/dev/full", folder_ / "full.gz");
  auto file = GzipWriter::create(folder_ / "full.gz");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("little"));
  const auto closed = file->close();
  ASSERT_FALSE(closed);
  EXPECT_NE(closed.error().line().find("full.gz: cannot be written: No space left"),
            std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
