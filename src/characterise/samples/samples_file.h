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

/// The same of a run that goes on: it may hold no record yet.
Expected<SampleTable> parse_begun_samples(std::string_view text, std::string_view file);

/// A line with its end.
[[nodiscard]] std::string record_line(const Record& record);
/// The same records as text, which reads back equal.
[[nodiscard]] std::string samples_text(const std::vector<Record>& records);

/// "21.5 22*3": ascending, "*1" is left out.
[[nodiscard]] std::string histogram_text(const Histogram& samples);
Expected<Histogram> parse_histogram(std::string_view text, const std::string& place);

}  // namespace forewarp::characterise
