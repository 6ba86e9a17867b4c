// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "cuda_driver.h"
#include "execution/storage/execution_input.h"
#include "request/tensor_text.h"

namespace forewarp::cli {

using DeviceAddress = unsigned long long;

/// The arguments of a launch on a GPU. Buffers are allocated and filled, and freed in the end.
class CudaArguments {
 public:
  explicit CudaArguments(const OpenedLibrary& driver) : driver_(driver) {}
  CudaArguments(const CudaArguments&) = delete;
  CudaArguments& operator=(const CudaArguments&) = delete;
  ~CudaArguments();

  /// Texts as --arg reads them, with the contents that a prediction executes; what is unknown is
  /// zero. Buffers that only tensor maps name hold random numbers from -1 to 1, the same
  /// again after each 4 MiB.
  Expected<void> prepare(const std::vector<std::string>& texts);
  /// Keeps a copy of what the buffers hold; restore() writes it back.
  Expected<void> keep();
  [[nodiscard]] Expected<void> restore() const;
  [[nodiscard]] void** places() { return places_.data(); }
  /// The words that the argument holds now; empty where it is no buffer.
  template <typename Word>
  Expected<std::vector<Word>> words(std::size_t argument) const {
    const auto buffer = buffers_.find(std::to_string(argument));
    if (buffer == buffers_.end()) return std::vector<Word>();
    std::vector<Word> all(buffer->second.bytes / sizeof(Word));
    auto read = read_back(buffer->second.address, all.data(), all.size() * sizeof(Word));
    if (!read) return std::move(read).error();
    return all;
  }

 private:
  struct alignas(64) EncodedMap {
    unsigned char bytes[program::TensorMap::bytes];
  };

  Expected<void> allocate(const std::string& name, std::uint64_t bytes,
                          const BufferContent& content);
  Expected<void> place(const std::string& text, std::size_t argument);
  Expected<void> place_map(const request::TensorArgument& tensor, std::string_view type);
  [[nodiscard]] Expected<void> fill(const execution::ExecutionBuffer& buffer) const;
  Expected<void> read_back(DeviceAddress from, void* to, std::size_t bytes) const;

  const OpenedLibrary& driver_;
  std::map<std::string, execution::ExecutionBuffer> buffers_;  ///< by argument or by a map's name
  std::map<std::string, DeviceAddress> kept_;                  ///< copies of the buffers
  std::deque<std::uint64_t> words_;                            ///< plain values and addresses
  std::deque<EncodedMap> maps_;
  std::vector<void*> places_;
};

}  // namespace forewarp::cli
