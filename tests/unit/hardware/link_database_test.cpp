// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/link_database.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "test_paths.h"

namespace forewarp::tests {
namespace {

const LinkDatabase& links() {
  static const LinkDatabase data{FOREWARP_DATA_DIR};
  return data;
}

std::string refusal(std::string_view name, const std::vector<FactOverride>& changes = {}) {
  const auto link = links().load(name, changes);
  return link ? "loaded" : link.error().line();
}

constexpr std::string_view whole = R"(
name = "Toy"
[lane]
widths = { value = [1, 4], unit = "1", source = "test", confidence = "assumed" }
gbs = { value = 0.5, unit = "GB/s", source = "test", confidence = "assumed" }
[h2d]
_source = "test"
_confidence = "measured"
pageable = { startup_us = { value = 4, unit = "us" }, share = { value = 0.5, unit = "1" } }
pinned = { startup_us = { value = 5, unit = "us" }, share = { value = 0.75, unit = "1" } }
[d2h]
_source = "test"
_confidence = "measured"
pageable = { startup_us = { value = 6, unit = "us" }, share = { value = 0.25, unit = "1" } }
pinned = { startup_us = { value = 7, unit = "us" }, share = { value = 1, unit = "1" } }
)";

std::string changed(std::string_view from, std::string_view to) {
  std::string text(whole);
  text.replace(text.find(from), from.size(), to);
  return text;
}

std::string fault(const std::string& text) {
  const auto link = parse_link(text, "toy.toml");
  return link ? "read" : link.error().line();
}

TEST(Links, AFileIsALinkOfItsWidest) {
  const auto link = parse_link(whole, "toy.toml");
  ASSERT_TRUE(link) << link.error().line();
  EXPECT_EQ(link->lanes, 4U);
  EXPECT_DOUBLE_EQ(link->theory_gbs, 2);
  EXPECT_EQ(link->path(CopyDirection::to_host, HostMemory::pinned).startup_us, 7);
  EXPECT_EQ(link->path(CopyDirection::to_device, HostMemory::pinned).share, 0.75);
  EXPECT_EQ(link->piece_bytes, 0);
}

TEST(Links, FaultsNamePlaceAndWayOut) {
  EXPECT_EQ(fault(changed("[1, 4]", "[1.5]")),
            "toy.toml:4: 'lane.widths' holds 1.5; expected whole numbers from 1 to 64");
  EXPECT_EQ(fault(changed("share = { value = 0.5", "share = { value = 1.5")),
            "toy.toml:9: 'h2d.pageable.share' is 1.5; expected at most 1");
  EXPECT_EQ(fault(changed("value = 4, unit = \"us\"", "value = 4, unit = \"ms\"")),
            "toy.toml:9: 'h2d.pageable.startup_us' is in 'ms'; expected us");
  EXPECT_EQ(fault(changed(", share = { value = 0.25, unit = \"1\" }", "")),
            "toy.toml: 'd2h.pageable.share' is missing and no rule fills it; expected a number in "
            "1; see docs/links.md");
  EXPECT_NE(fault(changed("[h2d]", "[h2e]")).find("no number of a link is named"),
            std::string::npos);
  EXPECT_NE(fault(changed("name = \"Toy\"", "")).find("'name' is missing"), std::string::npos);
}

TEST(Links, FindsByIdGenerationAndTheWordsOfABoard) {
  const std::string path = std::string(FOREWARP_DATA_DIR) + "/links/pcie-3.toml";
  for (const std::string& name : {std::string("pcie-3-x16"), std::string("pcie-3"),
                                  std::string("PCIe 3.0 x16"), std::string("PCIe 3.0"), path}) {
    const auto link = links().load(name);
    ASSERT_TRUE(link) << name << ": " << link.error().line();
    EXPECT_EQ(link->id, "pcie-3-x16") << name;
  }
  EXPECT_EQ(links().load("NVLink-C2C, 900 GB/s")->theory_gbs, 450);
  EXPECT_EQ(links().load("NVLink 4, 900 GB/s")->lanes, 18U);
  EXPECT_NE(refusal("pcie-9").find("forewarp link list"), std::string::npos);
  EXPECT_NE(refusal("pcie-3-x3").find("x1, x2, x4, x8, x16"), std::string::npos);
  EXPECT_NE(refusal("pcie-3@gajgar").find("gajger"), std::string::npos);
}

TEST(Links, EveryHostLinkOfTheBoardsIsThere) {
  const HardwareDatabase boards{FOREWARP_DATA_DIR};
  for (const std::string& id : boards.ids()) {
    const auto gpu = boards.load(id);
    ASSERT_TRUE(gpu) << id;
    const auto host = gpu->facts.find("link.host");
    if (host == gpu->facts.end()) {  // nothing to copy over: the memory is the CPU's too
      EXPECT_TRUE(gpu->facts.at("memory.technology").text.starts_with("lpddr")) << id;
      continue;
    }
    EXPECT_EQ(refusal(host->second.text), "loaded") << id;
  }
}

TEST(Links, TheoryIsThatOfTheGeneration) {
  // Transfers per second x line code / 8 x lanes; Gajger 2017, Table 4.3 rounds it.
  const std::pair<const char*, double> expected[] = {{"pcie-1-x16", 2.5 * 8 / 10 / 8 * 16},
                                                     {"pcie-2-x8", 5.0 * 8 / 10 / 8 * 8},
                                                     {"pcie-3-x16", 8.0 * 128 / 130 / 8 * 16},
                                                     {"pcie-4-x4", 16.0 * 128 / 130 / 8 * 4},
                                                     {"pcie-5-x16", 32.0 * 128 / 130 / 8 * 16},
                                                     {"nvlink-2-x6", 150},
                                                     {"pcie-3-x16@gajger", 15.8},
                                                     {"pcie-2-x4@gajger", 2}};
  for (const auto& [name, gbs] : expected) {
    EXPECT_NEAR(links().load(name)->theory_gbs, gbs, 1e-9) << name;
  }
}

TEST(Links, WhatNobodyMeasuredIsAssumedAndSaysFromWhere) {
  const auto link = links().load("pcie-4-x16");
  ASSERT_TRUE(link);
  const CopyPath& path = link->path(CopyDirection::to_device, HostMemory::pageable);
  EXPECT_EQ(path.confidence, Confidence::assumed);
  EXPECT_EQ(link->facts.find("h2d.pageable.share")->second.note.rfind("as PCIe 3.0", 0), 0U);
  // Measured behind four lanes, carried over to sixteen.
  EXPECT_EQ(
      links().load("pcie-2-x4")->path(CopyDirection::to_device, HostMemory::pageable).confidence,
      Confidence::published);
  EXPECT_EQ(
      links().load("pcie-2-x16")->path(CopyDirection::to_device, HostMemory::pageable).confidence,
      Confidence::derived);
}

TEST(Links, NumbersCanBeSet) {
  const auto link = links().load("pcie-4", {{"h2d.pinned.share", "0.9"}});
  ASSERT_TRUE(link);
  // The rule for copies to the host reads what was set.
  EXPECT_DOUBLE_EQ(link->path(CopyDirection::to_host, HostMemory::pinned).share, 0.9);
  EXPECT_NE(refusal("pcie-4", {{"h2d.pinned.shore", "1"}}).find("h2d.pinned.share"),
            std::string::npos);
  EXPECT_NE(refusal("pcie-4", {{"h2d.pinned.share", "x"}}).find("'x' is no number"),
            std::string::npos);
  EXPECT_NE(refusal("pcie-4", {{"lane.widths", "4"}}).find("cannot be set"), std::string::npos);
}

TEST(Links, FilesPassTheirCheck) {
  for (const std::string& id : links().ids()) {
    const std::string stem = id.substr(0, id.rfind("-x"));
    for (const DataFinding& finding :
         links().check(std::string(FOREWARP_DATA_DIR) + "/links/" + stem + ".toml")) {
      EXPECT_FALSE(finding.error) << finding.diagnostic.line();
    }
  }
}

}  // namespace
}  // namespace forewarp::tests
