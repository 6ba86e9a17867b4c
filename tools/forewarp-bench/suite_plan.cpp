// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "suite_plan.h"

#include <utility>

namespace forewarp::cli {

Expected<std::vector<Wanted>> planned(const std::vector<BenchTest>& tests,
                                      const DeviceDescription& device) {
  std::vector<Wanted> records;
  for (const BenchTest& test : tests) {
    if (!test.fits(device.sm)) continue;
    auto launches = configurations(test, device.quantities());
    if (!launches) return std::move(launches).error();
    for (Configuration& launch : *launches) {
      records.push_back({&test, launch, false});
      if (!test.empty_kernel.empty()) records.push_back({&test, std::move(launch), true});
    }
  }
  return records;
}

}  // namespace forewarp::cli
