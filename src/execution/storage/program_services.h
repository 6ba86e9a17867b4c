// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "execution/storage/texture.h"

namespace forewarp::execution {

/// Memory that kernels allocate by malloc(): a part of one buffer.
class DeviceHeap {
 public:
  void give(std::uint64_t address, std::uint64_t bytes) { next_ = address, end_ = address + bytes; }
  [[nodiscard]] bool has_memory() const { return end_ != 0; }
  /// Zero: none of this size is left.
  std::uint64_t allocate(std::uint64_t bytes);
  void release(std::uint64_t address);

 private:
  std::uint64_t next_ = 0, end_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> sizes_;              ///< by address
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> free_;  ///< by size
};

/// What a running program has beside memory for its kernels. Nothing changes while one runs.
struct ProgramServices {
  /// By the low word of their handles, which textures and surfaces share.
  std::unordered_map<std::uint32_t, Texture> textures;

  // What calls of functions outside of the kernel leave behind; one thread executes such a kernel.
  std::string printed;           ///< by printf
  std::string failed_assertion;  ///< as the device's message; empty: none failed
  std::uint64_t outside_calls = 0;
  DeviceHeap heap;
};

}  // namespace forewarp::execution
