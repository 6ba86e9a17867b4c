// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::comparison {

/// The price of an hour on a board, as the user gave it.
struct BoardPrice {
  std::string gpu;  ///< id or name
  double per_hour = 0;
  std::string place;  ///< of the row, for messages
};

/// Reads a CSV file with the columns `gpu` and `price_per_hour`; ignores others. Refuses a missing
/// column, a row without a GPU, a price that is no number of at least 0, and a file without rows.
Expected<std::vector<BoardPrice>> parse_prices(std::string_view csv, std::string_view file);

}  // namespace forewarp::comparison
