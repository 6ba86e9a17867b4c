// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/facts.h"
#include "hardware/link.h"

namespace forewarp::hardware {

/// Volta, Ampere, Hopper, Blackwell: a row of the tables.
inline constexpr std::size_t collective_generations = 4;

/// LL: 8 bytes with a flag of 4; LL128: 128 bytes of which 8 are the flag; Simple: chunks and
/// counters.
enum class CollectiveProtocol : std::uint8_t { ll, ll128, simple };
inline constexpr std::size_t collective_protocols = 3;

using ByProtocol = std::array<double, collective_protocols>;
using ByGeneration = std::array<double, collective_generations>;

/// What a protocol reaches beside what its library's tables say.
struct ReachedCollective {
  ByProtocol latency{1, 1, 1};                  ///< times the tables' latency
  ByProtocol share{1, 1, 1};                    ///< of the tables' bandwidth
  Confidence confidence = Confidence::assumed;  ///< assumed: nobody measured this generation on it
};

/// Measured over predicted times: 80 of 100 lie between the two.
using MeasuredRange = std::array<double, 2>;

/// Of data below `small_bytes`, and from there on.
struct CollectiveSpread {
  double small_bytes = 0;
  MeasuredRange within_small{1, 1}, within{1, 1};    ///< one node
  MeasuredRange between_small{1, 1}, between{1, 1};  ///< several
};

/// How a library of collectives chooses among its algorithms and what they take, as numbers; built
/// from Facts (data/collectives). us, GB/s of one direction, shares of 1.
struct CollectiveTables {
  std::string id, name, file;
  ByProtocol ring_startup{}, tree_startup{};
  /// By kind of link (PeerKind), of one step.
  std::array<ByProtocol, peer_kinds> ring_step{}, tree_step{};
  double nvls_us = 0;                                  ///< of a whole collective
  double nvls_fewest = 0;                              ///< GPUs
  double post_us = 0, plateau = 1, plateau_bytes = 0;  ///< of rings between nodes
  ByProtocol ring_share{}, tree_share{}, tree_between_share{};
  ByGeneration nvls_share{};
  /// By nodes: one, two, more.
  std::array<ByGeneration, 3> ll_cap{}, tree_ll128_cap{}, tree_cap{};
  ByGeneration ring_ll128_cap{};
  double correction_first_bytes = 0;
  std::array<std::vector<double>, collective_protocols> tree_correction;
  ByGeneration nvlink_channels{};
  double pcie_channels = 0, network_channels = 0;
  /// By kind of link, by generation; a generation that nobody measured is as the one before it.
  std::array<std::array<ReachedCollective, collective_generations>, peer_kinds> reached{};
  double send_direct_us = 0, send_switch_us = 0, send_network_us = 0;
  double send_short_bytes = 0, send_short = 1, send_share = 1, send_memory_share = 1;
  CollectiveSpread spread;
  Facts facts;
};

/// The row of a compute capability (80: 8.0); capabilities below 8.0 are in the first.
[[nodiscard]] std::size_t collective_generation(std::uint32_t capability);
[[nodiscard]] std::string_view collective_generation_name(std::size_t generation);

/// data/collectives/ID.toml, or a file: FILE.toml.
[[nodiscard]] Expected<CollectiveTables> load_collective_tables(
    const std::filesystem::path& data_directory, std::string_view id);
[[nodiscard]] Expected<CollectiveTables> parse_collective_tables(std::string_view toml,
                                                                 std::string_view name);

}  // namespace forewarp::hardware
