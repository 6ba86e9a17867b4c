// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "base/expected.h"
#include "layers.h"

namespace forewarp::python {

/// A diagnostic on its way to Python, where it is a forewarp.Error.
class Failure : public std::exception {
 public:
  explicit Failure(Diagnostic diagnostic)
      : diagnostic_(std::move(diagnostic)), line_(diagnostic_.line()) {}
  [[nodiscard]] const char* what() const noexcept override { return line_.c_str(); }
  [[nodiscard]] const Diagnostic& diagnostic() const { return diagnostic_; }

 private:
  Diagnostic diagnostic_;
  std::string line_;
};

/// The value; its diagnostic is thrown.
template <typename T>
[[nodiscard]] T value_of(Expected<T> expected) {
  if (!expected) throw Failure(std::move(expected).error());
  return std::move(*expected);
}
inline void value_of(const Expected<void>& expected) {
  if (!expected) throw Failure(expected.error());
}

}  // namespace forewarp::python
