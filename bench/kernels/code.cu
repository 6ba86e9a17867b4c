// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Instruction caches by the size of the code: loops of 64 to 2048 multiply-adds in eight chains, as many in all. One warp; where the
// loop no longer fits a level, an instruction takes longer.

#define F(x) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));
#define EIGHT F(x0) F(x1) F(x2) F(x3) F(x4) F(x5) F(x6) F(x7)

#define CODE(INSTRUCTIONS)                                                                           \
  extern "C" __global__ void code_##INSTRUCTIONS(float *out, int passes, float a, float b) {         \
    float x0 = a + threadIdx.x, x1 = x0 + b, x2 = x1 + b, x3 = x2 + b, x4 = x3 + b, x5 = x4 + b, x6 = x5 + b, x7 = x6 + b; \
    _Pragma("unroll 1") for (int i = 0; i < passes; ++i) {                                           \
      _Pragma("unroll") for (int k = 0; k < INSTRUCTIONS / 8; ++k) { EIGHT }                         \
    }                                                                                                \
    const float sum = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;                                         \
    if (sum == a) out[threadIdx.x] = sum;                                                            \
  }
CODE(64)
CODE(512)
CODE(1024)
CODE(2048)
