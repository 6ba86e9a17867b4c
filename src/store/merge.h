// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/expected.h"

namespace forewarp::store {

/// What a merge came to.
struct Merged {
  std::uint64_t added = 0;   ///< points that were not there, or had failed here
  std::uint64_t points = 0;  ///< of the other store
  std::uint64_t runs = 0;    ///< that were not there
};

/// Takes over the points and runs of the store `from` as they are at one time. Nothing is written
/// into it or beside it; others may write it meanwhile, and an older version is read as it is.
/// `into` is made where there is none. A point is one by its key: none is there twice, and a time
/// is never replaced by a failure. A run is one by its key and its beginning; the copy that ended
/// later replaces the other. All of it, or nothing. Refused: a file that is no store, the same file
/// twice.
Expected<Merged> merge_stores(const std::string& from, const std::string& into);

}  // namespace forewarp::store
