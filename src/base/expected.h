// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "base/diagnostic.h"

namespace forewarp::base {

/// Ends what is being done by an exception with this sentence and what the diagnostic says (null:
/// nothing); the edge shows it as a fault of the program.
[[noreturn]] void misused(const char* sentence, const Diagnostic* failure);

/// A value, or the diagnostic that says why there is none. Library code returns it instead of
/// throwing; only tools turn a diagnostic into text and an exit code.
template <typename T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}               // NOLINT
  Expected(Diagnostic failure) : state_(std::in_place_index<1>, std::move(failure)) {}  // NOLINT

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  /// Where there is none, the program is wrong: it ends with the diagnostic, in every build.
  [[nodiscard]] T& value() & {
    check_value();
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] const T& value() const& {
    check_value();
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] T&& value() && {
    check_value();
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  [[nodiscard]] const Diagnostic& error() const& {
    check_error();
    return *std::get_if<1>(&state_);
  }
  [[nodiscard]] Diagnostic&& error() && {
    check_error();
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  void check_value() const {
    if (!has_value()) misused("value() of a failed Expected", std::get_if<1>(&state_));
  }
  void check_error() const {
    if (has_value()) misused("error() of a successful Expected", nullptr);
  }
  std::variant<T, Diagnostic> state_;
};

/// Success without a value, or a diagnostic.
template <>
class [[nodiscard]] Expected<void> {
 public:
  Expected() = default;
  Expected(Diagnostic failure) : failure_(std::move(failure)) {}  // NOLINT

  [[nodiscard]] bool has_value() const { return !failure_.has_value(); }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] const Diagnostic& error() const {
    if (!failure_) misused("error() of a successful Expected", nullptr);
    return *failure_;
  }

 private:
  std::optional<Diagnostic> failure_;
};

}  // namespace forewarp::base
