// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// One kernel per arithmetic unit: eight independent chains a thread, 64 instructions a pass. What they
// should take per SM stands in rates.toml; scripts/throughput compares. The last comparison keeps the
// results alive and never holds; it takes no constant, which a listing would lack.
#include <cuda_fp16.h>

#define EIGHT(OP) OP(x0) OP(x1) OP(x2) OP(x3) OP(x4) OP(x5) OP(x6) OP(x7)
#define PASS(OP) EIGHT(OP) EIGHT(OP) EIGHT(OP) EIGHT(OP) EIGHT(OP) EIGHT(OP) EIGHT(OP) EIGHT(OP)

#define CHAINS(NAME, T, OP)                                                                          \
  extern "C" __global__ void __launch_bounds__(1024) NAME(T *out, int passes, T a, T b) {            \
    T x0 = a + (T)threadIdx.x, x1 = x0 + b, x2 = x1 + b, x3 = x2 + b, x4 = x3 + b, x5 = x4 + b, x6 = x5 + b, x7 = x6 + b; \
    _Pragma("unroll 1") for (int i = 0; i < passes; ++i) { PASS(OP) }                                \
    const T sum = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;                                             \
    if (sum == a) out[threadIdx.x] = sum;                                                            \
  }

// Each chain takes in its neighbour: what the compiler would fold where the second operand stays.
#define RING(OP) OP(x0, x1) OP(x1, x2) OP(x2, x3) OP(x3, x4) OP(x4, x5) OP(x5, x6) OP(x6, x7) OP(x7, x0)
#define RINGS(NAME, OP)                                                                              \
  extern "C" __global__ void __launch_bounds__(1024) NAME(int *out, int passes, int a, int b) {      \
    int x0 = a + threadIdx.x, x1 = x0 + b, x2 = x1 * b, x3 = x2 + b, x4 = x3 * b, x5 = x4 + b, x6 = x5 * b, x7 = x6 + b; \
    _Pragma("unroll 1") for (int i = 0; i < passes; ++i) {                                           \
      RING(OP) RING(OP) RING(OP) RING(OP) RING(OP) RING(OP) RING(OP) RING(OP)                        \
    }                                                                                                \
    const int sum = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;                                           \
    if (sum == 12345) out[threadIdx.x] = sum;                                                        \
  }

#define FFMA(x) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));
CHAINS(rate_ffma, float, FFMA)
#define FADD(x) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(b));
CHAINS(rate_fadd, float, FADD)
#define FMUL(x) asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
CHAINS(rate_fmul, float, FMUL)
#define FMAX(x) asm volatile("max.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
CHAINS(rate_fmax, float, FMAX)
#define EX2(x) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
CHAINS(rate_ex2, float, EX2)
#define RSQRT(x) asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
CHAINS(rate_rsqrt, float, RSQRT)
#define SINE(x) asm volatile("lg2.approx.ftz.f32 %0, %0;" : "+f"(x));
CHAINS(rate_lg2, float, SINE)

#define DFMA(x) asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(a), "d"(b));
CHAINS(rate_dfma, double, DFMA)
#define DADD(x) asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(b));
CHAINS(rate_dadd, double, DADD)
#define DMUL(x) asm volatile("mul.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(a));
CHAINS(rate_dmul, double, DMUL)

#if __CUDA_ARCH__ < 700  // later ones share additions out between two pipes
#define IADD(x, y) asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(y));
RINGS(rate_iadd, IADD)
#endif
#if __CUDA_ARCH__ >= 500
#define LOGIC(x, y) asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(x) : "r"(y), "r"(a));
#else  // logic of two
#define LOGIC(x, y) asm volatile("xor.b32 %0, %0, %1;" : "+r"(x) : "r"(y));
#endif
RINGS(rate_logic, LOGIC)
#define SHIFT(x) asm volatile("shr.u32 %0, %0, %1;" : "+r"(x) : "r"(b));
CHAINS(rate_shift, int, SHIFT)
#define IMAX(x) asm volatile("max.s32 %0, %0, %1;" : "+r"(x) : "r"(b));
CHAINS(rate_imax, int, IMAX)
#define IMAD(x) asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
CHAINS(rate_imad, int, IMAD)
#define IMADHI(x) asm volatile("mad.hi.s32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
CHAINS(rate_imad_hi, int, IMADHI)
#define POPC(x) asm volatile("popc.b32 %0, %0;" : "+r"(x));
CHAINS(rate_popc, int, POPC)
#define FLO(x) asm volatile("bfind.u32 %0, %0;" : "+r"(x));
CHAINS(rate_flo, int, FLO)
#define BREV(x) asm volatile("brev.b32 %0, %0;" : "+r"(x));
CHAINS(rate_brev, int, BREV)
#define PRMT(x) asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
CHAINS(rate_prmt, int, PRMT)
#define SAD(x) asm volatile("sad.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
CHAINS(rate_sad, int, SAD)
#define ADD64(x) asm volatile("add.s64 %0, %0, %1;" : "+l"(x) : "l"(b));
CHAINS(rate_add64, long long, ADD64)

#define SHFL(x, y) asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, -1;" : "+r"(x) : "r"(y));
RINGS(rate_shuffle, SHFL)

// There and back: two conversions an operation.
#define ROUND_FLOAT(x) asm volatile("{.reg .f32 y; cvt.rn.f32.s32 y, %0; cvt.rzi.s32.f32 %0, y;}" : "+r"(x));
CHAINS(rate_int_float, int, ROUND_FLOAT)
#define ROUND_DOUBLE(x) asm volatile("{.reg .f64 y; cvt.rn.f64.s32 y, %0; cvt.rzi.s32.f64 %0, y;}" : "+r"(x));
CHAINS(rate_int_double, int, ROUND_DOUBLE)

// Packed halves as 32-bit words: eight chains of two.
#if __CUDA_ARCH__ >= 530
#define HFMA2(x) asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
CHAINS(rate_hfma2, int, HFMA2)
#define HADD2(x) asm volatile("add.rn.f16x2 %0, %0, %1;" : "+r"(x) : "r"(b));
CHAINS(rate_hadd2, int, HADD2)
#endif
#if __CUDA_ARCH__ >= 800
#define REDUX(x) asm volatile("redux.sync.add.s32 %0, %0, -1;" : "+r"(x));
CHAINS(rate_redux_add, int, REDUX)
#endif
#if __CUDA_ARCH__ >= 610
#define DP4A(x) asm volatile("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(x) : "r"(a), "r"(b));
CHAINS(rate_dp4a, int, DP4A)
#endif

// One warp, one chain: the latency of a dependent instruction.
#define SIXTEEN(OP) OP(x0) OP(x0) OP(x0) OP(x0) OP(x0) OP(x0) OP(x0) OP(x0) OP(x0) OP(x0) OP(x0) OP(x0) OP(x0) OP(x0) OP(x0) OP(x0)
#define CHAIN(NAME, T, OP)                                                                           \
  extern "C" __global__ void NAME(T *out, int passes, T a, T b) {                                    \
    T x0 = a + (T)threadIdx.x;                                                                       \
    _Pragma("unroll 1") for (int i = 0; i < passes; ++i) {                                           \
      SIXTEEN(OP) SIXTEEN(OP) SIXTEEN(OP) SIXTEEN(OP) SIXTEEN(OP) SIXTEEN(OP) SIXTEEN(OP) SIXTEEN(OP) \
    }                                                                                                \
    if (x0 == a) out[threadIdx.x] = x0;                                                              \
  }
CHAIN(chain_ffma, float, FFMA)
CHAIN(chain_imad, int, IMAD)
CHAIN(chain_dfma, double, DFMA)
CHAIN(chain_ex2, float, EX2)
CHAIN(chain_popc, int, POPC)
