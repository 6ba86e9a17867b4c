// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_device.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

#include "base/text.h"
#include "request/argument_text.h"

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

Diagnostic fault(const std::string& what, int code) {
  return {"--device", what + ": the driver answers " + std::to_string(code), "", ""};
}

/// Floats between two bounds, the same for the same seed.
std::vector<float> random_floats(const BufferContent& content, std::uint64_t bytes) {
  std::mt19937_64 draw(content.seed);
  std::uniform_real_distribution<float> between(static_cast<float>(content.low),
                                                static_cast<float>(content.high));
  std::vector<float> values(bytes / sizeof(float));
  for (float& value : values) value = between(draw);
  return values;
}

}  // namespace

struct CudaDevice::Arguments {
  std::vector<Address> words;
  std::vector<Address> buffers;
  std::vector<std::uint64_t> sizes;  ///< of the buffers, bytes
  std::vector<void*> places;
};

struct CudaDevice::Launch {
  void* kernel = nullptr;
  const Configuration* shape = nullptr;
  Arguments* arguments = nullptr;
};

CudaDevice::CudaDevice(KernelImages images) : driver_("libcuda.so.1"), images_(std::move(images)) {}

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
  if (int code = driver_.call("cuInit", 0U); code != 0) return fault("no driver", code);
  if (int code = driver_.call("cuDeviceGet", &device, static_cast<int>(number)); code != 0) {
    return fault("no device " + std::to_string(number), code);
  }
  int code = driver_.call("cuDevicePrimaryCtxRetain", &context, device);
  if (code == 0) code = driver_.call("cuCtxSetCurrent", context);
  if (code == 0) code = driver_.call("cuEventCreate", &begin_, 0U);
  if (code == 0) code = driver_.call("cuEventCreate", &end_, 0U);
  if (code != 0) return fault("no context", code);
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
      return fault("the kernels of '" + test.file + "' do not load", code);
    }
  }
  void* found = nullptr;
  const int code = driver_.call("cuModuleGetFunction", &found, module, kernel.c_str());
  if (code != 0) return fault("no kernel '" + kernel + "' for this GPU", code);
  return found;
}

/// Zeros, floats for random:SEED, or for pointers:STRIDE addresses of 8 bytes each STRIDE elements
/// further, round and round.
Expected<void> CudaDevice::fill(Address buffer, const std::string& text,
                                std::uint64_t bytes) const {
  const auto argument = parse_argument_value(text, "args");
  if (!argument) return argument.error();
  const BufferContent& content = argument->content;
  using Kind = BufferContent::Kind;
  int code = 0;
  const bool floats =
      content.kind == Kind::random && (content.type.empty() || content.type == "f32");
  if (content.kind != Kind::pointers && content.kind != Kind::zeros &&
      content.kind != Kind::unknown && !floats) {
    return Diagnostic{"args", "'" + text + "' cannot be filled on a GPU",
                      "buffer:BYTES, or :zeros, :random:SEED or :pointers:STRIDE behind it",
                      "--device forewarp:GPU rehearses it"};
  }
  if (content.kind == Kind::pointers) {
    const std::uint64_t count = bytes / sizeof(Address);
    std::vector<Address> words(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      words[i] = buffer + (i + content.stride) % count * sizeof(Address);
    }
    const void* from = words.data();
    code = driver_.call("cuMemcpyHtoD_v2", buffer, from, words.size() * sizeof(Address));
  } else if (floats) {
    const std::vector<float> values = random_floats(content, bytes);
    const void* from = values.data();
    code = driver_.call("cuMemcpyHtoD_v2", buffer, from, values.size() * sizeof(float));
  } else {
    code = driver_.call("cuMemsetD8_v2", buffer, static_cast<unsigned char>(0),
                        static_cast<std::size_t>(bytes));
  }
  return code == 0 ? Expected<void>() : fault("a buffer cannot be filled", code);
}

Expected<void> CudaDevice::prepare(const std::vector<std::string>& texts, Arguments& into) const {
  into.words.assign(texts.size(), 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto argument = parse_argument_value(texts[i], "args");
    if (!argument) return argument.error();
    into.places.push_back(&into.words[i]);
    if (argument->kind == Argument::Kind::buffer) {
      const std::uint64_t bytes = argument->buffer_bytes;
      const int code =
          driver_.call("cuMemAlloc_v2", &into.words[i], static_cast<std::size_t>(bytes));
      if (code != 0) return fault("no memory for " + std::to_string(bytes) + " bytes", code);
      into.buffers.push_back(into.words[i]);
      into.sizes.push_back(bytes);
      if (auto filled = fill(into.words[i], texts[i], bytes); !filled) return filled;
    } else if (argument->kind == Argument::Kind::floating && argument->type == "f32") {
      const auto value = static_cast<float>(argument->floating);
      std::memcpy(&into.words[i], &value, sizeof value);
    } else if (argument->kind == Argument::Kind::floating) {
      std::memcpy(&into.words[i], &argument->floating, sizeof argument->floating);
    } else {
      std::memcpy(&into.words[i], &argument->integer, sizeof argument->integer);
    }
  }
  return {};
}

void CudaDevice::release(Arguments& arguments) const {
  for (const Address buffer : arguments.buffers) driver_.call("cuMemFree_v2", buffer);
}

Expected<void> CudaDevice::run(const Launch& launch) const {
  const Configuration& shape = *launch.shape;
  void* stream = nullptr;
  void** more = nullptr;
  const int code =
      driver_.call("cuLaunchKernel", launch.kernel, shape.blocks, 1U, 1U, shape.threads, 1U, 1U,
                   shape.shared, stream, launch.arguments->places.data(), more);
  return code == 0 ? Expected<void>() : fault("the launch " + shape.name, code);
}

Expected<void> CudaDevice::chill(bool warm) {
  if (!warm && scratch_ != 0) {
    driver_.call("cuMemsetD8_v2", scratch_, static_cast<unsigned char>(0),
                 static_cast<std::size_t>(scratch_bytes_));
  }
  const int code = driver_.call("cuCtxSynchronize");
  return code == 0 ? Expected<void>() : fault("the device", code);
}

/// Microseconds of one launch, from event to event.
Expected<double> CudaDevice::timed(const BenchTest& test, const Launch& launch) {
  constexpr double us_per_ms = 1000;
  if (test.timing != Timing::device) {
    // What a way of launching adds is its time less that of the device alone, which events hide.
    return Diagnostic{test.place, "a GPU's driver times launches by events alone",
                      "a test without 'timing'", "--device forewarp:GPU rehearses it"};
  }
  if (auto fine = chill(test.warm); !fine) return fine.error();
  void* stream = nullptr;
  driver_.call("cuEventRecord", begin_, stream);
  if (auto ran = run(launch); !ran) return ran.error();
  driver_.call("cuEventRecord", end_, stream);
  if (int code = driver_.call("cuEventSynchronize", end_); code != 0)
    return fault("a launch", code);
  float ms = 0;
  if (int code = driver_.call("cuEventElapsedTime", &ms, begin_, end_); code != 0) {
    return fault("a time", code);
  }
  return static_cast<double>(ms) * us_per_ms;
}

Expected<Reading> CudaDevice::repeated(const BenchTest& test, const Launch& launch) {
  Reading reading;
  std::vector<std::uint32_t> cycles;
  if (test.window) {
    if (launch.arguments->buffers.empty()) {
      return Diagnostic{test.place, "test '" + test.id + "' has no buffer for its windows",
                        "args = [\"buffer:BYTES\", ..]", ""};
    }
    cycles.resize(launch.arguments->sizes.front() / sizeof(std::uint32_t));
  }
  const auto once = timed(test, launch);  // loads the code and wakes the board
  if (!once) return once.error();
  for (std::uint32_t i = 0; i < test.repeats; ++i) {
    const auto time = timed(test, launch);
    if (!time) return time.error();
    if (!test.window) {
      ++reading.values[*time];
      continue;
    }
    void* to = cycles.data();
    const int code = driver_.call("cuMemcpyDtoH_v2", to, launch.arguments->buffers.front(),
                                  cycles.size() * sizeof(std::uint32_t));
    if (code != 0) return fault("the windows", code);
    for (const std::uint32_t window : cycles) ++reading.values[window];
  }
  reading.clock_mhz = monitor_.clock_mhz();
  reading.power_w = monitor_.power_w();
  return reading;
}

Expected<Reading> CudaDevice::measure(const BenchTest& test, const std::string& kernel,
                                      const Configuration& launch) {
  const auto found = function(test, kernel);
  if (!found) return found.error();
  if (launch.shared > 0) {
    driver_.call("cuFuncSetAttribute", *found, function_dynamic_shared,
                 static_cast<int>(launch.shared));
  }
  Arguments arguments;
  const auto prepared = prepare(launch.arguments, arguments);
  auto reading = prepared ? repeated(test, {*found, &launch, &arguments})
                          : Expected<Reading>(prepared.error());
  release(arguments);
  return reading;
}

}  // namespace forewarp::cli
