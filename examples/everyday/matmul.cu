// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// C = A B by tiles in shared memory; n is a multiple of the tile.
#ifndef TILE
#define TILE 16
#endif

__global__ void matmul(const float* A, const float* B, float* C, int n) {
  __shared__ float a[TILE][TILE];
  __shared__ float b[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n / TILE; ++tile) {
    a[threadIdx.y][threadIdx.x] = A[row * n + tile * TILE + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = B[(tile * TILE + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) {
      sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    }
    __syncthreads();
  }
  C[row * n + column] = sum;
}
