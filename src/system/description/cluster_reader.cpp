// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "base/text.h"
#include "system/description/part_readers.h"

namespace forewarp::system {
namespace {

constexpr double most_groups = 400;

TableReader::Read sizes_into(std::vector<std::uint32_t>& target) {
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    constexpr std::size_t most_dimensions = 6;
    const std::size_t dimensions = cursor.value().items.size();
    if (cursor.value().kind != PlainValue::Kind::list || dimensions == 0 ||
        dimensions > most_dimensions) {
      return cursor.wrong("how many routers there are in each of 1 to 6 dimensions: [4, 4, 2]");
    }
    target.resize(dimensions);
    for (std::size_t i = 0; i < dimensions; ++i) {
      const Bounds routers{2, most_count, "2 to 100000"};
      if (auto fine = into(target[i], routers)(cursor.item(i)); !fine) return fine;
    }
    return {};
  };
}

TableReader::Read dragonfly_into(DragonflyText& target) {
  return [&target](const ValueCursor& cursor) {
    const Bounds groups{1, most_groups, "1 to 400"};
    return TableReader::read(cursor, {{"groups", into(target.groups, groups), true},
                                      {"routers", into(target.routers, count_from(1)), true}});
  };
}

/// The network between nodes is of one kind, and each router has as many nodes.
Expected<void> check_fabric(const ValueCursor& cursor, const ClusterText& text) {
  const auto fault = [&](const std::string& found, const std::string& expected) {
    return cursor.refuse("the cluster '" + text.name + "' " + found, expected);
  };
  const bool has_torus = !text.torus.empty(), has_dragonfly = text.dragonfly.groups > 0;
  if ((text.leaf_nodes > 0) != (text.uplinks > 0)) {
    return fault("says only part of its fat tree", "leaf_nodes and uplinks, or neither");
  }
  if ((text.leaf_nodes > 0) + has_torus + has_dragonfly > 1) {
    return fault("has more than one network", "one of leaf_nodes, torus and dragonfly");
  }
  if (text.router_link && !has_torus && !has_dragonfly) {
    return fault("has a router_link without routers", "torus or dragonfly beside it");
  }
  if (text.global_link && !has_dragonfly) {
    return fault("has a global_link without groups of routers", "dragonfly beside it");
  }
  double routers = 1;
  if (has_dragonfly) routers = 1.0 * text.dragonfly.groups * text.dragonfly.routers;
  for (const std::uint32_t size : text.torus) routers *= size;
  if (routers > text.nodes || text.nodes % static_cast<std::uint32_t>(routers) != 0) {
    return fault(
        "has " + std::to_string(text.nodes) + " nodes on " + significant(routers, 12) + " routers",
        "a multiple of them");
  }
  return {};
}

}  // namespace

TableReader::Read clusters_into(std::vector<ClusterText>& target) {
  return each([&target](const ValueCursor& cursor) -> Expected<void> {
    ClusterText text;
    text.place = place_of(cursor);
    Connection fabric, router_link, global_link;
    const Keys keys = {{"name", name_into(text.name), true},
                       {"nodes", into(text.nodes, count_from(1)), true},
                       {"gpus", into(text.gpus, count_from(0))},
                       {"host", part_into(text.host, ComponentKind::cpu), true},
                       {"gpu", part_into(text.gpu, ComponentKind::gpu)},
                       {"gpu_link", link_into(text.gpu_link)},
                       {"gpu_fabric", link_into(fabric)},
                       {"network", link_into(text.network), true},
                       {"adapters", into(text.adapters, count_from(1))},
                       {"leaf_nodes", into(text.leaf_nodes, count_from(1))},
                       {"uplinks", into(text.uplinks, count_from(1))},
                       {"torus", sizes_into(text.torus)},
                       {"dragonfly", dragonfly_into(text.dragonfly)},
                       {"router_link", link_into(router_link)},
                       {"global_link", link_into(global_link)}};
    if (auto fine = TableReader::read(cursor, keys); !fine) return fine;
    const bool has_link = cursor.value().find("gpu_link") != nullptr;
    if ((text.gpus > 0) != (cursor.value().find("gpu") != nullptr) || (text.gpus > 0) != has_link) {
      return cursor.refuse("the cluster '" + text.name + "' says only part of its GPUs",
                           "gpus, gpu and gpu_link, or none of them");
    }
    if (text.gpus == 0 && cursor.value().find("gpu_fabric") != nullptr) {
      return cursor.refuse("the cluster '" + text.name + "' has a gpu_fabric without GPUs",
                           "gpus from 1 on beside it");
    }
    const auto stated = [&](const char* key) { return cursor.value().find(key) != nullptr; };
    if (stated("gpu_fabric")) text.gpu_fabric = fabric;
    if (stated("router_link")) text.router_link = router_link;
    if (stated("global_link")) text.global_link = global_link;
    if (auto fine = check_fabric(cursor, text); !fine) return fine;
    target.push_back(std::move(text));
    return {};
  });
}

}  // namespace forewarp::system
