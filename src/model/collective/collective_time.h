// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/collective_tables.h"

namespace forewarp::model {

enum class CollectiveKind : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  broadcast,
  send_receive,
};
[[nodiscard]] std::string_view collective_name(CollectiveKind kind);
[[nodiscard]] std::optional<CollectiveKind> collective_named(std::string_view name);

/// ring: each rank gives to the next. tree: two binary trees between nodes, a chain within each.
/// nvls: the switch adds up and hands on. direct: one message.
enum class CollectiveAlgorithm : std::uint8_t { ring, tree, nvls, direct };
[[nodiscard]] std::string_view algorithm_name(CollectiveAlgorithm algorithm);
[[nodiscard]] std::string_view protocol_name(CollectiveProtocol protocol);

/// What joins the GPUs of a collective. GB/s of one direction.
struct CollectivePlace {
  std::uint32_t ranks = 2, nodes = 1;  ///< as many ranks on each node
  std::size_t generation = 0;          ///< of the GPU: collective_generation
  double l2_bytes = 0;                 ///< of the GPU; 0: unknown, all data in device memory
  PeerKind fabric = PeerKind::nvlink;  ///< within a node
  double fabric_gbs = 0;               ///< of all lanes of a GPU, as the library counts them
  double fabric_theory_gbs = 0;        ///< of all lanes
  bool is_switched = false;            ///< the fabric has a switch
  bool switch_reduces = false;         ///< which adds up
  double network_gbs = 0;              ///< of one adapter, as one message reaches it
  double network_nominal_gbs = 0;      ///< by which the library chooses; 0: as reached
  double network_latency_us = 0;       ///< beyond what the tables say of a step
  std::uint32_t adapters = 0;          ///< of a node
};

/// One algorithm with one protocol.
struct CollectiveOption {
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
  CollectiveProtocol protocol = CollectiveProtocol::simple;
  double table_us = 0;     ///< as the library estimates it, by which it chooses
  double us = 0;           ///< as reached
  double startup_us = 0;   ///< of `us`: kernel and synchronisation
  double latency_us = 0;   ///< of `us`: all steps
  double transfer_us = 0;  ///< of `us`: bytes
  double bus_gbs = 0;      ///< reached by each link of the ring or tree
  double steps = 0, channels = 0;
  double chunk_bytes = 0;  ///< of one channel in one step
};

struct CollectiveTime {
  CollectiveOption chosen;
  std::vector<CollectiveOption> options;  ///< all that were possible, in the order of table_us
  double busy_gbs = 0;                    ///< bytes of one rank over its links, per time
  std::array<double, 2> interval_us{};    ///< in which 80 of 100 measured times lie
  std::vector<std::string> assumptions;
};

/// Time of one collective of `bytes` (of the whole result of an all-gather, of the whole input of a
/// reduce-scatter) from the moment at which all ranks are there, alone on its links.
///
/// The library chooses by T = startup + steps latency + bytes / bandwidth of its own tables
/// (ncclTopoTuneModel); what the choice takes is the same form with what was reached. Known limit:
/// a rank that comes late makes the others' kernels wait; that is not part of the time.
[[nodiscard]] Expected<CollectiveTime> collective_time(const CollectiveTables& tables,
                                                       const CollectivePlace& place,
                                                       CollectiveKind kind, double bytes);

}  // namespace forewarp::model
