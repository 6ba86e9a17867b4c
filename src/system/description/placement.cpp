// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/description/placement.h"

#include <algorithm>

#include "base/text.h"

namespace forewarp::system {
namespace {

void place_label(const System& system, const std::string& label, std::uint64_t count,
                 std::vector<Place>& places) {
  std::uint32_t index = 0;
  for (std::size_t unit = 0; unit < system.components.size(); ++unit) {
    for (const LabelPlaces& own : system.components[unit].labels) {
      if (own.label != label) continue;
      for (std::uint32_t i = 0; i < own.count && index < count; ++i) {
        places.push_back({label, index++, unit});
      }
    }
  }
}

std::vector<std::string> names_of(const std::map<std::string, std::uint64_t>& labels) {
  std::vector<std::string> names;
  for (const auto& [label, count] : labels) names.push_back(label);
  return names;
}

}  // namespace

std::map<std::string, std::uint64_t> capacity(const System& system) {
  std::map<std::string, std::uint64_t> places;
  for (const Component& unit : system.components) {
    for (const LabelPlaces& own : unit.labels) places[own.label] += own.count;
  }
  return places;
}

Expected<std::vector<Place>> placed(const System& system, const std::vector<std::string>& labels,
                                    const std::map<std::string, std::uint64_t>& counts) {
  const auto room = capacity(system);
  for (const auto& [label, count] : counts) {
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) {
      return Diagnostic{"--processes " + label, "no process of the application has this label",
                        join(labels, ", "), ""};
    }
  }
  std::vector<Place> places;
  for (const std::string& label : labels) {
    const auto found = room.find(label);
    if (found == room.end()) {
      return Diagnostic{system.file, "no component has the label '" + label + "'",
                        room.empty() ? "labels = {" + label + " = 1} of a component"
                                     : "one of " + join(names_of(room), ", "),
                        ""};
    }
    const auto asked = counts.find(label);
    const std::uint64_t count = asked == counts.end() ? found->second : asked->second;
    if (count > found->second) {
      return Diagnostic{"--processes " + label + "=" + std::to_string(count),
                        system.file + " has places for " + std::to_string(found->second),
                        "at most as many", "give its components more labels, or a higher count"};
    }
    if (places.size() + count > most_processes) {
      return Diagnostic{system.file, "the run has more than 20000 processes", "fewer places",
                        "--processes " + label + "=N runs fewer"};
    }
    place_label(system, label, count, places);
  }
  return places;
}

}  // namespace forewarp::system
