// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/expected.h"
#include "report/text_style.h"
#include "result/boards/board_table.h"

namespace forewarp::report {

/// One launch on many boards. Formats: text, markdown, json (schema forewarp.gpus/1), csv (a row
/// for each board that can run it). An unknown format is a diagnostic that lists them.
///
///   axpy on 66 boards
///       board     time      90 % interval       limited by         power  energy
///     * board-x   10.12 ms  8.012 .. 14.31 ms   instruction fetch  310 W  3.14 J
Expected<std::string> render_boards(const BoardTable& table, std::string_view format,
                                    const TextStyle& style);

}  // namespace forewarp::report
