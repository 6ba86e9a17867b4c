// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/samples/samples_file.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace forewarp::characterise {
namespace {

constexpr std::size_t fields = 7;
constexpr std::string_view unknown = "-";
constexpr std::uint64_t most_samples = 1'000'000'000'000;  // of a line; sums stay exact

/// The fewest digits that read back as the same number.
std::string exact_text(double value) {
  constexpr int most = 17;
  int digits = 1;
  while (digits < most && parse_number(significant(value, digits)) != value) ++digits;
  return significant(value, digits);
}

/// Reads the lines of one file; the place is that of the line at hand.
class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  Expected<Record> record(std::string_view line, std::size_t number) {
    line_ = number;
    const std::vector<std::string_view> parts = split(line, '\t');
    if (parts.size() != fields) {
      return fault("a line of " + std::to_string(parts.size()) + " fields",
                   "test, config, quantity, unit, clock_mhz, power_w and samples, parted by tabs");
    }
    Record made;
    made.test = parts[0];
    made.quantity = parts[2];
    made.unit = parts[3];
    made.line = number;
    if (made.test.empty() || made.quantity.empty() || made.unit.empty()) {
      return fault("a test, quantity or unit without a name", "");
    }
    if (auto done = config(parts[1], made); !done) return done.error();
    if (auto done = optional_number(parts[4], "clock_mhz", made.clock_mhz); !done)
      return done.error();
    if (auto done = optional_number(parts[5], "power_w", made.power_w); !done) return done.error();
    auto samples = parse_histogram(parts[6], place_in_file(file_, line_));
    if (!samples) return std::move(samples).error();
    made.samples = *std::move(samples);
    return made;
  }

 private:
  [[nodiscard]] Diagnostic fault(std::string found, std::string expected) const {
    return {place_in_file(file_, line_), std::move(found), std::move(expected), ""};
  }

  Expected<void> config(std::string_view text, Record& into) const {
    if (text.empty() || text == unknown) return {};
    for (const std::string_view pair : split(text, ',')) {
      const std::size_t equals = pair.find('=');
      if (equals == std::string_view::npos || equals == 0 || equals + 1 == pair.size()) {
        return fault("'" + std::string(pair) + "'", "KEY=VALUE pairs, parted by commas");
      }
      into.config.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
    }
    return {};
  }

  Expected<void> optional_number(std::string_view text, std::string_view name,
                                 std::optional<double>& into) const {
    if (text == unknown) return {};
    into = parse_number(text);
    if (into && std::isfinite(*into) && *into > 0) return {};
    return fault(std::string(name) + " is '" + std::string(text) + "'", "a number above 0, or -");
  }

  std::string file_;
  std::size_t line_ = 0;
};

std::string optional_text(const std::optional<double>& number) {
  return number ? exact_text(*number) : std::string(unknown);
}

}  // namespace

Expected<Histogram> parse_histogram(std::string_view text, const std::string& place) {
  const auto fault = [&](std::string_view entry, const std::string& what, std::string expected) {
    return Diagnostic{place, "the sample '" + std::string(entry) + "'" + what, std::move(expected),
                      ""};
  };
  Histogram samples;
  std::uint64_t total = 0;
  for (const std::string_view entry : split(text, ' ')) {
    const std::size_t star = entry.find('*');
    const auto value = parse_number(entry.substr(0, star));
    const auto count = star == std::string_view::npos ? std::optional<std::uint64_t>(1)
                                                      : parse_natural(entry.substr(star + 1));
    const bool fine = value && std::isfinite(*value) && *value >= 0 && count && *count > 0;
    if (!fine) return fault(entry, "", "VALUE or VALUE*COUNT, not below 0, parted by one blank");
    if (*count > most_samples || (total += *count) > most_samples) {
      return fault(entry, " makes more than " + std::to_string(most_samples) + " of the line",
                   "as many samples as a run takes");
    }
    if (!samples.empty() && !(samples.back().first < *value)) {
      return fault(entry, " after " + exact_text(samples.back().first),
                   "each value once, ascending");
    }
    samples.emplace_back(*value, *count);
  }
  return samples;
}

Expected<SampleTable> parse_begun_samples(std::string_view text, std::string_view file) {
  SampleTable table;
  std::vector<std::string_view> lines = split(text, '\n');
  const bool torn = !lines.empty() && !lines.back().empty();
  const std::size_t last = lines.size();
  lines.pop_back();
  if (lines.empty() || lines.front() != samples_title) {
    return Diagnostic{place_in_file(file, 1), "another first line", std::string(samples_title),
                      "name the folder that forewarp-bench wrote"};
  }
  if (torn) {
    table.notes.push_back(place_in_file(file, last) + ": the last line is torn and was dropped");
  }
  Reader reader(file);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty() || lines[i].front() == '#') continue;
    auto record = reader.record(lines[i], i + 1);
    if (!record) return std::move(record).error();
    table.records.push_back(*std::move(record));
  }
  return table;
}

Expected<SampleTable> parse_samples(std::string_view text, std::string_view file) {
  auto table = parse_begun_samples(text, file);
  if (table && table->records.empty()) {
    return Diagnostic{std::string(file), "holds no record", "a line for each measurement",
                      "run forewarp-bench run --out DIR"};
  }
  return table;
}

std::string histogram_text(const Histogram& samples) {
  std::string text;
  for (const auto& [value, count] : samples) {
    if (!text.empty()) text += ' ';
    text += exact_text(value);
    if (count != 1) text += '*' + std::to_string(count);
  }
  return text;
}

std::string record_line(const Record& record) {
  const std::string config = record.config_without("");
  return record.test + '\t' + (config.empty() ? std::string(unknown) : config) + '\t' +
         record.quantity + '\t' + record.unit + '\t' + optional_text(record.clock_mhz) + '\t' +
         optional_text(record.power_w) + '\t' + histogram_text(record.samples) + '\n';
}

std::string samples_text(const std::vector<Record>& records) {
  std::string out(samples_title);
  out += '\n';
  for (const Record& record : records) out += record_line(record);
  return out;
}

}  // namespace forewarp::characterise
