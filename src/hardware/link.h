// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hardware/facts.h"

namespace forewarp::hardware {

enum class CopyDirection : std::uint8_t { to_device, to_host };
enum class HostMemory : std::uint8_t { pageable, pinned };

[[nodiscard]] std::string_view direction_name(CopyDirection direction);  ///< "h2d", "d2h"
[[nodiscard]] std::string_view memory_name(HostMemory memory);           ///< "pageable", "pinned"
[[nodiscard]] std::optional<CopyDirection> direction_named(std::string_view name);
[[nodiscard]] std::optional<HostMemory> memory_named(std::string_view name);

/// Speed of one kind of copy over a link.
struct CopyPath {
  double startup_us = 0;                        ///< per copy, t_s of Gajger 2017, eq. 5.5
  double share = 0;                             ///< of the theoretical bandwidth: lambda of eq. 5.5
  double empty_us = 0;                          ///< of a copy of 0 bytes; 0: as startup_us
  Confidence confidence = Confidence::assumed;  ///< the weaker of start-up and share
};

/// What joins GPUs that exchange data by themselves: a row of the tables of collectives.
enum class PeerKind : std::uint8_t { nvlink, pcie, network };
inline constexpr std::size_t peer_kinds = 3;
[[nodiscard]] std::string_view peer_kind_name(PeerKind kind);  ///< "nvlink", "pcie", "network"
[[nodiscard]] std::optional<PeerKind> peer_kind_named(std::string_view name);

/// What kernels of two GPUs reach that exchange data over a link.
struct PeerFigures {
  std::optional<PeerKind> kind;  ///< empty: not stated
  double gbs = 0;                ///< of all lanes, one direction; 0: not stated
  double startup_us = 0;         ///< of a message over one such link; 0: as a copy's
};

/// A link between host and device, of one width, as numbers; built from Facts, with no knowledge of
/// names. Bandwidths are decimal GB/s in one direction.
struct Link {
  std::string id, name, file;  ///< "pcie-3-x16", "PCIe 3.0 x16"
  std::string parameter_set;   ///< "" or the named set in use (ID@SET)
  std::uint32_t lanes = 0;
  double theory_gbs = 0;                           ///< of all lanes, net of line coding
  std::array<std::array<CopyPath, 2>, 2> paths{};  ///< by direction, by memory
  double host_gbs = 0;     ///< at which the host copies into its staging buffer; 0: unknown
  double piece_bytes = 0;  ///< staged before the link starts; 0: no staging
  PeerFigures peer;
  Facts facts;  ///< all of the above with provenance

  [[nodiscard]] const CopyPath& path(CopyDirection direction, HostMemory memory) const {
    return paths[static_cast<std::size_t>(direction)][static_cast<std::size_t>(memory)];
  }
};

}  // namespace forewarp::hardware
