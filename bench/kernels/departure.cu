// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The distance of two transactions of one SM: loads that each need the one before it, of which one touches `lines` lines, or which many
// warps make at once. What a further line, or a further warp, adds to a load is the departure delay of the MWP-CWP model.

// Content pointers:STRIDE, a stride of more than 32 lines: lanes stay on lines of their own.
extern "C" __global__ void __launch_bounds__(1024) departure(void **chain, void **end, int tours, int lines) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  void **at = chain + (lane % lines + warp) * 16;
#pragma unroll 1
  for (int t = 0; t < tours; ++t) {
#pragma unroll
    for (int k = 0; k < 32; ++k) asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at) : : "memory");
  }
  if (at == nullptr) *end = at;
}
