// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/result.h"

namespace forewarp::result {

/// Edits of one launch that were tried through the models, each alone (docs/advise.md).
struct Advice {
  struct Edit {
    std::string kind;       ///< name of the kind of edit
    std::string text;       ///< what to do
    std::string reason;     ///< the figures that it follows from
    std::string condition;  ///< what nobody checked; empty: nothing
    std::string how;        ///< how it was evaluated
    std::optional<std::uint32_t>
        address;             ///< of the instruction; none: the launch, or all of the code
    std::string file;        ///< of the source; empty: not known
    std::uint32_t line = 0;  ///< 0: not known
    std::string source;      ///< text of that line, where it is at hand
    double time_ms = 0;      ///< after the edit; 0: not evaluated
    std::array<double, 2> interval_ms{};
    std::string limited_by;  ///< then
    std::string sure;        ///< "clear", "likely", "uncertain"; empty where it does not gain
    std::string refused;     ///< why it has no time, or does not count
  };
  Result now;                ///< without a listing
  std::vector<Edit> gains;   ///< fastest first
  std::vector<Edit> others;  ///< that do not gain, or could not be tried

  [[nodiscard]] double factor(const Edit& edit) const { return now.time_ms / edit.time_ms; }
};

/// One JSON object, schema "forewarp.advice/1", ending in a newline.
[[nodiscard]] std::string to_json(const Advice& advice);

}  // namespace forewarp::result
