// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench_device.h"
#include "cuda_driver.h"
#include "kernel_images.h"

namespace forewarp::cli {

/// An NVIDIA GPU, by its driver alone: kernels are modules inside this program. Whole kernels are
/// timed by events, windows by the kernels themselves; before each launch that is to start with
/// cold caches, twice the bytes of L2 are written.
class CudaDevice : public BenchDevice {
 public:
  /// Fails without a driver, without this device, and without compiled kernels.
  static Expected<std::unique_ptr<CudaDevice>> open(unsigned number, KernelImages images);
  ~CudaDevice() override;

  [[nodiscard]] const DeviceDescription& description() const override { return description_; }
  Expected<Reading> measure(const BenchTest& test, const std::string& kernel,
                            const Configuration& launch) override;

 private:
  using Address = unsigned long long;
  struct Arguments;
  struct Launch;

  explicit CudaDevice(KernelImages images);
  Expected<void> start(unsigned number);
  void describe(int device);
  Expected<void*> function(const BenchTest& test, const std::string& kernel);
  Expected<void> fill(Address buffer, const std::string& text, std::uint64_t bytes) const;
  Expected<void> prepare(const std::vector<std::string>& texts, Arguments& into) const;
  void release(Arguments& arguments) const;
  Expected<void> run(const Launch& launch) const;
  Expected<double> timed(const BenchTest& test, const Launch& launch);
  Expected<Reading> repeated(const BenchTest& test, const Launch& launch);
  Expected<void> chill(bool warm);

  OpenedLibrary driver_;
  BoardMonitor monitor_;
  KernelImages images_;
  std::map<std::string, void*> modules_;
  DeviceDescription description_;
  void *begin_ = nullptr, *end_ = nullptr;  ///< events
  Address scratch_ = 0;                     ///< to be written where caches shall be cold
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace forewarp::cli
