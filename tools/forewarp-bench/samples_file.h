// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/expected.h"

namespace forewarp::cli {

/// Values that were read in one configuration: value -> how often.
using Histogram = std::map<double, std::uint64_t>;

/// One line of samples.tsv.
struct SampleRecord {
  std::string test, configuration;
  std::string quantity;  ///< time, window, empty
  std::string unit;      ///< us, cycles
  std::optional<double> clock_mhz, power_w;
  Histogram values;
};

/// "21.5 22*3": ascending, "*1" is left out.
[[nodiscard]] std::string histogram_text(const Histogram& values);
[[nodiscard]] std::string record_line(const SampleRecord& record);

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

  [[nodiscard]] bool holds(const std::string& test, const std::string& configuration,
                           std::string_view quantity) const;
  [[nodiscard]] std::size_t known_before() const { return known_.size(); }
  [[nodiscard]] bool was_torn() const { return torn_; }
  Expected<void> append(const SampleRecord& record);

 private:
  explicit SamplesFile(std::filesystem::path file) : path_(std::move(file)) {}
  Expected<void> recall(bool resume);

  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  std::set<std::string> known_;  ///< test, configuration and quantity with tabs between
  bool torn_ = false;
};

}  // namespace forewarp::cli
