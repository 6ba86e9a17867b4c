// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as what a store holds: values and names of axes, a compressed result, a point of a
// validation, a row that another rank sent.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "result/result_json.h"
#include "result/validation_json.h"
#include "store/columns.h"
#include "sweep/points/packed_row.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forewarp::tests;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto row = axes_values(bytes); row && !axes_values(axes_text(*row))) std::abort();
  if (const auto names = axes_names(bytes); names && axes_names(names_text(*names)) != names) {
    std::abort();
  }
  if (const auto row = unpacked(bytes); row && packed(*row) != bytes) std::abort();
  if (const auto text = unpacked_text(bytes)) {
    if (unpacked_text(packed_text(*text)) != text) std::abort();
    const auto result = from_json(*text);
    if (!result && result.error().line().empty()) std::abort();
  }
  static_cast<void>(read_point_line(bytes));
  return 0;
}
