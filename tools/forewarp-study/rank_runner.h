// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "channel.h"
#include "sweep/points/chunk_queue.h"
#include "sweep/points/point_runner.h"

namespace forewarp::cli {

/// The processes of one command, all of which run the same job: the first hands out chunks to
/// whoever asks, takes what comes back, and computes in a thread of its own. A process that ends
/// without a word ends the run.
class RankRunner : public PointRunner {
 public:
  explicit RankRunner(Channel& channel) : channel_(channel) {}
  /// The first process ends those that still ask.
  ~RankRunner() override;
  RankRunner(const RankRunner&) = delete;
  RankRunner& operator=(const RankRunner&) = delete;

  [[nodiscard]] unsigned workers() const override { return 1; }
  [[nodiscard]] bool keeps() const override { return channel_.rank() == 0; }
  Expected<void> run(const PointJob& job) override;

 private:
  Expected<void> hand_out(const PointJob& job);
  Expected<void> work(const PointJob& job);
  bool answer(ChunkQueue& book, int rank, const std::string& bytes,
              const std::vector<std::string>& all);

  std::pair<int, Message> next_message();

  Channel& channel_;
  std::uint64_t job_ = 0;                       // of the command, from 1
  std::vector<std::pair<int, Message>> early_;  // requests of a later job
  int left_ = 0;                                // processes that said that they leave
};

}  // namespace forewarp::cli
