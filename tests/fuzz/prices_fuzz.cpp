// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a table of prices: what is refused is one line of text.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "study/boards/board_prices.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = forewarp::tests::parse_prices(text, "file");
  if (read) {
    if (read->empty()) std::abort();
    return 0;
  }
  const std::string line = read.error().line();
  if (line.empty() || line.find('\n') != std::string::npos) std::abort();
  return 0;
}
