// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// C = A B on tensor cores, 16 x 16 per warp, half in and float out. Needs sm_70.
#include <mma.h>

using namespace nvcuda;

__global__ void wmma_gemm(const half* a, const half* b, float* c, int m, int n, int k) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 16;
  const int column = (blockIdx.y * blockDim.y + threadIdx.y) * 16;
  if (row >= m || column >= n) return;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(left, a + row * k + i, k);
    wmma::load_matrix_sync(right, b + i * n + column, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}
