// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_device.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "characterise/statistics/pipeline.h"
#include "cuda_copies.h"
#include "result_check.h"

namespace forewarp::cli {
namespace {

/// Attributes by their numbers in the driver's interface.
constexpr std::pair<int, const char*> told[] = {{16, "sm.count"},
                                                {10, "limits.warp_lanes"},
                                                {1, "limits.threads_per_block"},
                                                {106, "limits.blocks_per_sm"},
                                                {82, "limits.registers_per_sm"},
                                                {12, "limits.registers_per_block"},
                                                {81, "limits.shared_per_sm"},
                                                {8, "limits.shared_per_block"},
                                                {97, "limits.shared_per_block_optin"},
                                                {111, "limits.shared_reserved"},
                                                {37, "memory.bus_bits"},
                                                {38, "l2.bytes"}};
constexpr int attribute_clock_khz = 13, attribute_memory_khz = 36, attribute_threads_per_sm = 39,
              attribute_major = 75, attribute_minor = 76;
constexpr int function_dynamic_shared = 8;
constexpr double khz_per_mhz = 1000;

}  // namespace

CudaDevice::CudaDevice(KernelImages images)
    : driver_("libcuda.so.1"), images_(std::move(images)), timer_(driver_) {}

CudaDevice::~CudaDevice() {
  if (scratch_ != 0) driver_.call("cuMemFree_v2", scratch_);
}

Expected<std::unique_ptr<CudaDevice>> CudaDevice::open(unsigned number, KernelImages images) {
  if (images.empty()) {
    return Diagnostic{"--device", "this program was built without compiled kernels",
                      "a build with -DFOREWARP_GPU_KERNELS=ON and a CUDA toolkit",
                      "--images DIR names a folder of fat binaries"};
  }
  std::unique_ptr<CudaDevice> made(new CudaDevice(std::move(images)));
  if (auto fine = made->start(number); !fine) return fine.error();
  return made;
}

Expected<void> CudaDevice::start(unsigned number) {
  if (!driver_.found()) {
    return Diagnostic{"--device", "no driver: libcuda.so.1 is not found", "a machine with a GPU",
                      "--device forewarp:GPU rehearses"};
  }
  int device = 0;
  void* context = nullptr;
  if (int code = driver_.call("cuInit", 0U); code != 0) return driver_fault("no driver", code);
  if (int code = driver_.call("cuDeviceGet", &device, static_cast<int>(number)); code != 0) {
    return driver_fault("no device " + std::to_string(number), code);
  }
  int code = driver_.call("cuDevicePrimaryCtxRetain", &context, device);
  if (code == 0) code = driver_.call("cuCtxSetCurrent", context);
  if (code != 0) return driver_fault("no context", code);
  device_ = device;
  if (auto fine = timer_.start(); !fine) return fine;
  describe(device);
  char bus[64] = {};  // 0000:3b:00.0: the driver's own numbers are not those of the management
  if (driver_.call("cuDeviceGetPCIBusId", static_cast<char*>(bus), static_cast<int>(sizeof bus) - 1,
                   device) == 0) {
    monitor_.watch(bus);
  }
  constexpr std::uint64_t least = 64U << 20U;
  const Quantities known = description_.quantities();
  const auto l2 = known.find("l2");
  scratch_bytes_ =
      std::max(least, l2 == known.end() ? 0 : 2 * static_cast<std::uint64_t>(l2->second));
  if (driver_.call("cuMemAlloc_v2", &scratch_, scratch_bytes_) != 0) scratch_ = 0;
  return {};
}

void CudaDevice::describe(int device) {
  const auto attribute = [&](int which) {
    int value = 0;
    driver_.call("cuDeviceGetAttribute", &value, which, device);
    return value;
  };
  char name[128] = {};
  driver_.call("cuDeviceGetName", name, static_cast<int>(sizeof name) - 1, device);
  description_.backend = "cuda";
  description_.name = name;
  const int major = attribute(attribute_major), minor = attribute(attribute_minor);
  description_.cc = std::to_string(major) + '.' + std::to_string(minor);
  description_.sm = static_cast<std::uint32_t>(major * 10 + minor);
  for (const auto& [which, path] : told) {
    const auto value = static_cast<double>(attribute(which));
    if (value > 0) description_.facts[path] = value;
  }
  if (const int khz = attribute(attribute_clock_khz); khz > 0) {
    description_.facts["clock.boost_mhz"] = khz / khz_per_mhz;
  }
  if (const int khz = attribute(attribute_memory_khz); khz > 0) {
    description_.facts["memory.clock_mhz"] = khz / khz_per_mhz;
  }
  const int lanes = attribute(10), threads = attribute(attribute_threads_per_sm);
  if (lanes > 0 && threads > 0) {
    description_.facts["limits.warps_per_sm"] = static_cast<double>(threads / lanes);
  }
  std::size_t bytes = 0;
  if (driver_.call("cuDeviceTotalMem_v2", &bytes, device) == 0) {
    description_.facts["memory.bytes"] = static_cast<double>(bytes);
  }
  int version = 0;
  driver_.call("cuDriverGetVersion", &version);
  description_.driver = std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
  description_.runtime = "none";
  description_.toolkit = toolkit_inside();
}

Expected<void*> CudaDevice::function(const BenchTest& test, const std::string& kernel) {
  const std::string stem = std::filesystem::path(test.file).stem().string();
  const auto image = images_.find(stem);
  if (image == images_.end()) {
    return Diagnostic{test.place, "no compiled kernels of '" + test.file + "'", "", ""};
  }
  void*& module = modules_[stem];
  if (module == nullptr) {
    const void* bytes = image->second.data();
    const int code = driver_.call("cuModuleLoadData", &module, bytes);
    if (code != 0) {
      module = nullptr;
      return driver_fault("the kernels of '" + test.file + "' do not load", code);
    }
  }
  void* found = nullptr;
  const std::string& name = kernel == test.kernel && !test.symbol.empty() ? test.symbol : kernel;
  const int code = driver_.call("cuModuleGetFunction", &found, module, name.c_str());
  if (code != 0) return driver_fault("no kernel '" + kernel + "' for this GPU", code);
  return found;
}

Expected<void> CudaDevice::chill(bool warm) {
  if (!warm && scratch_ != 0) {
    driver_.call("cuMemsetD8_v2", scratch_, static_cast<unsigned char>(0),
                 static_cast<std::size_t>(scratch_bytes_));
  }
  return timer_.settle();
}

Expected<double> CudaDevice::timed(const BenchTest& test, const CudaLaunch& launch,
                                   const CudaArguments& arguments) {
  if (auto restored = arguments.restore(); !restored) return restored.error();
  if (auto fine = chill(test.warm); !fine) return fine.error();
  return timer_.launch(test.timing.value_or(Timing::event), launch);
}

/// Loads the code. A board that leaves idle runs at half its clock: launches that are to be warm
/// are repeated until it has left.
Expected<void> CudaDevice::warm_up(const BenchTest& test, const CudaLaunch& launch,
                                   const CudaArguments& arguments) {
  constexpr double enough_us = 60'000;
  constexpr int most = 2000;
  double spent = 0;
  timer_.meanwhile = nullptr;  // asking the board takes longer than a launch
  for (int i = 0; i < most; ++i) {
    const auto time = timed(test, launch, arguments);
    if (!time) return time.error();
    spent += *time;
    if (!test.warm || spent >= enough_us) break;
  }
  return {};
}

Expected<Reading> CudaDevice::launches(const BenchTest& test, const CudaLaunch& launch,
                                       const CudaArguments& arguments) {
  if (auto warm = warm_up(test, launch, arguments); !warm) return warm.error();
  timer_.meanwhile = [this] {
    clock_mhz_ = monitor_.clock_mhz();
    power_w_ = monitor_.power_w();
  };
  std::map<double, std::uint64_t> values;
  for (std::uint32_t i = 0; i < test.repeats; ++i) {
    const auto time = timed(test, launch, arguments);
    if (!time) return time.error();
    if (!test.window) {
      ++values[*time];
      continue;
    }
    const auto windows = arguments.words<std::uint32_t>(0);
    if (!windows) return windows.error();
    if (windows->empty()) {
      return Diagnostic{test.place, "test '" + test.id + "' has no buffer for its windows",
                        "args = [\"buffer:BYTES\", ..]", ""};
    }
    for (const std::uint32_t window : *windows) ++values[window];
  }
  return Reading{Histogram(values.begin(), values.end()), clock_mhz_, power_w_};
}

Expected<Reading> CudaDevice::copies(const BenchTest& test, const Configuration& launch) {
  const auto bytes = copied_bytes(test, launch);
  if (!bytes) return bytes.error();
  const auto times = copy_times(driver_, device_, *test.copy, *bytes, test.repeats);
  if (!times) return times.error();
  return Reading{frequencies(*times), {}, {}};
}

Expected<Reading> CudaDevice::measure(const BenchTest& test, const std::string& kernel,
                                      const Configuration& launch) {
  if (test.copy) return copies(test, launch);
  const auto found = function(test, kernel);
  if (!found) return found.error();
  if (launch.shared > 0) {
    driver_.call("cuFuncSetAttribute", *found, function_dynamic_shared,
                 static_cast<int>(launch.shared));
  }
  CudaArguments arguments(driver_);
  if (auto ready = arguments.prepare(launch.arguments); !ready) return ready.error();
  if (test.fresh) {
    if (auto kept = arguments.keep(); !kept) return kept.error();
  }
  auto reading = launches(test, {*found, &launch, arguments.places()}, arguments);
  if (!reading || !test.check || kernel != test.kernel) return reading;
  const auto results = arguments.words<float>(test.check->argument);
  if (!results) return results.error();
  const auto inputs = arguments.words<float>(test.check->inputs);
  if (!inputs) return inputs.error();
  auto right = check_results(*test.check, *results, *inputs, test.place);
  return right ? std::move(reading) : right.error();
}

}  // namespace forewarp::cli
