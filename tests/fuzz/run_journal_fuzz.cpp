// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as what a running program wrote: its journal, which is read as far as it is whole; the
// settings it was started with; the index of a recording.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "driver/recorded_launch.h"
#include "program_run/journal.h"
#include "program_run/run_report.h"
#include "program_run/settings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forewarp;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto journals = program_run::read_journal(text);
  std::vector<program_run::RunSummary> summaries;
  for (const auto& journal : journals) summaries.push_back(program_run::summary_of(journal));
  for (const auto& summary : summaries) {
    if (program_run::report_text(summary).empty()) std::abort();
  }
  if (program_run::report_json(summaries).empty()) std::abort();
  if (program_run::timeline_json(journals).empty()) std::abort();
  if (const auto settings = program_run::parse_settings(text)) {
    // What was read is what would be written.
    if (!program_run::parse_settings(program_run::settings_text(*settings))) std::abort();
  }
  const auto line = driver::parse_recorded_line(text);
  if (!line && line.error().line().find('\n') != std::string::npos) std::abort();
  return 0;
}
