// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "program_run/journal.h"

namespace forewarp::program_run {

/// One kernel over all its launches of a process, in milliseconds.
struct KernelTotal {
  std::string name;
  std::uint64_t launches = 0;
  double total = 0, least = 0, most = 0;
  std::string limited_by;                ///< of the launches that took most of the time
  std::map<std::string, double> others;  ///< total on the other boards, by id
};
/// One kind of copy.
struct CopyTotal {
  std::string what, memory;
  std::uint64_t copies = 0, bytes = 0;
  double total = 0;
};
/// A process's record, summed up.
struct RunSummary {
  ProcessRecord process;
  std::vector<KernelTotal> kernels;  ///< longest first
  std::vector<CopyTotal> copies;
  std::vector<MessageRecord> messages;
  std::vector<std::string> unpredicted;  ///< launches without a time: why
  double elapsed_ms = 0, host_ms = 0, waited_ms = 0;
  double busy_ms = 0;  ///< of the device: something runs or is copied
  std::uint64_t launches = 0, executed = 0, skipped = 0, instructions = 0, peak_bytes = 0;
  std::uint64_t library_calls = 0;  ///< of these launches: computed on the host, modelled
  std::uint64_t unselected = 0;     ///< beside these launches: executed only, without a time
  double execution_s = 0, prediction_s = 0;
  bool ended = true, computed = true;
  bool summed = true;  ///< of a program that did not end: its sums until shortly before are known
  int signal = 0;      ///< that ended the program, if it is known
  bool at_limit = false;  ///< it was ended as its time was over
};

[[nodiscard]] RunSummary summary_of(const Journal& journal);

/// What is said of calls of libraries.
[[nodiscard]] std::string library_text(const RunSummary& summary);
/// What is said of launches that were not selected.
[[nodiscard]] std::string unselected_text(const RunSummary& summary);

/// How a program ended that did not end by itself.
[[nodiscard]] std::string end_text(const RunSummary& summary);

/// `widest`: most characters of a kernel's name in its table.
[[nodiscard]] std::string report_text(const RunSummary& summary, std::size_t widest = 72);
/// Schema forewarp.run/1: docs/run.md.
[[nodiscard]] std::string report_json(const std::vector<RunSummary>& processes);
/// In Chrome's trace format, as Perfetto reads it: a track per stream, one for copies by direction.
[[nodiscard]] std::string timeline_json(const std::vector<Journal>& processes);

}  // namespace forewarp::program_run
