// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <simgrid/s4u/Host.hpp>
#include <unordered_map>
#include <vector>

#include "system/description/link_model.h"
#include "system/description/system.h"
#include "system/engine/routes.h"

namespace forewarp::system {

/// Sets SimGrid to what the models mean: messages that share a link share it evenly, no factors on
/// bandwidths, no traffic of acknowledgements, time exact to a picosecond. Before the first engine.
void configure_engine();

/// The system as SimGrid has it. Its links carry bytes; latencies are ours, as a link of SimGrid
/// with a latency gives more to those who share it and have less of it.
class Platform {
 public:
  /// Work of a host per second: SimGrid counts operations, we count nanoseconds.
  static constexpr double work_per_s = 1e9;
  /// SimGrid counts whole bytes, we count parts of them.
  static constexpr double units_per_byte = 1 << 16;
  [[nodiscard]] static std::uint64_t units(double bytes);

  /// What a message from one unit to another meets.
  struct Route {
    std::size_t from = 0, to = 0;
    std::vector<std::size_t> links;  ///< their numbers
    bool exists = true;
    double latency_s = 0;
    double capacity = 0;     ///< bytes per second of the narrowest link; 0: none is passed
    double bytes_per_s = 0;  ///< of a message alone; 0: both are the same unit
    bool limited = false;    ///< a message may not use all that its links have
  };

  using Neighbour = Routes::Neighbour;

  Platform(const System& system, std::vector<LinkModel> models);

  [[nodiscard]] const System& system() const { return system_; }
  [[nodiscard]] simgrid::s4u::Host* host(std::size_t unit) const { return hosts_[unit]; }
  /// Of a disk.
  [[nodiscard]] simgrid::s4u::Disk* disk(std::size_t unit) const {
    return hosts_[unit]->get_disks().front();
  }
  [[nodiscard]] const Route& route(std::size_t from, std::size_t to);
  /// Bytes per second of all that passes a link.
  [[nodiscard]] double capacity(std::size_t link) const;
  [[nodiscard]] const LinkModel& model(std::size_t connection) const { return models_[connection]; }
  [[nodiscard]] const std::vector<Neighbour>& neighbours(std::size_t unit) const {
    return ways_.neighbours(unit);
  }

 private:
  class Zone;

  const System& system_;
  std::vector<LinkModel> models_;
  std::vector<simgrid::s4u::Host*> hosts_;
  Routes ways_;
  std::unordered_map<std::uint64_t, Route> routes_;
};

}  // namespace forewarp::system
