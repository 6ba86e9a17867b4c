// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "study_host.h"

namespace forewarp::cli {

/// Of a program without a store and without systems: what needs one is done by a program beside it,
/// with the same command line.
class HandOver : public StudyHost {
 public:
  explicit HandOver(char** argv) : argv_(argv) {}

  Expected<int> sweep(Predictor& /*predictor*/, const Asked& /*asked*/) override {
    return hand_over(study);
  }
  Expected<int> cases(const Asked& /*asked*/,
                      const std::function<Result(const Case&)>& /*answer*/) override {
    return hand_over(study);
  }
  Expected<std::unique_ptr<PointKeeper>> keeper(Predictor& /*predictor*/,
                                                const KeepOptions& /*order*/) override {
    return hand_over(study).error();
  }
  Expected<int> results(const ResultsOptions& /*order*/) override { return hand_over(study); }
  Expected<int> simulate(const SimulateAsked& asked) override {
    return hand_over(asked.is_suite() ? study : system);
  }
  Expected<int> queue(const QueueAsked& /*asked*/) override { return hand_over(study); }
  Expected<int> serve(const ServeAsked& /*asked*/) override { return hand_over(server); }
  Expected<int> run(const RunAsked& /*asked*/) override { return hand_over(starter); }
  [[nodiscard]] PointRunner* runner() override { return nullptr; }
  [[nodiscard]] bool answers() const override { return true; }

 private:
  struct Sibling {
    const char *name, *purpose;
  };
  static constexpr Sibling study{"forewarp-study", "keeps results (--store, results)"};
  static constexpr Sibling system{"forewarp-system", "simulates applications (simulate)"};
  static constexpr Sibling server{"forewarp-serve", "has the workbench (serve)"};
  static constexpr Sibling starter{"forewarp-run", "starts CUDA programs (run)"};

  /// Comes back only when there is no such program.
  [[nodiscard]] Expected<int> hand_over(const Sibling& sibling) const;

  char** argv_;
};

}  // namespace forewarp::cli
