// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench_device.h"
#include "characterise/samples/record.h"

namespace forewarp::cli {

/// What a run left in its folder.
struct StoredRun {
  std::filesystem::path folder;
  DeviceDescription device;
  std::vector<Record> records;

  /// nullptr where it was not measured.
  [[nodiscard]] const Record* find(const std::string& test, const Configuration& launch,
                                   std::string_view quantity) const;
};
Expected<StoredRun> stored_run(const std::filesystem::path& folder);

/// Every launch of the tests that the run timed as a line of a file of cases (docs/cases.md): with
/// its arguments, what it took (the median), the spread between the quartiles, and the clock, so
/// that `forewarp validate` predicts and compares it. `root`: where files of tests are named from;
/// `gpu`: empty: the device's name.
Expected<std::string> measured_cases(const std::vector<BenchTest>& tests, const StoredRun& run,
                                     const std::filesystem::path& root, const std::string& gpu);

/// Records of what a profiler counted in the same launches, from its export: "count/NAME", and
/// "empty/NAME" of empty kernels; `time` becomes the time of the tests that want that of the
/// device. `names`: bench/counters.toml. The export's launches are those of the tests in their
/// order, each once; those that a device refused are missing. Fails where a launch is none of them,
/// and where nothing is counted.
Expected<std::vector<Record>> counted_records(const std::vector<BenchTest>& tests,
                                              const StoredRun& run, const std::string& exported,
                                              const std::string& file, const std::string& names);

}  // namespace forewarp::cli
