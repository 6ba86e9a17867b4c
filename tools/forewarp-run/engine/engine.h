// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "program_run/machine.h"
#include "program_run/own_arithmetic.h"

/// What the substitutes for CUDA's libraries share: the one machine of this process, and what each
/// of its threads has set. Nothing but the interface's own functions is visible to the program.
#define FOREWARP_EXPORT extern "C" __attribute__((visibility("default")))

namespace forewarp::cli {

using program_run::Machine;
using program_run::Status;
using program_run::StreamId;

/// A launch between <<<..>>> and its stub.
struct CallConfiguration {
  program::Extent grid{1, 1, 1}, block{1, 1, 1};
  std::size_t shared = 0;
  const void* stream = nullptr;  ///< the handle as given
};

/// Of one thread of the program.
struct ThreadState {
  /// Of the driver interface.
  struct Context {
    bool is_one = false;
    std::uint32_t device = 0;
  };
  std::uint32_t device = 0;
  bool has_context =
      false;  ///< the device's context is current, as any call of the runtime makes it
  std::vector<Context>
      contexts_below;  ///< on the thread's stack, the last one is the next to come back
  Status last_error = Status::success;
  program_run::Capture::Mode capture_mode = program_run::Capture::Mode::global;
  std::vector<CallConfiguration> configurations;
  std::map<std::uint32_t, StreamId> own_streams;  ///< by device: its own default stream, once used
  bool own_default = false;       ///< in a call for which the default stream is the thread's own
  Machine* in_call_of = nullptr;  ///< within run_call(), which has the lock
};
ThreadState& thread_state();
/// The thread's clock: it is about to call, maybe when its state above is gone.
const std::shared_ptr<program_run::HostThread>& host_thread();

/// A module that host code registered, whether or not there is a machine yet.
struct RegisteredModule;

/// The machine, made at the first call that needs it; null: there is none, as forewarp run did not
/// start the program or the board cannot be had. The caller has the lock.
Machine* machine();
std::mutex& machine_lock();
/// The process ends while a call that never returns has the lock: no other call gets it any more.
[[nodiscard]] bool is_leaving();

/// The calls of the program that the calling thread is in: what it does meanwhile is not the
/// program's.
int& calls_of_thread();
class WithinCall {
 public:
  WithinCall() { ++calls_of_thread(); }
  ~WithinCall() { --calls_of_thread(); }
  WithinCall(const WithinCall&) = delete;
  WithinCall& operator=(const WithinCall&) = delete;
};

/// Runs one call of the program: `work(machine)` returns its status. The program's clock stands
/// still meanwhile, and goes on by what the call takes on the host.
template <class Work>
Status run_call(Work work) {
  if (is_leaving()) return Status::unloading;
  const auto& host = host_thread();  // before it waits for the lock
  const WithinCall within;
  const std::lock_guard lock(machine_lock());
  const program_run::OwnArithmetic own_arithmetic;
  Machine* const machine = cli::machine();
  if (machine == nullptr) return Status::no_device;
  machine->clock().enter(host);
  thread_state().in_call_of = machine;
  const Status status = work(*machine);
  thread_state().in_call_of = nullptr;
  machine->end_call();
  return status;
}

/// The same for the runtime interface, which keeps a thread's last error.
template <class Work>
int runtime_call(Work work) {
  thread_state().has_context = true;
  const Status status = run_call(std::move(work));
  if (status != Status::success && status != Status::not_ready) thread_state().last_error = status;
  return static_cast<int>(status);
}

/// A call that is not supported: said in the report, by name.
int unsupported(const char* name);

/// For the calls within its life: whether the default stream is the thread's own.
class DefaultStream {
 public:
  explicit DefaultStream(bool own) : before_(std::exchange(thread_state().own_default, own)) {}
  ~DefaultStream() { thread_state().own_default = before_; }
  DefaultStream(const DefaultStream&) = delete;
  DefaultStream& operator=(const DefaultStream&) = delete;

 private:
  bool before_;
};

/// Calls a function of the program, whose own calls say by name which default stream they mean.
inline void call_program(const std::function<void()>& function) {
  const DefaultStream legacy(false);
  function();
}

/// The thread's own default stream of its current device.
StreamId own_stream();

/// A handle of a stream as the interface passes it: 0 is the default stream that the call means, 1
/// the legacy one, 2 the thread's own.
inline StreamId stream_of(const void* handle) {
  constexpr std::uint64_t legacy = 1, per_thread = 2;
  const auto id = reinterpret_cast<std::uint64_t>(handle);  // NOLINT: our own numbers
  if (id == per_thread || (id == 0 && thread_state().own_default)) return own_stream();
  return id == legacy ? program_run::legacy_stream : id;
}
inline std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);  // NOLINT
}
inline void* pointer_to(std::uint64_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT
}

/// The calling thread, as captures of streams know it.
inline program_run::CapturingThread capturing_thread() {
  return {address_of(&thread_state()), thread_state().capture_mode};
}

// What host code registers before main().
void** register_module(const void* wrapper);
void unregister_module(void** handle);
void register_function(void** handle, const void* host, const char* mangled);
void register_variable(void** handle, const void* host, const char* mangled, std::size_t bytes);
void register_texture(void** handle, const void* host, const char* mangled, bool as_float);
void register_managed(void** handle, void** pointer, const char* mangled, std::size_t bytes);

}  // namespace forewarp::cli
