// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "characterise/samples/record.h"

namespace forewarp::characterise {

/// The first line of samples.tsv.
inline constexpr std::string_view samples_title = "# forewarp samples 1";

/// The records of a run, in the order in which they were written.
struct SampleTable {
  std::vector<Record> records;
  std::vector<std::string> notes;  ///< a torn last line that was dropped
};

/// Reads samples.tsv: fields parted by tabs, `test config quantity unit clock_mhz power_w samples`.
/// A last line without its end is what a killed run was writing: it is dropped with a note. Fails,
/// naming the line, for another first line, a missing field, samples that are not ascending, are
/// negative or count 0.
Expected<SampleTable> parse_samples(std::string_view text, std::string_view file);

/// The same records as text, which reads back equal.
[[nodiscard]] std::string samples_text(const std::vector<Record>& records);

}  // namespace forewarp::characterise
