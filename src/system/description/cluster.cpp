// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "system/description/expansion.h"

namespace forewarp::system {
namespace {

ComponentText component(Component pattern, std::string name, std::uint32_t count,
                        const std::string& place) {
  pattern.name = std::move(name);
  return {std::move(pattern), count, place};
}

ComponentText switch_named(const std::string& name, std::uint32_t count, const std::string& place) {
  Component pattern;
  pattern.kind = ComponentKind::network_switch;
  return component(std::move(pattern), name, count, place);
}

LinkText link(Connection pattern, const std::string& name, const std::string& first,
              const std::string& second, const std::string& place) {
  pattern.name = name;
  return {std::move(pattern), first, second, place};
}

GroupText node(const ClusterText& cluster, std::uint32_t count) {
  const std::string& place = cluster.place;
  GroupText group;
  group.name = "node";
  group.count = count;
  group.place = place;
  group.components.push_back(component(cluster.host, "host", 1, place));
  if (cluster.gpus == 0) return group;
  group.components.push_back(component(cluster.gpu, "gpu", cluster.gpus, place));
  Connection host_link = cluster.gpu_link;
  if (cluster.gpu_fabric) {
    // GPUs reach each other over their fabric, which is as many links away as the host.
    ++host_link.hops;
    group.components.push_back(switch_named("fabric", 1, place));
    group.links.push_back(link(*cluster.gpu_fabric, "fabric-link", "gpu", "fabric", place));
  }
  group.links.push_back(link(host_link, "gpu-link", "host", "gpu", place));
  return group;
}

/// A leaf switch with its nodes.
GroupText leaf(const ClusterText& cluster, const std::string& name, std::uint32_t nodes,
               std::uint32_t count) {
  GroupText group;
  group.name = name;
  group.count = count;
  group.place = cluster.place;
  group.groups.push_back(node(cluster, nodes));
  group.components.push_back(switch_named("switch", 1, cluster.place));
  Connection network = cluster.network;
  network.lanes = cluster.adapters;
  group.links.push_back(link(network, "network", "node.host", "switch", cluster.place));
  return group;
}

/// "router.3.", as the parts of a group are named from outside.
std::string within(const std::string& group, std::uint32_t i, std::uint32_t count) {
  return (count == 1 ? group : group + '.' + std::to_string(i)) + '.';
}

/// Routers in a grid that is closed in each dimension, the first one counting fastest.
GroupText torus(const ClusterText& cluster) {
  GroupText whole;
  std::uint32_t routers = 1;
  for (const std::uint32_t size : cluster.torus) routers *= size;
  whole.groups.push_back(leaf(cluster, "router", cluster.nodes / routers, routers));
  const Connection& between = cluster.router_link ? *cluster.router_link : cluster.network;
  std::uint32_t stride = 1;
  for (const std::uint32_t size : cluster.torus) {
    for (std::uint32_t i = 0; i < routers; ++i) {
      const std::uint32_t at = i / stride % size;
      const std::uint32_t next = at + 1 == size ? i - at * stride : i + stride;
      if (size == 2 && at == 1) continue;  // the same link
      whole.links.push_back(link(between, "torus-link", within("router", i, routers) + "switch",
                                 within("router", next, routers) + "switch", cluster.place));
    }
    stride *= size;
  }
  return whole;
}

/// The link of two groups ends, in each, at the router whose turn it is.
GroupText dragonfly(const ClusterText& cluster) {
  const auto [groups, routers] = cluster.dragonfly;
  const Connection& local = cluster.router_link ? *cluster.router_link : cluster.network;
  const Connection& between = cluster.global_link ? *cluster.global_link : local;
  GroupText group;
  group.name = "group";
  group.count = groups;
  group.place = cluster.place;
  group.groups.push_back(leaf(cluster, "router", cluster.nodes / (groups * routers), routers));
  if (routers > 1) {
    group.links.push_back(
        link(local, "local-link", "router.switch", "router.switch", cluster.place));
  }
  const auto end = [&, groups = groups, routers = routers](std::uint32_t own, std::uint32_t turn) {
    return within("group", own, groups) + within("router", turn % routers, routers) + "switch";
  };
  GroupText whole;
  whole.groups.push_back(std::move(group));
  for (std::uint32_t i = 0; i < groups; ++i) {
    for (std::uint32_t j = i + 1; j < groups; ++j) {
      whole.links.push_back(link(between, "global-link", end(i, j - 1), end(j, i), cluster.place));
    }
  }
  return whole;
}

}  // namespace

GroupText written_out(const ClusterText& cluster) {
  const bool has_routers = !cluster.torus.empty() || cluster.dragonfly.groups > 0;
  if (cluster.leaf_nodes == 0 && !has_routers) return leaf(cluster, cluster.name, cluster.nodes, 1);
  GroupText whole;
  if (!cluster.torus.empty()) whole = torus(cluster);
  if (cluster.dragonfly.groups > 0) whole = dragonfly(cluster);
  whole.name = cluster.name;
  whole.place = cluster.place;
  if (!whole.groups.empty()) return whole;
  whole.components.push_back(switch_named("core", 1, cluster.place));
  Connection trunk = cluster.network;
  trunk.lanes = cluster.uplinks;
  const std::uint32_t full = cluster.nodes / cluster.leaf_nodes;
  const std::uint32_t rest = cluster.nodes % cluster.leaf_nodes;
  if (full > 0) {
    whole.groups.push_back(leaf(cluster, "leaf", cluster.leaf_nodes, full));
    whole.links.push_back(link(trunk, "trunk", "leaf.switch", "core", cluster.place));
  }
  if (rest > 0) {
    whole.groups.push_back(leaf(cluster, "last-leaf", rest, 1));
    whole.links.push_back(link(trunk, "trunk", "last-leaf.switch", "core", cluster.place));
  }
  return whole;
}

}  // namespace forewarp::system
