// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "hardware/host.h"
#include "hardware/link.h"
#include "system/layers.h"

namespace forewarp::system {

enum class ComponentKind : std::uint8_t { cpu, gpu, network_switch, disk };

/// A free attribute of a component, which its model functions see by its name.
using Attribute = std::variant<double, std::string>;

/// How many processes of a label one unit may run.
struct LabelPlaces {
  std::string label;
  std::uint32_t count = 0;
};

/// What a component draws: `idle_w` all the time, `active_w` on top while it computes.
struct PowerFigures {
  double idle_w = 0, active_w = 0;
};

/// A clock that a unit can run at.
struct ClockState {
  double share = 1;      ///< of the usual one
  double active_w = -1;  ///< drawn while it computes; below 0: as the unit says
};

/// A change of a unit's clock that the system makes by itself.
struct ClockChange {
  double at_s = 0, share = 1;
};

/// A time in which a unit or a link does not work.
struct Outage {
  double at_s = 0;
  double for_s = std::numeric_limits<double>::infinity();
};

/// What happens when a part of the system fails that the application uses.
struct FailureRules {
  std::optional<std::uint32_t> seed;  ///< of drawn lifetimes; empty: none are drawn
  std::uint32_t restarts = 0;         ///< how many times the application begins again
  double repair_s = 0;                ///< passes before that
};

/// What a disk does per second, and before its first byte.
struct DiskFigures {
  double read_bytes_per_s = 0, write_bytes_per_s = 0, latency_s = 0;
};

/// One unit: of a component with a count there are several.
struct Component {
  std::string name;  ///< with those of its groups: "node.3.gpu.1"
  ComponentKind kind = ComponentKind::cpu;
  std::string hardware;                    ///< id or file of a GPU's or a host's data; empty: none
  std::shared_ptr<const Host> host{};      ///< of a cpu, once its hardware is loaded
  double performance = 0;                  ///< operations per second; 0: not stated
  double memory_bytes = 0;                 ///< 0: as the hardware's data say, or not known
  PowerFigures power;                      ///< W
  double failures_per_hour = 0;            ///< rate of an exponential lifetime
  std::vector<Outage> outages;             ///< in the order of time
  std::vector<ClockState> clocks;          ///< besides the usual one
  std::vector<ClockChange> clock_changes;  ///< in the order of time
  DiskFigures disk;                        ///< of a disk
  std::string model;                       ///< file of Lua functions; empty: none
  std::map<std::string, Attribute> attributes;
  std::vector<LabelPlaces> labels;
  std::uint32_t island = 0;  ///< units with the same number stand in the same group of the file
};

/// One direction of a link.
struct Way {
  double latency_s = 0;
  double bytes_per_s = 0;
};

/// A link between two units, each by its index among the components.
struct Connection {
  std::string name;
  std::size_t from = 0, to = 0;
  std::string hardware;              ///< id of a link's data; empty: `there` and `back` are stated
  std::vector<std::string> changes;  ///< "h2d.pageable.share=0.7", to the hardware's data
  std::optional<HostMemory> memory;  ///< of everything that passes; empty: by what passes
  Way there, back;                   ///< from first to second end, and back
  std::uint32_t lanes = 1;           ///< equal links side by side; a message takes one of them
  std::uint32_t hops = 1;            ///< the way with the fewest is taken
  double failures_per_hour = 0;
  std::vector<Outage> outages;
};

/// A system as its file describes it, with every count and generator written out.
struct System {
  std::string name, file;
  double tick_us = 0;  ///< blocks last whole multiples of it, cut off; 0: as long as they do
  double base_w = 0;   ///< drawn all the time by what is no component
  FailureRules failures;
  std::vector<Component> components;
  std::vector<Connection> connections;
};

[[nodiscard]] std::string_view kind_name(ComponentKind kind);  ///< "cpu", "gpu", "switch", "disk"
[[nodiscard]] std::optional<ComponentKind> kind_named(std::string_view name);

}  // namespace forewarp::system
