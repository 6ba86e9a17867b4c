// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "request/options/option_row.h"

namespace forewarp::request {

/// All options of a prediction. The command line, cases, launch files, sweeps, sides of a
/// comparison, the echo in the result and docs/options.md are made from these rows.
[[nodiscard]] std::span<const OptionRow> option_rows();

/// The option with this flag; null: there is none.
[[nodiscard]] const OptionRow* option_named(std::string_view name);
/// The option with this key of a case or launch file; null: there is none.
[[nodiscard]] const OptionRow* option_with_key(std::string_view key);
/// The option with this name or key (- and _ are alike) among those allowed at `place`; null: none.
[[nodiscard]] const OptionRow* option_at(OptionPlace place, std::string_view name_or_key);

/// "--grid", or the key if the option has no flag.
[[nodiscard]] std::string option_title(const OptionRow& row);

/// The options in effect, for the result: those always shown, then those that were given. Pairs are
/// "NAME.LEFT", "RIGHT"; a flag is "true".
[[nodiscard]] std::vector<std::pair<std::string, std::string>> option_echo(
    const Case& request, const PredictOptions& options);

}  // namespace forewarp::request
