// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/expected.h"
#include "request/case.h"
#include "request/options/option_row.h"
#include "request/text/value_cursor.h"

namespace forewarp::request {

/// Readers of the value of one key of a case or launch file, for the table of options. They refuse
/// a value of the wrong kind or out of range, with its place.
Expected<void> read_text(const ValueCursor& cursor, std::string& text);
template <std::string Case::*Member>
Expected<void> read_case_text(const ValueCursor& cursor, Case& result) {
  return read_text(cursor, result.*Member);
}

/// Reads an extent of the launch: one to three sizes, each at least 1.
Expected<void> read_extent(const ValueCursor& cursor, Extent& extent);
template <Extent LaunchConfig::*Member>
Expected<void> read_case_extent(const ValueCursor& cursor, Case& result) {
  return read_extent(cursor, result.launch.*Member);
}

/// Reads a finite number above 0, or 0 too. Without `expected` a refusal names the option's own
/// values.
Expected<double> read_quantity(const ValueCursor& cursor, bool zero_allowed,
                               std::string_view expected);
template <std::optional<double> Case::*Member, bool ZeroToo>
Expected<void> read_case_quantity(const ValueCursor& cursor, Case& result) {
  const auto number = read_quantity(cursor, ZeroToo, {});
  if (!number) return number.error();
  result.*Member = *number;
  return {};
}

Expected<void> read_case_id(const ValueCursor& cursor, Case& result);
Expected<void> read_case_input(const ValueCursor& cursor, Case& result);
Expected<void> read_case_gpu(const ValueCursor& cursor, Case& result);
Expected<void> read_case_dynamic_shared(const ValueCursor& cursor, Case& result);
Expected<void> read_case_resident(const ValueCursor& cursor, Case& result);
Expected<void> read_case_compile_options(const ValueCursor& cursor, Case& result);
Expected<void> read_case_args(const ValueCursor& cursor, Case& result);
Expected<void> read_case_symbols(const ValueCursor& cursor, Case& result);
Expected<void> read_case_link(const ValueCursor& cursor, Case& result);
Expected<void> read_case_copies(const ValueCursor& cursor, Case& result);
Expected<void> read_case_clock(const ValueCursor& cursor, Case& result);
Expected<void> read_case_timing(const ValueCursor& cursor, Case& result);
Expected<void> read_case_repeat(const ValueCursor& cursor, Case& result);

}  // namespace forewarp::request
