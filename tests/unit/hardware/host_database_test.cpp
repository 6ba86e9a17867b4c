// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/host_database.h"

#include <string>

#include <gtest/gtest.h>

#include "test_paths.h"

namespace forewarp::tests {
namespace {

const HostDatabase& hosts() {
  static const HostDatabase data{FOREWARP_DATA_DIR};
  return data;
}

constexpr std::string_view whole = R"(
name = "Toy"
[h2d]
_source = "test"
_confidence = "measured"
gbs = { value = 6, unit = "GB/s" }
startup_us = { value = 4, unit = "us" }
[first_touch]
gbs = { value = 5, unit = "GB/s", source = "test", confidence = "measured" }
)";

std::string changed(std::string_view from, std::string_view to) {
  std::string text(whole);
  text.replace(text.find(from), from.size(), to);
  return text;
}

std::string fault(const std::string& text) {
  const auto host = parse_host(text, "toy.toml");
  return host ? "read" : host.error().line();
}

TEST(Hosts, AFileStatesWhatIsKnown) {
  const auto host = parse_host(whole, "toy.toml");
  ASSERT_TRUE(host) << host.error().line();
  EXPECT_EQ(host->path(CopyDirection::to_device).gbs, 6);
  EXPECT_EQ(host->path(CopyDirection::to_device).startup_us, 4);
  EXPECT_TRUE(host->describes(CopyDirection::to_device));
  EXPECT_FALSE(host->describes(CopyDirection::to_host));
  EXPECT_EQ(host->first_touch_gbs, 5);
  EXPECT_TRUE(host->knows_first_touch());
  EXPECT_EQ(host->launch_us, 0);
}

TEST(Hosts, RulesFillWhatEveryHostNeeds) {
  const auto nobody = hosts().undescribed();
  ASSERT_TRUE(nobody) << nobody.error().line();
  EXPECT_GT(nobody->first_touch_gbs, 0);
  EXPECT_FALSE(nobody->knows_first_touch());
  EXPECT_GT(nobody->graph_node_us, 0);
  EXPECT_FALSE(nobody->knows_graph_nodes());
  EXPECT_FALSE(nobody->describes(CopyDirection::to_host));
}

// Only one host was measured call by call: the others have its numbers, with their source.
TEST(Hosts, CallsAreThoseOfTheHostThatTheRulesName) {
  const auto nobody = hosts().undescribed(), own = hosts().load("h200-vm"),
             other = hosts().load("spielerr");
  ASSERT_TRUE(nobody && own && other);
  EXPECT_GT(own->call(HostCall::pin).time(2 << 20), own->call(HostCall::pin).us);
  EXPECT_EQ(nobody->call(HostCall::launch).us, own->call(HostCall::launch).us);
  EXPECT_EQ(other->call(HostCall::context).us, own->call(HostCall::context).us);
  EXPECT_EQ(nobody->launch_call_us, 0);
  EXPECT_EQ(unit_of_host_path("calls.pin.gbs"), "GB/s");
  EXPECT_EQ(unit_of_host_path("calls.pin.kbs"), "");
}

TEST(Hosts, EveryFileOfTheDataFolderLoads) {
  ASSERT_FALSE(hosts().ids().empty());
  for (const std::string& id : hosts().ids()) {
    const auto host = hosts().load(id);
    ASSERT_TRUE(host) << host.error().line();
    EXPECT_EQ(host->id, id);
    EXPECT_FALSE(host->name.empty());
    EXPECT_TRUE(host->describes(CopyDirection::to_device)) << id;
  }
}

TEST(Hosts, RefusesWhatIsNoHost) {
  EXPECT_EQ(fault(changed("gbs = { value = 6", "gps = { value = 6")),
            "toy.toml:6: 'h2d.gps' is no number of a host; expected h2d.gbs or d2h.gbs or call.us; "
            "see docs/hosts.md");
  EXPECT_NE(fault(changed("6, unit = \"GB/s\"", "6, unit = \"us\"")).find("is in 'us'"),
            std::string::npos);
  EXPECT_NE(fault(changed("value = 6", "value = 0")).find("expected a number above zero"),
            std::string::npos);
  EXPECT_NE(fault(changed("value = 6", "value = -6")).find("expected a number above zero"),
            std::string::npos);
  EXPECT_NE(fault(changed("[first_touch]", "[launch]")).find("'launch.gbs' is no number"),
            std::string::npos);
  EXPECT_NE(fault("name = \"none\"").find("'first_touch.gbs' is missing"), std::string::npos);
  const auto unknown = hosts().load("nowhere");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().line().find("host 'nowhere': no host has this id"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
