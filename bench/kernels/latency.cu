// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// One chain of 64 instructions a pass, each of which needs the one before it: run with one warp, a pass takes 64 latencies and what
// the loop itself adds. The last comparison keeps the result alive and never holds.

#define FOUR(OP) OP(x, y) OP(y, x) OP(x, y) OP(y, x)
#define SIXTEEN(OP) FOUR(OP) FOUR(OP) FOUR(OP) FOUR(OP)
#define ALL(OP) SIXTEEN(OP) SIXTEEN(OP) SIXTEEN(OP) SIXTEEN(OP)

// Both take turns, so that no two instructions in a row fold into one.
#define CHAIN(NAME, T, OP)                                                                           \
  extern "C" __global__ void NAME(T *out, int passes, T a, T b) {                                    \
    T x = a + (T)threadIdx.x, y = x + b;                                                             \
    _Pragma("unroll 1") for (int i = 0; i < passes; ++i) { ALL(OP) }                                 \
    if (x == a) out[threadIdx.x] = x + y;                                                            \
  }

#define FADD(x, y) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(y));
CHAIN(chain_fadd, float, FADD)
#define FMUL(x, y) asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(y));
CHAIN(chain_fmul, float, FMUL)
#define FFMA(x, y) asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(x) : "f"(y), "f"(b));
CHAIN(chain_ffma, float, FFMA)
#define FMAX(x, y) asm volatile("max.f32 %0, %0, %1;" : "+f"(x) : "f"(y));
CHAIN(chain_fmax, float, FMAX)
#define EX2(x, y) asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(y));
CHAIN(chain_ex2, float, EX2)
#define RSQRT(x, y) asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(y));
CHAIN(chain_rsqrt, float, RSQRT)
#define LG2(x, y) asm volatile("lg2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(y));
CHAIN(chain_lg2, float, LG2)

#define DADD(x, y) asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(y));
CHAIN(chain_dadd, double, DADD)
#define DMUL(x, y) asm volatile("mul.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(y));
CHAIN(chain_dmul, double, DMUL)
#define DFMA(x, y) asm volatile("fma.rn.f64 %0, %1, %2, %0;" : "+d"(x) : "d"(y), "d"(b));
CHAIN(chain_dfma, double, DFMA)

#define IADD3(x, y) asm volatile("{.reg .s32 t; add.s32 t, %0, %1; add.s32 %0, t, %2;}" : "+r"(x) : "r"(y), "r"(b));
CHAIN(chain_iadd3, int, IADD3)
#define IMAD(x, y) asm volatile("mad.lo.s32 %0, %1, %2, %0;" : "+r"(x) : "r"(y), "r"(b));
CHAIN(chain_imad, int, IMAD)
#define IMADHI(x, y) asm volatile("mad.hi.s32 %0, %1, %2, %0;" : "+r"(x) : "r"(y), "r"(b));
CHAIN(chain_imad_hi, int, IMADHI)
#if __CUDA_ARCH__ >= 500
#define LOGIC(x, y) asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(x) : "r"(y), "r"(b));
#else  // logic of two
#define LOGIC(x, y) asm volatile("xor.b32 %0, %0, %1;" : "+r"(x) : "r"(y));
#endif
CHAIN(chain_logic, int, LOGIC)
#define SHIFT(x, y) asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(y), "r"(b));
CHAIN(chain_shift, int, SHIFT)
#define IMAX(x, y) asm volatile("max.s32 %0, %0, %1;" : "+r"(x) : "r"(y));
CHAIN(chain_imax, int, IMAX)
#define PRMT(x, y) asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(y), "r"(b));
CHAIN(chain_prmt, int, PRMT)
#define POPC(x, y) asm volatile("popc.b32 %0, %1;" : "=r"(x) : "r"(y));
CHAIN(chain_popc, int, POPC)
#define BREV(x, y) asm volatile("brev.b32 %0, %1;" : "=r"(x) : "r"(y));
CHAIN(chain_brev, int, BREV)
#define FLO(x, y) asm volatile("bfind.u32 %0, %1;" : "=r"(x) : "r"(y));
CHAIN(chain_flo, int, FLO)
#define SAD(x, y) asm volatile("sad.u32 %0, %1, %2, %0;" : "+r"(x) : "r"(y), "r"(b));
CHAIN(chain_sad, int, SAD)
#define SHFL(x, y) asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, -1;" : "+r"(x) : "r"(y));
CHAIN(chain_shuffle, int, SHFL)
// There and back: two conversions an operation.
#define ROUND_FLOAT(x, y) asm volatile("{.reg .f32 t; cvt.rn.f32.s32 t, %1; cvt.rzi.s32.f32 %0, t;}" : "=r"(x) : "r"(y));
CHAIN(chain_int_float, int, ROUND_FLOAT)
#define ROUND_DOUBLE(x, y) asm volatile("{.reg .f64 t; cvt.rn.f64.s32 t, %1; cvt.rzi.s32.f64 %0, t;}" : "=r"(x) : "r"(y));
CHAIN(chain_int_double, int, ROUND_DOUBLE)
// A comparison and the choice that it makes.
#define CHOICE(x, y) asm volatile("{.reg .pred p; setp.lt.s32 p, %0, %1; selp.s32 %0, %1, %2, p;}" : "+r"(x) : "r"(y), "r"(b));
CHAIN(chain_choice, int, CHOICE)
// A comparison and the vote over it.
#define VOTE(x, y) asm volatile("{.reg .pred p; setp.lt.s32 p, %1, %2; vote.sync.ballot.b32 %0, p, -1;}" : "=r"(x) : "r"(y), "r"(b));
CHAIN(chain_vote, int, VOTE)

#if __CUDA_ARCH__ >= 530
#define HFMA2(x, y) asm volatile("fma.rn.f16x2 %0, %1, %2, %0;" : "+r"(x) : "r"(y), "r"(b));
CHAIN(chain_hfma2, int, HFMA2)
#define HADD2(x, y) asm volatile("add.rn.f16x2 %0, %0, %1;" : "+r"(x) : "r"(y));
CHAIN(chain_hadd2, int, HADD2)
#endif
#if __CUDA_ARCH__ >= 610
#define DP4A(x, y) asm volatile("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(x) : "r"(y), "r"(b));
CHAIN(chain_dp4a, int, DP4A)
#endif
#if __CUDA_ARCH__ >= 700
#define MATCH(x, y) asm volatile("match.any.sync.b32 %0, %1, -1;" : "=r"(x) : "r"(y));
CHAIN(chain_match, int, MATCH)
#endif
#if __CUDA_ARCH__ >= 800
#define REDUX(x, y) asm volatile("redux.sync.add.s32 %0, %1, -1;" : "=r"(x) : "r"(y));
CHAIN(chain_redux, int, REDUX)
#endif
