// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/description/system_reader.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "request/text/toml_value.h"
#include "system/description/changes.h"
#include "system/description/factors.h"
#include "system/description/table_reader.h"

namespace forewarp::system {
namespace {

using Keys = std::vector<TableReader::Key>;

constexpr double most_watts = 1e9, most_rate = 1e9, most_bytes = 1e18, most_speed = 1e24;
constexpr double most_seconds = 1e6, most_count = 100'000, most_hops = 16, most_groups = 400;
constexpr double most_time = 1e12, most_restarts = 10'000;
constexpr int deepest_group = 8;

Bounds from_zero(double most, const std::string& what) {
  return {0, most, what + " from 0 on"};
}

Bounds count_from(double least) {
  return {least, most_count, least > 0 ? "1 to 100000" : "0 to 100000"};
}

/// A name may not have the dot that joins names.
TableReader::Read name_into(std::string& target) {
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    const std::string& text = cursor.value().text;
    const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || c == '-';
    });
    if (cursor.value().kind != PlainValue::Kind::text || text.empty() || !plain) {
      return cursor.wrong("a name of letters, digits, '-' and '_'");
    }
    target = text;
    return {};
  };
}

TableReader::Read kind_into(ComponentKind& target) {
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    const auto named = kind_named(cursor.value().text);
    if (cursor.value().kind != PlainValue::Kind::text || !named) {
      return cursor.wrong("cpu, gpu, switch or disk");
    }
    target = *named;
    return {};
  };
}

/// A path of a file that lies beside the system's file.
TableReader::Read file_into(std::string& target) {
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    if (auto fine = into(target)(cursor); !fine) return fine;
    target = cursor.resolved(target);
    return {};
  };
}

/// An id of the database, or a file beside the system's.
TableReader::Read hardware_into(std::string& target) {
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    if (auto fine = into(target)(cursor); !fine) return fine;
    if (target.ends_with(".toml")) target = cursor.resolved(target);
    return {};
  };
}

TableReader::Read labels_into(std::vector<LabelPlaces>& target) {
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    if (cursor.value().kind != PlainValue::Kind::table) {
      return cursor.wrong("a table of labels with how many processes one unit runs");
    }
    for (std::size_t i = 0; i < cursor.value().keys.size(); ++i) {
      LabelPlaces places{cursor.value().keys[i], 0};
      if (auto fine = into(places.count, count_from(1))(cursor.item(i)); !fine) return fine;
      target.push_back(std::move(places));
    }
    return {};
  };
}

TableReader::Read attributes_into(std::map<std::string, Attribute>& target) {
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    if (cursor.value().kind != PlainValue::Kind::table) return cursor.wrong("a table");
    for (std::size_t i = 0; i < cursor.value().keys.size(); ++i) {
      const PlainValue& value = cursor.value().items[i];
      if (value.is_number()) {
        target[cursor.value().keys[i]] = value.number();
      } else if (value.kind == PlainValue::Kind::text) {
        target[cursor.value().keys[i]] = value.text;
      } else {
        return cursor.item(i).wrong("a number or a text");
      }
    }
    return {};
  };
}

TableReader::Read power_into(PowerFigures& target) {
  return [&target](const ValueCursor& cursor) {
    return TableReader::read(cursor,
                             {{"idle_w", into(target.idle_w, from_zero(most_watts, "watts"))},
                              {"active_w", into(target.active_w, from_zero(most_watts, "watts"))}});
  };
}

/// A change leads to the usual clock or to one that the unit has.
Expected<void> check_clocks(const ValueCursor& cursor, const Component& unit) {
  for (const ClockChange& change : unit.clock_changes) {
    const bool known = change.share == 1 || std::any_of(unit.clocks.begin(), unit.clocks.end(),
                                                        [&](const ClockState& one) {
                                                          return one.share == change.share;
                                                        });
    if (!known) {
      return cursor.refuse("a change leads to the clock " + significant(change.share, 6) +
                               ", which the unit has not",
                           "1, or a share of its clocks");
    }
  }
  return {};
}

Bounds share_of_clock() {
  return {1e-3, 1e3, "a share of the usual clock, from 0.001 to 1000"};
}

TableReader::Read clocks_into(std::vector<ClockState>& target) {
  return each([&target](const ValueCursor& cursor) -> Expected<void> {
    ClockState state;
    if (auto fine = TableReader::read(
            cursor, {{"share", into(state.share, share_of_clock()), true},
                     {"active_w", into(state.active_w, from_zero(most_watts, "watts"))}});
        !fine) {
      return fine;
    }
    target.push_back(state);
    return {};
  });
}

/// Changes lead to one of the clocks; those come before or after in the file.
TableReader::Read clock_changes_into(std::vector<ClockChange>& target) {
  return each([&target](const ValueCursor& cursor) -> Expected<void> {
    ClockChange change;
    const std::vector<TableReader::Key> keys = {
        {"at_s", into(change.at_s, from_zero(most_seconds, "seconds")), true},
        {"share", into(change.share, share_of_clock()), true}};
    if (auto fine = TableReader::read(cursor, keys); !fine) return fine;
    if (!target.empty() && change.at_s < target.back().at_s) {
      return cursor.refuse("a change of the clock stands after a later one", "the order of time");
    }
    target.push_back(change);
    return {};
  });
}

TableReader::Read outages_into(std::vector<Outage>& target) {
  return each([&target](const ValueCursor& cursor) -> Expected<void> {
    Outage outage;
    const std::vector<TableReader::Key> keys = {
        {"at_s", into(outage.at_s, from_zero(most_time, "seconds")), true},
        {"for_s", into(outage.for_s, from_zero(most_time, "seconds"))}};
    if (auto fine = TableReader::read(cursor, keys); !fine) return fine;
    if (!target.empty() && outage.at_s < target.back().at_s + target.back().for_s) {
      return cursor.refuse("a failure begins before the one before it has ended",
                           "the order of time, each with for_s but the last");
    }
    target.push_back(outage);
    return {};
  });
}

TableReader::Read failure_rules_into(FailureRules& target, std::uint32_t& seed) {
  return [&target, &seed](const ValueCursor& cursor) -> Expected<void> {
    auto fine = TableReader::read(
        cursor, {{"seed", into(seed, {0, UINT32_MAX, "a whole number from 0 to 4294967295"})},
                 {"restarts", into(target.restarts, {0, most_restarts, "0 to 10000"})},
                 {"repair_s", into(target.repair_s, from_zero(most_time, "seconds"))}});
    if (fine && cursor.value().find("seed") != nullptr) target.seed = seed;
    return fine;
  };
}

/// What only disks have.
Keys disk_keys(double& read_gbs, double& write_gbs, double& latency_us) {
  const Bounds speed{1e-9, 1e12, "GB/s above 0"};
  return {{"read_gbs", into(read_gbs, speed)},
          {"write_gbs", into(write_gbs, speed)},
          {"latency_us", into(latency_us, from_zero(most_seconds / per_micro, "microseconds"))}};
}

Expected<void> take_disk(const ValueCursor& cursor, Component& unit, double read_gbs,
                         double write_gbs, double latency_us) {
  const bool is_disk = unit.kind == ComponentKind::disk;
  if (is_disk != (read_gbs > 0) || is_disk != (write_gbs > 0) || (!is_disk && latency_us > 0)) {
    return cursor.refuse("'" + unit.name + "' is a disk only in part",
                         "kind = \"disk\" with read_gbs and write_gbs, or none of them");
  }
  unit.disk = {read_gbs * per_giga, write_gbs * per_giga, latency_us * per_micro};
  return {};
}

/// What a component has wherever it stands.
Keys component_keys(Component& target) {
  return {{"hardware", hardware_into(target.hardware)},
          {"performance", into(target.performance, from_zero(most_speed, "operations per second"))},
          {"memory_bytes", into(target.memory_bytes, from_zero(most_bytes, "bytes"))},
          {"power", power_into(target.power)},
          {"failures_per_hour", into(target.failures_per_hour, from_zero(most_rate, "failures"))},
          {"failures", outages_into(target.outages)},
          {"clocks", clocks_into(target.clocks)},
          {"clock_changes", clock_changes_into(target.clock_changes)},
          {"model", file_into(target.model)},
          {"attributes", attributes_into(target.attributes)},
          {"labels", labels_into(target.labels)}};
}

TableReader::Read memory_into(std::optional<HostMemory>& target) {
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    target = memory_named(cursor.value().text);
    if (cursor.value().kind != PlainValue::Kind::text || !target) {
      return cursor.wrong("pageable or pinned");
    }
    return {};
  };
}

TableReader::Read changes_into(std::vector<std::string>& target) {
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    if (cursor.value().kind != PlainValue::Kind::table) {
      return cursor.wrong("a table: {\"h2d.pageable.share\" = 0.7}");
    }
    for (std::size_t i = 0; i < cursor.value().keys.size(); ++i) {
      double number = 0;
      const Bounds any{-most_bytes, most_bytes, "a number"};
      if (auto fine = into(number, any)(cursor.item(i)); !fine) return fine;
      target.push_back("link." + cursor.value().keys[i] + "=" + significant(number, 17));
    }
    return {};
  };
}

/// Where a link leads says somebody else. Stated numbers are those of both directions unless the
/// way back has its own.
Expected<void> read_link(const ValueCursor& cursor, Connection& link, Keys more = {}) {
  constexpr double unset = -1;
  double gbs = unset, gbs_back = unset, latency = unset, latency_back = unset;
  const Bounds speed{1e-9, 1e12, "GB/s above 0"};
  const Bounds wait = from_zero(most_seconds / per_micro, "microseconds");
  Keys keys = {
      {"hardware", hardware_into(link.hardware)},
      {"change", changes_into(link.changes)},
      {"memory", memory_into(link.memory)},
      {"gbs", into(gbs, speed)},
      {"gbs_back", into(gbs_back, speed)},
      {"latency_us", into(latency, wait)},
      {"latency_back_us", into(latency_back, wait)},
      {"hops", into(link.hops, {1, most_hops, "1 to 16"})},
      {"failures_per_hour", into(link.failures_per_hour, from_zero(most_rate, "failures"))},
      {"failures", outages_into(link.outages)}};
  std::move(more.begin(), more.end(), std::back_inserter(keys));
  if (auto fine = TableReader::read(cursor, keys); !fine) return fine;
  const bool stated =
      gbs != unset || gbs_back != unset || latency != unset || latency_back != unset;
  if (stated == !link.hardware.empty() || (stated && gbs == unset)) {
    return cursor.refuse("'" + cursor.path() + "' says what the link is " +
                             (stated && !link.hardware.empty() ? "twice" : "not"),
                         "hardware, or gbs and latency_us");
  }
  if (!stated) return {};
  link.there = {std::max(latency, 0.0) * per_micro, gbs * per_giga};
  link.back = link.there;
  if (latency_back != unset) link.back.latency_s = latency_back * per_micro;
  if (gbs_back != unset) link.back.bytes_per_s = gbs_back * per_giga;
  return {};
}

TableReader::Read ends_into(LinkText& target) {
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    const auto& items = cursor.value().items;
    if (cursor.value().kind != PlainValue::Kind::list || items.size() != 2 ||
        items[0].kind != PlainValue::Kind::text || items[1].kind != PlainValue::Kind::text) {
      return cursor.wrong("the names of two components");
    }
    target.first = items[0].text;
    target.second = items[1].text;
    return {};
  };
}

std::string place_of(const ValueCursor& cursor) {
  return place_in_file(cursor.origin().file, cursor.value().line, cursor.value().column);
}

TableReader::Read components_into(std::vector<ComponentText>& target) {
  return each([&target](const ValueCursor& cursor) -> Expected<void> {
    ComponentText text;
    text.place = place_of(cursor);
    Keys keys = component_keys(text.pattern);
    keys.push_back({"name", name_into(text.pattern.name), true});
    keys.push_back({"kind", kind_into(text.pattern.kind), true});
    keys.push_back({"count", into(text.count, count_from(1))});
    double read_gbs = 0, write_gbs = 0, latency_us = 0;
    const Keys more = disk_keys(read_gbs, write_gbs, latency_us);
    keys.insert(keys.end(), more.begin(), more.end());
    if (auto fine = TableReader::read(cursor, keys); !fine) return fine;
    if (auto fine = check_clocks(cursor, text.pattern); !fine) return fine;
    if (auto fine = take_disk(cursor, text.pattern, read_gbs, write_gbs, latency_us); !fine) {
      return fine;
    }
    const ComponentKind kind = text.pattern.kind;
    if (kind != ComponentKind::cpu && kind != ComponentKind::gpu && !text.pattern.labels.empty()) {
      return cursor.refuse(
          "the " + std::string(kind_name(kind)) + " '" + text.pattern.name + "' has labels",
          "labels of a cpu or a gpu, which run processes");
    }
    target.push_back(std::move(text));
    return {};
  });
}

TableReader::Read links_into(std::vector<LinkText>& target) {
  return each([&target](const ValueCursor& cursor) -> Expected<void> {
    LinkText text;
    text.place = place_of(cursor);
    Keys more;
    more.push_back({"name", name_into(text.pattern.name)});
    more.push_back({"ends", ends_into(text), true});
    if (auto fine = read_link(cursor, text.pattern, std::move(more)); !fine) return fine;
    target.push_back(std::move(text));
    return {};
  });
}

TableReader::Read part_into(Component& target, ComponentKind kind) {
  target.kind = kind;
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    if (auto fine = TableReader::read(cursor, component_keys(target)); !fine) return fine;
    return check_clocks(cursor, target);
  };
}

TableReader::Read link_into(Connection& target) {
  return [&target](const ValueCursor& cursor) { return read_link(cursor, target); };
}

TableReader::Read sizes_into(std::vector<std::uint32_t>& target) {
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    constexpr std::size_t most_dimensions = 6;
    const std::size_t dimensions = cursor.value().items.size();
    if (cursor.value().kind != PlainValue::Kind::list || dimensions == 0 ||
        dimensions > most_dimensions) {
      return cursor.wrong("how many routers there are in each of 1 to 6 dimensions: [4, 4, 2]");
    }
    target.resize(dimensions);
    for (std::size_t i = 0; i < dimensions; ++i) {
      const Bounds routers{2, most_count, "2 to 100000"};
      if (auto fine = into(target[i], routers)(cursor.item(i)); !fine) return fine;
    }
    return {};
  };
}

TableReader::Read dragonfly_into(DragonflyText& target) {
  return [&target](const ValueCursor& cursor) {
    const Bounds groups{1, most_groups, "1 to 400"};
    return TableReader::read(cursor, {{"groups", into(target.groups, groups), true},
                                      {"routers", into(target.routers, count_from(1)), true}});
  };
}

/// The network between nodes is of one kind, and each router has as many nodes.
Expected<void> check_fabric(const ValueCursor& cursor, const ClusterText& text) {
  const auto fault = [&](const std::string& found, const std::string& expected) {
    return cursor.refuse("the cluster '" + text.name + "' " + found, expected);
  };
  const bool has_torus = !text.torus.empty(), has_dragonfly = text.dragonfly.groups > 0;
  if ((text.leaf_nodes > 0) != (text.uplinks > 0)) {
    return fault("says only part of its fat tree", "leaf_nodes and uplinks, or neither");
  }
  if ((text.leaf_nodes > 0) + has_torus + has_dragonfly > 1) {
    return fault("has more than one network", "one of leaf_nodes, torus and dragonfly");
  }
  if (text.router_link && !has_torus && !has_dragonfly) {
    return fault("has a router_link without routers", "torus or dragonfly beside it");
  }
  if (text.global_link && !has_dragonfly) {
    return fault("has a global_link without groups of routers", "dragonfly beside it");
  }
  double routers = 1;
  if (has_dragonfly) routers = 1.0 * text.dragonfly.groups * text.dragonfly.routers;
  for (const std::uint32_t size : text.torus) routers *= size;
  if (routers > text.nodes || text.nodes % static_cast<std::uint32_t>(routers) != 0) {
    return fault(
        "has " + std::to_string(text.nodes) + " nodes on " + significant(routers, 12) + " routers",
        "a multiple of them");
  }
  return {};
}

TableReader::Read clusters_into(std::vector<ClusterText>& target) {
  return each([&target](const ValueCursor& cursor) -> Expected<void> {
    ClusterText text;
    text.place = place_of(cursor);
    Connection fabric, router_link, global_link;
    const Keys keys = {{"name", name_into(text.name), true},
                       {"nodes", into(text.nodes, count_from(1)), true},
                       {"gpus", into(text.gpus, count_from(0))},
                       {"host", part_into(text.host, ComponentKind::cpu), true},
                       {"gpu", part_into(text.gpu, ComponentKind::gpu)},
                       {"gpu_link", link_into(text.gpu_link)},
                       {"gpu_fabric", link_into(fabric)},
                       {"network", link_into(text.network), true},
                       {"leaf_nodes", into(text.leaf_nodes, count_from(1))},
                       {"uplinks", into(text.uplinks, count_from(1))},
                       {"torus", sizes_into(text.torus)},
                       {"dragonfly", dragonfly_into(text.dragonfly)},
                       {"router_link", link_into(router_link)},
                       {"global_link", link_into(global_link)}};
    if (auto fine = TableReader::read(cursor, keys); !fine) return fine;
    const bool has_link = cursor.value().find("gpu_link") != nullptr;
    if ((text.gpus > 0) != (cursor.value().find("gpu") != nullptr) || (text.gpus > 0) != has_link) {
      return cursor.refuse("the cluster '" + text.name + "' says only part of its GPUs",
                           "gpus, gpu and gpu_link, or none of them");
    }
    if (text.gpus == 0 && cursor.value().find("gpu_fabric") != nullptr) {
      return cursor.refuse("the cluster '" + text.name + "' has a gpu_fabric without GPUs",
                           "gpus from 1 on beside it");
    }
    const auto stated = [&](const char* key) { return cursor.value().find(key) != nullptr; };
    if (stated("gpu_fabric")) text.gpu_fabric = fabric;
    if (stated("router_link")) text.router_link = router_link;
    if (stated("global_link")) text.global_link = global_link;
    if (auto fine = check_fabric(cursor, text); !fine) return fine;
    target.push_back(std::move(text));
    return {};
  });
}

Keys group_keys(GroupText& target, int depth);

TableReader::Read groups_into(std::vector<GroupText>& target, int depth) {
  return each([&target, depth](const ValueCursor& cursor) -> Expected<void> {
    if (depth > deepest_group) {
      return cursor.refuse("groups stand in groups more than 8 deep", "fewer levels");
    }
    GroupText text;
    text.place = place_of(cursor);
    Keys keys = group_keys(text, depth + 1);
    keys.push_back({"name", name_into(text.name), true});
    keys.push_back({"count", into(text.count, count_from(1))});
    if (auto fine = TableReader::read(cursor, keys); !fine) return fine;
    target.push_back(std::move(text));
    return {};
  });
}

Keys group_keys(GroupText& target, int depth) {
  return {{"component", components_into(target.components)},
          {"link", links_into(target.links)},
          {"group", groups_into(target.groups, depth)},
          {"cluster", clusters_into(target.clusters)}};
}

}  // namespace

Expected<SystemText> parse_system(std::string_view toml, const std::filesystem::path& file,
                                  const std::vector<std::string>& changes) {
  const ValueOrigin origin{file.string(), 0, file.parent_path()};
  auto table = parse_toml(toml, origin, "a system file in TOML");
  if (!table) return table.error();
  if (auto changed = apply_changes(*table, changes); !changed) return changed.error();
  SystemText text;
  text.file = file.string();
  text.name = file.stem().string();
  Keys keys = group_keys(text.whole, 1);
  keys.push_back({"name", into(text.name)});
  keys.push_back({"tick_us", into(text.tick_us, from_zero(most_seconds, "microseconds"))});
  keys.push_back({"base_w", into(text.base_w, from_zero(most_watts, "watts"))});
  std::uint32_t seed = 0;
  keys.push_back({"failures", failure_rules_into(text.failures, seed)});
  if (auto fine = TableReader::read(ValueCursor(*table, origin), keys); !fine) return fine.error();
  if (text.whole.components.empty() && text.whole.groups.empty() && text.whole.clusters.empty()) {
    return Diagnostic{text.file, "has no component", "[[component]], [[group]] or [[cluster]]",
                      "see docs/system.md"};
  }
  return text;
}

}  // namespace forewarp::system
