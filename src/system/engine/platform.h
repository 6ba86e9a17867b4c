// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <simgrid/s4u/Comm.hpp>
#include <simgrid/s4u/Host.hpp>
#include <unordered_map>
#include <vector>

#include "system/description/link_model.h"
#include "system/description/system.h"

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

  /// What a message from one unit to another meets.
  struct Route {
    bool exists = true;
    double latency_s = 0;
    double bytes_per_s = 0;  ///< of a message alone; 0: both are the same unit
    bool limited = false;    ///< a message may not use all that its links have
  };

  /// One link seen from one of its ends.
  struct Neighbour {
    std::size_t unit = 0, connection = 0;
    bool there = true;
  };

  Platform(const System& system, std::vector<LinkModel> models);

  [[nodiscard]] const System& system() const { return system_; }
  [[nodiscard]] simgrid::s4u::Host* host(std::size_t unit) const { return hosts_[unit]; }
  /// Of a disk.
  [[nodiscard]] simgrid::s4u::Disk* disk(std::size_t unit) const {
    return hosts_[unit]->get_disks().front();
  }
  [[nodiscard]] const Route& route(std::size_t from, std::size_t to);
  /// Numbers of the links that a message passes; none: the same unit, or no links lead there.
  [[nodiscard]] std::vector<std::size_t> way(std::size_t from, std::size_t to) const;
  /// Bytes per second of all that passes a link, and what passes it now.
  [[nodiscard]] double capacity(std::size_t link) const;
  [[nodiscard]] bool is_used(std::size_t link) const;
  [[nodiscard]] const LinkModel& model(std::size_t connection) const { return models_[connection]; }
  [[nodiscard]] const std::vector<Neighbour>& neighbours(std::size_t unit) const {
    return neighbours_[unit];
  }

 private:
  [[nodiscard]] bool reaches(std::size_t from, std::size_t to) const;
  [[nodiscard]] std::vector<std::size_t> passed(std::size_t from, std::size_t to) const;

  const System& system_;
  std::vector<LinkModel> models_;
  std::vector<simgrid::s4u::Host*> hosts_;
  std::vector<std::vector<Neighbour>> neighbours_;
  std::vector<simgrid::s4u::Link*> links_;  ///< two for each connection: there and back
  std::unordered_map<const simgrid::s4u::Link*, std::size_t> numbers_;  ///< in `links_`
  std::unordered_map<std::uint64_t, Route> routes_;
};

/// Bytes on their way between two units from now on. SimGrid 3.32 does not bound the rate of such a
/// flow: who knows of a limit waits at least so long as the limit asks.
simgrid::s4u::CommPtr flow_of(simgrid::s4u::Host* from, simgrid::s4u::Host* to, double bytes);

}  // namespace forewarp::system
