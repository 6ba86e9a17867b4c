// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "base/expected.h"
#include "result/validation.h"

namespace forewarp::scores {

/// A point as a journal keeps it: a digest of what follows, a blank, JSON.
[[nodiscard]] std::string journal_line(const std::string& key, const ScoredPoint& point);

/// Finished points of a validation, one line each, so that an interrupted run can be resumed. A
/// line is written whole before the next point is begun; a line that was cut off or edited is
/// skipped. Points are found by a key of everything that their prediction depends on.
class Journal {
 public:
  /// Opens or makes the file; an empty name keeps nothing.
  static Expected<Journal> open(const std::string& file);
  Journal() = default;
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&& other) noexcept;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  /// The finished point of this key; null: it is not finished.
  [[nodiscard]] const ScoredPoint* find(const std::string& key) const;

  /// Adds a finished point; may be called from several threads. False: the line could not be
  /// written.
  bool add(const std::string& key, const ScoredPoint& point);

 private:
  int file_ = -1;
  std::map<std::string, ScoredPoint> found_;
  std::mutex mutex_;
};

}  // namespace forewarp::scores
