// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "driver/predictor.h"
#include "program_run/device_memory.h"
#include "program_run/journal.h"
#include "program_run/library_call.h"
#include "program_run/settings.h"

namespace forewarp::program_run {

/// Predicts calls of libraries, and writes of each what the report needs.
class LibraryCalls {
 public:
  LibraryCalls(driver::Predictor& predictor, const Settings& settings, JournalWriter& journal)
      : predictor_(&predictor), settings_(&settings), journal_(&journal) {}

  /// Of one kind of call: what the journal calls it, and its time on the program's board.
  struct Predicted {
    std::uint32_t kernel = 0, prediction = 0;
    double ms = 0, share = 1;
  };
  /// Calls of one name are one kernel, and have as many predictions as they take different times:
  /// a name does not say all that the model asks for. `data`: the folder of the data files.
  Expected<Predicted> predict(const LibraryCall& call, const std::string& data);

  /// Where a call of that name reaches outside of every allocation, in one line; nothing: nowhere.
  [[nodiscard]] static std::optional<std::string> outside(const std::string& name,
                                                          std::span<const LibraryUse> uses,
                                                          const DeviceMemory& memory,
                                                          std::uint64_t& address);

 private:
  Expected<void> load(const std::string& data);

  driver::Predictor* predictor_;
  const Settings* settings_;
  JournalWriter* journal_;
  std::optional<hardware::LibraryTables> tables_;
  std::map<std::string, std::uint32_t> kernels_;  ///< by the call's name
  /// By the kernel, and the call's time on each board.
  std::map<std::pair<std::uint32_t, std::vector<double>>, Predicted> known_;
};

}  // namespace forewarp::program_run
