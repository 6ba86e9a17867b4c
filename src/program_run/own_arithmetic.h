// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfenv>

namespace forewarp::program_run {

/// While it lives, the thread computes as a process does that has changed nothing: a program may
/// have asked for traps (feenableexcept), another rounding, or subnormal numbers as zero
/// (-ffast-math), and kernels must not follow. Threads begun meanwhile compute so, too.
class OwnArithmetic {
 public:
  OwnArithmetic() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~OwnArithmetic() { std::fesetenv(&before_); }
  OwnArithmetic(const OwnArithmetic&) = delete;
  OwnArithmetic& operator=(const OwnArithmetic&) = delete;

 private:
  std::fenv_t before_{};
};

}  // namespace forewarp::program_run
