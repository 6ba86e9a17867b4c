// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Kernels whose blocks take differently long: by their index, by what they read, by what they compute. What each takes
// is known by executing all of its blocks.

// Row i of a lower triangle has i + 1 elements.
extern "C" __global__ void triangle_rows(const float* rows, float* sums, unsigned length) {
  const float* row = rows + size_t(blockIdx.x) * length;
  float sum = 0;
  for (unsigned k = threadIdx.x; k <= blockIdx.x && k < length; k += blockDim.x) sum += row[k];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(sums + blockIdx.x, sum);
}

// A tile of queries looks at all tiles of keys up to its own; block (tile, head).
extern "C" __global__ void causal_scores(const float* queries, const float* keys, float* out, unsigned tiles) {
  __shared__ float tile[32][33];
  const unsigned head = blockIdx.y, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t base = size_t(head) * tiles * 1024;
  float sum = 0;
  for (unsigned k = 0; k <= blockIdx.x; ++k) {
    for (unsigned row = warp; row < 32; row += blockDim.x / 32)
      tile[row][lane] = keys[base + k * 1024 + row * 32 + lane];
    __syncthreads();
    const float own = queries[base + blockIdx.x * 1024 + warp * 32 + lane];
#pragma unroll 8
    for (unsigned i = 0; i < 32; ++i) sum = fmaxf(sum * 0.5f, own * tile[lane][i]) + tile[i][lane];
    __syncthreads();
  }
  out[base / 1024 * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A product of a lower triangular matrix with a square one: a block of row y needs y + 1 tiles.
extern "C" __global__ void triangular_product(const float* a, const float* b, float* c, unsigned n) {
  __shared__ float left[16][17], right[16][17];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  float sum = 0;
  for (unsigned k = 0; k <= blockIdx.y; ++k) {
    left[y][x] = a[size_t(row) * n + k * 16 + x];
    right[y][x] = b[size_t(k * 16 + y) * n + column];
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < 16; ++i) sum += left[y][i] * right[i][x];
    __syncthreads();
  }
  c[size_t(row) * n + column] = sum;
}

// One warp per row of a sparse matrix; the rows' lengths are a power of a given number, so that few are long.
extern "C" __global__ void sparse_rows(const unsigned* drawn, const float* values, const unsigned* columns,
                                       const float* x, float* y, unsigned pitch, unsigned n) {
  const unsigned row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned d = drawn[row], length = d * d / 1024 * d / 1024 + 1;
  float sum = 0;
  for (unsigned k = lane; k < length; k += 32)
    sum += values[(size_t(row) * pitch + k) % n] * x[columns[(size_t(row) * pitch + k) % n] % 4096];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
}

// Blocks whose number is `which` by a table do the work of many others.
extern "C" __global__ void flagged(const unsigned* table, float* out, unsigned which, unsigned passes) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = float(i);
  const unsigned own = table[blockIdx.x] == which ? passes : 200;
#pragma unroll 1
  for (unsigned k = 0; k < own; ++k) v = v * 1.0001f + 0.5f;
  out[i] = v;
}

// Points of a picture that escape after differently many steps.
extern "C" __global__ void escape_steps(unsigned* out, float left, float top, float step, unsigned most) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float a = left + float(x) * step, b = top + float(y) * step;
  float u = 0, v = 0;
  unsigned n = 0;
  while (n < most && u * u + v * v < 4.0f) {
    const float w = u * u - v * v + a;
    v = 2 * u * v + b;
    u = w;
    ++n;
  }
  out[y * gridDim.x * blockDim.x + x] = n;
}

// The lengths of Collatz sequences.
extern "C" __global__ void collatz(unsigned* out, unsigned first) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long n = first + i;
  unsigned steps = 0;
  while (n > 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ++steps;
  }
  out[i] = steps;
}

// Work that falls off as the inverse of the block's number.
extern "C" __global__ void harmonic(const float* in, float* out, unsigned most) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, passes = most / (blockIdx.x + 1) + 8;
  float v = in[i];
#pragma unroll 1
  for (unsigned k = 0; k < passes; ++k) v = v * 0.999f + 0.5f;
  out[i] = v;
}

// Blocks beyond `used` leave at once.
extern "C" __global__ void surplus(const float* in, float* out, unsigned used, unsigned passes) {
  if (blockIdx.x >= used) return;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
#pragma unroll 1
  for (unsigned k = 0; k < passes; ++k) v = v * 0.999f + 0.5f;
  out[i] = v;
}
