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
  group.links.push_back(link(cluster.network, "network", "node.host", "switch", cluster.place));
  return group;
}

}  // namespace

GroupText written_out(const ClusterText& cluster) {
  if (cluster.leaf_nodes == 0) return leaf(cluster, cluster.name, cluster.nodes, 1);
  GroupText whole;
  whole.name = cluster.name;
  whole.place = cluster.place;
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
