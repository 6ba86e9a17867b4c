// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "forewarp-run/engine/engine.h"
#include "program_run/library_call.h"

namespace forewarp::cli {

using program_run::LibraryCall;

/// Statuses of cuBLAS; those of cuFFT and cuRAND have other numbers.
namespace blas {
constexpr int success = 0, not_initialized = 1, invalid_value = 7, execution_failed = 13,
              not_supported = 15;
}

/// Puts the call into a stream that `make(machine, call)` makes while the program's clock stands
/// still; what it returns other than success ends the call. `waits`: the host gets a result.
template <class Make>
Status library_call(StreamId stream, bool waits, Make make) {
  return run_call([&](Machine& machine) {
    if (!machine.has_stream(stream)) return Status::invalid_handle;
    LibraryCall call;
    const Status made = make(machine, call);
    if (made != Status::success) return made;
    const std::uint32_t device = thread_state().device;
    const Status status = machine.library(call, stream, device);
    if (status == Status::success && waits && machine.capture_of(stream) == nullptr)
      machine.wait_for_stream(stream, device);
    return status;
  });
}

/// A line for the report that is given once.
inline void tell_once(const std::string& kind, const std::string& text) {
  run_call([&](Machine& machine) {
    machine.tell(kind, text);
    return Status::success;
  });
}

/// A function of a library that has no answer here; `status` is the library's own.
inline int unsupported_library(const char* name, int status) {
  tell_once("unsupported", name);
  return status;
}

}  // namespace forewarp::cli
