// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "execution/lowering/program.h"
#include "execution/state/fault.h"
#include "execution/storage/execution_input.h"

namespace forewarp::execution {

/// Bytes of one constant bank, and which of them are known.
struct BankImage {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t> known;  ///< one per byte
};

/// What all blocks of a launch share and never change: the constant banks, and the program's
/// constants, each replicated over all lanes.
class LaunchImage {
 public:
  LaunchImage(const Program& program, const ExecutionInput& input);

  [[nodiscard]] const std::uint32_t* pool() const { return pool_.data(); }
  /// Unknown constants of the pool, by pool cell; empty when all are known.
  [[nodiscard]] const std::vector<Origin>& unknown_pool() const { return unknown_pool_; }
  /// A word of a constant bank; `known` is false if its value was not given.
  struct Word {
    std::uint32_t value = 0;
    bool known = true;
  };
  [[nodiscard]] Word word(std::uint32_t bank, std::uint64_t offset, std::uint32_t bytes = 4) const;
  /// The origin of an unknown word: where its value would have come from.
  [[nodiscard]] Origin origin(std::uint32_t bank, std::uint64_t offset) const;
  [[nodiscard]] std::uint32_t parameter_base() const { return parameter_base_; }
  [[nodiscard]] const ExecutionInput& input() const { return *input_; }
  [[nodiscard]] std::uint32_t shared_bytes() const { return shared_bytes_; }

 private:
  void build_bank0(const Program& program);
  void fill_pool(const Program& program);

  const ExecutionInput* input_;
  std::vector<BankImage> banks_;
  std::vector<std::uint32_t> pool_;
  std::vector<Origin> unknown_pool_;
  std::uint32_t parameter_base_ = 0;
  std::uint32_t shared_bytes_ = 0;
};

}  // namespace forewarp::execution
