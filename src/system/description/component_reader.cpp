// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "system/description/factors.h"
#include "system/description/part_readers.h"

namespace forewarp::system {
namespace {

constexpr double most_speed = 1e24;

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

}  // namespace

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

TableReader::Read part_into(Component& target, ComponentKind kind) {
  target.kind = kind;
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    if (auto fine = TableReader::read(cursor, component_keys(target)); !fine) return fine;
    return check_clocks(cursor, target);
  };
}

}  // namespace forewarp::system
