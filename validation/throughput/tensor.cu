// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// One kernel per shape and type of matrix instruction: four accumulators a warp, 32 instructions a pass. What they
// should take per SM stands in rates.toml; scripts/throughput compares.

#define FOUR(OP) OP(0) OP(1) OP(2) OP(3)
#define PASS(OP) FOUR(OP) FOUR(OP) FOUR(OP) FOUR(OP) FOUR(OP) FOUR(OP) FOUR(OP) FOUR(OP)

// Accumulators of 32-bit words c[k][i], operands a0.. and b0.. that stay.
#define PRODUCTS(NAME, WORDS, TYPE, OP)                                                              \
  extern "C" __global__ void __launch_bounds__(256) NAME(TYPE *out, int passes, int a, int b) {      \
    const int a0 = a + threadIdx.x, a1 = a0 + b, a2 = a1 + b, a3 = a2 + b, b0 = a3 + b, b1 = b0 + b; \
    const int b2 = b1 + b, b3 = b2 + b;                                                              \
    (void)a1, (void)a2, (void)a3, (void)b1, (void)b2, (void)b3;                                      \
    TYPE c[4][WORDS] = {};                                                                           \
    _Pragma("unroll 1") for (int i = 0; i < passes; ++i) { PASS(OP) }                                \
    TYPE sum = 0;                                                                                    \
    _Pragma("unroll") for (int k = 0; k < 4; ++k)                                                    \
        _Pragma("unroll") for (int i = 0; i < WORDS; ++i) sum += c[k][i];                            \
    if (sum == (TYPE)12345) out[threadIdx.x] = sum;                                                  \
  }

#define MMA_4_2_4(SHAPE, C, k)                                                                       \
  asm volatile("mma.sync.aligned." SHAPE " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"             \
               : "+" C(c[k][0]), "+" C(c[k][1]), "+" C(c[k][2]), "+" C(c[k][3])                      \
               : "r"(a0), "r"(a1), "r"(b0));
#define MMA_4_4_4(SHAPE, C, k)                                                                       \
  asm volatile("mma.sync.aligned." SHAPE " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"    \
               : "+" C(c[k][0]), "+" C(c[k][1]), "+" C(c[k][2]), "+" C(c[k][3])                      \
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
#define MMA_2_2_2(SHAPE, C, k)                                                                       \
  asm volatile("mma.sync.aligned." SHAPE " {%0,%1}, {%2,%3}, {%4}, {%0,%1};"                         \
               : "+" C(c[k][0]), "+" C(c[k][1])                                                      \
               : "r"(a0), "r"(a1), "r"(b0));
#define MMA_2_4_2(SHAPE, C, k)                                                                       \
  asm volatile("mma.sync.aligned." SHAPE " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"                \
               : "+" C(c[k][0]), "+" C(c[k][1])                                                      \
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
#define MMA_2_1_1(SHAPE, C, k)                                                                       \
  asm volatile("mma.sync.aligned." SHAPE " {%0,%1}, {%2}, {%3}, {%0,%1};"                            \
               : "+" C(c[k][0]), "+" C(c[k][1])                                                      \
               : "r"(a0), "r"(b0));

#if __CUDA_ARCH__ >= 750
#define F16_1688(k) MMA_2_2_2("m16n8k8.row.col.f16.f16.f16.f16", "r", k)
PRODUCTS(mma_16x8x8_f16_f16, 2, int, F16_1688)
#define F32_1688(k) MMA_4_2_4("m16n8k8.row.col.f32.f16.f16.f32", "f", k)
PRODUCTS(mma_16x8x8_f16_f32, 4, float, F32_1688)
#define S8_8816(k) MMA_2_1_1("m8n8k16.row.col.s32.s8.s8.s32", "r", k)
PRODUCTS(mma_8x8x16_s8_s32, 2, int, S8_8816)
#endif
#if __CUDA_ARCH__ >= 800
#define F16_16816(k) MMA_2_4_2("m16n8k16.row.col.f16.f16.f16.f16", "r", k)
PRODUCTS(mma_16x8x16_f16_f16, 2, int, F16_16816)
#define F32_16816(k) MMA_4_4_4("m16n8k16.row.col.f32.f16.f16.f32", "f", k)
PRODUCTS(mma_16x8x16_f16_f32, 4, float, F32_16816)
#define BF16_16816(k) MMA_4_4_4("m16n8k16.row.col.f32.bf16.bf16.f32", "f", k)
PRODUCTS(mma_16x8x16_bf16_f32, 4, float, BF16_16816)
#define TF32_1684(k) MMA_4_2_4("m16n8k4.row.col.f32.tf32.tf32.f32", "f", k)
PRODUCTS(mma_16x8x4_tf32_f32, 4, float, TF32_1684)
#define TF32_1688(k) MMA_4_4_4("m16n8k8.row.col.f32.tf32.tf32.f32", "f", k)
PRODUCTS(mma_16x8x8_tf32_f32, 4, float, TF32_1688)
#define S8_16816(k) MMA_4_2_4("m16n8k16.row.col.s32.s8.s8.s32", "r", k)
PRODUCTS(mma_16x8x16_s8_s32, 4, int, S8_16816)
#define S8_16832(k) MMA_4_4_4("m16n8k32.row.col.s32.s8.s8.s32", "r", k)
PRODUCTS(mma_16x8x32_s8_s32, 4, int, S8_16832)

extern "C" __global__ void __launch_bounds__(256) mma_8x8x4_f64(double *out, int passes, double a, double b) {
  const double a0 = a + threadIdx.x, b0 = a0 * b;
  double c[4][2] = {};
#define F64_884(k)                                                                                   \
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"       \
               : "+d"(c[k][0]), "+d"(c[k][1])                                                        \
               : "d"(a0), "d"(b0));
#pragma unroll 1
  for (int i = 0; i < passes; ++i) { PASS(F64_884) }
  double sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) sum += c[k][0] + c[k][1];
  if (sum == 12345) out[threadIdx.x] = sum;
}
#endif
