// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "bench_test.h"
#include "quantities.h"

namespace forewarp::cli {

/// One launch of a test's sweep.
struct Configuration {
  std::string name;  ///< "blocks=1,threads=32,passes=64", as in samples.tsv
  std::vector<std::pair<std::string, std::string>> swept;  ///< the same, taken apart
  Extent grid{0, 1, 1}, block{0, 1, 1};
  Extent cluster{0, 1, 1};             ///< 0: as the kernel says
  bool cooperative = false;            ///< see BenchTest
  std::uint32_t shared = 0;            ///< dynamic, bytes
  std::vector<std::string> arguments;  ///< as --arg reads them: "64", "buffer:65536:zeros"
};

/// Every launch of a test on a device with these quantities (sms, l2): the first list changes
/// slowest. Texts of `blocks` may calculate with threads and swept names, all others with blocks,
/// too; blocks and threads are products, blocks_x and threads_y parts of them. A launch that is
/// there twice (two sizes that come to the same) is taken once. Fails for texts without a value and
/// for launches without blocks or threads.
Expected<std::vector<Configuration>> configurations(const BenchTest& test,
                                                    const Quantities& device);

/// The launch as a prediction takes it, arguments by their number.
Expected<LaunchConfig> launch_of(const BenchTest& test, const Configuration& launch);

/// The size of a copy: the swept argument `bytes`.
Expected<std::uint64_t> copied_bytes(const BenchTest& test, const Configuration& launch);

}  // namespace forewarp::cli
