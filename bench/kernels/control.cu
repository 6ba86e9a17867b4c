// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Jumps back: a loop whose body is one addition.

// A short loop: an addition, a comparison and the jump back.
extern "C" __global__ void __launch_bounds__(1024) loop(int *out, int passes, int a, int b) {
  int x = a;
#pragma unroll 1
  for (int i = 0; i < passes; ++i) asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(b));
  if (x == 12345) out[threadIdx.x] = x;
}

// Streams of stores: every element once.
extern "C" __global__ void __launch_bounds__(1024) memory_write(unsigned long long *out, int passes) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = 0; i < passes; ++i) {
#pragma unroll
    for (int k = 0; k < 16; ++k) out[at + k * step] = passes;
    at += 16 * step;
  }
}
