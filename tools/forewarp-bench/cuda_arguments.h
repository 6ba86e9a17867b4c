// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda_driver.h"
#include "program/launch.h"

namespace forewarp::cli {

using DeviceAddress = unsigned long long;

/// The arguments of a launch on a GPU. Buffers are allocated and filled, and freed in the end.
class CudaArguments {
 public:
  explicit CudaArguments(const OpenedLibrary& driver) : driver_(driver) {}
  CudaArguments(const CudaArguments&) = delete;
  CudaArguments& operator=(const CudaArguments&) = delete;
  ~CudaArguments();

  /// Texts as --arg reads them. A buffer holds zeros, floats for random:SEED, or for
  /// pointers:STRIDE addresses of 8 bytes each STRIDE elements further, round and round.
  Expected<void> prepare(const std::vector<std::string>& texts);
  [[nodiscard]] void** places() { return places_.data(); }
  /// The words that the argument holds now; empty where it is no buffer.
  template <typename Word>
  Expected<std::vector<Word>> words(std::size_t argument) const {
    std::vector<Word> all(argument < bytes_.size() ? bytes_[argument] / sizeof(Word) : 0);
    auto read = read_back(argument, all.data(), all.size() * sizeof(Word));
    if (!read) return std::move(read).error();
    return all;
  }

 private:
  Expected<void> allocate(std::size_t argument, std::uint64_t bytes);
  Expected<void> fill(std::size_t argument, const std::string& text,
                      const BufferContent& content) const;
  Expected<void> read_back(std::size_t argument, void* to, std::size_t bytes) const;

  const OpenedLibrary& driver_;
  std::vector<DeviceAddress> words_;  ///< values, and addresses of buffers
  std::vector<std::uint64_t> bytes_;  ///< of each argument's buffer; 0: no buffer
  std::vector<void*> places_;
};

}  // namespace forewarp::cli
