// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a table of prices: what is refused is one line of text.
#include <cstdint>
#include <string_view>

#include "comparison/boards/board_prices.h"
#include "one_line.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  forewarp::tests::check_rows_or_one_line(forewarp::tests::parse_prices(text, "file"));
  return 0;
}
