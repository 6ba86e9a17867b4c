// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Both interfaces: attributes of streams, such as the window of persisting lines in L2, which a
// board takes as hints. They are kept and told.
#include <array>
#include <cstring>
#include <map>
#include <utility>

#include "driver_calling.h"
#include "per_thread.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace {

constexpr int priority = 8;          // cudaLaunchAttributePriority
constexpr int last_attribute = 16;   // beyond it, no interface so far has one
using Value = std::array<char, 64>;  // the interface's union

/// What was set, by stream and attribute. The caller has the machine's lock.
std::map<std::pair<StreamId, int>, Value>& attributes() {
  static std::map<std::pair<StreamId, int>, Value> all;
  return all;
}

}  // namespace

Status forewarp::cli::set_stream_attribute(Machine& machine, const void* stream, int attribute,
                                           const void* value) {
  if (value == nullptr || attribute < 1 || attribute > last_attribute) return Status::invalid_value;
  if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
  std::memcpy(attributes()[{stream_of(stream), attribute}].data(), value, sizeof(Value));
  return Status::success;
}
Status forewarp::cli::stream_attribute(Machine& machine, const void* stream, int attribute,
                                       void* value) {
  if (value == nullptr || attribute < 1 || attribute > last_attribute) return Status::invalid_value;
  if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
  Value told{};
  if (attribute == priority) {
    const std::int32_t own = machine.stream_facts(stream_of(stream)).priority;
    std::memcpy(told.data(), &own, sizeof own);
  }
  const auto found = attributes().find({stream_of(stream), attribute});
  if (found != attributes().end()) told = found->second;
  std::memcpy(value, told.data(), sizeof(Value));
  return Status::success;
}
Status forewarp::cli::copy_stream_attributes(Machine& machine, const void* to, const void* from) {
  if (!machine.has_stream(stream_of(to)) || !machine.has_stream(stream_of(from)))
    return Status::invalid_handle;
  for (int attribute = 1; attribute <= last_attribute; ++attribute) {
    const auto found = attributes().find({stream_of(from), attribute});
    if (found == attributes().end()) continue;
    const Value value = found->second;
    attributes()[{stream_of(to), attribute}] = value;
  }
  return Status::success;
}

FOREWARP_EXPORT int cudaStreamSetAttribute(void* stream, int attribute, const void* value) {
  return runtime_call(
      [&](Machine& machine) { return set_stream_attribute(machine, stream, attribute, value); });
}
FOREWARP_EXPORT int cudaStreamGetAttribute(void* stream, int attribute, void* value) {
  return runtime_call(
      [&](Machine& machine) { return stream_attribute(machine, stream, attribute, value); });
}
FOREWARP_EXPORT int cudaStreamCopyAttributes(void* to, void* from) {
  return runtime_call([&](Machine& machine) { return copy_stream_attributes(machine, to, from); });
}

FOREWARP_EXPORT int cuStreamSetAttribute(void* stream, int attribute, const void* value) {
  return driver_call(
      [&](Machine& machine) { return set_stream_attribute(machine, stream, attribute, value); });
}
FOREWARP_EXPORT int cuStreamGetAttribute(void* stream, int attribute, void* value) {
  return driver_call(
      [&](Machine& machine) { return stream_attribute(machine, stream, attribute, value); });
}
FOREWARP_EXPORT int cuStreamCopyAttributes(void* to, void* from) {
  return driver_call([&](Machine& machine) { return copy_stream_attributes(machine, to, from); });
}

PER_THREAD(cudaStreamSetAttribute, _ptsz, 3)
PER_THREAD(cudaStreamGetAttribute, _ptsz, 3)
PER_THREAD(cudaStreamCopyAttributes, _ptsz, 2)
PER_THREAD(cuStreamSetAttribute, _ptsz, 3)
PER_THREAD(cuStreamGetAttribute, _ptsz, 3)
PER_THREAD(cuStreamCopyAttributes, _ptsz, 2)
