// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Both interfaces: advice about managed memory, which is kept and told. It moves nothing, as
// migrations take no time here.
#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "driver_calling.h"
#include "per_thread.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::Allocation;
using forewarp::program_run::MemoryKind;
using forewarp::program_run::RangeAdvice;

namespace {

constexpr std::int32_t host = -1, nowhere = -2;  // cudaCpuDeviceId, cudaInvalidDeviceId
constexpr int device_place = 1, host_place = 2;  // cudaMemLocationType

/// The managed memory that holds all bytes; null: there is none.
const Allocation* managed_range(Machine& machine, std::uint64_t at, std::size_t bytes) {
  const Allocation* found = machine.memory().find(at);
  if (found == nullptr || bytes == 0 || bytes > found->bytes - (at - found->address))
    return nullptr;
  // Variables of a module may be managed ones.
  const bool managed = found->kind == MemoryKind::managed || found->kind == MemoryKind::module;
  return managed ? found : nullptr;
}

/// A place that managed memory may be at while the host uses it.
Status check_place(const Machine& machine, int device) {
  if (device == host) return Status::success;
  if (device < 0 || static_cast<std::uint32_t>(device) >= machine.devices())
    return Status::invalid_device;
  constexpr int concurrent_since = 6;  // compute capability
  return machine.gpu().cc.major >= concurrent_since ? Status::success : Status::invalid_device;
}

struct RangeState {
  bool read_mostly = false;
  std::int32_t preferred = nowhere, prefetched = nowhere;
  std::set<std::int32_t> accessed_by;
  bool operator==(const RangeState&) const = default;
};

/// What holds from `begin` to `end`, between which no advice begins or ends.
RangeState state_of(const Allocation& memory, std::uint64_t begin, std::uint64_t end) {
  RangeState state;
  for (const RangeAdvice& each : memory.advice) {
    if (each.begin > begin || each.end < end) continue;
    switch (each.kind) {
      case RangeAdvice::Kind::read_mostly:
        state.read_mostly = each.set;
        break;
      case RangeAdvice::Kind::preferred:
        state.preferred = each.set ? each.device : nowhere;
        break;
      case RangeAdvice::Kind::prefetched:
        state.prefetched = each.device;
        break;
      case RangeAdvice::Kind::accessed_by:
        if (each.set) state.accessed_by.insert(each.device);
        if (!each.set) state.accessed_by.erase(each.device);
        break;
    }
  }
  return state;
}

/// What holds of all bytes alike.
RangeState common_state(const Allocation& memory, std::uint64_t begin, std::uint64_t end) {
  std::set<std::uint64_t> bounds{begin, end};
  for (const RangeAdvice& each : memory.advice) {
    for (const std::uint64_t bound : {each.begin, each.end}) {
      if (bound > begin && bound < end) bounds.insert(bound);
    }
  }
  RangeState common = state_of(memory, begin, *std::next(bounds.begin()));
  for (auto at = bounds.begin(); std::next(at) != bounds.end(); ++at) {
    const RangeState here = state_of(memory, *at, *std::next(at));
    common.read_mostly = common.read_mostly && here.read_mostly;
    if (here.preferred != common.preferred) common.preferred = nowhere;
    if (here.prefetched != common.prefetched) common.prefetched = nowhere;
    std::erase_if(common.accessed_by,
                  [&](std::int32_t device) { return !here.accessed_by.contains(device); });
  }
  return common;
}

int place_type(std::int32_t device) {
  return device == nowhere ? 0 : device == host ? host_place : device_place;
}

std::int32_t device_of(const cudaMemLocation& place) {
  return place.type == device_place ? place.id : host;
}

}  // namespace

Status forewarp::cli::advise(Machine& machine, std::uint64_t at, std::size_t bytes, int advice,
                             int device) {
  constexpr int last = 6;  // cudaMemoryAdvise: pairs of set and unset
  if (advice < 1 || advice > last || managed_range(machine, at, bytes) == nullptr)
    return Status::invalid_value;
  const auto kind = static_cast<RangeAdvice::Kind>((advice - 1) / 2);
  const bool set = advice % 2 == 1;
  const bool of_device =
      kind == RangeAdvice::Kind::accessed_by || (kind == RangeAdvice::Kind::preferred && set);
  if (of_device) {
    if (const Status bad = check_place(machine, device); bad != Status::success) return bad;
  }
  machine.memory().advise({at, at + bytes, kind, device, set});
  return Status::success;
}

Status forewarp::cli::prefetch(Machine& machine, std::uint64_t at, std::size_t bytes, int device) {
  if (managed_range(machine, at, bytes) == nullptr) return Status::invalid_value;
  if (const Status bad = check_place(machine, device); bad != Status::success) return bad;
  machine.memory().advise({at, at + bytes, RangeAdvice::Kind::prefetched, device, true});
  return Status::success;
}

Status forewarp::cli::range_attribute(Machine& machine, void* out, std::size_t bytes, int attribute,
                                      std::uint64_t at, std::size_t length) {
  constexpr int read_mostly = 1, preferred = 2, accessed_by = 3, prefetched = 4;
  constexpr int preferred_type = 5, preferred_id = 6, prefetched_type = 7, prefetched_id = 8;
  const Allocation* memory = managed_range(machine, at, length);
  if (memory == nullptr || out == nullptr || bytes == 0 || bytes % sizeof(std::int32_t) != 0)
    return Status::invalid_value;
  const RangeState state = common_state(*memory, at, at + length);
  std::vector<std::int32_t> values(1);
  switch (attribute) {
    case read_mostly:
      values[0] = state.read_mostly ? 1 : 0;
      break;
    case preferred:
    case preferred_id:
      values[0] = state.preferred;
      break;
    case prefetched:
    case prefetched_id:
      values[0] = state.prefetched;
      break;
    case preferred_type:
      values[0] = place_type(state.preferred);
      break;
    case prefetched_type:
      values[0] = place_type(state.prefetched);
      break;
    case accessed_by:
      values.assign(state.accessed_by.begin(), state.accessed_by.end());
      values.resize(bytes / sizeof(std::int32_t), nowhere);
      break;
    default:
      return Status::invalid_value;
  }
  if (values.size() * sizeof(std::int32_t) != bytes) return Status::invalid_value;
  std::memcpy(out, values.data(), bytes);
  return Status::success;
}

FOREWARP_EXPORT int cudaMemAdvise(const void* at, std::size_t bytes, int advice, int device) {
  return runtime_call(
      [&](Machine& machine) { return advise(machine, address_of(at), bytes, advice, device); });
}
FOREWARP_EXPORT int cudaMemAdvise_v2(const void* at, std::size_t bytes, int advice,
                                     cudaMemLocation place) {
  return cudaMemAdvise(at, bytes, advice, device_of(place));
}
FOREWARP_EXPORT int cudaMemPrefetchAsync(const void* at, std::size_t bytes, int device,
                                         void* stream) {
  return runtime_call([&](Machine& machine) {
    if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
    return prefetch(machine, address_of(at), bytes, device);
  });
}
FOREWARP_EXPORT int cudaMemPrefetchAsync_v2(const void* at, std::size_t bytes,
                                            cudaMemLocation place, unsigned /*flags*/,
                                            void* stream) {
  return cudaMemPrefetchAsync(at, bytes, device_of(place), stream);
}
FOREWARP_EXPORT int cudaMemRangeGetAttribute(void* out, std::size_t bytes, int attribute,
                                             const void* at, std::size_t length) {
  return runtime_call([&](Machine& machine) {
    return range_attribute(machine, out, bytes, attribute, address_of(at), length);
  });
}
FOREWARP_EXPORT int cudaMemRangeGetAttributes(void** out, const std::size_t* bytes,
                                              const int* attributes, std::size_t count,
                                              const void* at, std::size_t length) {
  if (out == nullptr || bytes == nullptr || attributes == nullptr)
    return static_cast<int>(Status::invalid_value);
  int failed = 0;
  for (std::size_t i = 0; i < count && failed == 0; ++i)
    failed = cudaMemRangeGetAttribute(out[i], bytes[i], attributes[i], at, length);
  return failed;
}

FOREWARP_EXPORT int cuMemAdvise(std::uint64_t at, std::size_t bytes, int advice, int device) {
  return driver_call([&](Machine& machine) { return advise(machine, at, bytes, advice, device); });
}
FOREWARP_EXPORT int cuMemPrefetchAsync(std::uint64_t at, std::size_t bytes, int device,
                                       void* stream) {
  return driver_call([&](Machine& machine) {
    if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
    return prefetch(machine, at, bytes, device);
  });
}
FOREWARP_EXPORT int cuMemRangeGetAttribute(void* out, std::size_t bytes, int attribute,
                                           std::uint64_t at, std::size_t length) {
  return driver_call([&](Machine& machine) {
    return range_attribute(machine, out, bytes, attribute, at, length);
  });
}
FOREWARP_EXPORT int cuMemRangeGetAttributes(void** out, const std::size_t* bytes,
                                            const int* attributes, std::size_t count,
                                            std::uint64_t at, std::size_t length) {
  if (out == nullptr || bytes == nullptr || attributes == nullptr)
    return static_cast<int>(Status::invalid_value);
  int failed = 0;
  for (std::size_t i = 0; i < count && failed == 0; ++i)
    failed = cuMemRangeGetAttribute(out[i], bytes[i], attributes[i], at, length);
  return failed;
}
FOREWARP_EXPORT int cuMemAdvise_v2(std::uint64_t at, std::size_t bytes, int advice,
                                   cudaMemLocation place) {
  return cuMemAdvise(at, bytes, advice, device_of(place));
}
FOREWARP_EXPORT int cuMemPrefetchAsync_v2(std::uint64_t at, std::size_t bytes,
                                          cudaMemLocation place, unsigned /*flags*/, void* stream) {
  return cuMemPrefetchAsync(at, bytes, device_of(place), stream);
}

PER_THREAD(cudaMemPrefetchAsync, _ptsz, 4)
PER_THREAD(cudaMemPrefetchAsync_v2, _ptsz, 5)
PER_THREAD(cuMemPrefetchAsync, _ptsz, 4)
PER_THREAD(cuMemPrefetchAsync_v2, _ptsz, 5)
