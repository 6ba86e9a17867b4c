// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "base/expected.h"
#include "bench_test.h"
#include "characterise/samples/record.h"
#include "configuration.h"

namespace forewarp::cli {

/// What device.json says of a device: only what its driver tells.
struct DeviceDescription {
  std::string backend, name, cc;  ///< "forewarp", "NVIDIA ..", "7.0"
  std::uint32_t sm = 0;           ///< 70
  std::map<std::string, std::variant<double, std::string>> facts;  ///< by path of a GPU file
  std::string driver, runtime, toolkit;  ///< toolkit: that the kernels were compiled with

  /// sms and l2 (bytes), for the texts of tests.
  [[nodiscard]] Quantities quantities() const;
};

/// What one launch gave.
struct Reading {
  Histogram values;  ///< microseconds of the kernel, or cycles of its windows
  std::optional<double> clock_mhz, power_w;
};

/// Something that launches can be measured on.
class BenchDevice {
 public:
  virtual ~BenchDevice() = default;
  [[nodiscard]] virtual const DeviceDescription& description() const = 0;
  /// Runs a kernel of the test (its own, or its empty one) as the configuration says, `repeats`
  /// times. Fails where this device cannot; other launches may still be possible.
  virtual Expected<Reading> measure(const BenchTest& test, const std::string& kernel,
                                    const Configuration& launch) = 0;
  /// What the measured operation of a window really takes, cycles, one value for each access or
  /// operation. Fails on a device that does not know.
  virtual Expected<Histogram> known(const BenchTest& test, const Configuration&) {
    return Diagnostic{test.place, "this device does not know what is measured",
                      "a predicted or a synthetic one", "--device forewarp:GPU"};
  }
};

}  // namespace forewarp::cli
