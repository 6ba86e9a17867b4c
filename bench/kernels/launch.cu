// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What a launch costs by itself: kernels that do nothing, over grid and block sizes.

extern "C" __global__ void __launch_bounds__(1024) empty(int *out) {}

// Blocks that stay for a while, one SM after the other gets its next one: 32 dependent steps a pass.
extern "C" __global__ void __launch_bounds__(1024) short_blocks(float *out, int passes, float a, float b) {
  float x = a;
#pragma unroll 1
  for (int i = 0; i < passes; ++i) {
#pragma unroll
    for (int k = 0; k < 32; ++k) asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(x) : "f"(b));
  }
  if (x == 12345.0f) out[threadIdx.x] = x;
}
