// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "execution/lowering/program.h"
#include "execution/state/warp.h"
#include "execution/storage/global_memory.h"

namespace forewarp::execution {

/// A word of global memory that a warp read, and what it held.
struct SeenWord {
  std::uint64_t address = 0;
  std::uint32_t value = 0;
};

/// Recognises a warp that polls: it comes back to the same access in the same state, has changed
/// nothing, and will do so until another warp writes one of the words that it reads.
class PollDetector {
 public:
  /// The warp is about to repeat or reach the access at `instruction` at time `at`. True: it polls.
  bool arrives(const Program& program, const Warp& warp, std::uint32_t instruction, double at);
  void executed(std::uint32_t instruction) {
    if (executed_.size() <= most_instructions) executed_.push_back(instruction);
  }
  void read(std::uint64_t address, std::uint32_t value) {
    if (words_.size() < most_words) words_.push_back({address, value});
  }
  void wrote() { wrote_ = true; }
  /// After a wait in which it was not executed, the next poll begins at time `at`.
  void resumes(double at) { at_ = at; }
  /// Whether the word was read in this pass of the loop, or in the one before.
  [[nodiscard]] bool read_before(std::uint64_t address) const {
    const auto has = [&](const std::vector<SeenWord>& words) {
      return std::any_of(words.begin(), words.end(),
                         [&](const SeenWord& word) { return word.address == address; });
    };
    return has(words_) || has(polled_);
  }

  [[nodiscard]] const std::vector<SeenWord>& words() const { return polled_; }
  [[nodiscard]] double period() const { return period_; }

 private:
  static constexpr std::uint32_t nowhere = 0xffffffff;
  static constexpr std::size_t most_instructions = 256, most_words = 128;
  [[nodiscard]] std::uint64_t print_of(const Program& program, const Warp& warp) const;
  void restart(double at);

  std::uint32_t anchor_ = nowhere;
  /// One pass follows from what it reads alone: the next one is the same while the words are.
  [[nodiscard]] bool repeats_itself(const Program& program) const;

  bool printed_ = false, wrote_ = false, closed_ = false, pure_ = false;
  std::uint64_t print_ = 0;
  double at_ = 0, period_ = 0;
  std::vector<std::uint32_t> executed_;  ///< since the anchor
  std::vector<std::uint32_t> pass_;      ///< the last whole pass that was examined
  std::vector<SeenWord> words_, polled_;
};

}  // namespace forewarp::execution
