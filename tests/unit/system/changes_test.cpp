// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "system/description/expansion.h"
#include "system/description/system_reader.h"

namespace forewarp::tests {
namespace {

constexpr const char* text = R"(
[[component]]
name = 'a'
kind = 'cpu'
power = { idle_w = 1 }
[[group]]
name = 'g'
[[group.component]]
name = 'b'
kind = 'gpu'
)";

Expected<System> changed(const std::vector<std::string>& changes) {
  const auto parsed = parse_system(text, "s.toml", changes);
  if (!parsed) return parsed.error();
  return expanded(*parsed);
}

TEST(ChangesTest, ReachPartsTablesAndTheSystem) {
  const auto system = changed(
      {"a.count=2", "g.b.hardware=gtx970", "a.power.idle_w=7.5", "a.labels.L=3", "tick_us=2"});
  ASSERT_TRUE(system) << system.error().line();
  ASSERT_EQ(system->components.size(), 3U);
  EXPECT_EQ(system->components[1].power.idle_w, 7.5);
  EXPECT_EQ(system->components[1].labels.at(0).count, 3U);
  EXPECT_EQ(system->components[2].hardware, "gtx970");
  EXPECT_EQ(system->tick_us, 2);
}

TEST(ChangesTest, TheLastOneCounts) {
  EXPECT_EQ(changed({"a.count=2", "a.count=4"})->components.size(), 5U);
}

TEST(ChangesTest, Refusals) {
  EXPECT_EQ(changed({"a.count"}).error().line(),
            "--change a.count: has no name and value; expected NAME.KEY=VALUE");
  EXPECT_EQ(changed({"c.count=1"}).error().line(),
            "--change c.count=1: nothing is called 'c'; expected a, g; did you mean 'a'?");
  EXPECT_NE(changed({"a.colour=1"}).error().line().find("colour"), std::string::npos);
  EXPECT_NE(changed({"a.count=many"}).error().line().find("the text 'many'"), std::string::npos);
}

TEST(ChangesTest, ClocksAndDisksAreChecked) {
  EXPECT_NE(changed({"a.clock_changes=[{at_s = 1, share = 0.5}]"})
                .error()
                .line()
                .find("a change leads to the clock 0.5, which the unit has not"),
            std::string::npos);
  EXPECT_TRUE(changed({"a.clocks=[{share = 0.5}]", "a.clock_changes=[{at_s = 1, share = 0.5}]"}));
  EXPECT_NE(changed({"a.read_gbs=1"}).error().line().find("'a' is a disk only in part"),
            std::string::npos);
  EXPECT_TRUE(changed({"a.kind=disk", "a.read_gbs=1", "a.write_gbs=2"}));
}

}  // namespace
}  // namespace forewarp::tests
