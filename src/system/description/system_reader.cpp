// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/description/system_reader.h"

#include <utility>

#include "request/text/toml_value.h"
#include "system/description/changes.h"
#include "system/description/part_readers.h"

namespace forewarp::system {
namespace {

constexpr double most_restarts = 10'000;
constexpr int deepest_group = 8;

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
