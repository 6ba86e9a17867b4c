// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "system/description/system_text.h"

namespace forewarp::system {

/// Most units and most links that a system may have.
inline constexpr std::size_t most_units = 100'000, most_connections = 1'000'000;

/// Writes out counts, groups and clusters. Refuses two units of one name, a group without
/// components, an end that no component has, a link without two different units, two links between
/// the same units, and more than the most units or links.
Expected<System> expanded(const SystemText& text);

/// The part of the system that a cluster stands for: a group of its name with nodes, switches and
/// links. A leaf switch of a fat tree has one trunk to the core, as wide as its uplinks together: a
/// perfect spread of its traffic over them.
GroupText written_out(const ClusterText& cluster);

}  // namespace forewarp::system
