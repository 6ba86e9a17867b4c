// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sweep/results_table.h"

namespace forewarp::sweep {

/// A row as bytes that another process of the same machine type reads back, bit for bit.
[[nodiscard]] std::string packed(const TableRow& row);

/// Nothing where the bytes are no whole row.
[[nodiscard]] std::optional<TableRow> unpacked(std::string_view bytes);

}  // namespace forewarp::sweep
