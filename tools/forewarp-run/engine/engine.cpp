// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "engine.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <dlfcn.h>
#include <pthread.h>
#include <string>

#include "launching.h"
#include "termination.h"

namespace forewarp::cli {

struct RegisteredModule {
  const void* data = nullptr;  ///< the fatbin in the program
  struct Name {
    const void* host = nullptr;
    std::string mangled;
    std::size_t bytes = 0;
    void** managed = nullptr;
    bool as_float = false;  ///< a texture's integers are read as numbers up to 1
  };
  std::vector<Name> functions, variables, textures;
  program_run::CodeModule* module = nullptr;  ///< once there is a machine
  bool gone = false;
};

namespace {

using program_run::Settings;

/// Of this process. It lives until the process ends: threads may call after main().
struct Process {
  std::mutex lock;
  std::unique_ptr<Machine> machine;
  bool tried = false;
  std::atomic<bool> leaving = false;  ///< at exit another call was under way, and is for ever
  std::deque<RegisteredModule> modules;
  std::atomic<int> threads = 0;       ///< that have called, and live
  std::atomic<std::int64_t> most{0};  ///< see ProgramClocks
};

Process& process() {
  static Process* const only = new Process;  // never destroyed
  return *only;
}

void hand_over(Machine& machine, RegisteredModule& registered) {
  if (registered.gone) return;
  const std::string_view bytes = program_run::fat_binary_at(registered.data);
  if (registered.module == nullptr) {
    registered.module = machine.modules().add(std::string(bytes));
  }
  for (const auto& function : registered.functions)
    machine.modules().register_function(function.host, registered.module, function.mangled);
  for (const auto& texture : registered.textures)
    machine.modules().register_texture(texture.host, registered.module, texture.mangled,
                                       texture.as_float);
  for (const auto& variable : registered.variables) {
    machine.modules().register_variable(variable.host, registered.module, variable.mangled,
                                        variable.bytes);
    if (variable.managed != nullptr) registered.module->managed.insert(variable.mangled);
  }
}

/// The thread's clock, once it has called. It outlives what else a thread has: the program may read
/// its clocks and call until the process ends.
thread_local std::shared_ptr<program_run::HostThread>* host_of_thread = nullptr;

std::int64_t lead_of_thread() {
  const std::int64_t most = process().most.load(std::memory_order_relaxed);
  if (host_of_thread == nullptr) return most;
  program_run::HostThread& own = **host_of_thread;
  // Within a call it may have waited for another one's: that is no meeting.
  if (own.lead() >= most || calls_of_thread() != 0) return own.lead();
  own.look();
  if (own.was_blocked()) own.follow(most);
  return own.lead();
}

/// What a thread that this one creates begins with; below 0: it is none of the program's.
std::int64_t lead_of_created() {
  if (calls_of_thread() != 0) return -1;
  if (host_of_thread != nullptr) (*host_of_thread)->mark();
  return lead_of_thread();
}

/// The thread has waited for others.
void follow_others() {
  if (host_of_thread != nullptr && calls_of_thread() == 0)
    (*host_of_thread)->follow(process().most.load(std::memory_order_relaxed));
}

void begin_thread(std::int64_t lead) {
  host_thread()->begin(lead);
}

program_run::ProgramClocks program_clocks() {
  using Begin = void (*)(std::int64_t);
  using Ask = std::int64_t (*)();
  using Tell = void (*)();
  const auto find = [](const char* name) { return ::dlsym(RTLD_DEFAULT, name); };
  if (void* const ask = find("forewarp_thread_lead"); ask != nullptr)
    *static_cast<std::atomic<Ask>*>(ask) = lead_of_thread;
  if (void* const ask = find("forewarp_thread_creates"); ask != nullptr)
    *static_cast<std::atomic<Ask>*>(ask) = lead_of_created;
  if (void* const tell = find("forewarp_thread_met"); tell != nullptr)
    *static_cast<std::atomic<Tell>*>(tell) = follow_others;
  if (void* const begin = find("forewarp_thread_begins"); begin != nullptr)
    *static_cast<std::atomic<Begin>*>(begin) = begin_thread;
  const auto number = [&](const char* name) {
    return static_cast<std::atomic<std::int64_t>*>(find(name));
  };
  return {number("forewarp_clock_offset"), number("forewarp_processor_offset"), &process().most};
}

/// Tells the machine, where there is one, of what a module registers late: no time of the
/// program's.
template <class Work>
void hand_over_late(RegisteredModule& registered, Work work) {
  Machine* const own = process().machine.get();
  if (own == nullptr) return;
  own->clock().enter(host_thread());
  if (registered.module == nullptr) {
    hand_over(*own, registered);
  } else {
    work(own->modules());
  }
  own->clock().leave(0);
}

/// The lock, unless a call has it for longer than so many hundredths of a second: exit() may be
/// called by another thread while a kernel goes on, or by a signal's handler within a call, which
/// then never ends.
std::unique_lock<std::mutex> lock_at_end(int tries) {
  constexpr timespec pause{0, 10'000'000};
  std::unique_lock lock(process().lock, std::try_to_lock);
  for (int i = 0; i < tries && !lock.owns_lock() && !lock.try_lock(); ++i)
    ::nanosleep(&pause, nullptr);
  return lock;
}

void end_at_exit() {
  await_termination();
  const auto lock = lock_at_end(100);
  process().leaving = !lock.owns_lock();
  if (process().leaving || !process().machine) return;
  process().machine->clock().enter(host_thread());
  process().machine->end();
  process().machine->clock().leave(0);
}

/// SIGKILL may follow soon. The process has not ended by itself: only its sums are left.
void leave_at_termination() {
  const auto lock = lock_at_end(30);
  if (!lock.owns_lock() || !process().machine) return;
  process().machine->clock().enter(host_thread());
  process().machine->leave_sums();
  process().machine->clock().leave(0);
}

/// A child has the parent's memory but none of its devices: it starts anew.
void forget_in_child() {
  Process& own = process();
  forget_termination();
  const std::int64_t lead = lead_of_thread();
  host_thread()->follow(lead);
  own.threads = 1;
  if (own.machine) own.machine->clock().forget(*host_thread());
  (void)own.machine.release();
  own.tried = false;
  thread_state().own_streams.clear();
  thread_state().in_call_of = nullptr;
  for (RegisteredModule& registered : own.modules) registered.module = nullptr;
  new (&own.lock) std::mutex;
}

Expected<std::unique_ptr<Machine>> make_machine() {
  const char* const text = std::getenv(program_run::settings_variable);
  if (text == nullptr) {
    return Diagnostic{"CUDA", "the program was not started by forewarp run", "",
                      "forewarp run --gpu ID -- PROGRAM"};
  }
  auto settings = program_run::parse_settings(text);
  if (!settings) return settings.error();
  auto made = Machine::create(
      *settings, settings->virtual_clock ? program_clocks() : program_run::ProgramClocks{});
  if (!made) return made;
  // The program's own streams, so that its lines and those of kernels keep their order.
  (*made)->launcher().set_printer([](const std::string& printed, bool failure) {
    std::fwrite(printed.data(), 1, printed.size(), failure ? stderr : stdout);
  });
  return made;
}

}  // namespace

ThreadState& thread_state() {
  thread_local ThreadState state;
  return state;
}

int& calls_of_thread() {
  thread_local int calls = 0;
  return calls;
}

const std::shared_ptr<program_run::HostThread>& host_thread() {
  struct Life {
    Life() { ++process().threads; }
    ~Life() {
      --process().threads;
      delete std::exchange(host_of_thread, nullptr);
    }
  };
  thread_local const Life life;
  if (host_of_thread == nullptr)
    host_of_thread = new std::shared_ptr(std::make_shared<program_run::HostThread>());
  if (process().threads > 1) {
    (*host_of_thread)->look();
  } else {
    (*host_of_thread)->arrive();
  }
  return *host_of_thread;
}

StreamId own_stream() {
  ThreadState& thread = thread_state();
  StreamId& own = thread.own_streams[thread.device];
  const auto make = [&](Machine& machine) {
    own = machine.make_own_stream(thread.device);
    return Status::success;
  };
  if (own == 0 && thread.in_call_of != nullptr) make(*thread.in_call_of);
  if (own == 0) run_call(make);
  return own;
}

bool is_leaving() {
  return process().leaving;
}

std::mutex& machine_lock() {
  return process().lock;
}

Machine* machine() {
  Process& own = process();
  if (own.machine || own.tried) return own.machine.get();
  own.tried = true;
  const std::int64_t begin = program_run::VirtualClock::machine();
  auto made = make_machine();
  if (!made) {
    std::fprintf(stderr, "forewarp: %s\n", made.error().line().c_str());
    return nullptr;
  }
  own.machine = *std::move(made);
  for (RegisteredModule& registered : own.modules) hand_over(*own.machine, registered);
  std::atexit(end_at_exit);
  prepare_for_termination(leave_at_termination);
  static const int once = ::pthread_atfork(nullptr, nullptr, forget_in_child);
  (void)once;
  own.machine->clock().start(begin);
  return own.machine.get();
}

int unsupported(const char* name) {
  return runtime_call([&](Machine& machine) {
    machine.unsupported(name);
    return Status::not_supported;
  });
}

void** register_module(const void* wrapper) {
  const std::lock_guard lock(machine_lock());
  struct Wrapper {
    std::uint32_t magic, version;
    const void* data;
  };
  const auto* read = static_cast<const Wrapper*>(wrapper);
  RegisteredModule& made = process().modules.emplace_back();
  made.data = read->data;
  return reinterpret_cast<void**>(&made);  // NOLINT: a handle
}

void unregister_module(void** handle) {
  if (is_leaving()) return;
  const std::lock_guard lock(machine_lock());
  auto* registered = reinterpret_cast<RegisteredModule*>(handle);  // NOLINT
  if (registered == nullptr || registered->gone) return;
  registered->gone = true;
  Machine* const own = process().machine.get();
  if (own != nullptr && registered->module != nullptr) own->modules().remove(registered->module);
  registered->module = nullptr;
}

void register_function(void** handle, const void* host, const char* mangled) {
  const std::lock_guard lock(machine_lock());
  auto* registered = reinterpret_cast<RegisteredModule*>(handle);  // NOLINT
  registered->functions.push_back({host, mangled, 0, nullptr, false});
  hand_over_late(*registered, [&](program_run::CodeModules& modules) {
    modules.register_function(host, registered->module, mangled);
  });
}

void register_variable(void** handle, const void* host, const char* mangled, std::size_t bytes) {
  const std::lock_guard lock(machine_lock());
  auto* registered = reinterpret_cast<RegisteredModule*>(handle);  // NOLINT
  registered->variables.push_back({host, mangled, bytes, nullptr, false});
  hand_over_late(*registered, [&](program_run::CodeModules& modules) {
    modules.register_variable(host, registered->module, mangled, bytes);
  });
}

void register_texture(void** handle, const void* host, const char* mangled, bool as_float) {
  const std::lock_guard lock(machine_lock());
  auto* registered = reinterpret_cast<RegisteredModule*>(handle);  // NOLINT
  registered->textures.push_back({host, mangled, 0, nullptr, as_float});
  hand_over_late(*registered, [&](program_run::CodeModules& modules) {
    modules.register_texture(host, registered->module, mangled, as_float);
  });
}

void register_managed(void** handle, void** pointer, const char* mangled, std::size_t bytes) {
  register_variable(handle, pointer, mangled, bytes);
  const std::lock_guard lock(machine_lock());
  auto* registered = reinterpret_cast<RegisteredModule*>(handle);  // NOLINT
  registered->variables.back().managed = pointer;
  if (registered->module != nullptr) registered->module->managed.insert(mangled);
}

void place_managed(void** handle) {
  const std::lock_guard lock(machine_lock());
  auto* registered = reinterpret_cast<RegisteredModule*>(handle);  // NOLINT
  Machine* const own = machine();
  if (own == nullptr) return;
  own->clock().enter(host_thread());
  for (const auto& variable : registered->variables) {
    if (variable.managed == nullptr || *variable.managed != nullptr) continue;
    const auto found = own->modules().variable_of(variable.host, thread_state().device);
    if (found && *found != nullptr) *variable.managed = pointer_to((*found)->address);
  }
  own->clock().leave(0);
}

}  // namespace forewarp::cli
