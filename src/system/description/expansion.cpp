// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/description/expansion.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/text.h"

namespace forewarp::system {
namespace {

/// A unit as seen from a scope: by the names alone, and with the number of each.
struct Seen {
  std::string plain, numbered;
  std::size_t index = 0;
};

std::string joined(const std::string& front, const std::string& name) {
  return front.empty() ? name : front + '.' + name;
}

std::string numbered(const std::string& name, std::uint32_t i, std::uint32_t count) {
  return count == 1 ? name : name + '.' + std::to_string(i);
}

class Expansion {
 public:
  explicit Expansion(const SystemText& text) : text_(text) {
    system_.name = text.name;
    system_.file = text.file;
    system_.tick_us = text.tick_us;
    system_.base_w = text.base_w;
    system_.failures = text.failures;
  }

  Expected<System> run() {
    std::vector<Seen> units;
    if (auto fine = add_parts(text_.whole, "", units); !fine) return fine.error();
    return std::move(system_);
  }

 private:
  using Named = std::unordered_map<std::string, std::vector<std::size_t>>;  ///< by either name

  Expected<void> add_parts(const GroupText& group, const std::string& prefix,
                           std::vector<Seen>& units) {
    const std::size_t first = system_.components.size();
    for (const ComponentText& component : group.components) {
      if (auto fine = add_component(component, prefix, units); !fine) return fine;
    }
    for (std::size_t i = first; i < system_.components.size(); ++i) {
      system_.components[i].island = islands_;
    }
    ++islands_;
    for (const GroupText& part : group.groups) {
      if (auto fine = add_group(part, prefix, units); !fine) return fine;
    }
    for (const ClusterText& cluster : group.clusters) {
      if (auto fine = add_group(written_out(cluster), prefix, units); !fine) return fine;
    }
    if (group.links.empty()) return {};
    const Named by_name = named(units);
    for (const LinkText& link : group.links) {
      if (auto fine = add_link(link, prefix, units, by_name); !fine) return fine;
    }
    return {};
  }

  Expected<void> add_component(const ComponentText& text, const std::string& prefix,
                               std::vector<Seen>& units) {
    for (std::uint32_t i = 0; i < text.count; ++i) {
      if (system_.components.size() >= most_units) {
        return Diagnostic{text.place, "the system has more units than 100000", "fewer", ""};
      }
      Component unit = text.pattern;
      const std::string name = numbered(text.pattern.name, i, text.count);
      unit.name = joined(prefix, name);
      if (!names_.insert(unit.name).second) {
        return Diagnostic{text.place, "there are two units '" + unit.name + "'",
                          "another name, or a count", ""};
      }
      units.push_back({text.pattern.name, name, system_.components.size()});
      system_.components.push_back(std::move(unit));
    }
    return {};
  }

  Expected<void> add_group(const GroupText& group, const std::string& prefix,
                           std::vector<Seen>& units) {
    for (std::uint32_t i = 0; i < group.count; ++i) {
      const std::string name = numbered(group.name, i, group.count);
      std::vector<Seen> own;
      if (auto fine = add_parts(group, joined(prefix, name), own); !fine) return fine;
      if (own.empty()) {  // else counts of nothing would multiply without end
        return Diagnostic{group.place, "the group '" + group.name + "' has no component",
                          "[[component]], [[group]] or [[cluster]] in it", ""};
      }
      for (Seen& unit : own) {
        units.push_back({joined(group.name, unit.plain), joined(name, unit.numbered), unit.index});
      }
    }
    return {};
  }

  Expected<void> add_link(const LinkText& link, const std::string& prefix,
                          const std::vector<Seen>& units, const Named& by_name) {
    for (const std::string& end : {link.first, link.second}) {
      if (!by_name.contains(end)) return no_end(link, end, units);
    }
    const auto& firsts = by_name.at(link.first);
    const auto& seconds = by_name.at(link.second);
    const bool same = link.first == link.second;
    std::size_t made = 0;
    const std::string name = link.pattern.name.empty() ? "link" : link.pattern.name;
    for (const std::size_t first : firsts) {
      for (const std::size_t second : seconds) {
        if (first == second || (same && first > second)) continue;
        if (system_.connections.size() >= most_connections) {
          return Diagnostic{link.place, "the system has more links than 1000000", "fewer", ""};
        }
        const auto [low, high] = std::minmax(first, second);
        if (!joined_.insert(std::uint64_t{low} * most_units + high).second) {
          return Diagnostic{link.place,
                            "there are two links between " + system_.components[low].name +
                                " and " + system_.components[high].name,
                            "one", "add up their gbs"};
        }
        Connection connection = link.pattern;
        connection.name = joined(prefix, name) + '.' + std::to_string(made++);
        connection.from = first;
        connection.to = second;
        system_.connections.push_back(std::move(connection));
      }
    }
    if (made == 0) {
      return Diagnostic{link.place, "the link leads from '" + link.first + "' to itself",
                        "two different units", ""};
    }
    if (made == 1) system_.connections.back().name = joined(prefix, name);
    return {};
  }

  static Named named(const std::vector<Seen>& units) {
    Named found;
    for (const Seen& unit : units) {
      found[unit.plain].push_back(unit.index);
      if (unit.numbered != unit.plain) found[unit.numbered].push_back(unit.index);
    }
    return found;
  }

  static Diagnostic no_end(const LinkText& link, const std::string& end,
                           const std::vector<Seen>& units) {
    std::vector<std::string> names;
    for (const Seen& unit : units) {
      if (std::find(names.begin(), names.end(), unit.plain) == names.end()) {
        names.push_back(unit.plain);
      }
    }
    constexpr std::size_t most_listed = 20;
    if (names.size() > most_listed) names.resize(most_listed);
    const auto nearest = closest(end, names);
    return {link.place, "no component here is called '" + end + "'", join(names, ", "),
            nearest ? "did you mean '" + *nearest + "'?" : ""};
  }

  const SystemText& text_;
  System system_;
  std::uint32_t islands_ = 0;  ///< so far
  std::unordered_set<std::string> names_;
  std::unordered_set<std::uint64_t> joined_;  ///< pairs of units that have a link
};

}  // namespace

Expected<System> expanded(const SystemText& text) {
  return Expansion(text).run();
}

}  // namespace forewarp::system
