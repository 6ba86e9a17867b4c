// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/expected.h"
#include "serve/jobs/job.h"

namespace forewarp::serve {

/// Keeps jobs in a store of results: a job is there as a run from the moment that it is accepted,
/// its points from the moment that they are answered, whatever happens to the process.
class JobKeeper {
 public:
  explicit JobKeeper(std::string file) : file_(std::move(file)) {}

  /// The number of the run.
  Expected<std::int64_t> begin(const std::string& id, const JobPlan& plan);
  /// A point of a job that began; after its last one the run has ended.
  Expected<void> add(const std::string& id, const JobPlan& plan, std::size_t point,
                     const std::string& record);
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  std::string file_;
};

}  // namespace forewarp::serve
