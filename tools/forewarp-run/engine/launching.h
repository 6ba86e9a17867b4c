// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "cuda_types.h"
#include "engine.h"

extern "C" const char* cudaGetErrorName(int code);
extern "C" const char* cudaGetErrorString(int code);

namespace forewarp::cli {

/// A launch as either interface passes it.
struct LaunchArguments {
  program::Extent grid{1, 1, 1}, block{1, 1, 1};
  std::size_t shared = 0;
  StreamId stream = 0;
  void** values = nullptr;       ///< a pointer per parameter; null where `packed` is given
  const void* packed = nullptr;  ///< the parameter area
  std::size_t packed_bytes = 0;
  program::Extent cluster{0, 1, 1};  ///< blocks that start together; x 0: as the code says
  bool early = false;                ///< may begin before what is before it has ended
};

/// The launch with its parameters; Status::invalid_device_function for no function.
Status order_of(program_run::Function* function, const LaunchArguments& given, bool cooperative,
                program_run::LaunchOrder& order);
Status launch(Machine& machine, program_run::Function* function, const LaunchArguments& given,
              bool cooperative);
/// Of the runtime interface, by the address of the host's stub.
int launch_kernel(const void* host, const LaunchArguments& given, bool cooperative);

/// The same with attributes.
int launch_configured(const cudaLaunchConfig_t& config, const void* host, void** values,
                      StreamId stream);

/// The kernel behind a stub; says why where its code cannot be had.
Expected<program_run::Function*> function_of(Machine& machine, const void* host);
/// What a program is told where code cannot be had.
Status code_status(const Diagnostic& failure);

/// Lets a kernel have more dynamic shared memory than is allowed without being asked.
Status allow_dynamic_shared(Machine& machine, program_run::Function& function, int bytes);
/// Dynamic shared memory of a block with which so many of them fit into an SM.
Status dynamic_shared_for(Machine& machine, const program_run::Function& function, int blocks,
                          std::size_t* bytes);

/// Where a parameter of a kernel lies in its parameter area.
Status parameter_place(const program_run::Function& function, std::size_t index,
                       std::size_t* offset, std::size_t* bytes);

/// Threads that a block of the kernel may have.
std::uint32_t most_threads(const SmLimits& limits, const program_run::Function& function);

Status blocks_per_sm(Machine& machine, const program_run::Function& function, int threads,
                     std::size_t shared, int* blocks);

/// The largest block with which the most threads fit into an SM, of at most `limit` threads (0: as
/// many as may be).
struct BlockSize {
  int threads = 0;
  int blocks_per_sm = 0;
};
BlockSize fullest_block(Machine& machine, const program_run::Function& function, int limit,
                        const std::function<std::size_t(int threads)>& shared_of);

/// What the attributes of a launch ask for.
struct LaunchRequests {
  bool cooperative = false;          ///< all blocks resident
  program::Extent cluster{0, 1, 1};  ///< x 0: none
  bool overlaps = false;             ///< may begin before what is before it in its stream has ended
  bool lets_begin = false;           ///< records an event on which others may begin before it ends
};
[[nodiscard]] LaunchRequests requests_of(const cudaLaunchAttribute* attributes, unsigned count);
/// Takes over what concerns the launch; says what is not done.
void apply(const LaunchRequests& asked, LaunchArguments& given);

/// What cudaDeviceSetLimit and cuCtxSetLimit set, and what the others tell of it.
Status set_device_limit(Machine& machine, int limit, std::size_t value);
Status device_limit(Machine& machine, int limit, std::size_t* value);

/// Access of the current device's kernels to another one's memory, and what is told of a pair.
Status enable_peer(std::uint32_t peer);
Status disable_peer(std::uint32_t peer);
Status peer_attribute(int* value, int attribute);
/// As cudaDeviceReset(), with what peers were enabled for.
void reset_device(Machine& machine, std::uint32_t device);

/// Attributes of streams are kept and told; they change nothing. `bytes` of 64 at most, as a
/// union of the interface has.
Status set_stream_attribute(Machine& machine, const void* stream, int attribute, const void* value);
Status stream_attribute(Machine& machine, const void* stream, int attribute, void* value);
Status copy_stream_attributes(Machine& machine, const void* to, const void* from);

/// Between two events that were recorded with their time.
Status elapsed_ms(Machine& machine, const void* begin, const void* end, float* ms);

/// Of pinned memory, as cudaHostGetFlags and cuMemHostGetFlags tell them.
Status host_flags(Machine& machine, std::uint64_t host, unsigned* flags);

/// A stream with flags and a priority, which is brought into the range.
Status make_stream(Machine& machine, void** out, unsigned flags, int priority);
Status stream_flags(Machine& machine, const void* stream, unsigned* flags);
Status stream_priority(Machine& machine, const void* stream, int* priority);
Status stream_id(Machine& machine, const void* stream, unsigned long long* id);

/// What cudaMemAdvise and cuMemAdvise keep of managed memory; `device` -1 is the host.
Status advise(Machine& machine, std::uint64_t at, std::size_t bytes, int advice, int device);
Status prefetch(Machine& machine, std::uint64_t at, std::size_t bytes, int device);
/// What was advised, in `out` of `bytes` bytes, by the interface's number of the attribute.
Status range_attribute(Machine& machine, void* out, std::size_t bytes, int attribute,
                       std::uint64_t at, std::size_t length);

/// A copy between pitched memory, without arrays.
program_run::CopyOrder volume_copy(const cudaMemcpy3DParms& from);

/// Bytes of an ELF file in memory, as its header and tables state them.
[[nodiscard]] std::size_t elf_bytes(const char* begin);

/// Gives the managed variables of a module their addresses.
void place_managed(void** handle);

}  // namespace forewarp::cli
