// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Blocks that stay and take the next tile from a counter until none is left. How many tiles a block
// gets follows from what the others do meanwhile; all of them together always do the same.
extern "C" __global__ void persistent_queue(const float* in, float* out, unsigned* next,
                                            unsigned tiles, unsigned rows) {
  __shared__ unsigned tile;
  while (true) {
    if (threadIdx.x == 0) tile = atomicAdd(next, 1u);
    __syncthreads();
    const unsigned mine = tile;
    __syncthreads();
    if (mine >= tiles) return;
    float sum = 0;
    for (unsigned row = 0; row < rows; ++row) {
      sum += in[(mine * rows + row) * blockDim.x + threadIdx.x];
    }
    out[mine * blockDim.x + threadIdx.x] = sum;
  }
}

// A kernel that waits for a flag that nobody sets.
extern "C" __global__ void endless_wait(volatile unsigned* flag, float* out) {
  while (*flag == 0) {
  }
  out[threadIdx.x] = 1;
}

// A loop whose passes follow from an argument, as long as that says.
extern "C" __global__ void long_loop(const float* in, float* out, unsigned passes) {
  float a = in[blockIdx.x * blockDim.x + threadIdx.x], b = a;
#pragma unroll 1
  for (unsigned i = 0; i < passes; ++i) {
    a = a * b + 1.0f;
    b = b * a + 2.0f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b;
}

// The same with loads and stores in it.
extern "C" __global__ void long_loads(const float* in, float* out, unsigned passes) {
  float sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < passes; ++i) sum += in[(i * 128 + threadIdx.x) & 0x3ffff];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A kernel that stops itself.
extern "C" __global__ void stopped(float* out, unsigned passes) {
  for (unsigned i = 0; i < passes; ++i) out[i * blockDim.x + threadIdx.x] = 0;
  if (threadIdx.x == 5) __trap();
  out[threadIdx.x] = 1;
}

// The first blocks wait for one, which may be one that starts when others have ended.
extern "C" __global__ void wait_for_one(volatile unsigned* flag, float* out, unsigned waiting, unsigned one) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == one) flag[0] = 1;
    if (blockIdx.x < waiting) {
      while (flag[0] == 0) {
      }
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
