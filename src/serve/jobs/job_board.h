// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.h"
#include "base/threads.h"
#include "serve/jobs/job.h"
#include "serve/jobs/job_keeper.h"

namespace forewarp::serve {

struct BoardLimits {
  unsigned side_by_side = 1;
  std::size_t most_queued = 64, most_remembered = 256;
};

/// The jobs of this process: what waits, runs and has ended.
class JobBoard {
 public:
  JobBoard(JobKeeper keeper, const BoardLimits& limits);
  ~JobBoard();
  JobBoard(const JobBoard&) = delete;
  JobBoard& operator=(const JobBoard&) = delete;

  /// Refused: a queue that is full, a store that cannot be written.
  Expected<JobView> submit(JobPlan plan);
  [[nodiscard]] std::optional<JobView> find(const std::string& id) const;
  [[nodiscard]] std::vector<JobView> all() const;  ///< newest first
  /// False: there is none, or it has ended.
  bool cancel(const std::string& id);
  /// The job once its version is above `seen`, or as it is after `most`.
  std::optional<JobView> changed(const std::string& id, std::uint64_t seen,
                                 std::chrono::milliseconds most) const;

 private:
  struct Job {
    JobPlan plan;
    JobView view;
    std::shared_ptr<std::atomic<bool>> stop = std::make_shared<std::atomic<bool>>(false);
  };
  void serve();
  void run(const std::shared_ptr<Job>& job);
  void change(Job& job, const std::function<void(JobView&)>& change);
  void forget_old();

  JobKeeper keeper_;
  const BoardLimits limits_;
  mutable std::mutex mutex_;
  std::mutex storing_;
  mutable std::condition_variable changed_;
  std::condition_variable came_;
  std::map<std::string, std::shared_ptr<Job>> jobs_;
  std::deque<std::string> order_;  // oldest first
  std::deque<std::shared_ptr<Job>> queue_;
  bool ended_ = false;
  Threads threads_;
};

}  // namespace forewarp::serve
