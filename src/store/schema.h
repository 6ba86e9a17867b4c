// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/database.h"

namespace forewarp::store {

/// The newest version that this program writes (`PRAGMA user_version`). docs/results.md has the
/// tables.
inline constexpr int newest_version = 2;

/// Makes the tables of an empty file, or brings those of an older version to the newest, all of it
/// or nothing. Refused: a newer version, an SQLite file that is no store of results, an older one
/// that cannot be written.
Expected<void> bring_up_to_date(Database& database);

}  // namespace forewarp::store
