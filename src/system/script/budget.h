// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "system/layers.h"

namespace forewarp::system {

/// A sign of life that another process watches: only what runs inside a script has to give one.
struct Pulse {
  std::atomic<std::uint64_t> beats{0};
  std::atomic<bool> in_script{false};
  std::atomic<std::uint32_t> line{0};  ///< where the script was at the last beat
};

/// What all scripts of one run may use together.
struct Budget {
  std::uint64_t most_instructions = 300'000'000;
  std::uint64_t most_calls = 2'000'000;  ///< of functions of `sim`
  std::uint64_t most_bytes = std::uint64_t{1} << 29U;
  double most_seconds = 4;        ///< of processor time between calls of `sim`
  std::size_t most_lines = 1000;  ///< printed; what follows is dropped

  std::uint64_t instructions = 0, calls = 0, bytes = 0;
  double seconds = 0;
  std::vector<std::string> said;
  Pulse* pulse = nullptr;  ///< null: nobody watches
};

}  // namespace forewarp::system
