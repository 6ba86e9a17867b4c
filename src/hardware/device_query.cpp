// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/device_query.h"

#include <array>
#include <cctype>
#include <cstddef>

#include "base/text.h"

namespace forewarp::hardware {
namespace {

/// A line of the output: how it begins, where its number is, and which member takes it.
struct QueryLine {
  std::string_view label;
  std::string_view before;  ///< text before the number; empty: the label
  std::optional<double> QueriedDevice::*target;
};

constexpr std::array<QueryLine, 6> lines{{
    {"Total amount of global memory:", "(", &QueriedDevice::memory_bytes},
    {"(", "", &QueriedDevice::sms},
    {"GPU Max Clock rate:", "", &QueriedDevice::clock_mhz},
    {"Memory Clock rate:", "", &QueriedDevice::memory_clock_mhz},
    {"Memory Bus Width:", "", &QueriedDevice::bus_bits},
    {"L2 Cache Size:", "", &QueriedDevice::l2_bytes},
}};
constexpr std::string_view capability_label = "CUDA Capability Major/Minor version number:";
constexpr std::string_view sm_word = "Multiprocessors";
constexpr double most = 1e15;

/// The leading digits after blanks, with at most one point.
std::string_view number_at(std::string_view text) {
  text = trim(text);
  std::size_t end = 0;
  while (end < text.size() &&
         (std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.')) {
    ++end;
  }
  return text.substr(0, end);
}

/// The name in "Device 0: \"NAME\"", which begins a device.
std::optional<std::string> device_name(std::string_view line) {
  if (!line.starts_with("Device ")) return {};
  const std::size_t open = line.find('"');
  const std::size_t close = line.rfind('"');
  if (open == std::string_view::npos || close <= open + 1) return {};
  return std::string(line.substr(open + 1, close - open - 1));
}

/// Whether it is the known line, as others may begin like it.
bool is_line(const QueryLine& known, std::string_view line) {
  if (!line.starts_with(known.label)) return false;
  return known.label != "(" || line.find(sm_word) != std::string_view::npos;
}

Expected<void> read_line(std::string_view line, const std::string& place, QueriedDevice& device) {
  if (line.starts_with(capability_label)) {
    auto cc = parse_capability(number_at(line.substr(capability_label.size())));
    if (!cc) {
      return Diagnostic{place, "'" + std::string(line) + "'", "a capability as 8.6", ""};
    }
    device.cc = *cc;
    return {};
  }
  for (const QueryLine& known : lines) {
    if (!is_line(known, line)) continue;
    std::string_view rest = line.substr(known.label.size());
    if (!known.before.empty()) {
      const std::size_t at = rest.find(known.before);
      if (at == std::string_view::npos) return {};
      rest = rest.substr(at + known.before.size());
    }
    const auto number = parse_number(number_at(rest));
    if (!number || !(*number > 0) || *number > most) {
      return Diagnostic{place, "'" + std::string(line) + "'", "a number above 0", ""};
    }
    device.*known.target = *number;
    return {};
  }
  return {};
}

}  // namespace

Expected<std::vector<QueriedDevice>> parse_device_query(std::string_view text,
                                                        std::string_view file) {
  std::vector<QueriedDevice> devices;
  std::size_t number = 0;
  for (const std::string_view raw : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(raw);
    if (auto name = device_name(line)) {
      devices.emplace_back().name = *std::move(name);
      continue;
    }
    if (devices.empty()) continue;
    const std::string place = std::string(file) + ":" + std::to_string(number);
    if (auto done = read_line(line, place, devices.back()); !done) return done.error();
  }
  if (devices.empty()) {
    return Diagnostic{std::string(file), "shows no device", "lines as Device 0: \"NAME\"",
                      "run CUDA's sample deviceQuery"};
  }
  for (const QueriedDevice& device : devices) {
    if (device.cc.major > 0) continue;
    return Diagnostic{std::string(file), "'" + device.name + "' has no compute capability",
                      std::string(capability_label), ""};
  }
  return devices;
}

}  // namespace forewarp::hardware
