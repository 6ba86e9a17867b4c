// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "rehearsal.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "characterise/statistics/pipeline.h"
#include "code_file.h"
#include "model/simulated_time.h"
#include "request/argument_text.h"
#include "timed_region.h"

namespace forewarp::cli {
namespace {

/// Facts that a driver tells by itself, as attributes of the device.
constexpr const char* told_by_drivers[] = {"sm.count",
                                           "clock.boost_mhz",
                                           "memory.bytes",
                                           "memory.clock_mhz",
                                           "memory.bus_bits",
                                           "l2.bytes",
                                           "limits.warp_lanes",
                                           "limits.threads_per_block",
                                           "limits.warps_per_sm",
                                           "limits.blocks_per_sm",
                                           "limits.registers_per_sm",
                                           "limits.registers_per_block",
                                           "limits.shared_per_sm",
                                           "limits.shared_per_block",
                                           "limits.shared_per_block_optin",
                                           "limits.shared_reserved"};

/// Cycles of every warp's window.
Histogram windows_of(const Result& result) {
  std::vector<double> values;
  for (const Result::ClockedWarp& warp : result.clocks) values.push_back(warp.read_cycles);
  return frequencies(values);
}

}  // namespace

DeviceDescription described(const Gpu& gpu) {
  DeviceDescription made;
  made.backend = "forewarp";
  made.name = gpu.name;
  made.cc = gpu.cc.text();
  made.sm = static_cast<std::uint32_t>(gpu.cc.sm());
  for (const char* path : told_by_drivers) {
    if (const auto fact = gpu.facts.find(path); fact != gpu.facts.end()) {
      made.facts[path] = fact->second.value;
    }
  }
  // A driver tells the clock at which data move twice, whatever the memory does in between.
  if (const auto clock = made.facts.find("memory.clock_mhz"); clock != made.facts.end()) {
    constexpr double transfers = 2;
    const double rate = gpu.number("memory.data_rate");
    if (rate > 0) clock->second = std::get<double>(clock->second) * rate / transfers;
  }
  made.driver = made.runtime = made.toolkit = "none";
  return made;
}

Rehearsal::Rehearsal(Predictor predictor, std::string name, std::filesystem::path root)
    : predictor_(std::move(predictor)), name_(std::move(name)), root_(std::move(root)) {}

Expected<std::unique_ptr<Rehearsal>> Rehearsal::open(const std::string& gpu,
                                                     std::vector<FactOverride> changed,
                                                     const std::filesystem::path& root) {
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  std::unique_ptr<Rehearsal> made(new Rehearsal(Predictor(*std::move(database)), gpu, root));
  if (auto fine = made->change(std::move(changed)); !fine) return fine.error();
  return made;
}

Expected<void> Rehearsal::change(std::vector<FactOverride> changed) {
  std::swap(changed_, changed);
  const auto gpu = predictor_.gpu(name_, options());
  if (!gpu) {
    std::swap(changed_, changed);
    return gpu.error();
  }
  gpu_ = *gpu;
  description_ = described(*gpu_);
  return {};
}

PredictOptions Rehearsal::options() const {
  PredictOptions options;
  options.gpus = {name_};
  options.models = {"sim"};
  options.overrides = changed_;
  options.cache = false;  // an altered board is asked once
  return options;
}

std::string Rehearsal::code_of(const BenchTest& test) const {
  return code_file(root_ / test.file, description_.sm).file.string();
}

Expected<Reading> Rehearsal::copies(const BenchTest& test, const Configuration& launch) {
  const auto bytes = copied_bytes(test, launch);
  if (!bytes) return bytes.error();
  const bool to_device = test.copy->way == CopyTest::Way::to_device;
  if (!to_device && test.copy->way != CopyTest::Way::to_host) {
    return Diagnostic{test.place, "copies between GPUs and on one are not predicted", "h2d or d2h",
                      ""};
  }
  Case asked;
  CopyRequest copy;
  copy.bytes = *bytes;
  copy.direction = to_device ? CopyDirection::to_device : CopyDirection::to_host;
  copy.memory = test.copy->memory;
  asked.copies = {copy};
  return timed(asked, options(), test);
}

Expected<Reading> Rehearsal::timed(const Case& asked, const PredictOptions& wanted,
                                   const BenchTest& test) {
  ResultDetail detail;
  detail.stalls = false;
  detail.simulation = test.window;
  const auto result = predictor_.predict(asked, name_, wanted, detail);
  if (!result) return result.error();
  Reading reading;
  if (result->gpu.clock_mhz > 0) reading.clock_mhz = result->gpu.clock_mhz;
  if (test.window) {
    reading.values = windows_of(*result);
    if (reading.values.empty()) {
      return Diagnostic{test.place,
                        "no warp of kernel '" + asked.kernel + "' reads the clock twice",
                        "a pair of readings", "without measures = \"window\" its time is taken"};
    }
  } else {
    constexpr double us_per_ms = 1000;
    reading.values = {{result->time_ms * us_per_ms, 1}};
  }
  // All threads of a warp write its window.
  const std::uint64_t writers =
      test.window ? static_cast<std::uint64_t>(gpu_->number("limits.warp_lanes")) : 1;
  for (auto& [value, count] : reading.values) count *= test.repeats * writers;
  return reading;
}

Expected<Case> Rehearsal::asked(const BenchTest& test, const std::string& kernel,
                                const Configuration& launch) const {
  Case asked;
  asked.input = code_of(test);
  asked.kernel = kernel;
  auto as_predicted = launch_of(test, launch);
  if (!as_predicted) return std::move(as_predicted).error();
  asked.launch = *std::move(as_predicted);
  asked.compile_options = asked.input.ends_with(".sass") ? std::vector<std::string>{} : test.flags;
  return asked;
}

Expected<Reading> Rehearsal::measure(const BenchTest& test, const std::string& kernel,
                                     const Configuration& launch) {
  if (test.copy) return copies(test, launch);
  const auto asked = this->asked(test, kernel, launch);
  if (!asked) return asked.error();
  PredictOptions wanted = options();
  wanted.timing = test.timing.value_or(Timing::device);
  wanted.repeat = test.warm ? Repeat::warm : Repeat::cold;
  return timed(*asked, wanted, test);
}

Expected<Histogram> Rehearsal::known(const BenchTest& test, const Configuration& launch) {
  const auto asked = this->asked(test, test.kernel, launch);
  if (!asked) return asked.error();
  const auto evaluation = predictor_.evaluate(*asked, name_, options());
  if (!evaluation) return evaluation.error();
  const ModelRun& run = (*evaluation)->taken();
  const auto time =
      run.model->simulated(model_input(**evaluation, run, (*evaluation)->demand), run.options);
  const auto regions = timed_regions(*(*evaluation)->launch->code.kernel, test);
  std::vector<double> values;
  for (const auto& seen :
       time == nullptr ? std::vector<SimulatedDetail::Latency>{} : time->detail.latencies) {
    const bool measured = std::ranges::any_of(regions, [&](const TimedRegion& region) {
      return region.first <= seen.index && seen.index < region.second;
    });
    if (!measured) continue;
    for (std::size_t i = 0; i < seen.bins.size(); ++i) {
      values.insert(values.end(), static_cast<std::size_t>(seen.bins[i]),
                    std::floor(seen.width * static_cast<double>(i)));
    }
  }
  if (!values.empty()) return frequencies(values);
  return Diagnostic{test.place, "no access of memory stands between the readings of the clock",
                    "a test of loads", "window_global_once, window_chase, window_local"};
}

}  // namespace forewarp::cli
