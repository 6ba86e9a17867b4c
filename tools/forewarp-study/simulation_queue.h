// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.h"

namespace forewarp::cli {

/// A named queue of simulations: a folder, which processes of several machines may share. A run
/// waits as a file until a worker takes it; its answer is a file, too. Who dies with a run is
/// noticed by whoever asked for it: the run waits again.
class SimulationQueue {
 public:
  /// `name`: letters, digits, '-' and '_', below $FOREWARP_QUEUES (else
  /// ~/.local/state/forewarp/queues); or a path with a '/'.
  static Expected<SimulationQueue> open(const std::string& name);

  [[nodiscard]] std::size_t workers() const;  ///< that live
  [[nodiscard]] std::size_t waiting() const;
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Waits for the answer; nullopt: `stop` became true, the run is taken back.
  std::optional<std::string> answer(const std::vector<std::string>& words,
                                    const std::function<bool()>& stop) const;

  /// Takes runs until `stop` becomes true or `idle_s` seconds pass without one (0: never); how many
  /// it computed.
  using Compute = std::function<std::string(const std::vector<std::string>& words)>;
  Expected<std::size_t> work(const Compute& compute, double idle_s,
                             const std::function<bool()>& stop) const;

 private:
  SimulationQueue(std::string name, std::filesystem::path folder)
      : name_(std::move(name)), folder_(std::move(folder)) {}

  bool put(const std::string& part, const std::string& run, const std::string& text) const;
  [[nodiscard]] std::optional<std::filesystem::path> take(const std::string& worker) const;
  void give_back_of_dead() const;

  std::string name_;
  std::filesystem::path folder_;
};

}  // namespace forewarp::cli
