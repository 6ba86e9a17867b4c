// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "library_calling.h"

namespace forewarp::cli {

/// What a handle of cuBLAS keeps.
struct BlasHandle {
  StreamId stream = program_run::legacy_stream;
  void* stream_handle = nullptr;
  bool results_on_device = false;  ///< pointer mode
  int math = 0, atomics = 0;

  /// TF32 allowed for products of floats, by the math mode.
  [[nodiscard]] bool tf32() const {
    constexpr int tensor = 1, tf32_mode = 3, flags = 16;
    const int mode = math & ~flags;
    return mode == tensor || mode == tf32_mode;
  }
};

/// The handle behind the interface's pointer; null: it is none, or was destroyed.
BlasHandle* blas_handle(void* handle);

/// The status that a call returns.
inline int blas_status(Status status) {
  if (status == Status::success) return blas::success;
  return status == Status::not_supported ? blas::not_supported : blas::execution_failed;
}

}  // namespace forewarp::cli
