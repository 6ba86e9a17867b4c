// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench_device.h"
#include "driver/predictor.h"
#include "hardware/fact_override.h"

namespace forewarp::cli {

/// A predicted GPU: every launch is answered by the simulated SM, so that the suite can be tried
/// without a board. Code is the listing beside a kernel's source, or what a toolkit compiles.
class Rehearsal : public BenchDevice {
 public:
  /// `gpu` as --gpu names it; `changed` replaces numbers of its file; `root`: the folder that files
  /// of tests are named from.
  static Expected<std::unique_ptr<Rehearsal>> open(const std::string& gpu,
                                                   std::vector<FactOverride> changed,
                                                   const std::filesystem::path& root);

  [[nodiscard]] const DeviceDescription& description() const override { return description_; }
  Expected<Reading> measure(const BenchTest& test, const std::string& kernel,
                            const Configuration& launch) override;
  /// Latencies of the simulated accesses between the test's readings of the clock, whole cycles.
  Expected<Histogram> known(const BenchTest& test, const Configuration& launch) override;

  /// The same GPU with these numbers changed instead. Fails where the GPU would be impossible; then
  /// nothing changes.
  Expected<void> change(std::vector<FactOverride> changed);
  [[nodiscard]] const Gpu& gpu() const { return *gpu_; }

 private:
  Rehearsal(Predictor predictor, std::string name, std::filesystem::path root);
  [[nodiscard]] PredictOptions options() const;
  Expected<Reading> copies(const BenchTest& test, const Configuration& launch);
  Expected<Case> asked(const BenchTest& test, const std::string& kernel,
                       const Configuration& launch) const;
  Expected<Reading> timed(const Case& asked, const PredictOptions& wanted, const BenchTest& test);
  /// The listing beside the source where it has the architecture, else the source itself.
  [[nodiscard]] std::string code_of(const BenchTest& test) const;

  Predictor predictor_;
  std::string name_;
  std::filesystem::path root_;
  std::vector<FactOverride> changed_;
  std::shared_ptr<const Gpu> gpu_;
  DeviceDescription description_;
};

/// What a driver would tell of this GPU.
[[nodiscard]] DeviceDescription described(const Gpu& gpu);

}  // namespace forewarp::cli
