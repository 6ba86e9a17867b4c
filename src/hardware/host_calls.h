// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace forewarp::hardware {

/// Calls of a program that hold the host, by what they do; `calls.NAME` of a host's file.
enum class HostCall : std::uint8_t {
  asks,   ///< whatever only asks or sets something, and a wait for what is over
  event,  ///< records one
  make_stream,
  end_stream,
  launch,           ///< of a kernel, into a stream
  first_of_kernel,  ///< what a kernel's first launch takes more
  first_of_module,  ///< what the first launch of a module's code takes more
  copy,             ///< from or to pinned memory, asynchronous
  copy_on_device,
  fill,
  small_fill,  ///< of at most from_bytes
  allocate,    ///< memory of the device, within a block that the driver has
  new_block,   ///< memory of the device that the driver has not
  release,     ///< within a block that the driver keeps
  end_block,
  pin,            ///< allocates pinned memory
  unpin,          ///< frees it
  register_host,  ///< pins memory of the program
  unregister_host,
  managed,         ///< allocates or frees managed memory
  pool,            ///< allocates or frees in a stream, from what the pool has
  first_of_pool,   ///< what the first of those takes more
  grow_pool,       ///< what one takes more that the pool has no memory for
  capture,         ///< work of a captured stream
  instantiate,     ///< a graph
  end_graph,       ///< of an instantiated one
  first_of_graph,  ///< what its first launch takes more
  launch_graph,
  update_graph,
  host_function,  ///< puts work of the host into a stream
  properties,     ///< of a device
  start,          ///< initialises the driver
  context,        ///< makes a device's context
};
inline constexpr std::size_t host_calls = 33;

/// Host time of one call: us + (bytes - from_bytes) / gbs + nodes * node_us.
struct HostCallCost {
  double us = 0;
  double gbs = 0;         ///< decimal GB/s; 0: bytes take no time
  double from_bytes = 0;  ///< bytes that `us` covers
  double node_us = 0;     ///< of each node of a graph

  /// In us.
  [[nodiscard]] double time(double bytes = 0, double nodes = 0) const;
};
using HostCallCosts = std::array<HostCallCost, host_calls>;

[[nodiscard]] std::string_view host_call_name(HostCall call);
/// The number at a path below `calls.`, such as "pin.gbs", and its unit; null: there is none.
struct HostCallField {
  double* number = nullptr;
  std::string_view unit;
};
[[nodiscard]] HostCallField host_call_field(HostCallCosts& costs, std::string_view path);

}  // namespace forewarp::hardware
