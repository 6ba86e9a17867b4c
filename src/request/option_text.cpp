// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/option_text.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "base/text.h"
#include "hardware/link_build.h"
#include "request/argument_text.h"
#include "request/text/count_text.h"
#include "request/text/refusal.h"

namespace forewarp::request {

namespace {

constexpr std::pair<ClockChoice::Kind, std::string_view> named_clocks[] = {
    {ClockChoice::Kind::sustained, "sustained"},
    {ClockChoice::Kind::base, "base"},
    {ClockChoice::Kind::boost, "boost"},
    {ClockChoice::Kind::load, "load"}};

Expected<std::pair<std::uint32_t, double>> parse_at_address(std::string_view text,
                                                            std::string_view place,
                                                            std::string_view form, double highest) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return refusal(place, text, "has no '='", form);
  std::string_view digits = trim(text.substr(0, equals));
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  std::uint32_t address = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, code] = std::from_chars(digits.data(), end, address, 16);
  if (digits.empty() || code != std::errc{} || stop != end) {
    return refusal(place, text, "starts with no address", form,
                   "addresses are hexadecimal, as `forewarp analyze` prints them");
  }
  const auto number = parse_number(trim(text.substr(equals + 1)));
  if (!number || !(*number >= 0 && *number <= highest)) {
    return refusal(place, text, "has no number in range", form);
  }
  return std::pair{address, *number};
}

}  // namespace

Expected<Extent> parse_extent(std::string_view text, std::string_view place, char separator) {
  Extent extent{1, 1, 1};
  const auto parts = split(text, separator);
  const std::string form = separator == 'x' ? "X, XxY or XxYxZ" : "X[,Y[,Z]]";
  if (parts.size() > extent.size()) {
    return refusal(place, text, "has more than three sizes", form);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto size = parse_count(trim(parts[i]));
    if (!size || *size == 0 || *size > std::numeric_limits<std::uint32_t>::max()) {
      return refusal(place, text, "is not a size", form + ", each from 1 to 4294967295");
    }
    extent[i] = static_cast<std::uint32_t>(*size);
  }
  return extent;
}

bool is_clock(double megahertz) {
  return megahertz >= 1 && megahertz <= 1e5;
}

std::string clock_text(const ClockChoice& clock) {
  for (const auto& [kind, name] : named_clocks) {
    if (kind == clock.kind) return std::string(name);
  }
  return exact_text(clock.megahertz);
}

Expected<ClockChoice> parse_clock(std::string_view text, std::string_view place) {
  using Kind = ClockChoice::Kind;
  for (const auto& [kind, name] : named_clocks) {
    if (text == name) return ClockChoice{kind, 0};
  }
  const auto megahertz = parse_number(text);
  if (!megahertz || !is_clock(*megahertz)) {
    return refusal(place, text, "is not a clock",
                   "1 to 100000 MHz, base, boost, sustained or load");
  }
  return ClockChoice{Kind::stated, *megahertz};
}

Expected<Timing> parse_timing(std::string_view text, std::string_view place) {
  if (const auto timing = timing_named(text)) return *timing;
  return refusal(place, text, "is not a timing", "device, event, stream, graph or host");
}

Expected<SampleChoice> parse_sample(std::string_view text, std::string_view place) {
  using Mode = SampleChoice::Mode;
  if (text == "auto") return SampleChoice{Mode::automatic, 0};
  if (text == "all") return SampleChoice{Mode::all, 0};
  const auto blocks = parse_natural(text);
  if (!blocks || *blocks == 0) {
    return refusal(place, text, "is not a sample", "auto, all or a number of blocks");
  }
  return SampleChoice{Mode::count, *blocks};
}

Expected<std::pair<std::uint32_t, double>> parse_trip(std::string_view text,
                                                      std::string_view place) {
  return parse_at_address(text, place, "ADDRESS=N with N passes, 0 or more",
                          std::numeric_limits<double>::max());
}

Expected<std::pair<std::uint32_t, double>> parse_branch_probability(std::string_view text,
                                                                    std::string_view place) {
  return parse_at_address(text, place, "ADDRESS=P with P from 0 to 1", 1.0);
}

namespace {

/// Reads PREFIX.PATH=VALUE; the result's path is without the prefix.
Expected<FactOverride> parse_change(std::string_view text, std::string_view place,
                                    std::string_view prefix, std::string_view of,
                                    std::string_view lists) {
  const std::string form = std::string(prefix) + "PATH=VALUE";
  const std::size_t equals = text.find('=');
  const std::string_view path = trim(text.substr(0, equals));
  if (equals == std::string_view::npos || !path.starts_with(prefix) ||
      path.size() == prefix.size()) {
    return refusal(place, text, "sets no number of the " + std::string(of), form,
                   std::string(lists));
  }
  const std::string_view value = trim(text.substr(equals + 1));
  if (value.empty()) return refusal(place, text, "has no value", form);
  return FactOverride{std::string(path.substr(prefix.size())), std::string(value)};
}

}  // namespace

Expected<FactOverride> parse_override(std::string_view text, std::string_view place) {
  return parse_change(text, place, "hw.", "GPU file", "`forewarp gpu show ID` lists the paths");
}

Expected<FactOverride> parse_link_override(std::string_view text, std::string_view place) {
  auto change =
      parse_change(text, place, "link.", "link's file", "`forewarp link show ID` lists the paths");
  if (!change) return change;
  // A link is loaded only where something is copied; what is set has to be a number of it anyway.
  if (auto fact = changed_link_fact(*change); !fact) return std::move(fact).error();
  return change;
}

}  // namespace forewarp::request
