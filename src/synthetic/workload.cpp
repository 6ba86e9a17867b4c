// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "synthetic/workload.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace forewarp::synthetic {
namespace {

constexpr std::array<std::string_view, 3> words{"memory", "sfu", "shared"};
constexpr double most_per_group = 4096;  // instructions of one kind
constexpr double most_chains = 32;
constexpr std::string_view forms =
    "memory, sfu or shared, then :alpha=A,ilp=K,stride=S,ways=W or random";

/// The shortest text that is read back as the same number.
std::string shortest(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

Diagnostic refused(std::string_view text, const std::string& found) {
  return {"workload '" + std::string(text) + "'", found, std::string(forms), ""};
}

bool whole(double value, double least, double most) {
  return value >= least && value <= most && value == std::floor(value);
}

/// Whether both sides of a group are whole numbers of instructions.
bool countable(double alpha) {
  if (alpha == 0 || std::isinf(alpha)) return true;
  if (alpha < 1) return whole(std::round(1 / alpha * 1e6) / 1e6, 1, most_per_group);
  return whole(alpha, 1, most_per_group);
}

bool set_number(Workload& workload, std::string_view name, double value) {
  if (name == "alpha") {
    workload.alpha = value;
    return value >= 0 && countable(value);
  }
  if (name == "ilp" && whole(value, 1, most_chains)) {
    workload.ilp = static_cast<std::uint32_t>(value);
    return true;
  }
  if (name == "stride" && whole(value, 1, 1 << 20)) {
    workload.stride = static_cast<std::uint32_t>(value);
    return true;
  }
  if (name == "ways" && whole(value, 1, most_chains)) {
    workload.ways = static_cast<std::uint32_t>(value);
    return true;
  }
  return false;
}

Expected<void> set_part(Workload& workload, std::string_view part, std::string_view text) {
  if (part == "random") {
    workload.lanes = LaneAddresses::random;
    return {};
  }
  const std::size_t equals = part.find('=');
  if (equals == std::string_view::npos) return refused(text, "'" + std::string(part) + "'");
  const std::string_view number = part.substr(equals + 1);
  const auto value = number == "inf"
                         ? std::optional<double>(std::numeric_limits<double>::infinity())
                         : parse_number(number);
  if (!value || !set_number(workload, part.substr(0, equals), *value)) {
    return refused(text, "'" + std::string(part) + "' is no whole count in its range");
  }
  return {};
}

}  // namespace

std::uint32_t Workload::additions() const {
  if (std::isinf(alpha) || (alpha > 0 && alpha < 1)) return 1;
  return static_cast<std::uint32_t>(alpha);
}

std::uint32_t Workload::others() const {
  if (std::isinf(alpha)) return 0;
  return alpha > 0 && alpha < 1 ? static_cast<std::uint32_t>(std::lround(1 / alpha)) : 1;
}

std::string_view word_of(MixedWith other) {
  return words[static_cast<std::size_t>(other)];
}

Expected<Workload> parse_workload(std::string_view text) {
  Workload workload;
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto word = std::find(words.begin(), words.end(), text.substr(0, colon));
  if (word == words.end()) return refused(text, "no such kind");
  workload.other = static_cast<MixedWith>(word - words.begin());
  if (colon == text.size()) return workload;
  for (const std::string_view part : split(text.substr(colon + 1), ',')) {
    if (auto ok = set_part(workload, part, text); !ok) return ok.error();
  }
  return workload;
}

std::string workload_text(const Workload& workload) {
  std::string text(word_of(workload.other));
  text += ":alpha=" + (std::isinf(workload.alpha) ? "inf" : shortest(workload.alpha));
  if (workload.ilp != 1) text += ",ilp=" + std::to_string(workload.ilp);
  if (workload.stride != 1) text += ",stride=" + std::to_string(workload.stride);
  if (workload.ways != 1) text += ",ways=" + std::to_string(workload.ways);
  if (workload.lanes == LaneAddresses::random) text += ",random";
  return text;
}

}  // namespace forewarp::synthetic
