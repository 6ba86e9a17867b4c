// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Latencies by the clock in the kernel, after Sanchez 2017: a barrier, a reading, one to eight independent operations of a kind, a
// reading, a barrier; `empty_N` is the same without operations. To be compiled without optimisation (-Xptxas -O0), so that
// readings stay where they are written. Each thread writes its window and the results, which the host checks.

#define READ(x) asm volatile("mov.u32 %0, %%clock;" : "=r"(x)::"memory");
#define MEET asm volatile("bar.sync 0;" ::: "memory");

#define ONE(OP) OP(0)
#define TWO(OP) ONE(OP) OP(1)
#define THREE(OP) TWO(OP) OP(2)
#define FOUR(OP) THREE(OP) OP(3)
#define FIVE(OP) FOUR(OP) OP(4)
#define SIX(OP) FIVE(OP) OP(5)
#define SEVEN(OP) SIX(OP) OP(6)
#define EIGHT(OP) SEVEN(OP) OP(7)

#define LOAD(k) const float a##k = in[3 * k], b##k = in[3 * k + 1], c##k = in[3 * k + 2]; float d##k = c##k;
#define STORE(k) results[8 * at + k] = d##k;
#define NOTHING(k)
#pragma nv_diag_suppress 177

#define WINDOW(NAME, TIMES, OP)                                                                      \
  extern "C" __global__ void NAME(unsigned *windows, float *results, const float *in) {              \
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;                                       \
    unsigned start, stop;                                                                            \
    TIMES(LOAD)                                                                                      \
    MEET READ(start) TIMES(OP) READ(stop) MEET                                                       \
    windows[at] = stop - start;                                                                      \
    TIMES(STORE)                                                                                     \
  }

#define ADD(k) asm volatile("add.f32 %0, %1, %2;" : "=f"(d##k) : "f"(a##k), "f"(b##k));
#define SUB(k) asm volatile("sub.f32 %0, %1, %2;" : "=f"(d##k) : "f"(a##k), "f"(b##k));
#define MUL(k) asm volatile("mul.f32 %0, %1, %2;" : "=f"(d##k) : "f"(a##k), "f"(b##k));
#define DIV(k) asm volatile("div.rn.f32 %0, %1, %2;" : "=f"(d##k) : "f"(a##k), "f"(b##k));
#define MAD(k) asm volatile("fma.rn.f32 %0, %1, %2, %3;" : "=f"(d##k) : "f"(a##k), "f"(b##k), "f"(c##k));

#define ONE_TO_EIGHT(NAME, OP)                                                                       \
  WINDOW(NAME##_1, ONE, OP)                                                                          \
  WINDOW(NAME##_2, TWO, OP)                                                                          \
  WINDOW(NAME##_3, THREE, OP)                                                                        \
  WINDOW(NAME##_4, FOUR, OP)                                                                         \
  WINDOW(NAME##_5, FIVE, OP)                                                                         \
  WINDOW(NAME##_6, SIX, OP)                                                                          \
  WINDOW(NAME##_7, SEVEN, OP)                                                                        \
  WINDOW(NAME##_8, EIGHT, OP)

ONE_TO_EIGHT(empty, NOTHING)
ONE_TO_EIGHT(window_add, ADD)
ONE_TO_EIGHT(window_sub, SUB)
ONE_TO_EIGHT(window_mul, MUL)
ONE_TO_EIGHT(window_div, DIV)
ONE_TO_EIGHT(window_mad, MAD)
