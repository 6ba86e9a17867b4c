// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/sinks/line_notes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "report/causes.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

constexpr double hot = 0.05;           ///< share from which a line is worth a message
constexpr double worth_a_bar = 0.005;  ///< shares below it are left blank
constexpr int bar_cells = 10;

std::string reasons(std::string waits, const std::string& memory) {
  if (!waits.empty()) waits = "waits for " + waits;
  if (waits.empty() || memory.empty()) return waits + memory;
  return waits + "; " + memory;
}

std::uint32_t column_of(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? 1 : static_cast<std::uint32_t>(first + 1);
}

std::vector<LineNote> source_notes(const Result& result) {
  std::vector<LineNote> notes;
  for (const Result::SourceLine& line : result.source) {
    if (line.line == 0) continue;
    notes.push_back(
        {line.file, line.line, column_of(line.text), line.time_share,
         reasons(line.waits.empty() ? "" : kind_of_cause(line.waits).label, line.memory),
         std::string(trim(line.text))});
  }
  return notes;
}

std::vector<LineNote> listing_notes(const Result& result, const ListingLines& lines) {
  std::map<std::uint32_t, const SimulationFacts::Instruction*> simulated;
  for (const auto& seen : result.simulation.instructions) simulated[seen.address] = &seen;
  std::vector<LineNote> notes;
  for (const Result::ListingLine& line : result.listing) {
    const auto place = lines.find(line.address);
    if (place == lines.end()) continue;
    const auto seen = simulated.find(line.address);
    const std::string waits =
        seen == simulated.end() ? line.waits_for : causes_of(*seen->second, 1);
    notes.push_back({result.kernel.input, place->second, 1, line.time_share,
                     reasons(waits, line.memory), line.text});
  }
  return notes;
}

std::string answer_of(const Result& result) {
  const std::string limit =
      result.limited_by.sentence.empty() ? "" : "; limited by " + result.limited_by.sentence;
  return result.kernel.name + " on " + result.gpu.name + ": " + duration(result.time_ms) + " (" +
         duration_range(result.interval_ms[0], result.interval_ms[1]) + ")" + limit;
}

/// Of messages that say something of the whole kernel: its first line.
std::string place_of(const std::vector<LineNote>& notes, const Result& result) {
  for (const LineNote& note : notes) {
    if (note.file == result.kernel.input) return place_in_file(note.file, note.line, note.column);
  }
  return result.kernel.input;
}

}  // namespace

std::vector<LineNote> line_notes(const Result& result, const ListingLines& lines) {
  std::vector<LineNote> notes = source_notes(result);
  if (notes.empty()) notes = listing_notes(result, lines);
  std::ranges::stable_sort(notes, {},
                           [](const LineNote& note) { return std::pair(note.file, note.line); });
  return notes;
}

std::string compiler_messages(const Result& result, const ListingLines& lines) {
  if (result.error) return result.kernel.input + ": error: " + result.error->line() + "\n";
  std::vector<LineNote> notes = line_notes(result, lines);
  std::string out = place_of(notes, result) + ": note: " + answer_of(result) + " [forewarp]\n";
  std::ranges::stable_sort(notes, std::ranges::greater(), &LineNote::share);
  for (const LineNote& note : notes) {
    if (note.share < hot) break;
    out += fmt::format("{}: warning: {} of the time{}{} [forewarp-hot]\n",
                       place_in_file(note.file, note.line, note.column), percent(note.share),
                       note.why.empty() ? "" : "; ", note.why);
  }
  return out;
}

std::string explorer_text(const Result& result, const ListingLines& lines) {
  if (result.error) return result.kernel.input + ": error: " + result.error->line() + "\n";
  const std::vector<LineNote> notes = line_notes(result, lines);
  double most = 0;
  for (const LineNote& note : notes) most = std::max(most, note.share);
  std::string out = answer_of(result) + "\n";
  for (const LineNote& note : notes) {
    const bool shown = note.share >= worth_a_bar && most > 0;
    const int cells = shown ? static_cast<int>(bar_cells * note.share / most + 0.5) : 0;
    out += fmt::format(
        "{}: {:>7} {:<{}}  {}{}{}\n", place_in_file(note.file, note.line, note.column),
        shown ? percent(note.share) : "", std::string(static_cast<std::size_t>(cells), '#'),
        bar_cells, note.text, note.why.empty() || !shown ? "" : "  | ", shown ? note.why : "");
  }
  for (const Result::Assumption& assumption : result.assumptions) {
    out += "assumed: " + assumption.text + "\n";
  }
  return out;
}

}  // namespace forewarp::report
