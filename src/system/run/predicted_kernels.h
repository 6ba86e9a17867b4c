// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <forewarp/session.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "system/script/context.h"

namespace forewarp::system {

/// An error of the library as one of ours.
[[nodiscard]] Diagnostic diagnostic_of(const api::Error& error);

/// Durations of kernels by the models, each launch asked for once.
class PredictedKernels : public KernelTimes {
 public:
  /// Paths in launches are relative to the folder of `application`.
  PredictedKernels(api::Session session, std::filesystem::path application, bool beyond_memory)
      : session_(std::move(session)),
        application_(std::move(application)),
        beyond_memory_(beyond_memory) {}

  /// From now on times are of this place; kernels that are known are not predicted again.
  void take(IntervalPlace place, const std::vector<KnownKernel>& known);

  Expected<PredictedKernel> predict(const std::string& launch, double memory_bytes) override;

  [[nodiscard]] std::vector<KnownKernel> known() const;
  /// What predictions assumed and what they warn of, each once.
  [[nodiscard]] const std::vector<std::string>& assumptions() const { return assumptions_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Expected<PredictedKernel> ask(const std::string& launch, double memory_bytes);
  Expected<void> check_memory(const api::Query& query, double memory_bytes);

  api::Session session_;
  std::filesystem::path application_;
  bool beyond_memory_;
  IntervalPlace place_ = IntervalPlace::expected;
  std::map<std::pair<std::string, double>, PredictedKernel> known_;  ///< by what was asked
  std::vector<std::string> assumptions_, warnings_;
};

}  // namespace forewarp::system
