// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/files/mt4g.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace forewarp::characterise {
namespace {

using Json = nlohmann::json;

/// Where a number stands, and which fact it is.
struct Place {
  const char* pointer;
  std::string_view fact;
  bool measured;
};

constexpr std::array<Place, 13> places{{
    {"/compute/multiProcessorCount", "sm.count", false},
    {"/general/clockRate", "clock.boost_mhz", false},
    {"/memory/l2/size", "l2.bytes", false},
    {"/memory/main/memoryBusWidth", "memory.bus_bits", false},
    {"/memory/main/memoryClockRate", "memory.clock_mhz", false},
    {"/memory/main/totalGlobalMem", "memory.bytes", false},
    {"/memory/l1/latency", "l1.latency_cycles", true},
    {"/memory/l1/size", "l1.bytes", true},
    {"/memory/l1/lineSize", "cache.line_bytes", true},
    {"/memory/l1/fetchGranularity", "l1.fetch_bytes", true},
    {"/memory/l2/latency", "l2.latency_cycles", true},
    {"/memory/main/latency", "memory.latency_cycles", true},
    {"/memory/shared/latency", "shared.latency_cycles", true},
}};

struct Unit {
  std::string_view name;
  double factor;
};
constexpr std::array<Unit, 6> units{
    {{"", 1}, {"kHz", 1e-3}, {"MHz", 1}, {"bit", 1}, {"bytes", 1}, {"cycles", 1}}};

/// A member as a number; NaN where it is none.
double number_at(const Json& node, const char* key) {
  const auto found = node.find(key);
  return found != node.end() && found->is_number() ? found->get<double>() : std::nan("");
}

/// Of {"value": .., "unit": ..}, {"size": ..}, {"mean": .., "stdev": ..}, or a bare number.
struct Read {
  double value = 0;
  std::optional<double> deviation;
};
Expected<Read> read_number(const Json& node, const Place& place, std::string_view file) {
  const auto fault = [&](std::string found, std::string expected) {
    return Diagnostic{std::string(file) + " " + place.pointer, std::move(found),
                      std::move(expected), ""};
  };
  const bool rate = std::string_view(place.fact).ends_with("_mhz");
  if (node.is_number()) {
    const double bare = node.get<double>();
    if (!(bare > 0) || !std::isfinite(bare)) return fault("has no number above 0", "one");
    if (rate) return fault("is a rate without a unit", "kHz or MHz");
    return Read{bare, {}};
  }
  if (!node.is_object()) return fault("is no number", "a number, or an object with one");
  double value = std::nan("");
  for (const char* key : {"value", "size", "mean"}) {
    if (std::isnan(value)) value = number_at(node, key);
  }
  if (!(value > 0) || !std::isfinite(value))
    return fault("has no number above 0", "value, size or mean");
  const auto unit_node = node.find("unit");
  const std::string unit = unit_node != node.end() && unit_node->is_string()
                               ? unit_node->get<std::string>()
                               : std::string();
  if (rate && unit.empty()) return fault("is a rate without a unit", "kHz or MHz");
  for (const Unit& known : units) {
    if (known.name != unit) continue;
    Read made{value * known.factor, {}};
    const double deviation = number_at(node, "stdev");
    if (deviation >= 0) made.deviation = deviation * known.factor;
    return made;
  }
  return fault("is in '" + unit + "'", "kHz, MHz, bit, bytes or cycles");
}

Expected<void> general(const Json& root, std::string_view file, MeasuredDevice& device) {
  const auto fault = [&](std::string found, std::string expected) {
    return Diagnostic{std::string(file), std::move(found), std::move(expected),
                      "name the JSON file that MT4G writes"};
  };
  const auto found = root.find("general");
  if (found == root.end() || !found->is_object()) return fault("has no 'general'", "MT4G's JSON");
  const auto text = [&](const char* key) {
    const auto at = found->find(key);
    return at != found->end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  device.name = text("name");
  if (device.name.empty()) return fault("the device has no name", "general.name");
  if (const std::string vendor = text("vendor"); !vendor.empty() && vendor != "NVIDIA") {
    return fault("'" + device.name + "' is of " + vendor, "a device of NVIDIA");
  }
  const auto cc = found->find("computeCapability");
  const bool whole = cc != found->end() && cc->is_object() && cc->contains("major") &&
                     cc->contains("minor") && (*cc)["major"].is_number_integer() &&
                     (*cc)["minor"].is_number_integer();
  const auto capability =
      parse_capability(whole ? (*cc)["major"].dump() + "." + (*cc)["minor"].dump() : std::string());
  if (!capability) return fault("'" + device.name + "' has no compute capability", "major, minor");
  device.cc = *capability;
  return {};
}

}  // namespace

Expected<MeasuredDevice> parse_mt4g(std::string_view text, std::string_view file) {
  const Json root = Json::parse(text, nullptr, false);
  if (!root.is_object()) {
    return Diagnostic{std::string(file), "is no JSON object", "what MT4G writes",
                      "name the JSON file that MT4G writes"};
  }
  MeasuredDevice device;
  device.backend = "mt4g";
  device.source = "device query by MT4G";
  device.measured_source = "MT4G, pointer chase";
  if (auto done = general(root, file, device); !done) return done.error();
  const Json& stamp = root.value("meta", Json::object());
  if (stamp.is_object() && stamp.contains("timestamp") && stamp["timestamp"].is_string()) {
    device.date = stamp["timestamp"].get<std::string>().substr(0, 10);
  }
  for (const Place& place : places) {
    const Json::json_pointer pointer(place.pointer);
    if (!root.contains(pointer)) continue;
    const auto read = read_number(root[pointer], place, file);
    if (!read) return read.error();
    if (place.measured) {
      device.measured.emplace(place.fact, std::pair(read->value, read->deviation));
    } else {
      device.numbers.emplace(place.fact, read->value);
    }
  }
  return device;
}

}  // namespace forewarp::characterise
