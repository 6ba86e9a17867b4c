// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <forewarp/expected.h>
#include <string>
#include <utility>

namespace forewarp::python {

/// An error on its way to Python, where it is a forewarp.Error.
class Failure : public std::exception {
 public:
  explicit Failure(Error error) : error_(std::move(error)), line_(error_.line()) {}
  [[nodiscard]] const char* what() const noexcept override { return line_.c_str(); }
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  Error error_;
  std::string line_;
};

/// The value; its error is thrown.
template <typename T>
[[nodiscard]] T value_of(Expected<T> expected) {
  if (!expected) throw Failure(std::move(expected).error());
  return std::move(*expected);
}

}  // namespace forewarp::python
