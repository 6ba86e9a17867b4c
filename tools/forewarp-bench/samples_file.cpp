// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "samples_file.h"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/file.h"
#include "characterise/samples/samples_file.h"

namespace forewarp::cli {
namespace {

Diagnostic fault(const std::filesystem::path& file, const char* what) {
  return {file.string(), std::string(what) + ": " + std::strerror(errno), "", ""};
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

Expected<void> SamplesFile::recall(bool resume) {
  if (!std::filesystem::exists(path_)) return {};
  const auto text = read_file(path_);
  if (!text) return text.error();
  const std::size_t end = text->rfind('\n') + 1;  // 0 where there is none
  torn_ = end != text->size();
  if (end == 0 && samples_title.starts_with(*text)) {
    std::filesystem::resize_file(path_, 0);
    return {};
  }
  const auto table = parse_begun_samples(std::string_view(*text).substr(0, end), path_.string());
  if (!table) return table.error();
  for (const Record& record : table->records) {
    known_.insert(key_of(record.test, record.config_without(""), record.quantity));
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
  if (begins && std::fputs((std::string(samples_title) + '\n').c_str(), samples.file_) < 0) {
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

bool SamplesFile::holds(std::string_view test, std::string_view configuration,
                        std::string_view quantity) const {
  return known_.contains(key_of(test, configuration, quantity));
}

Expected<void> SamplesFile::append(const Record& record) {
  const std::string line = record_line(record);
  const bool written =
      std::fwrite(line.data(), 1, line.size(), file_) == line.size() && std::fflush(file_) == 0;
  if (!written) return fault(path_, "cannot be written");
  fsync(fileno(file_));
  return {};
}

}  // namespace forewarp::cli
