// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"

namespace forewarp::cli {

/// As much of OpenBLAS as calls here need, by the C interface that every BLAS documents.
struct HostBlas {
  using Sgemm = void (*)(int order, int op_a, int op_b, int m, int n, int k, float alpha,
                         const float* a, int lda, const float* b, int ldb, float beta, float* c,
                         int ldc);
  using Dgemm = void (*)(int order, int op_a, int op_b, int m, int n, int k, double alpha,
                         const double* a, int lda, const double* b, int ldb, double beta, double* c,
                         int ldc);
  using Xgemm = void (*)(int order, int op_a, int op_b, int m, int n, int k, const void* alpha,
                         const void* a, int lda, const void* b, int ldb, const void* beta, void* c,
                         int ldc);
  Sgemm sgemm = nullptr;
  Dgemm dgemm = nullptr;
  Xgemm cgemm = nullptr, zgemm = nullptr;
};

/// The machine's OpenBLAS, loaded at the first call; refuses where there is none, with the command
/// that installs it.
Expected<const HostBlas*> host_blas(unsigned threads);

/// A library of this machine and its functions, loaded for good; null: there is none.
void* host_library(const char* name);
void* host_function(void* library, const char* name);

}  // namespace forewarp::cli
