// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sm_builder.h"

namespace forewarp::tests {

/// One worked example of tests/fixtures/timing/rows.txt.
struct TimingRow {
  int number = 0;
  std::string text;
  SmBuilder sm;
  std::map<std::uint32_t, Cycles> expected;  ///< by warp
};

/// All examples of the file; `fault` says which line cannot be read.
[[nodiscard]] std::vector<TimingRow> read_timing_rows(const std::string& path, std::string& fault);

}  // namespace forewarp::tests
