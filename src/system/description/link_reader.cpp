// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "system/description/factors.h"
#include "system/description/part_readers.h"

namespace forewarp::system {
namespace {

constexpr double most_hops = 16;

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

}  // namespace

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

TableReader::Read link_into(Connection& target) {
  return [&target](const ValueCursor& cursor) { return read_link(cursor, target); };
}

}  // namespace forewarp::system
