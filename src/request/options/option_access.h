// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/text.h"
#include "request/argument_text.h"
#include "request/option_text.h"
#include "request/options/option_row.h"
#include "request/options/precedence.h"
#include "request/text/count_text.h"

namespace forewarp::request {

/// Setters and getters that only name a member of Case, PredictOptions or Delivery.

template <typename Value, typename Record, typename Holder>
auto& member_of(const Holder& holder, Value Record::*member) {
  if constexpr (std::is_same_v<Record, Case>) {
    return holder.request.*member;
  } else if constexpr (std::is_same_v<Record, PredictOptions>) {
    return holder.options.*member;
  } else {
    return holder.delivery.*member;
  }
}

/// The value as set() reads it; no text if the value was not given.
inline std::vector<std::string> texts_of(const std::string& value) {
  if (value.empty()) return {};
  return {value};
}
inline std::vector<std::string> texts_of(const std::vector<std::string>& values) {
  return values;
}
inline std::vector<std::string> texts_of(double value) {
  return {exact_text(value)};
}
template <typename Whole>
requires std::is_integral_v<Whole> std::vector<std::string> texts_of(Whole value) {
  if constexpr (std::is_same_v<Whole, bool>) {
    if (!value) return {};
    return {"true"};
  } else {
    if (value == 0) return {};
    return {std::to_string(value)};
  }
}
template <typename Value>
std::vector<std::string> texts_of(const std::optional<Value>& value) {
  if (!value) return {};
  if constexpr (std::is_integral_v<Value>) return {std::to_string(*value)};
  return texts_of(*value);
}

template <auto Member>
std::vector<std::string> get(const OptionSource& from) {
  return texts_of(member_of(from, Member));
}

/// The list as one text a,b,c.
template <auto Member>
std::vector<std::string> get_list(const OptionSource& from) {
  const std::vector<std::string>& values = member_of(from, Member);
  if (values.empty()) return {};
  return {join(values, ",")};
}

[[nodiscard]] Diagnostic no_value(const OptionRow& row, std::string_view text,
                                  std::string_view place);

template <auto Member>
Expected<void> set_text(const OptionRow& /*row*/, std::string_view text, std::string_view /*place*/,
                        const OptionTarget& into) {
  member_of(into, Member) = std::string(text);
  return {};
}

/// Replaces the list by a,b,c.
template <auto Member>
Expected<void> set_list(const OptionRow& row, std::string_view text, std::string_view place,
                        const OptionTarget& into) {
  std::vector<std::string> values;
  for (const std::string_view part : split(text, ',')) values.emplace_back(trim(part));
  for (const std::string& value : values) {
    if (value.empty()) return no_value(row, text, place);
  }
  member_of(into, Member) = std::move(values);
  return {};
}

template <auto Member>
Expected<void> add_text(const OptionRow& /*row*/, std::string_view text, std::string_view /*place*/,
                        const OptionTarget& into) {
  member_of(into, Member).emplace_back(text);
  return {};
}

/// Reads a whole number from row.least to row.most.
template <auto Member>
Expected<void> set_natural(const OptionRow& row, std::string_view text, std::string_view place,
                           const OptionTarget& into) {
  const auto number = parse_count(trim(text));
  const auto as_double = static_cast<double>(number.value_or(0));
  if (!number || as_double < row.least || as_double > row.most) return no_value(row, text, place);
  auto& value = member_of(into, Member);
  using Value = std::remove_reference_t<decltype(value)>;
  if constexpr (std::is_integral_v<Value>) {
    value = static_cast<Value>(*number);
  } else {
    value = static_cast<typename Value::value_type>(*number);
  }
  return {};
}

/// Reads a finite number above 0; with ZeroToo, 0 too.
template <auto Member, bool ZeroToo = false>
Expected<void> set_positive(const OptionRow& row, std::string_view text, std::string_view place,
                            const OptionTarget& into) {
  const auto number = parse_number(trim(text));
  const bool good = number && std::isfinite(*number) && (*number > 0 || (ZeroToo && *number == 0));
  if (!good) return no_value(row, text, place);
  member_of(into, Member) = *number;
  return {};
}

/// Reads X[,Y[,Z]], or XxYxZ.
template <Extent LaunchConfig::*Member>
Expected<void> set_extent(const OptionRow& /*row*/, std::string_view text, std::string_view place,
                          const OptionTarget& into) {
  const auto extent = parse_extent(text, place, text.find('x') == text.npos ? ',' : 'x');
  if (!extent) return extent.error();
  into.request.launch.*Member = *extent;
  return {};
}
template <Extent LaunchConfig::*Member>
std::vector<std::string> get_extent(const OptionSource& from) {
  const Extent& extent = from.request.launch.*Member;
  if (extent[0] == 0) return {};
  return {std::to_string(extent[0]) + ',' + std::to_string(extent[1]) + ',' +
          std::to_string(extent[2])};
}

/// Appends NAME=VALUE to the arguments or constants.
template <std::vector<NamedArgument> LaunchConfig::*Member>
Expected<void> add_named(const OptionRow& /*row*/, std::string_view text, std::string_view place,
                         const OptionTarget& into) {
  auto argument = parse_argument(text, place);
  if (!argument) return std::move(argument).error();
  (into.request.launch.*Member).push_back(*std::move(argument));
  return {};
}
template <std::vector<NamedArgument> LaunchConfig::*Member>
std::vector<std::string> get_named(const OptionSource& from) {
  std::vector<std::string> texts;
  for (const NamedArgument& argument : from.request.launch.*Member) {
    texts.push_back(name_text(argument) + '=' + text_of(argument.value));
  }
  return texts;
}

/// Sets one of two flags that exclude each other.
template <Repeat State>
Expected<void> set_state(const OptionRow& row, std::string_view text, std::string_view place,
                         const OptionTarget& into) {
  if (text != "true") return no_value(row, text, place);
  if (into.options.repeat.value_or(State) != State) {
    return Diagnostic{"--cold", "cannot be combined with --warm", "one of the two", ""};
  }
  into.options.repeat = State;
  return {};
}
template <Repeat State>
std::vector<std::string> get_state(const OptionSource& from) {
  return texts_of(repeat_of(from.request, from.options).value == State);
}

/// Reads true or false; a flag without value is true. `On` is what true stores.
template <auto Member, bool On = true>
Expected<void> set_flag(const OptionRow& row, std::string_view text, std::string_view place,
                        const OptionTarget& into) {
  if (text != "true" && text != "false") return no_value(row, text, place);
  member_of(into, Member) = (text == "true") == On;
  return {};
}

/// For a flag that stores false: counts as given if the member is false.
template <auto Member>
std::vector<std::string> get_cleared(const OptionSource& from) {
  return texts_of(!member_of(from, Member));
}

}  // namespace forewarp::request
