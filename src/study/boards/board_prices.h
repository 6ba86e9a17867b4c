// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::study {

/// What an hour of a board costs, as its user wrote it.
struct BoardPrice {
  std::string gpu;  ///< id or name
  double per_hour = 0;
  std::string place;  ///< of the row, for messages
};

/// A CSV file with the columns `gpu` and `price_per_hour`; others are left alone. Refused: a
/// missing column, a row without a GPU, a price that is no number from 0 on, a file without rows.
Expected<std::vector<BoardPrice>> parse_prices(std::string_view csv, std::string_view file);

}  // namespace forewarp::study
