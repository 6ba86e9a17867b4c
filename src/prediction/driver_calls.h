// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "prediction/launch.h"
#include "program/outside_function.h"

namespace forewarp::execution {
struct PathProfile;
}

namespace forewarp::prediction {

/// A call of a function that the driver has and no listing shows.
struct DriverCall {
  std::uint32_t instruction = 0;
  OutsideFunction function = OutsideFunction::other;  ///< other: not known which
};

/// The calls in the code of a kernel, executed or not: by name, or by a table of addresses.
[[nodiscard]] std::vector<DriverCall> driver_calls(const Kernel& kernel);

/// Notes that printf, failed assertions, malloc, free and functions without code are without a
/// cost: an assumption wherever the code calls them, and a finding (kind `driver-functions`) where
/// they were executed, with how often; `paths` null: nothing was executed.
void note_driver_calls(const Kernel& kernel, const execution::PathProfile* paths,
                       std::vector<Result::Finding>& findings,
                       std::vector<Result::Assumption>& assumptions);

}  // namespace forewarp::prediction
