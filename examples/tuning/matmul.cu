// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// c = a * b of n x n matrices, row by row. A block computes a tile of TILE_Y x TILE_X numbers of c,
// each thread WORK_Y x WORK_X of them, through slices of DEPTH columns of a and rows of b in shared
// memory. n is a multiple of TILE_X, TILE_Y and DEPTH.
#define THREADS_X (TILE_X / WORK_X)
#define THREADS_Y (TILE_Y / WORK_Y)
#define THREADS (THREADS_X * THREADS_Y)

extern "C" __global__ void __launch_bounds__(THREADS)
    matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  __shared__ float rows[TILE_Y][DEPTH + PAD];
  __shared__ float columns[DEPTH][TILE_X];
  const int thread = threadIdx.y * THREADS_X + threadIdx.x;
  const int top = blockIdx.y * TILE_Y;
  const int left = blockIdx.x * TILE_X;
  float sums[WORK_Y][WORK_X] = {};

  for (int k = 0; k < n; k += DEPTH) {
    for (int i = thread; i < TILE_Y * DEPTH; i += THREADS) {
      rows[i / DEPTH][i % DEPTH] = a[(top + i / DEPTH) * n + k + i % DEPTH];
    }
    for (int i = thread; i < DEPTH * TILE_X; i += THREADS) {
      columns[i / TILE_X][i % TILE_X] = b[(k + i / TILE_X) * n + left + i % TILE_X];
    }
    __syncthreads();
#pragma unroll
    for (int d = 0; d < DEPTH; ++d) {
      float row[WORK_Y], column[WORK_X];
#pragma unroll
      for (int y = 0; y < WORK_Y; ++y) row[y] = rows[threadIdx.y + y * THREADS_Y][d];
#pragma unroll
      for (int x = 0; x < WORK_X; ++x) column[x] = columns[d][threadIdx.x + x * THREADS_X];
#pragma unroll
      for (int y = 0; y < WORK_Y; ++y) {
#pragma unroll
        for (int x = 0; x < WORK_X; ++x) sums[y][x] += row[y] * column[x];
      }
    }
    __syncthreads();
  }
  for (int y = 0; y < WORK_Y; ++y) {
    for (int x = 0; x < WORK_X; ++x) {
      c[(top + threadIdx.y + y * THREADS_Y) * n + left + threadIdx.x + x * THREADS_X] = sums[y][x];
    }
  }
}
