// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime interface: registration of code, launches, and what is asked of a kernel.
#include <algorithm>
#include <cstring>

#include "binding/launch_check.h"
#include "binding/occupancy.h"
#include "cuda_types.h"
#include "engine.h"
#include "input/binary/byte_fields.h"
#include "launching.h"
#include "per_thread.h"

namespace forewarp::cli {

Status order_of(program_run::Function* function, const LaunchArguments& given, bool cooperative,
                program_run::LaunchOrder& order) {
  if (function == nullptr) return Status::invalid_device_function;
  order = {};
  order.function = function;
  order.device = function->module->device_for(thread_state().device);
  order.grid = given.grid;
  order.block = given.block;
  order.cluster = given.cluster;
  order.dynamic_shared = static_cast<std::uint32_t>(given.shared);
  order.cooperative = cooperative;
  order.early = given.early;
  order.parameters.resize(function->parameter_bytes);
  program_run::CodeModules::put_textures(*function, order.parameters);
  const auto& parameters = function->code.kernel->parameters;
  if (given.packed != nullptr) {
    std::memcpy(order.parameters.data(), given.packed,
                std::min<std::size_t>(given.packed_bytes, order.parameters.size()));
    return Status::success;
  }
  if (given.values == nullptr && !parameters.empty()) return Status::invalid_value;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::memcpy(order.parameters.data() + parameters[i].offset, given.values[i],
                parameters[i].size);
  }
  return Status::success;
}

Status launch(Machine& machine, program_run::Function* function, const LaunchArguments& given,
              bool cooperative) {
  program_run::LaunchOrder order;
  const Status status = order_of(function, given, cooperative, order);
  if (status != Status::success) return status;
  if (!machine.has_stream(given.stream)) return Status::invalid_handle;
  const std::uint32_t device = machine.device_of(given.stream, thread_state().device);
  order.device = function->module->device_for(device);
  if (order.device != device) return Status::invalid_handle;
  return machine.launch(order, given.stream, thread_state().device);
}

Expected<program_run::Function*> function_of(Machine& machine, const void* host) {
  auto found = machine.modules().function_of(host, thread_state().device);
  if (!found) machine.tell("error", found.error().line());
  return found;
}

Status code_status(const Diagnostic& failure) {
  const bool missing = failure.found.find("sm_") != std::string::npos ||
                       failure.found.find("architecture") != std::string::npos;
  return missing ? Status::no_kernel_image : Status::invalid_kernel_image;
}

namespace {

Extent extent_of(const dim3& size) {
  return {size.x, size.y, size.z};
}

Status launch_host(Machine& machine, const void* host, const LaunchArguments& given,
                   bool cooperative = false) {
  // Copies go into streams of any device; kernels only into those of the current one.
  const std::uint32_t device = thread_state().device;
  if (machine.device_of(given.stream, device) != device) return Status::invalid_handle;
  auto function = function_of(machine, host);
  if (!function) {
    machine.launcher().failed();
    return code_status(function.error());
  }
  return launch(machine, *function, given, cooperative);
}

binding::BlockNeeds needs_of(const program_run::Function& function, int threads,
                             std::size_t shared) {
  const Resources& resources = function.code.kernel->resources;
  binding::BlockNeeds needs;
  needs.threads = static_cast<std::uint32_t>(threads);
  needs.registers = resources.registers.value_or(0);
  needs.static_shared = resources.static_shared.value_or(0);
  needs.dynamic_shared = static_cast<std::uint32_t>(shared);
  needs.barriers = resources.barriers.value_or(0);
  return needs;
}

}  // namespace

std::uint32_t most_threads(const SmLimits& limits, const program_run::Function& function) {
  const auto bound = function.code.kernel->resources.most_threads.value_or(0);
  std::uint32_t threads = limits.threads_per_block;
  if (bound != 0) threads = std::min(threads, bound);
  while (threads > limits.warp_lanes &&
         !binding::check_block(limits, needs_of(function, static_cast<int>(threads), 0))) {
    threads -= limits.warp_lanes;
  }
  return threads;
}

int launch_configured(const cudaLaunchConfig_t& config, const void* host, void** values,
                      StreamId stream) {
  const LaunchRequests asked = requests_of(config.attrs, config.numAttrs);
  LaunchArguments given{extent_of(config.gridDim),
                        extent_of(config.blockDim),
                        config.dynamicSmemBytes,
                        stream,
                        values,
                        nullptr,
                        0};
  apply(asked, given);
  return launch_kernel(host, given, asked.cooperative);
}

int launch_kernel(const void* host, const LaunchArguments& given, bool cooperative) {
  return runtime_call(
      [&](Machine& machine) { return launch_host(machine, host, given, cooperative); });
}

LaunchRequests requests_of(const cudaLaunchAttribute* attributes, unsigned count) {
  constexpr int cooperative = 2, cluster = 4, programmatic = 6, event = 7;  // cudaLaunchAttribute*
  LaunchRequests asked;
  for (unsigned i = 0; i < count; ++i) {
    const cudaLaunchAttribute& each = attributes[i];
    if (each.id == cooperative && each.value.number != 0) asked.cooperative = true;
    const auto& size = each.value.cluster;
    if (each.id == cluster) asked.cluster = {size.x, size.y, size.z};
    if (each.id == programmatic && each.value.number != 0) asked.overlaps = true;
    if (each.id == event) asked.lets_begin = true;
  }
  return asked;
}

void apply(const LaunchRequests& asked, LaunchArguments& given) {
  given.cluster = asked.cluster;
  given.early = asked.overlaps;
  if (!asked.overlaps && !asked.lets_begin) return;
  run_call([](Machine& machine) {
    machine.tell("note",
                 "launches that may begin before what is before them has ended (programmatic "
                 "dependent launch) are executed behind it; in time they follow without a gap "
                 "where the kernel before them lets them begin");
    return Status::success;
  });
}

BlockSize fullest_block(Machine& machine, const program_run::Function& function, int limit,
                        const std::function<std::size_t(int threads)>& shared_of) {
  const auto lanes = static_cast<int>(machine.gpu().limits.warp_lanes);
  int most = static_cast<int>(most_threads(machine.gpu().limits, function));
  if (limit > 0) most = std::min(most, limit);
  BlockSize best;
  // From the largest on, as the interface's documented search does: of equals the largest is kept.
  for (int threads = most; threads > 0; threads = (threads - 1) / lanes * lanes) {
    int blocks = 0;
    if (blocks_per_sm(machine, function, threads, shared_of(threads), &blocks) != Status::success)
      continue;
    if (threads * blocks > best.threads * best.blocks_per_sm) best = {threads, blocks};
  }
  return best;
}

std::size_t elf_bytes(const char* begin) {
  constexpr std::size_t header = 64;
  const std::string_view head(begin, header);
  const auto sections = input::field<std::uint64_t>(head, 40);
  const auto segments = input::field<std::uint64_t>(head, 32);
  const std::size_t after_sections = sections + std::size_t{input::field<std::uint16_t>(head, 58)} *
                                                    input::field<std::uint16_t>(head, 60);
  const std::size_t after_segments = segments + std::size_t{input::field<std::uint16_t>(head, 54)} *
                                                    input::field<std::uint16_t>(head, 56);
  return std::max({header, after_sections, after_segments});
}

Status parameter_place(const program_run::Function& function, std::size_t index,
                       std::size_t* offset, std::size_t* bytes) {
  const auto& parameters = function.code.kernel->parameters;
  if (offset == nullptr || index >= parameters.size()) return Status::invalid_value;
  *offset = parameters[index].offset;
  if (bytes != nullptr) *bytes = parameters[index].size;
  return Status::success;
}

Status blocks_per_sm(Machine& machine, const program_run::Function& function, int threads,
                     std::size_t shared, int* blocks) {
  if (blocks == nullptr || threads <= 0) return Status::invalid_value;
  const auto occupied =
      binding::occupancy(machine.gpu().limits, needs_of(function, threads, shared));
  *blocks = static_cast<int>(occupied.blocks);
  return Status::success;
}

Status allow_dynamic_shared(Machine& machine, program_run::Function& function, int bytes) {
  const auto fixed = function.code.kernel->resources.static_shared.value_or(0);
  if (bytes < 0 ||
      static_cast<std::uint32_t>(bytes) + fixed > machine.gpu().limits.shared_per_block_optin)
    return Status::invalid_value;
  function.most_dynamic_shared = static_cast<std::uint32_t>(bytes);
  return Status::success;
}

Status dynamic_shared_for(Machine& machine, const program_run::Function& function, int blocks,
                          std::size_t* bytes) {
  if (blocks <= 0 || bytes == nullptr) return Status::invalid_value;
  const SmLimits& limits = machine.gpu().limits;
  const std::size_t each = limits.shared_per_sm / static_cast<std::uint32_t>(blocks);
  const std::size_t fixed = function.code.kernel->resources.static_shared.value_or(0);
  const std::size_t taken = limits.shared_reserved + fixed;
  const std::size_t most = std::max<std::size_t>(fixed, limits.shared_per_block_optin) - fixed;
  *bytes = std::min(each > taken ? each - taken : 0, most);
  return Status::success;
}

}  // namespace forewarp::cli

using namespace forewarp::cli;  // NOLINT: the functions below are C

FOREWARP_EXPORT void** __cudaRegisterFatBinary(const void* wrapper) {
  return register_module(wrapper);
}
FOREWARP_EXPORT void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}
FOREWARP_EXPORT void __cudaUnregisterFatBinary(void** handle) {
  unregister_module(handle);
}
FOREWARP_EXPORT void __cudaRegisterFunction(void** handle, const void* host, char* /*device*/,
                                            const char* mangled, int /*threads*/, void* /*tid*/,
                                            void* /*bid*/, void* /*block*/, void* /*grid*/,
                                            int* /*warp*/) {
  register_function(handle, host, mangled);
}
FOREWARP_EXPORT void __cudaRegisterVar(void** handle, char* host, char* /*device*/,
                                       const char* mangled, int /*ext*/, std::size_t bytes,
                                       int /*constant*/, int /*global*/) {
  register_variable(handle, host, mangled, bytes);
}
FOREWARP_EXPORT void __cudaRegisterManagedVar(void** handle, void** host, char* /*device*/,
                                              const char* mangled, int /*ext*/, std::size_t bytes,
                                              int /*constant*/, int /*global*/) {
  register_managed(handle, host, mangled, bytes);
}
FOREWARP_EXPORT char __cudaInitModule(void** handle) {
  place_managed(handle);
  return 1;
}
// The name in the code is where other variables have their address; the other one is the source's.
FOREWARP_EXPORT void __cudaRegisterTexture(void** handle, const void* host, const void** device,
                                           const char* /*name*/, int /*dimensions*/, int as_float,
                                           int /*ext*/) {
  register_texture(handle, host, reinterpret_cast<const char*>(device), as_float != 0);  // NOLINT
}
FOREWARP_EXPORT void __cudaRegisterSurface(void** handle, const void* host, const void** device,
                                           const char* /*name*/, int /*dimensions*/, int /*ext*/) {
  register_texture(handle, host, reinterpret_cast<const char*>(device), false);  // NOLINT
}
FOREWARP_EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                                     void* stream) {
  thread_state().configurations.push_back({extent_of(grid), extent_of(block), shared, stream});
  return 0;
}
FOREWARP_EXPORT int __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared,
                                               void* stream) {
  auto& waiting = thread_state().configurations;
  if (waiting.empty()) return static_cast<int>(Status::missing_configuration);
  const CallConfiguration last = waiting.back();
  waiting.pop_back();
  *grid = {last.grid[0], last.grid[1], last.grid[2]};
  *block = {last.block[0], last.block[1], last.block[2]};
  *shared = last.shared;
  std::memcpy(stream, &last.stream, sizeof last.stream);
  return 0;
}

FOREWARP_EXPORT int cudaLaunchKernel(const void* host, dim3 grid, dim3 block, void** values,
                                     std::size_t shared, void* stream) {
  return launch_kernel(
      host, {extent_of(grid), extent_of(block), shared, stream_of(stream), values, nullptr, 0},
      false);
}
// From 12.8 on, nvcc's stubs take a kernel's handle first. Here it is the host's stub itself.
FOREWARP_EXPORT int __cudaGetKernel(void** kernel, const void* host) {
  *kernel = pointer_to(address_of(host));
  return 0;
}
FOREWARP_EXPORT int cudaGetKernel(void** kernel, const void* host) {
  return __cudaGetKernel(kernel, host);
}
FOREWARP_EXPORT int __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** values,
                                       std::size_t shared, void* stream) {
  return cudaLaunchKernel(kernel, grid, block, values, shared, stream);
}
FOREWARP_EXPORT int cudaLaunchCooperativeKernel(const void* host, dim3 grid, dim3 block,
                                                void** values, std::size_t shared, void* stream) {
  return launch_kernel(
      host, {extent_of(grid), extent_of(block), shared, stream_of(stream), values, nullptr, 0},
      true);
}
FOREWARP_EXPORT int cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* host,
                                        void** values) {
  return launch_configured(*config, host, values, stream_of(config->stream));
}
/// The driver interface's handle, with which it launches and asks.
FOREWARP_EXPORT int cudaGetFuncBySymbol(forewarp::program_run::Function** out, const void* host) {
  return runtime_call([&](Machine& machine) {
    if (out == nullptr) return Status::invalid_value;
    const auto function = function_of(machine, host);
    if (!function) return code_status(function.error());
    *out = *function;
    return *function == nullptr ? Status::invalid_device_function : Status::success;
  });
}

namespace {

/// `work(machine, function)` for the kernel of a host function.
template <class Work>
int with_function(const void* host, Work work) {
  return runtime_call([&](Machine& machine) {
    const auto function = function_of(machine, host);
    if (!function) return code_status(function.error());
    return *function == nullptr ? Status::invalid_device_function : work(machine, **function);
  });
}

}  // namespace

FOREWARP_EXPORT int cudaFuncGetName(const char** name, const void* host) {
  return with_function(host, [&](Machine& /*machine*/, forewarp::program_run::Function& function) {
    if (name == nullptr) return Status::invalid_value;
    *name = function.mangled.c_str();
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaFuncGetParamInfo(const void* host, std::size_t index, std::size_t* offset,
                                         std::size_t* bytes) {
  return with_function(host, [&](Machine& /*machine*/, forewarp::program_run::Function& function) {
    return parameter_place(function, index, offset, bytes);
  });
}
FOREWARP_EXPORT int cudaFuncGetAttributes(cudaFuncAttributes* out, const void* host) {
  return runtime_call([&](Machine& machine) {
    const auto function = function_of(machine, host);
    if (!function) return code_status(function.error());
    if (*function == nullptr) return Status::invalid_device_function;
    const Kernel& kernel = *(*function)->code.kernel;
    const Resources& resources = kernel.resources;
    const SmLimits& limits = machine.gpu().limits;
    *out = {};
    out->sharedSizeBytes = resources.static_shared.value_or(0);
    for (const ModuleSymbol& symbol : kernel.symbols)
      if (symbol.space == MemorySpace::constant) out->constSizeBytes += symbol.size;
    out->localSizeBytes = resources.local_bytes.value_or(0);
    out->numRegs = static_cast<int>(resources.registers.value_or(0));
    const std::uint32_t fits = most_threads(limits, **function);
    out->maxThreadsPerBlock = static_cast<int>(fits);
    out->ptxVersion = out->binaryVersion = static_cast<int>(kernel.sm);
    out->maxDynamicSharedSizeBytes = static_cast<int>((*function)->dynamic_shared_limit(limits));
    out->preferredShmemCarveout = -1;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaFuncSetAttribute(const void* host, int attribute, int value) {
  return runtime_call([&](Machine& machine) {
    constexpr int dynamic_shared = 8;  // cudaFuncAttributeMaxDynamicSharedMemorySize
    const auto function = function_of(machine, host);
    if (!function) return code_status(function.error());
    if (*function == nullptr) return Status::invalid_device_function;
    return attribute == dynamic_shared ? allow_dynamic_shared(machine, **function, value)
                                       : Status::success;
  });
}
FOREWARP_EXPORT int cudaFuncSetCacheConfig(const void* /*host*/, int /*config*/) {
  return 0;
}
FOREWARP_EXPORT int cudaFuncSetSharedMemConfig(const void* /*host*/, int /*config*/) {
  return 0;
}
FOREWARP_EXPORT int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* host, int threads, std::size_t shared, unsigned /*flags*/) {
  return runtime_call([&](Machine& machine) {
    const auto function = function_of(machine, host);
    if (!function) return code_status(function.error());
    if (*function == nullptr) return Status::invalid_device_function;
    return blocks_per_sm(machine, **function, threads, shared, blocks);
  });
}
FOREWARP_EXPORT int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host,
                                                                  int threads, std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, threads, shared, 0);
}
FOREWARP_EXPORT int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* host,
                                                              int blocks, int /*threads*/) {
  return runtime_call([&](Machine& machine) {
    const auto function = function_of(machine, host);
    if (!function) return code_status(function.error());
    if (*function == nullptr) return Status::invalid_device_function;
    return dynamic_shared_for(machine, **function, blocks, bytes);
  });
}

PER_THREAD(cudaLaunchKernel, _ptsz, 6)
PER_THREAD(__cudaLaunchKernel, _ptsz, 6)
PER_THREAD(cudaLaunchCooperativeKernel, _ptsz, 6)
PER_THREAD(cudaLaunchKernelExC, _ptsz, 3)
