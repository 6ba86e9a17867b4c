// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
/// @file
/// Errors are values: a call that can fail returns an Expected, and no exception leaves the
/// library. The only one that a caller may see is std::bad_alloc, from copying a value.
#pragma once

#include <forewarp/export.h>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace forewarp::FOREWARP_INLINE api {

/// Why something failed, in the one line that a user sees: "PLACE: FOUND; expected EXPECTED;
/// WAY_OUT". Empty parts are left out.
struct Error {
  std::string place;     ///< file, file:line, file:line:column, or an option's name
  std::string found;     ///< what is wrong, with the value that was found
  std::string expected;  ///< what would be right, e.g. the valid names
  std::string way_out;   ///< what can be done now
  /// Options that would give what is missing, as a command line takes them: "--arg", "n=NUMBER".
  std::vector<std::string> missing = {};

  /// The one line; it has no line end.
  [[nodiscard]] FOREWARP_EXPORT std::string line() const;
};

/// A value, or the Error that says why there is none. Reading the one that is not there throws
/// std::bad_variant_access where it is read; the library itself throws nothing.
template <typename T>
class [[nodiscard]] Expected {
 public:
  /// With a value.
  Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT
  /// Without one.
  Expected(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  /// Whether there is a value.
  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  /// As has_value().
  explicit operator bool() const noexcept { return has_value(); }

  /// The value.
  [[nodiscard]] T& value() & { return std::get<0>(state_); }
  /// The value.
  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
  /// The value, to be moved from.
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
  /// As value().
  T& operator*() & { return value(); }
  /// As value().
  const T& operator*() const& { return value(); }
  /// As value().
  T&& operator*() && { return std::move(*this).value(); }
  /// A member of the value.
  T* operator->() { return &value(); }
  /// A member of the value.
  const T* operator->() const { return &value(); }

  /// Why there is no value.
  [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }
  /// Why there is no value, to be moved from.
  [[nodiscard]] Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Expected<void> {
 public:
  /// Success.
  Expected() = default;
  /// Failure.
  Expected(Error error) : error_(std::move(error)) {}  // NOLINT

  /// Whether it succeeded.
  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
  /// As has_value().
  explicit operator bool() const noexcept { return has_value(); }
  /// Why it failed; throws std::bad_optional_access after a success.
  [[nodiscard]] const Error& error() const { return error_.value(); }

 private:
  std::optional<Error> error_;
};

}  // namespace forewarp::FOREWARP_INLINEapi
