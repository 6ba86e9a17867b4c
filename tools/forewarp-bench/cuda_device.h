// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench_device.h"
#include "cuda_arguments.h"
#include "cuda_driver.h"
#include "cuda_timer.h"
#include "kernel_images.h"

namespace forewarp::cli {

/// An NVIDIA GPU, by its driver alone: kernels are modules inside this program. Whole kernels are
/// timed by events unless their test says how, windows by the kernels themselves; before each
/// launch that is to start with cold caches, twice the bytes of L2 are written. Clock and power are
/// read while a launch runs.
class CudaDevice : public BenchDevice {
 public:
  /// Fails without a driver, without this device, and without compiled kernels.
  static Expected<std::unique_ptr<CudaDevice>> open(unsigned number, KernelImages images);
  ~CudaDevice() override;

  [[nodiscard]] const DeviceDescription& description() const override { return description_; }
  Expected<Reading> measure(const BenchTest& test, const std::string& kernel,
                            const Configuration& launch) override;

 private:
  explicit CudaDevice(KernelImages images);
  Expected<void> start(unsigned number);
  void describe(int device);
  Expected<void*> function(const BenchTest& test, const std::string& kernel);
  Expected<Reading> copies(const BenchTest& test, const Configuration& launch);
  Expected<Reading> launches(const BenchTest& test, const CudaLaunch& launch,
                             const CudaArguments& arguments);
  Expected<double> timed(const BenchTest& test, const CudaLaunch& launch,
                         const CudaArguments& arguments);
  Expected<void> warm_up(const BenchTest& test, const CudaLaunch& launch,
                         const CudaArguments& arguments);
  Expected<void> chill(bool warm);

  OpenedLibrary driver_;
  BoardMonitor monitor_;
  KernelImages images_;
  std::map<std::string, void*> modules_;
  DeviceDescription description_;
  CudaTimer timer_;
  int device_ = 0;
  DeviceAddress scratch_ = 0;  ///< to be written where caches shall be cold
  std::uint64_t scratch_bytes_ = 0;
  std::optional<double> clock_mhz_, power_w_;  ///< while the latest launch ran
};

}  // namespace forewarp::cli
