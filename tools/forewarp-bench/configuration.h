// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/expected.h"
#include "bench_test.h"
#include "quantities.h"

namespace forewarp::cli {

/// One launch of a test's sweep.
struct Configuration {
  std::string name;  ///< "blocks=1,threads=32,passes=64", as in samples.tsv
  std::uint32_t blocks = 0, threads = 0;
  std::uint32_t shared = 0;            ///< dynamic, bytes
  std::vector<std::string> arguments;  ///< as --arg reads them: "64", "buffer:65536:zeros"
};

/// Every launch of a test on a device with these quantities (sms, l2): the first list changes
/// slowest. A launch that is there twice (two sizes that come to the same) is taken once. Fails for
/// texts without a value and for launches without blocks or threads.
Expected<std::vector<Configuration>> configurations(const BenchTest& test,
                                                    const Quantities& device);

}  // namespace forewarp::cli
