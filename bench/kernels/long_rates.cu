// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Throughput of what shares its unit with the loop itself: eight chains a thread and 256 instructions a pass, so that the loop's own
// addition and comparison, whatever they take, are less than a hundredth.

#define RING(OP) OP(x0, x1) OP(x1, x2) OP(x2, x3) OP(x3, x4) OP(x4, x5) OP(x5, x6) OP(x6, x7) OP(x7, x0)
#define FOUR(OP) RING(OP) RING(OP) RING(OP) RING(OP)
#define LONG(NAME, T, OP)                                                                            \
  extern "C" __global__ void __launch_bounds__(1024) NAME(T *out, int passes, T a, T b) {            \
    T x0 = a + (T)threadIdx.x, x1 = x0 + b, x2 = x1 * b, x3 = x2 + b, x4 = x3 * b, x5 = x4 + b, x6 = x5 * b, x7 = x6 + b; \
    _Pragma("unroll 1") for (int i = 0; i < passes; ++i) {                                           \
      FOUR(OP) FOUR(OP) FOUR(OP) FOUR(OP) FOUR(OP) FOUR(OP) FOUR(OP) FOUR(OP)                        \
    }                                                                                                \
    const T sum = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;                                             \
    if (sum == a) out[threadIdx.x] = sum;                                                            \
  }

#define FMAX(x, y) asm volatile("max.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
LONG(long_fmax, float, FMAX)
#if __CUDA_ARCH__ >= 500
#define LOGIC(x, y) asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(x) : "r"(y), "r"(a));
LONG(long_logic, int, LOGIC)
#endif
#define SHIFT(x, y) asm volatile("shr.u32 %0, %0, %1;" : "+r"(x) : "r"(b));
LONG(long_shift, int, SHIFT)
#define PERMUTE(x, y) asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(y), "r"(b));
LONG(long_prmt, int, PERMUTE)
