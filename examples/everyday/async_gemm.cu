// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// C = A B by tiles that arrive while the ones before are used. Needs sm_80.
#include <cuda_pipeline.h>

constexpr int TILE = 32;

__global__ void async_gemm(const float* A, const float* B, float* C, int n) {
  __shared__ float a[2][TILE][TILE];
  __shared__ float b[2][TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int column = blockIdx.x * TILE + threadIdx.x;
  const auto fetch = [&](int stage, int tile) {
    __pipeline_memcpy_async(&a[stage][threadIdx.y][threadIdx.x],
                            &A[row * n + tile * TILE + threadIdx.x], sizeof(float));
    __pipeline_memcpy_async(&b[stage][threadIdx.y][threadIdx.x],
                            &B[(tile * TILE + threadIdx.y) * n + column], sizeof(float));
    __pipeline_commit();
  };
  const int tiles = n / TILE;
  float sum = 0;
  fetch(0, 0);
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) fetch((tile + 1) % 2, tile + 1);
    __pipeline_wait_prior(tile + 1 < tiles ? 1 : 0);
    __syncthreads();
    for (int k = 0; k < TILE; ++k) {
      sum += a[tile % 2][threadIdx.y][k] * b[tile % 2][k][threadIdx.x];
    }
    __syncthreads();
  }
  C[row * n + column] = sum;
}
