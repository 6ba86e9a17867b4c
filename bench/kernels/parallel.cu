// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// One to eight chains of multiply-adds side by side in a thread: how many it takes until one warp issues as fast as it can.

#define F(x) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));
#define ONE F(x0)
#define TWO ONE F(x1)
#define THREE TWO F(x2)
#define FOUR THREE F(x3)
#define FIVE FOUR F(x4)
#define SIX FIVE F(x5)
#define SEVEN SIX F(x6)
#define EIGHT SEVEN F(x7)

#define PARALLEL(NAME, CHAINS, ROUNDS)                                                               \
  extern "C" __global__ void NAME(float *out, int passes, float a, float b) {                        \
    float x0 = a + threadIdx.x, x1 = x0 + b, x2 = x1 + b, x3 = x2 + b, x4 = x3 + b, x5 = x4 + b, x6 = x5 + b, x7 = x6 + b; \
    _Pragma("unroll 1") for (int i = 0; i < passes; ++i) {                                           \
      _Pragma("unroll") for (int k = 0; k < ROUNDS; ++k) { CHAINS }                                  \
    }                                                                                                \
    const float sum = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;                                         \
    if (sum == a) out[threadIdx.x] = sum;                                                            \
  }
PARALLEL(ilp_ffma_1, ONE, 48)
PARALLEL(ilp_ffma_2, TWO, 24)
PARALLEL(ilp_ffma_3, THREE, 16)
PARALLEL(ilp_ffma_4, FOUR, 12)
PARALLEL(ilp_ffma_5, FIVE, 9)
PARALLEL(ilp_ffma_6, SIX, 8)
PARALLEL(ilp_ffma_7, SEVEN, 6)
PARALLEL(ilp_ffma_8, EIGHT, 6)

// Tensor cores of the first generation: eight products of 8 x 8 x 4 a pass, into sums of their own.
#if __CUDA_ARCH__ >= 700 && __CUDA_ARCH__ < 750
extern "C" __global__ void __launch_bounds__(256) mma_8x8x4_f16_f32(float *out, int passes, unsigned a, unsigned b) {
  float sums[4][8] = {};
#pragma unroll 1
  for (int i = 0; i < passes; ++i) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float *s = sums[k % 4];
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%0,%1,%2,%3,%4,%5,%6,%7};"
                   : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]), "+f"(s[4]), "+f"(s[5]), "+f"(s[6]), "+f"(s[7])
                   : "r"(a), "r"(b), "r"(b), "r"(a));
    }
  }
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += sums[k / 8][k % 8];
  if (sum == a) out[threadIdx.x] = sum;
}
#endif
