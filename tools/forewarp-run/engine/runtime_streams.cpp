// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime interface: streams, events and waiting.
#include <algorithm>

#include "device_attributes.h"
#include "engine.h"
#include "launching.h"
#include "per_thread.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::Event;

namespace {

constexpr unsigned external_event = 1;  // cudaEventRecordExternal, cudaEventWaitExternal

int new_stream(void** out, unsigned flags, int priority) {
  return runtime_call([&](Machine& machine) { return make_stream(machine, out, flags, priority); });
}

int make_event(void** out, bool timed) {
  return runtime_call([&](Machine& machine) {
    if (out == nullptr) return Status::invalid_value;
    *out = machine.make_event(timed, thread_state().device);
    return Status::success;
  });
}

/// Runs `work(machine, event)` if there is such an event.
template <class Work>
int with_event(void* event, Work work) {
  return runtime_call([&](Machine& machine) {
    auto* known = static_cast<Event*>(event);
    return machine.has_event(known) ? work(machine, *known) : Status::invalid_handle;
  });
}

int record(void* event, StreamId stream, bool external = false) {
  return with_event(event, [&](Machine& machine, Event& known) {
    if (!machine.has_stream(stream)) return Status::invalid_handle;
    return machine.record(known, stream, thread_state().device, external);
  });
}

/// The work is called without the lock, as it may call anything of the runtime that the interface
/// allows.
int host_work(std::function<void()> work, StreamId stream) {
  std::function<void()> now;
  const int failed = runtime_call([&](Machine& machine) {
    if (!machine.has_stream(stream)) return Status::invalid_handle;
    if (const Status refused = machine.admits(stream); refused != Status::success) return refused;
    now = machine.host_work(std::move(work), stream, thread_state().device);
    return machine.fault();
  });
  if (failed == 0 && now) call_program(now);
  return failed;
}

int wait_for_stream(StreamId stream) {
  return runtime_call([&](Machine& machine) {
    if (!machine.has_stream(stream)) return Status::invalid_handle;
    const Status refused = machine.asks_stream(stream);
    if (refused != Status::success) return refused;
    machine.wait_for_stream(stream, thread_state().device);
    return machine.fault();
  });
}

}  // namespace

Status forewarp::cli::elapsed_ms(Machine& machine, const void* begin, const void* end, float* ms) {
  constexpr double ns_per_ms = 1e6;
  const auto* const first = static_cast<const Event*>(begin);
  const auto* const last = static_cast<const Event*>(end);
  if (ms == nullptr) return Status::invalid_value;
  const auto is_timed = [&](const Event* event) {
    return machine.has_event(event) && event->recorded && event->timed;
  };
  if (!is_timed(first) || !is_timed(last) || first->device != last->device)
    return Status::invalid_handle;
  if (machine.fault() != Status::success) return machine.fault();
  if (std::max(first->time, last->time) > machine.clock().now()) return Status::not_ready;
  *ms = static_cast<float>(static_cast<double>(last->time - first->time) / ns_per_ms);
  return Status::success;
}

Status forewarp::cli::make_stream(Machine& machine, void** out, unsigned flags, int priority) {
  constexpr unsigned non_blocking = 1;
  if (out == nullptr || (flags & ~non_blocking) != 0) return Status::invalid_value;
  priority = std::clamp(priority, greatest_priority(machine.gpu()), 0);
  *out =
      pointer_to(machine.make_stream(thread_state().device, (flags & non_blocking) == 0, priority));
  return Status::success;
}
Status forewarp::cli::stream_flags(Machine& machine, const void* stream, unsigned* flags) {
  if (flags == nullptr) return Status::invalid_value;
  if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
  *flags = machine.stream_facts(stream_of(stream)).blocking ? 0 : 1;
  return Status::success;
}
Status forewarp::cli::stream_priority(Machine& machine, const void* stream, int* priority) {
  if (priority == nullptr) return Status::invalid_value;
  if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
  *priority = machine.stream_facts(stream_of(stream)).priority;
  return Status::success;
}
Status forewarp::cli::stream_id(Machine& machine, const void* stream, unsigned long long* id) {
  if (id == nullptr) return Status::invalid_value;
  if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
  *id = stream_of(stream);
  return Status::success;
}

FOREWARP_EXPORT int cudaStreamCreate(void** out) {
  return new_stream(out, 0, 0);
}
FOREWARP_EXPORT int cudaStreamCreateWithFlags(void** out, unsigned flags) {
  return new_stream(out, flags, 0);
}
FOREWARP_EXPORT int cudaStreamCreateWithPriority(void** out, unsigned flags, int priority) {
  return new_stream(out, flags, priority);
}
FOREWARP_EXPORT int cudaStreamDestroy(void* stream) {
  return runtime_call([&](Machine& machine) {
    return machine.end_stream(address_of(stream)) ? Status::success : Status::invalid_handle;
  });
}
FOREWARP_EXPORT int cudaStreamSynchronize(void* stream) {
  return wait_for_stream(stream_of(stream));
}
FOREWARP_EXPORT int cudaStreamQuery(void* stream) {
  return runtime_call([&](Machine& machine) {
    if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
    const Status refused = machine.asks_stream(stream_of(stream));
    if (refused != Status::success) return refused;
    if (machine.fault() != Status::success) return machine.fault();
    return machine.is_done(stream_of(stream), thread_state().device) ? Status::success
                                                                     : Status::not_ready;
  });
}
FOREWARP_EXPORT int cudaStreamWaitEvent(void* stream, void* event, unsigned flags) {
  return with_event(event, [&](Machine& machine, Event& known) {
    if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
    const bool external = (flags & external_event) != 0;
    return machine.wait_for_event(known, stream_of(stream), thread_state().device, external);
  });
}
FOREWARP_EXPORT int cudaStreamGetFlags(void* stream, unsigned* flags) {
  return runtime_call([&](Machine& machine) { return stream_flags(machine, stream, flags); });
}
FOREWARP_EXPORT int cudaStreamGetPriority(void* stream, int* priority) {
  return runtime_call([&](Machine& machine) { return stream_priority(machine, stream, priority); });
}
FOREWARP_EXPORT int cudaStreamAttachMemAsync(void* /*stream*/, void* /*at*/, std::size_t /*bytes*/,
                                             unsigned /*flags*/) {
  return 0;
}
FOREWARP_EXPORT int cudaStreamAddCallback(void* stream, void (*callback)(void*, int, void*),
                                          void* data, unsigned /*flags*/) {
  return host_work([=] { callback(stream, 0, data); }, stream_of(stream));
}
FOREWARP_EXPORT int cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  return host_work([=] { function(data); }, stream_of(stream));
}

FOREWARP_EXPORT int cudaEventCreate(void** out) {
  return make_event(out, true);
}
FOREWARP_EXPORT int cudaEventCreateWithFlags(void** out, unsigned flags) {
  return make_event(out, (flags & 2U) == 0);
}
FOREWARP_EXPORT int cudaEventDestroy(void* event) {
  return runtime_call([&](Machine& machine) {
    return machine.end_event(static_cast<Event*>(event)) ? Status::success : Status::invalid_handle;
  });
}
FOREWARP_EXPORT int cudaEventRecord(void* event, void* stream) {
  return record(event, stream_of(stream));
}
FOREWARP_EXPORT int cudaEventRecordWithFlags(void* event, void* stream, unsigned flags) {
  return record(event, stream_of(stream), (flags & external_event) != 0);
}
FOREWARP_EXPORT int cudaEventSynchronize(void* event) {
  return with_event(event, [&](Machine& machine, Event& known) {
    const Status refused = machine.asks_event(known);
    if (refused != Status::success) return refused;
    if (known.recorded) machine.wait_for_work(known.time);
    return machine.fault();
  });
}
FOREWARP_EXPORT int cudaEventQuery(void* event) {
  return with_event(event, [&](Machine& machine, Event& known) {
    Status refused = machine.asks_event(known);
    if (refused == Status::success) refused = machine.unsafe_call(capturing_thread());
    if (refused != Status::success) return refused;
    if (machine.fault() != Status::success) return machine.fault();
    return !known.recorded || known.time <= machine.clock().now() ? Status::success
                                                                  : Status::not_ready;
  });
}
FOREWARP_EXPORT int cudaEventElapsedTime(float* ms, void* begin, void* end) {
  return runtime_call([&](Machine& machine) { return elapsed_ms(machine, begin, end, ms); });
}
FOREWARP_EXPORT int cudaEventElapsedTime_v2(float* ms, void* begin, void* end) {
  return cudaEventElapsedTime(ms, begin, end);
}
FOREWARP_EXPORT int cudaDeviceSynchronize() {
  return runtime_call([](Machine& machine) {
    const Status refused = machine.asks_device();
    if (refused != Status::success) return refused;
    machine.costs().need_context();
    machine.wait_for_device(thread_state().device);
    return machine.fault();
  });
}
FOREWARP_EXPORT int cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
FOREWARP_EXPORT int cudaStreamGetId(void* stream, unsigned long long* id) {
  return runtime_call([&](Machine& machine) { return stream_id(machine, stream, id); });
}

PER_THREAD(cudaStreamSynchronize, _ptsz, 1)
PER_THREAD(cudaStreamQuery, _ptsz, 1)
PER_THREAD(cudaStreamWaitEvent, _ptsz, 3)
PER_THREAD(cudaStreamGetFlags, _ptsz, 2)
PER_THREAD(cudaStreamGetPriority, _ptsz, 2)
PER_THREAD(cudaStreamAttachMemAsync, _ptsz, 4)
PER_THREAD(cudaStreamAddCallback, _ptsz, 4)
PER_THREAD(cudaLaunchHostFunc, _ptsz, 3)
PER_THREAD(cudaEventRecord, _ptsz, 2)
PER_THREAD(cudaEventRecordWithFlags, _ptsz, 3)
PER_THREAD(cudaStreamGetId, _ptsz, 2)
