// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace forewarp::base {

/// Reads a whole number only where the type holds it: the library's own conversion cuts 300 to a
/// byte, and of 4e36 to a count nothing is defined.
template <typename T, typename = void>
struct CheckedSerializer : nlohmann::adl_serializer<T> {
  template <typename Json>
  requires std::integral<T> &&
      (!std::same_as<T, bool>)static void from_json(const Json& json, T& number) {
    const bool fits = json.is_number_unsigned()
                          ? std::in_range<T>(json.template get_ref<const std::uint64_t&>())
                          : json.is_number_integer() &&
                                std::in_range<T>(json.template get_ref<const std::int64_t&>());
    if (!fits) {
      throw nlohmann::detail::type_error::create(
          302,
          "expected a whole number that fits, found " +
              (json.is_number() ? json.dump() : json.type_name()),
          &json);
    }
    nlohmann::adl_serializer<T>::from_json(json, number);
  }
  using nlohmann::adl_serializer<T>::from_json;
};

/// A JSON document that somebody else may have written.
using CheckedJson = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t,
                                         std::uint64_t, double, std::allocator, CheckedSerializer>;
/// The same with keys in their order, of which every one is looked for from the first.
using OrderedCheckedJson =
    nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t,
                         std::uint64_t, double, std::allocator, CheckedSerializer>;

}  // namespace forewarp::base
