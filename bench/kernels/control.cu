// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Branches: taken, not taken, and both ways in one warp.

// 32 jumps a pass, each over one instruction that is never reached.
#define OVER(n) asm volatile("{.reg .pred p; setp.lt.s32 p, %1, %2; @p bra over" #n "; add.s32 %0, %0, 1; over" #n ": }" : "+r"(x) : "r"(a), "r"(b));
#define EIGHT_MORE(OP, n) OP(n##0) OP(n##1) OP(n##2) OP(n##3) OP(n##4) OP(n##5) OP(n##6) OP(n##7)

extern "C" __global__ void __launch_bounds__(1024) branches(int *out, int passes, int a, int b) {
  int x = a;
#pragma unroll 1
  for (int i = 0; i < passes; ++i) {
    EIGHT_MORE(OVER, 1) EIGHT_MORE(OVER, 2) EIGHT_MORE(OVER, 3) EIGHT_MORE(OVER, 4)
  }
  if (x == 12345) out[threadIdx.x] = x;
}

// A short loop: an addition, a comparison and the jump back.
extern "C" __global__ void __launch_bounds__(1024) loop(int *out, int passes, int a, int b) {
  int x = a;
#pragma unroll 1
  for (int i = 0; i < passes; ++i) asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(b));
  if (x == 12345) out[threadIdx.x] = x;
}
