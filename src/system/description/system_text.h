// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "system/description/system.h"

namespace forewarp::system {

/// A component as written: `pattern` with a count.
struct ComponentText {
  Component pattern;
  std::uint32_t count = 1;
  std::string place;  ///< "FILE:LINE:COLUMN"
};

/// A link as written: between all units of both names.
struct LinkText {
  Connection pattern;
  std::string first, second;
  std::string place;
};

/// Routers of a dragonfly: all of a group are joined, and all groups, by one link for each pair.
struct DragonflyText {
  std::uint32_t groups = 0, routers = 0;  ///< of a group
};

/// Nodes that are alike, with a network between them.
struct ClusterText {
  std::string name;
  std::uint32_t nodes = 0, gpus = 0;
  Component host, gpu;
  Connection gpu_link, network;
  std::optional<Connection> gpu_fabric;  ///< between the GPUs of a node
  std::uint32_t adapters = 1;            ///< of a node, each a link of the network
  std::uint32_t leaf_nodes = 0;          ///< per leaf switch of a fat tree; 0: one switch for all
  std::uint32_t uplinks = 0;             ///< of a leaf switch, to the core
  std::vector<std::uint32_t> torus;      ///< routers in each dimension; none: no torus
  DragonflyText dragonfly;
  std::optional<Connection> router_link;  ///< between routers; empty: as the network
  std::optional<Connection> global_link;  ///< between groups of routers; empty: as the others
  std::string place;
};

/// A part of a system that may stand there several times, with parts of its own.
struct GroupText {
  std::string name;
  std::uint32_t count = 1;
  std::vector<ComponentText> components;
  std::vector<LinkText> links;
  std::vector<GroupText> groups;
  std::vector<ClusterText> clusters;
  std::string place;
};

struct SystemText {
  std::string name, file;
  double tick_us = 0, base_w = 0;
  FailureRules failures;
  GroupText whole;
};

}  // namespace forewarp::system
