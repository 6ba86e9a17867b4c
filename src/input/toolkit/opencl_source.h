// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input/toolkit/source_signatures.h"

namespace forewarp::input {

/// What an OpenCL source declares.
struct OpenClKernels {
  /// As of CUDA kernels. A `__local` pointer is an "unsigned long": the byte at which it begins in
  /// the block's dynamic shared memory.
  std::vector<SourceSignature> signatures;
  /// A sentence for each kernel with `__local` parameters or a required work-group size.
  std::vector<std::string> remarks;
};

/// True where some function is declared `__kernel`, or `kernel void`, and none `__global__`.
[[nodiscard]] bool looks_like_opencl(std::string_view text);

/// Macros are not expanded.
[[nodiscard]] OpenClKernels opencl_kernels_in(std::string_view source);

}  // namespace forewarp::input
