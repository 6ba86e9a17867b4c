// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What other programs say of a device: MT4G's JSON and the text of nvidia-smi -q.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "characterise/files/mt4g.h"
#include "characterise/files/nvidia_smi.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

std::string fixture(const std::string& name) {
  std::ifstream file(FOREWARP_FIXTURES "/boards/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string mt4g_refusal(const std::string& text) {
  const auto device = parse_mt4g(text, "m.json");
  return device ? "read" : device.error().line();
}

TEST(Mt4g, QueriedAndMeasuredNumbers) {
  const auto device = parse_mt4g(fixture("mt4g.json"), "mt4g.json");
  ASSERT_TRUE(device) << device.error().line();
  EXPECT_EQ(device->name, "Example 6000");
  EXPECT_EQ(device->cc, (Capability{8, 6}));
  EXPECT_EQ(device->date, "2026-02-03");
  EXPECT_EQ(device->numbers.at("sm.count"), 84);
  EXPECT_EQ(device->numbers.at("clock.boost_mhz"), 1800);  // from kHz
  EXPECT_EQ(device->numbers.at("memory.clock_mhz"), 8001);
  EXPECT_EQ(device->numbers.at("memory.bus_bits"), 384);
  EXPECT_EQ(device->numbers.at("l2.bytes"), 6291456);
  EXPECT_EQ(device->measured.at("l1.latency_cycles").first, 38.5);
  EXPECT_EQ(device->measured.at("l1.latency_cycles").second, 1.25);
  EXPECT_EQ(device->measured.at("cache.line_bytes").first, 128);
  EXPECT_FALSE(device->measured.contains("memory.latency_cycles"));
}

TEST(Mt4g, Refusals) {
  const std::string way = "; name the JSON file that MT4G writes";
  EXPECT_EQ(mt4g_refusal("[]"), "m.json: is no JSON object; expected what MT4G writes" + way);
  EXPECT_EQ(mt4g_refusal("{}"), "m.json: has no 'general'; expected MT4G's JSON" + way);
  EXPECT_EQ(mt4g_refusal(R"({"general": {}})"),
            "m.json: the device has no name; expected general.name" + way);
  EXPECT_EQ(mt4g_refusal(R"({"general": {"name": "A", "vendor": "AMD"}})"),
            "m.json: 'A' is of AMD; expected a device of NVIDIA" + way);
  EXPECT_EQ(mt4g_refusal(R"({"general": {"name": "A"}})"),
            "m.json: 'A' has no compute capability; expected major, minor" + way);
  const std::string head = R"({"general": {"name": "A", "computeCapability": {"major": 8,
                               "minor": 6}}, "memory": {"l2": )";
  EXPECT_EQ(mt4g_refusal(head + R"({"size": 4096}}})"), "read");
  EXPECT_EQ(mt4g_refusal(head + R"({"size": {"value": 4, "unit": "KiB"}}}})"),
            "m.json /memory/l2/size: is in 'KiB'; expected kHz, MHz, bit, bytes or cycles");
  EXPECT_EQ(mt4g_refusal(head + R"({"size": {"value": 0}}}})"),
            "m.json /memory/l2/size: has no number above 0; expected value, size or mean");
  EXPECT_EQ(mt4g_refusal(head + R"({"size": -4}}})"),
            "m.json /memory/l2/size: has no number above 0; expected one");
  for (const char* rate : {"8001", R"({"value": 8001})"}) {
    EXPECT_EQ(mt4g_refusal(head + R"({}, "main": {"memoryClockRate": )" + rate + "}}}"),
              "m.json /memory/main/memoryClockRate: is a rate without a unit; expected kHz or MHz");
  }
  EXPECT_EQ(mt4g_refusal(head + R"({"size": "large"}}})"),
            "m.json /memory/l2/size: is no number; expected a number, or an object with one");
}

std::string smi_refusal(const std::string& text) {
  const auto devices = parse_nvidia_smi(text, "q.txt");
  return devices ? "read" : devices.error().line();
}

TEST(NvidiaSmi, MemoryClocksAndPower) {
  const auto devices = parse_nvidia_smi(fixture("nvidia_smi.txt"), "nvidia_smi.txt");
  ASSERT_TRUE(devices) << devices.error().line();
  ASSERT_EQ(devices->size(), 2U);
  const MeasuredDevice& first = devices->front();
  EXPECT_EQ(first.name, "Example 5000");
  EXPECT_EQ(first.driver, "535.104.05");
  EXPECT_EQ(first.numbers.at("memory.bytes"), 11264.0 * 1048576);
  EXPECT_EQ(first.numbers.at("clock.boost_mhz"), 1911);  // of Max Clocks, not of Clocks
  EXPECT_EQ(first.numbers.at("memory.clock_mhz"), 5505);
  EXPECT_EQ(first.numbers.at("power.limit_w"), 250);
  EXPECT_EQ(first.numbers.size(), 4U);
  EXPECT_EQ(devices->back().numbers.at("power.limit_w"), 400);
  EXPECT_FALSE(devices->back().numbers.contains("clock.boost_mhz"));  // N/A
}

TEST(NvidiaSmi, Refusals) {
  EXPECT_EQ(smi_refusal(""),
            "q.txt: shows no device; expected lines as GPU 00000000:01:00.0; run nvidia-smi -q");
  EXPECT_EQ(smi_refusal("GPU 0\n"), "q.txt: a device has no name; expected Product Name : ..");
  const std::string head = "GPU 0\n  Product Name : A\n  FB Memory Usage\n";
  EXPECT_EQ(smi_refusal(head + "    Total : 12 MiB\n"), "read");
  EXPECT_EQ(smi_refusal(head + "    Total : 12 GiB\n"),
            "q.txt:4: Total is '12 GiB'; expected a number above 0 in MiB");
  EXPECT_EQ(smi_refusal(head + "    Total : -1 MiB\n"),
            "q.txt:4: Total is '-1 MiB'; expected a number above 0 in MiB");
}

}  // namespace
}  // namespace forewarp::tests
