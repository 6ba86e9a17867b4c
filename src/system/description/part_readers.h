// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "system/description/system_text.h"
#include "system/description/table_reader.h"

namespace forewarp::system {

/// Readers of the parts of a system's file, each into `target`, which outlives them.
using Keys = std::vector<TableReader::Key>;

/// Of many parts.
TableReader::Read name_into(std::string& target);      ///< without the dot that joins names
TableReader::Read hardware_into(std::string& target);  ///< an id, or a file beside the system's
TableReader::Read outages_into(std::vector<Outage>& target);
[[nodiscard]] std::string place_of(const ValueCursor& cursor);  ///< "FILE:LINE:COLUMN"

/// `[[component]]` and `[[link]]`, and those of a cluster, whose names and ends are its own.
TableReader::Read components_into(std::vector<ComponentText>& target);
TableReader::Read part_into(Component& target, ComponentKind kind);
TableReader::Read links_into(std::vector<LinkText>& target);
TableReader::Read link_into(Connection& target);
/// `[[cluster]]`.
TableReader::Read clusters_into(std::vector<ClusterText>& target);

/// Bounds of what several parts count and measure.
inline constexpr double most_rate = 1e9, most_bytes = 1e18, most_seconds = 1e6,
                        most_count = 100'000;
inline constexpr double most_watts = 1e9, most_time = 1e12;
[[nodiscard]] Bounds from_zero(double most, const std::string& what);
[[nodiscard]] Bounds count_from(double least);

}  // namespace forewarp::system
