// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cache/memory_cache.h"
#include "base/expected.h"
#include "input/source.h"
#include "program/kernel.h"

namespace forewarp::input {

/// Kernels of one input, one at a time; only the latest is held in memory.
class KernelStream {
 public:
  virtual ~KernelStream() = default;
  /// The next kernel, or nullopt at the end. After a failure the stream is at its end.
  virtual Expected<std::optional<Kernel>> next() = 0;
};

using KernelFilter = std::function<bool(std::size_t number, const std::string& mangled)>;

/// What a reader may need besides the input's bytes.
struct ReadOptions {
  std::string companion;        ///< text of -res-usage, ptxas -v or -elf that belongs to a listing
  std::string toolkit;          ///< where a CUDA toolkit is; empty: look for one
  std::uint32_t target_sm = 0;  ///< architecture for which to compile source code; 0: unknown
  bool assume_isa = false;      ///< use code of another architecture if none fits target_sm
  std::vector<std::string> compile_options;  ///< for source code, passed on to the compiler
  std::string format;                        ///< name of the reader to use; empty: by content
  bool cache = true;                         ///< false: what a toolkit makes is made anew
  /// Whether the kernel of this number (from 1 on) and mangled name may be the one that is asked
  /// for: others of machine code come as mangled name and architecture alone. Empty: all may be.
  KernelFilter wanted;
  /// Where listings of machine code are kept for later kernels of it; null: nowhere.
  std::shared_ptr<MemoryCache> listings;
};

/// One input format. Readers are asked in the order of builtin.cpp until one accepts the input.
class Reader {
 public:
  virtual ~Reader() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// One sentence for help texts.
  [[nodiscard]] virtual std::string_view sentence() const = 0;
  /// Whether the input is of this format, by content (`head`: InputSource::head()); the name
  /// decides only if the content does not.
  [[nodiscard]] virtual bool looks_like(std::string_view head,
                                        std::string_view file_name) const = 0;
  /// Opens the input; errors inside it may also come from the stream.
  virtual Expected<std::unique_ptr<KernelStream>> read(const InputSource& source,
                                                       const ReadOptions& options) const = 0;
};

}  // namespace forewarp::input
