// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/host_calls.h"

#include <algorithm>

namespace forewarp::hardware {
namespace {

constexpr double bytes_per_us = 1e3;  // of 1 GB/s

constexpr std::array<std::string_view, host_calls> names = {"asks",
                                                            "event",
                                                            "make_stream",
                                                            "end_stream",
                                                            "launch",
                                                            "first_of_kernel",
                                                            "first_of_module",
                                                            "copy",
                                                            "copy_on_device",
                                                            "fill",
                                                            "small_fill",
                                                            "allocate",
                                                            "new_block",
                                                            "release",
                                                            "end_block",
                                                            "pin",
                                                            "unpin",
                                                            "register",
                                                            "unregister",
                                                            "managed",
                                                            "pool",
                                                            "first_of_pool",
                                                            "grow_pool",
                                                            "capture",
                                                            "instantiate",
                                                            "end_graph",
                                                            "first_of_graph",
                                                            "launch_graph",
                                                            "update_graph",
                                                            "host_function",
                                                            "properties",
                                                            "start",
                                                            "context"};

struct Field {
  std::string_view name, unit;
  double HostCallCost::*number;
};
constexpr Field fields[] = {{"us", "us", &HostCallCost::us},
                            {"gbs", "GB/s", &HostCallCost::gbs},
                            {"from_bytes", "bytes", &HostCallCost::from_bytes},
                            {"node_us", "us", &HostCallCost::node_us}};

}  // namespace

double HostCallCost::time(double bytes, double nodes) const {
  const double more = std::max(0.0, bytes - from_bytes);
  return us + (gbs > 0 ? more / (gbs * bytes_per_us) : 0) + nodes * node_us;
}

std::string_view host_call_name(HostCall call) {
  return names[static_cast<std::size_t>(call)];
}

HostCallField host_call_field(HostCallCosts& costs, std::string_view path) {
  const std::size_t dot = path.find('.');
  const auto call = std::find(names.begin(), names.end(), path.substr(0, dot));
  if (dot == std::string_view::npos || call == names.end()) return {};
  for (const Field& field : fields) {
    if (field.name == path.substr(dot + 1))
      return {&(costs[static_cast<std::size_t>(call - names.begin())].*field.number), field.unit};
  }
  return {};
}

}  // namespace forewarp::hardware
