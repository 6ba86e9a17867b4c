// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "base/expected.h"
#include "characterise/samples/record.h"

namespace forewarp::cli {

/// samples.tsv, which grows by a line for every record; each line is on the disk before the next
/// begins.
class SamplesFile {
 public:
  /// With `resume`, records that are there stay and a last line that was cut is taken away; without
  /// it a file that holds records is refused.
  static Expected<SamplesFile> open(const std::filesystem::path& file, bool resume);
  SamplesFile(SamplesFile&& other) noexcept;
  SamplesFile(const SamplesFile&) = delete;
  SamplesFile& operator=(const SamplesFile&) = delete;
  SamplesFile& operator=(SamplesFile&&) = delete;
  ~SamplesFile();

  [[nodiscard]] bool holds(std::string_view test, std::string_view configuration,
                           std::string_view quantity) const;
  [[nodiscard]] bool was_torn() const { return torn_; }
  Expected<void> append(const Record& record);

 private:
  explicit SamplesFile(std::filesystem::path file) : path_(std::move(file)) {}
  Expected<void> recall(bool resume);

  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  std::set<std::string> known_;  ///< test, configuration and quantity with tabs between
  bool torn_ = false;
};

}  // namespace forewarp::cli
