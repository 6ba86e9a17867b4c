// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "study_host.h"

namespace forewarp::cli {

/// Of a program without a store: what needs one is done by the program beside it, with the same
/// command line.
class HandOver : public StudyHost {
 public:
  explicit HandOver(char** argv) : argv_(argv) {}

  Expected<int> sweep(Predictor& /*predictor*/, const Asked& /*asked*/) override {
    return hand_over();
  }
  Expected<int> cases(const Asked& /*asked*/,
                      const std::function<Result(const Case&)>& /*answer*/) override {
    return hand_over();
  }
  Expected<std::unique_ptr<PointKeeper>> keeper(Predictor& /*predictor*/,
                                                const KeepOrder& /*order*/) override {
    return hand_over().error();
  }
  Expected<int> results(const ResultsOrder& /*order*/) override { return hand_over(); }
  [[nodiscard]] PointRunner* runner() override { return nullptr; }
  [[nodiscard]] bool answers() const override { return true; }

 private:
  /// Comes back only when there is no such program.
  [[nodiscard]] Expected<int> hand_over() const;

  char** argv_;
};

}  // namespace forewarp::cli
