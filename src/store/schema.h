// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/database.h"

namespace forewarp::store {

/// The newest version that this program writes (`PRAGMA user_version`). docs/results.md has the
/// tables.
inline constexpr int newest_version = 2;

/// The version of a store, 0: an empty file. Refused: a newer one, an SQLite file that is no store
/// of results.
Expected<std::int64_t> store_version(Database& database);

/// Makes the tables of an empty file, or brings those of an older version to the newest, all of it
/// or nothing. Refused also: an older one that cannot be written.
Expected<void> bring_up_to_date(Database& database);

/// A store of the newest version to write into, which is made where there is none.
Expected<Database> open_to_write(const std::string& file);

}  // namespace forewarp::store
