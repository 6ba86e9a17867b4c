// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "forewarp/study_host.h"
#include "rank_runner.h"
#include "store/run_writer.h"

namespace forewarp::cli {

/// Keeps points in a store of results, and shares them with the other ranks of this command.
class StoreHost : public StudyHost {
 public:
  /// Without a channel points are computed in threads of this process.
  StoreHost(std::vector<std::string> words, std::unique_ptr<Channel> channel);

  Expected<int> sweep(Predictor& predictor, const Asked& asked) override;
  Expected<int> cases(const Asked& asked,
                      const std::function<Result(const Case&)>& answer) override;
  Expected<std::unique_ptr<PointKeeper>> keeper(Predictor& predictor,
                                                const KeepOptions& order) override;
  Expected<int> results(const ResultsOptions& order) override;
  Expected<int> simulate(const SimulateAsked& asked) override;
  Expected<int> queue(const QueueAsked& asked) override;
  Expected<int> serve(const ServeAsked& asked) override;
  Expected<int> run(const RunAsked& asked) override;
  [[nodiscard]] PointRunner* runner() override { return ranks_.get(); }
  [[nodiscard]] bool answers() const override { return !ranks_ || ranks_->keeps(); }

 private:
  /// A run as it begins, of everything that the command line says of its points.
  [[nodiscard]] Expected<RunStart> start(const KeepOptions& order) const;

  std::vector<std::string> words_;
  std::unique_ptr<Channel> channel_;
  std::unique_ptr<RankRunner> ranks_;
};

/// The command line without what changes no point: a rerun with another -o goes on all the same.
[[nodiscard]] std::string run_words(const std::vector<std::string>& words);

/// As a shell takes it again.
[[nodiscard]] std::string command_text(const std::vector<std::string>& words);

}  // namespace forewarp::cli
