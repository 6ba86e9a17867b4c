// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "result/result.h"

namespace forewarp::report {

/// Parts of sentences that several views and the page share; each is empty if its figures are
/// absent.
[[nodiscard]] std::string gpu_label(const Result& result);      ///< its name, else its id
[[nodiscard]] std::string range_phrase(const Result& result);   ///< "138 .. 155 ms: what it means"
[[nodiscard]] std::string interval_text(const Result& result);  ///< "138 .. 155 ms"; none: "-"
[[nodiscard]] std::string limit_label(const Result& result);    ///< "DRAM": the bound's label
[[nodiscard]] std::string limit_phrase(const Result& result);   ///< "DRAM: 93 % of the time"
[[nodiscard]] std::string blocks_phrase(
    const Result& result);  ///< "8 blocks per SM, limited by .."
[[nodiscard]] std::string needed_phrase(const Result& result);    ///< "29.7 warps hide the latency"
[[nodiscard]] std::string latency_formula(const Result& result);  ///< "= 918 + 24*a"; not a number
[[nodiscard]] std::string waves_phrase(const Result& result);     ///< "75.85 waves"

/// "n=400 a=128".
[[nodiscard]] std::string named_texts(
    const std::vector<std::pair<std::string, std::string>>& texts);

/// The parts that are not empty, separated by "; ".
[[nodiscard]] std::string joined(std::vector<std::string> parts);

}  // namespace forewarp::report
