// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: modules, linking, functions and launches.
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "base/file.h"
#include "driver_calling.h"
#include "input/binary/fat_binary.h"
#include "per_thread.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::CodeModule;
using forewarp::program_run::Function;

namespace {

/// A cubin, a fatbin or PTX, by how it begins or what each PTX states.
bool is_code(std::string_view bytes) {
  constexpr std::string_view elf{
      "\x7f"
      "ELF"};
  return bytes.substr(0, elf.size()) == elf || forewarp::input::starts_as_fat_binary(bytes) ||
         bytes.find(".version") != std::string_view::npos;
}

int load(CodeModule** out, std::string bytes) {
  return driver_call([&](Machine& machine) {
    if (out == nullptr || bytes.empty()) return Status::invalid_value;
    if (!is_code(bytes)) return Status::invalid_kernel_image;
    *out = machine.modules().add(std::move(bytes), thread_state().device);
    return Status::success;
  });
}

/// Code in memory does not say how long it is: a fatbin and a cubin do in their headers, PTX ends
/// with a zero.
std::string image_bytes(const void* image) {
  const auto* text = static_cast<const char*>(image);
  if (text == nullptr) return {};
  if (std::memcmp(text,
                  "\x7f"
                  "ELF",
                  4) == 0)
    return std::string(text, elf_bytes(text));
  const std::string_view fat = forewarp::program_run::fat_binary_at(image);
  return fat.empty() ? std::string(text) : std::string(fat);
}

/// CU_LAUNCH_PARAM_BUFFER_POINTER, its size, end: the parameter area as a whole.
void set_packed(void** extra, LaunchArguments& given) {
  if (given.values != nullptr) return;
  for (void** at = extra; at != nullptr && *at != nullptr; at += 2) {
    if (address_of(*at) == 1) given.packed = at[1];
    if (address_of(*at) == 2) given.packed_bytes = *static_cast<std::size_t*>(at[1]);
  }
}

int launch_in_stream(Function* function, const LaunchArguments& given, bool cooperative) {
  return driver_call(
      [&](Machine& machine) { return launch(machine, function, given, cooperative); });
}

template <class Work>
int with_module(const CodeModule* module, Work work) {
  return driver_call([&](Machine& machine) {
    return machine.modules().has(module) ? work(machine) : Status::invalid_handle;
  });
}

/// CUlaunchConfig.
struct LaunchConfiguration {
  dim3 grid, block;
  unsigned shared;
  void* stream;
  const cudaLaunchAttribute* attributes;
  unsigned count;
};

}  // namespace

FOREWARP_EXPORT int cuModuleLoadData(CodeModule** out, const void* image) {
  return load(out, image_bytes(image));
}
FOREWARP_EXPORT int cuModuleLoadDataEx(CodeModule** out, const void* image, unsigned /*count*/,
                                       int* /*options*/, void** /*values*/) {
  return load(out, image_bytes(image));
}
FOREWARP_EXPORT int cuModuleLoadFatBinary(CodeModule** out, const void* image) {
  return load(out, image_bytes(image));
}
FOREWARP_EXPORT int cuModuleLoad(CodeModule** out, const char* path) {
  if (path == nullptr) return static_cast<int>(Status::invalid_value);
  auto bytes = forewarp::base::read_file(path);
  if (!bytes) return static_cast<int>(Status::file_not_found);
  return load(out, *std::move(bytes));
}
FOREWARP_EXPORT int cuModuleUnload(CodeModule* module) {
  return with_module(module, [&](Machine& machine) {
    for (const auto& [name, function] : module->functions) forget_set_launches(function.get());
    forget_texture_references(module);
    machine.modules().remove(module);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuModuleGetFunction(Function** out, CodeModule* module, const char* name) {
  return with_module(module, [&](Machine& machine) {
    if (out == nullptr || name == nullptr) return Status::invalid_value;
    auto found = machine.modules().function(*module, name, thread_state().device);
    if (!found) {
      machine.tell("error", found.error().line());
      return Status::no_symbol;
    }
    *out = *found;
    return Status::success;
  });
}
FOREWARP_EXPORT int cuModuleGetGlobal_v2(std::uint64_t* out, std::size_t* bytes, CodeModule* module,
                                         const char* name) {
  return with_module(module, [&](Machine& machine) {
    if (name == nullptr) return Status::invalid_value;
    const auto found = machine.modules().variable(*module, name, thread_state().device);
    if (!found || *found == nullptr) return Status::no_symbol;
    if (out != nullptr) *out = (*found)->address;
    if (bytes != nullptr) *bytes = (*found)->bytes;
    return Status::success;
  });
}

FOREWARP_EXPORT int cuLaunchKernel(Function* function, unsigned gx, unsigned gy, unsigned gz,
                                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                   void* stream, void** values, void** extra) {
  LaunchArguments given{{gx, gy, gz}, {bx, by, bz}, shared, stream_of(stream), values, nullptr, 0};
  set_packed(extra, given);
  return launch_in_stream(function, given, false);
}
FOREWARP_EXPORT int cuLaunchCooperativeKernel(Function* function, unsigned gx, unsigned gy,
                                              unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                              unsigned shared, void* stream, void** values) {
  return launch_in_stream(
      function, {{gx, gy, gz}, {bx, by, bz}, shared, stream_of(stream), values, nullptr, 0}, true);
}
FOREWARP_EXPORT int cuLaunchKernelEx(const LaunchConfiguration* config, Function* function,
                                     void** values, void** extra) {
  LaunchArguments given{{config->grid.x, config->grid.y, config->grid.z},
                        {config->block.x, config->block.y, config->block.z},
                        config->shared,
                        stream_of(config->stream),
                        values,
                        nullptr,
                        0};
  set_packed(extra, given);
  const LaunchRequests asked = requests_of(config->attributes, config->count);
  apply(asked, given);
  return launch_in_stream(function, given, asked.cooperative);
}
FOREWARP_EXPORT int cuFuncGetAttribute(int* value, int attribute, Function* function) {
  if (function == nullptr) return static_cast<int>(Status::invalid_handle);
  const auto& resources = function->code.kernel->resources;
  const auto number = [](auto count) { return static_cast<int>(count.value_or(0)); };
  if (value == nullptr) return static_cast<int>(Status::invalid_value);
  return driver_call([&](Machine& machine) {
    switch (attribute) {
      case 0:
        *value = static_cast<int>(most_threads(machine.gpu().limits, *function));
        break;
      case 1:
        *value = number(resources.static_shared);
        break;
      case 3:
        *value = number(resources.local_bytes);
        break;
      case 4:
        *value = number(resources.registers);
        break;
      case 5:
      case 6:
        *value = static_cast<int>(function->code.kernel->sm);
        break;
      case 8:
        *value = static_cast<int>(function->dynamic_shared_limit(machine.gpu().limits));
        break;
      default:
        *value = 0;
    }
    return Status::success;
  });
}
FOREWARP_EXPORT int cuFuncSetAttribute(Function* function, int attribute, int value) {
  constexpr int dynamic_shared = 8;
  if (function == nullptr) return static_cast<int>(Status::invalid_handle);
  return driver_call([&](Machine& machine) {
    return attribute == dynamic_shared ? allow_dynamic_shared(machine, *function, value)
                                       : Status::success;
  });
}
FOREWARP_EXPORT int cuFuncGetModule(CodeModule** out, Function* function) {
  if (function == nullptr) return static_cast<int>(Status::invalid_handle);
  *out = function->module;
  return 0;
}
FOREWARP_EXPORT int cuFuncSetCacheConfig(Function* /*function*/, int /*config*/) {
  return 0;
}
FOREWARP_EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function* function,
                                                                int threads, std::size_t shared) {
  return driver_call([&](Machine& machine) {
    if (function == nullptr) return Status::invalid_handle;
    return blocks_per_sm(machine, *function, threads, shared, blocks);
  });
}

FOREWARP_EXPORT int cuFuncSetSharedMemConfig(Function* /*function*/, int /*config*/) {
  return 0;
}
FOREWARP_EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, Function* function, int threads, std::size_t shared, unsigned /*flags*/) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}
FOREWARP_EXPORT int cuOccupancyMaxPotentialBlockSize(int* grid, int* block, Function* function,
                                                     std::size_t (*shared_of)(int),
                                                     std::size_t shared, int limit) {
  return driver_call([&](Machine& machine) {
    if (function == nullptr) return Status::invalid_handle;
    if (grid == nullptr || block == nullptr) return Status::invalid_value;
    const BlockSize best = fullest_block(machine, *function, limit, [&](int threads) {
      return shared_of != nullptr ? shared_of(threads) : shared;
    });
    *block = best.threads;
    *grid = best.blocks_per_sm * static_cast<int>(machine.gpu().sms);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block,
                                                              Function* function,
                                                              std::size_t (*shared_of)(int),
                                                              std::size_t shared, int limit,
                                                              unsigned /*flags*/) {
  return cuOccupancyMaxPotentialBlockSize(grid, block, function, shared_of, shared, limit);
}
FOREWARP_EXPORT int cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, Function* function,
                                                            int blocks, int /*threads*/) {
  return driver_call([&](Machine& machine) {
    if (function == nullptr) return Status::invalid_handle;
    return dynamic_shared_for(machine, *function, blocks, bytes);
  });
}
FOREWARP_EXPORT int cuFuncGetName(const char** name, const Function* function) {
  if (function == nullptr) return static_cast<int>(Status::invalid_handle);
  if (name == nullptr) return static_cast<int>(Status::invalid_value);
  *name = function->mangled.c_str();
  return 0;
}
FOREWARP_EXPORT int cuFuncGetParamInfo(const Function* function, std::size_t index,
                                       std::size_t* offset, std::size_t* bytes) {
  if (function == nullptr) return static_cast<int>(Status::invalid_handle);
  return static_cast<int>(parameter_place(*function, index, offset, bytes));
}
FOREWARP_EXPORT int cuModuleGetLoadingMode(int* mode) {
  constexpr int eager = 1;  // CU_MODULE_EAGER_LOADING
  if (mode == nullptr) return static_cast<int>(Status::invalid_value);
  *mode = eager;
  return 0;
}

PER_THREAD(cuLaunchKernel, _ptsz, 11)
PER_THREAD(cuLaunchCooperativeKernel, _ptsz, 10)
PER_THREAD(cuLaunchKernelEx, _ptsz, 4)
