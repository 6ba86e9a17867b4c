// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "request/text/value_cursor.h"
#include "system/layers.h"

namespace forewarp::system {

/// Reads the keys of one table; the first fault is kept and what follows is skipped.
class TableReader {
 public:
  using Read = std::function<Expected<void>(const ValueCursor&)>;
  struct Key {
    std::string name;
    Read read;
    bool required = false;
  };

  /// Refuses a value that is no table, an unknown key and a missing required one.
  static Expected<void> read(const ValueCursor& table, const std::vector<Key>& keys);
};

/// Bounds of a number; both may be reached.
struct Bounds {
  double least, most;
  std::string expected;  ///< for the message: "seconds from 0 on"
};

/// Readers of one value into `target`, which outlives them.
TableReader::Read into(std::string& target);
TableReader::Read into(double& target, Bounds bounds);
TableReader::Read into(std::uint32_t& target, Bounds bounds);

/// Calls `read` for each item of a list of tables.
TableReader::Read each(TableReader::Read read);

}  // namespace forewarp::system
