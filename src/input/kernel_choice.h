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

/// Which kernel of an input to use.
struct KernelChoice {
  std::string name;  ///< for match_name(), or "#3" for the third; empty: the only one
  std::uint32_t for_sm =
      0;  ///< among several architectures: the newest that runs there; 0: no wish
};

/// The number in "#3": a kernel's position in its input, from 1 on.
[[nodiscard]] std::optional<std::uint64_t> kernel_number(std::string_view name);

struct KernelSummary {
  std::string name;
  std::string mangled;
  std::uint32_t sm = 0;
  std::size_t instructions = 0;
  std::optional<std::uint32_t> registers;
};

/// Opens an input with the reader that its content, or ReadOptions::format, selects.
Expected<std::unique_ptr<KernelStream>> open_kernels(const InputSource& source,
                                                     const ReadOptions& options = {});

/// All kernels of an input. Reads it to the end, holding one kernel at a time.
Expected<std::vector<KernelSummary>> list_kernels(const InputSource& source,
                                                  const ReadOptions& options = {});

/// Reads one kernel. If none or several match, the message lists the input's kernels.
Expected<Kernel> read_kernel(const InputSource& source, const KernelChoice& choice = {},
                             const ReadOptions& options = {});

}  // namespace forewarp::input
