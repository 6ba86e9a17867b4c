// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/case.h"

#include <array>

namespace forewarp::request {

namespace {

constexpr std::array<std::string_view, 5> timing_names{"device", "event", "stream", "graph",
                                                       "host"};
constexpr std::array<std::string_view, 2> repeat_names{"cold", "warm"};

template <typename Enum, std::size_t Size>
std::optional<Enum> enumerator_named(const std::array<std::string_view, Size>& names,
                                     std::string_view name) {
  for (std::size_t i = 0; i < Size; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view timing_name(Timing timing) {
  return timing_names[static_cast<std::size_t>(timing)];
}

std::string_view repeat_name(Repeat repeat) {
  return repeat_names[static_cast<std::size_t>(repeat)];
}

std::optional<Timing> timing_named(std::string_view name) {
  return enumerator_named<Timing>(timing_names, name);
}

std::optional<Repeat> repeat_named(std::string_view name) {
  return enumerator_named<Repeat>(repeat_names, name);
}

}  // namespace forewarp::request
