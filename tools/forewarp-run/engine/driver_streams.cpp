// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: streams, events and the host's work in them.
#include "driver_calling.h"
#include "per_thread.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::Event;

namespace {

constexpr unsigned external_event = 1;  // CU_EVENT_RECORD_EXTERNAL, CU_EVENT_WAIT_EXTERNAL

template <class Work>
int with_event(void* event, Work work) {
  return driver_call([&](Machine& machine) {
    auto* known = static_cast<Event*>(event);
    return machine.has_event(known) ? work(machine, *known) : Status::invalid_handle;
  });
}

/// The work is called without the lock, as it may call what the interface allows.
int host_work(std::function<void()> work, StreamId stream) {
  std::function<void()> now;
  const int failed = driver_call([&](Machine& machine) {
    if (!machine.has_stream(stream)) return Status::invalid_handle;
    if (const Status refused = machine.admits(stream); refused != Status::success) return refused;
    now = machine.host_work(std::move(work), stream, thread_state().device);
    return machine.fault();
  });
  if (failed == 0 && now) call_program(now);
  return failed;
}

}  // namespace

FOREWARP_EXPORT int cuStreamCreateWithPriority(void** out, unsigned flags, int priority) {
  return driver_call([&](Machine& machine) { return make_stream(machine, out, flags, priority); });
}
FOREWARP_EXPORT int cuStreamCreate(void** out, unsigned flags) {
  return cuStreamCreateWithPriority(out, flags, 0);
}
FOREWARP_EXPORT int cuStreamDestroy_v2(void* stream) {
  return driver_call([&](Machine& machine) {
    return machine.end_stream(address_of(stream)) ? Status::success : Status::invalid_handle;
  });
}
FOREWARP_EXPORT int cuStreamSynchronize(void* stream) {
  return driver_call([&](Machine& machine) {
    if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
    const Status refused = machine.asks_stream(stream_of(stream));
    if (refused != Status::success) return refused;
    machine.wait_for_stream(stream_of(stream), thread_state().device);
    return machine.fault();
  });
}
FOREWARP_EXPORT int cuStreamQuery(void* stream) {
  return driver_call([&](Machine& machine) {
    if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
    const Status refused = machine.asks_stream(stream_of(stream));
    if (refused != Status::success) return refused;
    return machine.is_done(stream_of(stream), thread_state().device) ? machine.fault()
                                                                     : Status::not_ready;
  });
}
FOREWARP_EXPORT int cuStreamWaitEvent(void* stream, void* event, unsigned flags) {
  return with_event(event, [&](Machine& machine, Event& known) {
    if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
    const bool external = (flags & external_event) != 0;
    return machine.wait_for_event(known, stream_of(stream), thread_state().device, external);
  });
}
FOREWARP_EXPORT int cuEventCreate(void** out, unsigned flags) {
  return driver_call([&](Machine& machine) {
    *out = machine.make_event((flags & 2U) == 0, thread_state().device);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuEventDestroy_v2(void* event) {
  return driver_call([&](Machine& machine) {
    return machine.end_event(static_cast<Event*>(event)) ? Status::success : Status::invalid_handle;
  });
}
FOREWARP_EXPORT int cuEventRecordWithFlags(void* event, void* stream, unsigned flags) {
  return with_event(event, [&](Machine& machine, Event& known) {
    if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
    const bool external = (flags & external_event) != 0;
    return machine.record(known, stream_of(stream), thread_state().device, external);
  });
}
FOREWARP_EXPORT int cuEventSynchronize(void* event) {
  return with_event(event, [&](Machine& machine, Event& known) {
    const Status refused = machine.asks_event(known);
    if (refused != Status::success) return refused;
    if (known.recorded) machine.wait_for_work(known.time);
    return machine.fault();
  });
}
FOREWARP_EXPORT int cuEventQuery(void* event) {
  return with_event(event, [&](Machine& machine, Event& known) {
    Status refused = machine.asks_event(known);
    if (refused == Status::success) refused = machine.unsafe_call(capturing_thread());
    if (refused != Status::success) return refused;
    const bool done = !known.recorded || known.time <= machine.clock().now();
    return done ? machine.fault() : Status::not_ready;
  });
}
FOREWARP_EXPORT int cuEventElapsedTime(float* ms, void* begin, void* end) {
  return driver_call([&](Machine& machine) { return elapsed_ms(machine, begin, end, ms); });
}
FOREWARP_EXPORT int cuEventRecord(void* event, void* stream) {
  return cuEventRecordWithFlags(event, stream, 0);
}
FOREWARP_EXPORT int cuStreamAddCallback(void* stream, void (*callback)(void*, int, void*),
                                        void* data, unsigned /*flags*/) {
  return host_work([=] { callback(stream, 0, data); }, stream_of(stream));
}
FOREWARP_EXPORT int cuLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  return host_work([=] { function(data); }, stream_of(stream));
}
FOREWARP_EXPORT int cuStreamGetPriority(void* stream, int* priority) {
  return driver_call([&](Machine& machine) { return stream_priority(machine, stream, priority); });
}
FOREWARP_EXPORT int cuStreamGetFlags(void* stream, unsigned* flags) {
  return driver_call([&](Machine& machine) { return stream_flags(machine, stream, flags); });
}
FOREWARP_EXPORT int cuStreamAttachMemAsync(void* /*stream*/, std::uint64_t /*at*/,
                                           std::size_t /*bytes*/, unsigned /*flags*/) {
  return 0;
}
FOREWARP_EXPORT int cuStreamGetId(void* stream, unsigned long long* id) {
  return driver_call([&](Machine& machine) { return stream_id(machine, stream, id); });
}

PER_THREAD(cuStreamSynchronize, _ptsz, 1)
PER_THREAD(cuStreamQuery, _ptsz, 1)
PER_THREAD(cuStreamWaitEvent, _ptsz, 3)
PER_THREAD(cuStreamGetFlags, _ptsz, 2)
PER_THREAD(cuStreamGetPriority, _ptsz, 2)
PER_THREAD(cuStreamAttachMemAsync, _ptsz, 4)
PER_THREAD(cuStreamAddCallback, _ptsz, 4)
PER_THREAD(cuLaunchHostFunc, _ptsz, 3)
PER_THREAD(cuEventRecord, _ptsz, 2)
PER_THREAD(cuEventRecordWithFlags, _ptsz, 3)
PER_THREAD(cuStreamGetId, _ptsz, 2)
