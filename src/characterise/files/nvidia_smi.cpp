// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/files/nvidia_smi.h"

#include <array>
#include <cmath>
#include <string>

#include "base/text.h"

namespace forewarp::characterise {
namespace {

constexpr double bytes_of_mib = 1048576;
constexpr double most = 1e9;

/// A line below the heading `section`: which fact it is, and its unit there.
struct SmiLine {
  std::string_view section, label, unit, fact;
  double factor;
};
constexpr std::array<SmiLine, 5> lines{{
    {"FB Memory Usage", "Total", "MiB", "memory.bytes", bytes_of_mib},
    {"Max Clocks", "SM", "MHz", "clock.boost_mhz", 1},
    {"Max Clocks", "Memory", "MHz", "memory.clock_mhz", 1},
    {"Power Readings", "Default Power Limit", "W", "power.limit_w", 1},
    {"GPU Power Readings", "Default Power Limit", "W", "power.limit_w", 1},
}};

/// Reads one line after the other; headings are lines without a colon.
class SmiReader {
 public:
  explicit SmiReader(std::string_view file) : file_(file) {}

  Expected<void> line(std::string_view raw, std::size_t number) {
    const std::string_view text = trim(raw);
    if (raw.starts_with("GPU ")) {
      devices.emplace_back().source = "nvidia-smi -q";
      devices.back().backend = "nvidia-smi";
      devices.back().date = date_;
      devices.back().driver = driver_;
      section_ = {};
      return {};
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
      section_ = text;
      return {};
    }
    const std::string_view label = trim(text.substr(0, colon));
    const std::string_view value = trim(text.substr(colon + 1));
    if (label == "Timestamp") date_ = value;
    if (label == "Driver Version") driver_ = value;
    if (devices.empty() || value == "N/A" || value.empty()) return {};
    if (label == "Product Name") devices.back().name = value;
    for (const SmiLine& known : lines) {
      if (known.section != section_ || known.label != label) continue;
      if (auto done = number_of(known, value, number); !done) return done;
    }
    return {};
  }

  std::vector<MeasuredDevice> devices;

 private:
  Expected<void> number_of(const SmiLine& known, std::string_view value, std::size_t line) {
    const std::size_t blank = value.find(' ');
    const auto number = parse_number(value.substr(0, blank));
    const bool fine = number && *number > 0 && *number < most && blank != std::string_view::npos &&
                      trim(value.substr(blank)) == known.unit;
    if (!fine) {
      return Diagnostic{place_in_file(file_, line),
                        std::string(known.label) + " is '" + std::string(value) + "'",
                        "a number above 0 in " + std::string(known.unit), ""};
    }
    devices.back().numbers.emplace(known.fact, *number * known.factor);
    return {};
  }

  std::string file_, date_, driver_;
  std::string_view section_;
};

}  // namespace

Expected<std::vector<MeasuredDevice>> parse_nvidia_smi(std::string_view text,
                                                       std::string_view file) {
  SmiReader reader(file);
  std::size_t number = 0;
  for (const std::string_view raw : split(text, '\n')) {
    if (auto done = reader.line(raw, ++number); !done) return done.error();
  }
  if (reader.devices.empty()) {
    return Diagnostic{std::string(file), "shows no device", "lines as GPU 00000000:01:00.0",
                      "run nvidia-smi -q"};
  }
  for (const MeasuredDevice& device : reader.devices) {
    if (!device.name.empty()) continue;
    return Diagnostic{std::string(file), "a device has no name", "Product Name : ..", ""};
  }
  return std::move(reader.devices);
}

}  // namespace forewarp::characterise
