// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <forewarp/launch.h>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include "bundled.h"

namespace forewarp::tests {
namespace {

double time_of(const api::Session& session, const api::Launch& launch) {
  const api::Query query = bundled(session, 1);
  return value_of(session.predict({query.kernel, query.gpu, launch})).time_ms();
}

TEST(LibraryLaunch, KeepsTheFirstThingThatCannotBeRead) {
  api::Launch launch;
  launch.grid(4).argument("n", "f33:2").set("clok", "3").block(0);
  ASSERT_TRUE(launch.error());
  EXPECT_NE(launch.error()->line().find("f33:2"), std::string::npos);
  const api::Session session = opened();
  const api::Query query = bundled(session, 1);
  const auto refused = session.predict({query.kernel, query.gpu, launch});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().line(), launch.error()->line());
}

TEST(LibraryLaunch, NamesTheOptionThatWasMeant) {
  api::Launch launch;
  launch.set("clok", "1253");
  ASSERT_TRUE(launch.error());
  EXPECT_EQ(launch.error()->line(),
            "option 'clok': there is none of this name; expected perhaps 'clock'; "
            "forewarp.options() lists all");
}

TEST(LibraryLaunch, AnOptionIsNamedWithDashesOrUnderscores) {
  api::Launch dashes, underscores;
  dashes.set("assume-isa", "true");
  underscores.set("assume_isa", "true");
  EXPECT_FALSE(dashes.error());
  EXPECT_EQ(dashes.options(), underscores.options());
}

TEST(LibraryLaunch, AnArgumentGivenTwiceCountsAsGivenLast) {
  const api::Session session = opened();
  api::Launch twice = bundled_launch(3);
  twice.argument("a", 24);
  EXPECT_EQ(time_of(session, twice), time_of(session, bundled_launch(24)));
  EXPECT_NE(time_of(session, twice), time_of(session, bundled_launch(3)));
}

TEST(LibraryLaunch, BytesAreWhatTheKernelGets) {
  const api::Session session = opened();
  const std::int32_t a = 24;
  std::array<std::byte, sizeof a> bytes{};
  std::memcpy(bytes.data(), &a, sizeof a);
  api::Launch raw = bundled_launch(3);
  raw.argument("a", std::span<const std::byte>(bytes));
  EXPECT_EQ(time_of(session, raw), time_of(session, bundled_launch(24)));
}

TEST(LibraryLaunch, AParameterHasAPlaceToo) {
  const api::Session session = opened();
  api::Launch placed;
  placed.grid(4'000'000 / 256).block(256).argument(0, 4'000'000).argument(1, 24);
  EXPECT_EQ(time_of(session, placed), time_of(session, bundled_launch(24)));
}

TEST(LibraryLaunch, CopiesAreApart) {
  api::Launch first = bundled_launch(3);
  api::Launch second = first;
  second.set("clock", "1000");
  EXPECT_NE(first.options(), second.options());
  first = second;
  EXPECT_EQ(first.options(), second.options());
}

/// 3n + 1 until 1: from 27 there are 111 steps, from 1 none.
TEST(LibraryLaunch, ContentsInMemoryAreThoseThatTheKernelReads) {
  const api::Session session = opened();
  const api::Kernel kernel =
      value_of(session.kernel(FOREWARP_FIXTURES "/listings/data_loop.sm_52.sass"));
  const api::Gpu gpu = value_of(session.gpu("gtx970"));
  constexpr int n = 1024;
  const auto counted = [&](api::Launch launch) {
    launch.grid(n / 128).block(128).buffer("steps", 4 * n).argument("n", n);
    return value_of(session.profile({kernel, gpu, launch})).warp_instructions();
  };
  const std::vector<std::uint32_t> far(n, 27), near(n, 1);
  const auto from = [](const std::vector<std::uint32_t>& start) {
    return api::Launch().buffer("start", std::as_bytes(std::span(start)));
  };
  const double many = counted(from(far)), few = counted(from(near));
  EXPECT_GT(many, 20 * few);
  const std::string path = testing::TempDir() + "/library_contents.bin";
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(far.data()), 4 * n);
  EXPECT_EQ(counted(api::Launch().buffer("start", 4 * n, "file:" + path)), many);
  // Other contents of the same size are another launch.
  EXPECT_EQ(counted(from(near)), few);
  const std::span<const std::byte> none;
  EXPECT_TRUE(api::Launch().buffer("start", none).error());
}

TEST(LibraryLaunch, SumsItsBuffers) {
  api::Launch launch;
  launch.buffer("x", 4096).buffer("y", 100, "zeros").same_buffer("z", 0);
  EXPECT_FALSE(launch.error()) << launch.error()->line();
  EXPECT_EQ(launch.buffer_bytes(), 4196U);
}

}  // namespace
}  // namespace forewarp::tests
