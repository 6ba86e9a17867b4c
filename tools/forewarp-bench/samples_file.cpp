// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "samples_file.h"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/text.h"

namespace forewarp::cli {
namespace {

constexpr std::string_view first_line = "# forewarp samples 1\n";
constexpr std::size_t fields = 7;

Diagnostic fault(const std::filesystem::path& file, const char* what) {
  return {file.string(), std::string(what) + ": " + std::strerror(errno), "", ""};
}

std::string number_or_dash(const std::optional<double>& value) {
  return value ? significant(*value, 6) : "-";
}

std::string key_of(std::string_view test, std::string_view configuration,
                   std::string_view quantity) {
  std::string key(test);
  key += '\t';
  key += configuration;
  key += '\t';
  key += quantity;
  return key;
}

}  // namespace

std::string histogram_text(const Histogram& values) {
  std::string text;
  for (const auto& [value, count] : values) {
    if (!text.empty()) text += ' ';
    text += significant(value, 12);
    if (count != 1) text += '*' + std::to_string(count);
  }
  return text;
}

std::string record_line(const SampleRecord& record) {
  return record.test + '\t' + record.configuration + '\t' + record.quantity + '\t' + record.unit +
         '\t' + number_or_dash(record.clock_mhz) + '\t' + number_or_dash(record.power_w) + '\t' +
         histogram_text(record.values) + '\n';
}

Expected<void> SamplesFile::recall(bool resume) {
  if (!std::filesystem::exists(path_)) return {};
  const auto text = read_file(path_);
  if (!text) return text.error();
  if (text->empty()) return {};
  const bool begins = text->starts_with(first_line.substr(0, text->size()));
  if (!begins) {
    return Diagnostic{path_.string(), "is no file of samples", "'# forewarp samples 1' at its head",
                      "another --out DIR"};
  }
  const std::size_t end = text->rfind('\n') + 1;  // 0 where there is none
  torn_ = end != text->size();
  std::size_t number = 0;
  for (const std::string_view line : split(std::string_view(*text).substr(0, end), '\n')) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const auto parts = split(line, '\t');
    if (parts.size() != fields) {
      return Diagnostic{place_in_file(path_.string(), number),
                        "a record of " + std::to_string(parts.size()) + " fields", "seven",
                        "take the line out"};
    }
    known_.insert(key_of(parts[0], parts[1], parts[2]));
  }
  if (!known_.empty() && !resume) {
    return Diagnostic{path_.string(), "holds " + std::to_string(known_.size()) + " records",
                      "a folder without samples", "--resume goes on, --out DIR begins elsewhere"};
  }
  if (torn_) std::filesystem::resize_file(path_, end);
  return {};
}

Expected<SamplesFile> SamplesFile::open(const std::filesystem::path& file, bool resume) {
  SamplesFile samples(file);
  if (auto known = samples.recall(resume); !known) return known.error();
  const bool begins = !std::filesystem::exists(file) || std::filesystem::file_size(file) == 0;
  samples.file_ = std::fopen(file.c_str(), "a");
  if (samples.file_ == nullptr) return fault(file, "cannot be written");
  if (begins && std::fputs(std::string(first_line).c_str(), samples.file_) < 0) {
    return fault(file, "cannot be written");
  }
  return samples;
}

SamplesFile::SamplesFile(SamplesFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, nullptr)),
      known_(std::move(other.known_)),
      torn_(other.torn_) {}

SamplesFile::~SamplesFile() {
  if (file_ != nullptr) std::fclose(file_);
}

bool SamplesFile::holds(const std::string& test, const std::string& configuration,
                        std::string_view quantity) const {
  return known_.contains(key_of(test, configuration, quantity));
}

Expected<void> SamplesFile::append(const SampleRecord& record) {
  const std::string line = record_line(record);
  const bool written =
      std::fwrite(line.data(), 1, line.size(), file_) == line.size() && std::fflush(file_) == 0;
  if (!written) return fault(path_, "cannot be written");
  fsync(fileno(file_));
  return {};
}

}  // namespace forewarp::cli
