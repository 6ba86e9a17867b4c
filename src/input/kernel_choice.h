// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/reader.h"

namespace forewarp::input {

/// Which kernel of an input is meant.
struct KernelChoice {
  std::string name;  ///< as match_name() takes it, or "#3": the third; empty: the only one
  std::uint32_t for_sm =
      0;  ///< among several architectures: the newest that runs there; 0: no wish
};

/// 3 of "#3": the place of a kernel among those of its input, from 1 on.
[[nodiscard]] std::optional<std::uint64_t> kernel_number(std::string_view name);

struct KernelSummary {
  std::string name;
  std::string mangled;
  std::uint32_t sm = 0;
  std::size_t instructions = 0;
  std::optional<std::uint32_t> registers;
};

/// Opens an input with the reader that its content, or ReadOptions::format, asks for.
Expected<std::unique_ptr<KernelStream>> open_kernels(const InputSource& source,
                                                     const ReadOptions& options = {});

/// All kernels of an input; reads it to its end but holds one kernel at a time.
Expected<std::vector<KernelSummary>> list_kernels(const InputSource& source,
                                                  const ReadOptions& options = {});

/// One kernel. When none or several fit, the message lists what the input has.
Expected<Kernel> read_kernel(const InputSource& source, const KernelChoice& choice = {},
                             const ReadOptions& options = {});

}  // namespace forewarp::input
