// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "program_run/virtual_clock.h"

namespace forewarp::program_run {

/// What a program did, as lines of JSON that are written at once: a program that crashes leaves
/// what it did before. docs/run.md describes the lines.
struct ProcessRecord {
  std::int64_t process = 0;
  std::string program;
  std::vector<std::string> gpus;  ///< ids; the first one's times are the program's
  std::string device;             ///< name of the first
};
struct KernelRecord {
  std::uint32_t id = 0;
  std::string name, mangled, arch;
};
struct PredictionRecord {
  std::uint32_t id = 0, kernel = 0;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t dynamic_shared = 0;
  double ms = 0, low_ms = 0, high_ms = 0;
  std::string limited_by, model;
  std::string failure;                   ///< why there is no time; empty: there is one
  std::map<std::string, double> others;  ///< ms on the other boards, by id
};
struct LaunchRecord {
  std::uint32_t kernel = 0, prediction = 0, device = 0;
  std::uint64_t stream = 0;
  Nanoseconds issued = 0, begin = 0, end = 0;
  std::string state;               ///< executed, assumed, failed, cut, skipped, library, unselected
  std::uint64_t instructions = 0;  ///< warp instructions executed
};
struct CopyRecord {
  std::string what;    ///< h2d, d2h, d2d, h2h, p2p, fill
  std::string memory;  ///< of the host: pageable, pinned; empty: no host's
  std::uint64_t bytes = 0, stream = 0;
  std::uint32_t device = 0;
  Nanoseconds begin = 0, end = 0;
};
struct MessageRecord {
  std::string kind;  ///< error, memory, note, unsupported
  std::string text;
};
/// Sums of a process until a moment: of its end, or of a launch on the way there.
struct EndRecord {
  Nanoseconds end = 0, host = 0, waited = 0, device_end = 0;
  std::uint64_t peak_bytes = 0, executed = 0;
  double execution_s = 0, prediction_s = 0;  ///< of this machine's time
  bool computed = true;                      ///< every launch was executed whole
};

/// Writes the lines. Without a file it does nothing.
class JournalWriter {
 public:
  JournalWriter() = default;
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Opens the file for appending.
  Expected<void> open(const std::string& path);

  void add(const ProcessRecord& record);
  void add(const KernelRecord& record);
  void add(const PredictionRecord& record);
  void add(const LaunchRecord& record);
  void add(const CopyRecord& record);
  void add(const MessageRecord& record);
  /// Adds a message unless one of its kind with this name was added; empty: its text is its name.
  /// Of a kind that comes again and again, only the first thousand are told.
  void tell(const MessageRecord& message, const std::string& name = "");
  void add(const EndRecord& record);
  /// The sums so far, which a program that is killed leaves.
  void add_sums(const EndRecord& record);

 private:
  void write(std::string_view line) const;
  int file_ = -1;
  std::map<std::string, std::set<std::string>> told_;  ///< names of messages by their kind
};

/// All that one process wrote.
struct Journal {
  ProcessRecord process;
  std::map<std::uint32_t, KernelRecord> kernels;
  std::map<std::uint32_t, PredictionRecord> predictions;
  std::vector<LaunchRecord> launches;
  std::vector<CopyRecord> copies;
  std::vector<MessageRecord> messages;
  EndRecord end;        ///< the last sums
  bool summed = false;  ///< there are any
  bool ended = false;   ///< false: the process crashed or was killed
};

/// The processes of a journal, in order of their beginning. A damaged line is skipped.
[[nodiscard]] std::vector<Journal> read_journal(std::string_view text);

}  // namespace forewarp::program_run
