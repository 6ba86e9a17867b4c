// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "bench_device.h"

namespace forewarp::cli {

/// Answers with distributions that a file gives, to try what reads samples: facts of the device
/// and, for tests by their id, the values of their windows or times, and of the operation alone.
class SyntheticDevice : public BenchDevice {
 public:
  /// Reads a TOML text: name, cc, [facts] path = number, and [readings.TEST] time, window or empty
  /// or operation = "value*count value ..". Refuses anything else, with file and line.
  static Expected<std::unique_ptr<SyntheticDevice>> read(std::string_view text,
                                                         const std::string& file);

  [[nodiscard]] const DeviceDescription& description() const override { return description_; }
  Expected<Reading> measure(const BenchTest& test, const std::string& kernel,
                            const Configuration& launch) override;
  Expected<Histogram> known(const BenchTest& test, const Configuration& launch) override;

 private:
  std::string file_;
  DeviceDescription description_;
  std::map<std::string, std::map<std::string, Histogram>> readings_;  ///< test, quantity -> values
};

}  // namespace forewarp::cli
