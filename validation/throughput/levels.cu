// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Streams through L2 and device memory: 16 accesses of 64 bits a pass and thread, side by side in a block. What they should take per SM
// stands in rates.toml; scripts/throughput compares.

using word = unsigned long long;
#define SIXTEEN _Pragma("unroll") for (int k = 0; k < 16; ++k)

// All blocks read the same `mask + 1` elements, each from another place on: more than L1 holds, less than L2.
extern "C" __global__ void __launch_bounds__(1024) l2_read(word *out, const word *in, int passes, int mask) {
  word sum = 0;
  int at = blockIdx.x * 1536 + threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < passes; ++i) {
    word y[16];
    SIXTEEN y[k] = in[(at + k * blockDim.x) & mask];
    SIXTEEN sum ^= y[k];
    at += 16 * blockDim.x;
  }
  if (sum == mask) out[threadIdx.x] = sum;
}

// Every block writes its own 16 KB again and again.
extern "C" __global__ void __launch_bounds__(1024) l2_write(word *out, const word *in, int passes, int mask) {
  word *place = out + blockIdx.x * 2048 + threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < passes; ++i) {
    SIXTEEN *static_cast<volatile word *>(place + (k & 1) * 1024) = mask;
  }
}

// Arrays beyond L2, every element once.
extern "C" __global__ void __launch_bounds__(1024) memory_copy(word *out, const word *in, int passes, int mask) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = 0; i < passes; ++i) {
    word y[16];
    SIXTEEN y[k] = in[at + k * step];
    SIXTEEN out[at + k * step] = y[k];
    at += 16 * step;
  }
}

extern "C" __global__ void __launch_bounds__(1024) memory_read(word *out, const word *in, int passes, int mask) {
  word sum = 0;
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = 0; i < passes; ++i) {
    word y[16];
    SIXTEEN y[k] = in[at + k * step];
    SIXTEEN sum ^= y[k];
    at += 16 * step;
  }
  if (sum == mask) out[threadIdx.x] = sum;
}
