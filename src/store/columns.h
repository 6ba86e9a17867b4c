// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/results_table.h"

namespace forewarp::store {

/// The figures that a point has as columns, in their order; the last is its error. Words: model,
/// limited_by, bounds (an object resource -> ms as JSON) and error; all others are numbers.
[[nodiscard]] const std::vector<std::string>& point_columns();

/// Their positions for these names. The names are known.
[[nodiscard]] std::vector<std::size_t> column_positions(const std::vector<std::string>& names);

/// Values of axes as a JSON array, and back; nothing where the text is no array of numbers, texts
/// and nulls.
[[nodiscard]] std::string axes_text(const TableRow& values);
[[nodiscard]] std::optional<TableRow> axes_values(std::string_view text);

/// Names of axes alike.
[[nodiscard]] std::string names_text(const std::vector<std::string>& names);
[[nodiscard]] std::optional<std::vector<std::string>> axes_names(std::string_view text);

/// A text compressed (zlib, its size of 8 bytes before it), and back; nothing where the bytes are
/// none of that or would become larger than 64 MiB.
[[nodiscard]] std::string packed_text(std::string_view text);
[[nodiscard]] std::optional<std::string> unpacked_text(std::string_view bytes);

}  // namespace forewarp::store
