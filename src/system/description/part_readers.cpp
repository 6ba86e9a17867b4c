// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/description/part_readers.h"

#include <algorithm>
#include <cctype>

#include "request/text/toml_value.h"

namespace forewarp::system {

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

/// An id of the database, or a file beside the system's.
TableReader::Read hardware_into(std::string& target) {
  return [&target](const ValueCursor& cursor) -> Expected<void> {
    if (auto fine = into(target)(cursor); !fine) return fine;
    if (target.ends_with(".toml")) target = cursor.resolved(target);
    return {};
  };
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

std::string place_of(const ValueCursor& cursor) {
  return place_in_file(cursor.origin().file, cursor.value().line, cursor.value().column);
}

}  // namespace forewarp::system
