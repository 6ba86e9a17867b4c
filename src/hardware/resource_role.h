// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace forewarp::hardware {

/// What a resource, or a bound of a model, is to those who ask for it. Names are for output alone.
enum class ResourceRole : std::uint8_t {
  unit,     ///< a pipe, or what only its own model knows; has a name of its own
  latency,  ///< no resource: the latency of warps
  issue,
  fetch,
  load_store,  ///< the SM's memory interface
  shared_memory,
  cluster_network,  ///< to the shared memory of other blocks
  l1,               ///< as a whole
  l1_return,
  l1_fill,
  store_path,
  l2,  ///< as a whole
  l2_read,
  l2_write,
  l2_slice,
  requests,   ///< in flight
  registers,  ///< ports of one register bank, or of all
  device_memory,
};

struct ResourceName {
  ResourceRole role;
  std::string_view name;   ///< in results: "dram"
  std::string_view label;  ///< for readers: "device memory"
};

/// The one table of names; register banks add their number.
inline constexpr std::array<ResourceName, 17> resource_names{{
    {ResourceRole::latency, "latency", "latency"},
    {ResourceRole::issue, "issue", "warp schedulers"},
    {ResourceRole::fetch, "fetch", "instruction fetch"},
    {ResourceRole::load_store, "lsu", "load/store interface"},
    {ResourceRole::shared_memory, "shared", "shared memory"},
    {ResourceRole::cluster_network, "cluster", "network between the SMs of a cluster"},
    {ResourceRole::l1, "l1", "L1"},
    {ResourceRole::l1_return, "l1_return", "L1 data stage"},
    {ResourceRole::l1_fill, "l1_fill", "L1 fill from L2"},
    {ResourceRole::store_path, "store_path", "store path to L2"},
    {ResourceRole::l2, "l2", "L2"},
    {ResourceRole::l2_read, "l2_read", "L2 reads"},
    {ResourceRole::l2_write, "l2_write", "L2 writes"},
    {ResourceRole::l2_slice, "l2_slice", "busiest slice of L2"},
    {ResourceRole::requests, "requests", "requests in flight"},
    {ResourceRole::registers, "registers", "register read ports"},
    {ResourceRole::device_memory, "dram", "device memory"},
}};

/// The row of a role; `unit` has none, and gets an empty one.
[[nodiscard]] constexpr ResourceName resource_name(ResourceRole role) {
  for (const ResourceName& row : resource_names) {
    if (row.role == role) return row;
  }
  return {ResourceRole::unit, {}, {}};
}

/// The role behind a name of results: "dram", "registers2"; other names are units.
[[nodiscard]] constexpr ResourceRole role_of_resource(std::string_view name) {
  for (const ResourceName& row : resource_names) {
    const bool bank = row.role == ResourceRole::registers && name.starts_with(row.name);
    if (bank || row.name == name) return row.role;
  }
  return ResourceRole::unit;
}

}  // namespace forewarp::hardware
