// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bench_device.h"
#include "bench_test.h"
#include "configuration.h"

namespace forewarp::cli {

/// One record that is wanted.
struct Wanted {
  const BenchTest* test = nullptr;
  Configuration launch;
  bool empty = false;  ///< of the kernel that lacks the measured operation

  [[nodiscard]] const std::string& kernel() const {
    return empty ? test->empty_kernel : test->kernel;
  }
  [[nodiscard]] const char* quantity() const {
    return empty ? "empty" : test->window ? "window" : "time";
  }
};

/// Every record of the tests for this architecture, in the order in which they are measured. Points
/// into `tests`.
Expected<std::vector<Wanted>> planned(const std::vector<BenchTest>& tests,
                                      const DeviceDescription& device);

}  // namespace forewarp::cli
