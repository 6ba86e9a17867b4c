// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The records of a warp, byte by byte as docs/trace.md has them, and back.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "events.h"

namespace forewarp::tests {
namespace {

std::string hex_of(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    constexpr const char* digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (!text.empty()) text += ' ';
    text += digits[byte / 16];
    text += digits[byte % 16];
  }
  return text;
}

TraceEvent at(std::uint32_t instruction, LaneMask active = all_lanes, LaneMask lanes = all_lanes) {
  TraceEvent event;
  event.instruction = instruction;
  event.active = active;
  event.lanes = lanes;
  return event;
}

/// An access of the event's lanes; lane i at base + stride * i.
TraceEvent with_access(TraceEvent event, std::uint64_t base, std::int64_t stride,
                       MemorySpace space = MemorySpace::global) {
  MemoryAccess& access = event.accesses[event.access_count++];
  access.instruction = event.instruction;
  access.space = space;
  access.kind = AccessKind::load;
  access.bytes = 4;
  access.lanes = event.lanes;
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    access.address[lane] = base + static_cast<std::uint64_t>(stride * static_cast<int>(lane));
  }
  return event;
}

std::string records_of(const std::vector<TraceEvent>& events, std::size_t kernel = 64) {
  WarpEncoder encoder;
  encode(events, kernel, encoder);
  EXPECT_EQ(encoder.instructions(), events.size());
  const std::string bytes = bytes_of(encoder.records());
  const Decoded back = decode(bytes, events.size(), static_cast<std::uint32_t>(kernel));
  EXPECT_EQ(back.refusal, "");
  EXPECT_TRUE(same_events(back.events, events));
  return hex_of(bytes);
}

// Run of n: kind 0, value n - 1 in the high five bits: (n - 1) * 8.
TEST(WarpRecords, InstructionsInARow) {
  EXPECT_EQ(records_of({at(0), at(1), at(2)}), "10");
  std::vector<TraceEvent> forty;
  for (std::uint32_t i = 0; i < 40; ++i) forty.push_back(at(i));
  EXPECT_EQ(records_of(forty), "f8 08");  // 39 = 31 + 8
}

// Jump: kind 1, zigzag: 4 back is 7, so 7 * 8 + 1; 2 on is 4, so 4 * 8 + 1.
TEST(WarpRecords, JumpsAreDistances) {
  EXPECT_EQ(records_of({at(0), at(1), at(2), at(3), at(0), at(3)}), "18 39 00 21 00");
}

// Active lanes: kind 2, a mask follows (1 * 8 + 2) or all (2). Guarded: kind 3.
TEST(WarpRecords, LanesAreToldWhenTheyChange) {
  EXPECT_EQ(records_of({at(0, 0xff, 0xff), at(1, 0xff, 0), at(2, 0xff, 3), at(3)}),
            "0a ff 01 00 03 0b 03 02 00");
}

// Affine: 05, global load of 4 bytes, 0x80 = 80 01, stride 4 = 8. Again: 8 on is 16: 16 * 8 + 4.
TEST(WarpRecords, AnAccessLikeTheLastOneIsADistance) {
  EXPECT_EQ(records_of({with_access(at(0), 0x80, 4), with_access(at(0), 0x88, 4)}),
            "00 05 00 00 04 80 01 08 09 00 84");
  // Another stride is another form; downwards is -4, which is 7.
  EXPECT_EQ(records_of({with_access(at(0), 0x80, 4), with_access(at(0), 0x80, -4)}),
            "00 05 00 00 04 80 01 08 09 00 05 00 00 04 80 01 07");
}

// Listed: kind 6, with the lanes 0, 1 and 4 of the guard; 0x10, 6 further, 2 back: 12 and 3.
TEST(WarpRecords, ScatteredLanesAreListed) {
  TraceEvent event = with_access(at(0, all_lanes, 0x13), 0x10, 0);
  event.accesses[0].address[1] = 0x16;
  event.accesses[0].address[4] = 0x14;
  EXPECT_EQ(records_of({event}), "0b 13 06 00 00 04 10 0c 03");
}

// A copy: from global memory for two lanes, to shared memory for all four.
TEST(WarpRecords, TwoAccessesOfOneInstruction) {
  TraceEvent event = with_access(at(0, 0xf, 0xf), 0x20, 16);
  event = with_access(event, 0x40, 16, MemorySpace::shared);
  event.accesses[0].lanes = 0x3;
  event.accesses[1].kind = AccessKind::store;
  EXPECT_EQ(records_of({event}), "0a 0f 00 0d 03 00 00 04 20 20 05 01 01 04 40 20");
}

class Numbers {
 public:
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return state_ >> 16U;
  }

 private:
  std::uint64_t state_ = 1;
};

TraceEvent random_event(Numbers& numbers, std::uint32_t following, std::uint32_t kernel) {
  TraceEvent event =
      at(numbers.next() % 4 == 0 ? static_cast<std::uint32_t>(numbers.next() % kernel)
                                 : following % kernel);
  event.active = numbers.next() % 8 == 0 ? static_cast<LaneMask>(numbers.next()) : 0xffff00ffU;
  event.lanes = event.active;
  if (numbers.next() % 4 == 0) event.lanes &= static_cast<LaneMask>(numbers.next());
  const std::uint64_t accesses = numbers.next() % 4;
  for (std::uint64_t i = 0; i < accesses && i < 2; ++i) {
    event = with_access(event, numbers.next() << (numbers.next() % 17U),
                        static_cast<std::int64_t>(numbers.next() % 64) - 32);
    MemoryAccess& access = event.accesses[i];
    access.kind = static_cast<AccessKind>(numbers.next() % 6);
    access.space = static_cast<MemorySpace>(numbers.next() % 7);
    if (numbers.next() % 4 == 0) access.lanes = static_cast<LaneMask>(numbers.next());
    if (numbers.next() % 4 == 0) access.address[numbers.next() % 32] = ~numbers.next();
    if (numbers.next() % 16 == 0) access.lanes = 0;
  }
  return event;
}

TEST(WarpRecords, AnythingComesBack) {
  constexpr std::uint32_t kernel = 50;
  Numbers numbers;
  WarpEncoder encoder;  // the same one for warp after warp
  for (int warp = 0; warp < 50; ++warp) {
    std::vector<TraceEvent> events;
    for (std::uint64_t i = numbers.next() % 400; i > 0; --i) {
      events.push_back(
          random_event(numbers, events.empty() ? 0 : events.back().instruction + 1, kernel));
    }
    encode(events, kernel, encoder);
    const Decoded back = decode(bytes_of(encoder.records()), events.size(), kernel);
    EXPECT_EQ(back.refusal, "");
    EXPECT_TRUE(same_events(back.events, events)) << "warp " << warp;
  }
}

// More records than are kept as they are: some of them go through the compressor and back.
TEST(WarpRecords, LongWarpsAreKeptCompressed) {
  std::vector<TraceEvent> events;
  Numbers numbers;
  for (std::uint32_t i = 0; i < 40000; ++i) {
    events.push_back(with_access(at(i % 3), numbers.next() % 5000, 4));
  }
  WarpEncoder encoder;
  encode(events, 3, encoder);
  EXPECT_GT(encoder.records().size(), 2 * PackedBytes::open_bytes);
  const std::string bytes = bytes_of(encoder.records());
  EXPECT_EQ(bytes.size(), encoder.records().size());
  EXPECT_TRUE(same_events(decode(bytes, events.size(), 3).events, events));
}

std::string refusal(const std::vector<unsigned char>& bytes, std::uint64_t instructions = 1,
                    std::uint32_t kernel = 4) {
  return decode(std::string(bytes.begin(), bytes.end()), instructions, kernel).refusal;
}

TEST(WarpRecords, NonsenseIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal({0x07}),
            "records, byte 1: record of kind 7; expected 0 to 6; write the trace "
            "again");
  EXPECT_NE(refusal({0x20}, 5).find("instruction 4; expected one of 4"), std::string::npos);
  EXPECT_NE(refusal({0x08}).find("more instructions than it states"), std::string::npos);
  EXPECT_NE(refusal({0x00}, 2).find("records end early; expected 1 more"), std::string::npos);
  EXPECT_NE(refusal({0x09}).find("ends with a jump or a mask"), std::string::npos);
  EXPECT_NE(refusal({0x05}).find("an access before any instruction"), std::string::npos);
  EXPECT_NE(refusal({0x00, 0x04}).find("like one that never was"), std::string::npos);
  EXPECT_NE(refusal({0x00, 0x05, 0x07}).find("ends in the middle"), std::string::npos);
  EXPECT_NE(refusal({0x00, 0x05, 0x07, 0, 4, 0, 0}).find("memory space 7"), std::string::npos);
  EXPECT_NE(refusal({0x00, 0x05, 0, 0x06, 4, 0, 0}).find("kind of access 6"), std::string::npos);
  EXPECT_NE(refusal({0x13}).find("record with the value 2; expected 0 or 1"), std::string::npos);
  EXPECT_NE(refusal({0x0a, 0x01, 0x0b, 0x02}).find("lanes that do not run"), std::string::npos);
  const std::vector<unsigned char> three{0x00, 0x05, 0, 0, 4, 0, 0, 0x05, 0, 0, 4, 0, 0, 0x04};
  EXPECT_NE(refusal(three).find("more than two accesses"), std::string::npos);
  std::vector<unsigned char> endless(12, 0xff);
  endless[0] = 0xf8;
  EXPECT_NE(refusal(endless).find("more than 64 bits"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
