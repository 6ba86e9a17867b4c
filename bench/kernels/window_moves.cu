// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What a register that is moved takes between two readings of the clock, to be compiled without optimisation (-Xptxas -O0): compilers
// then move registers around the measured operation, which its window holds and the empty one does not.

#define READ(x) asm volatile("mov.u32 %0, %%clock;" : "=r"(x)::"memory");
#define MEET asm volatile("bar.sync 0;" ::: "memory");
#define NOTHING
#pragma nv_diag_suppress 177

#define EIGHT                                                                                        \
  asm volatile("mov.u32 %0, %1;" : "=r"(b) : "r"(a));                                                \
  asm volatile("mov.u32 %0, %1;" : "=r"(a) : "r"(b));                                                \
  asm volatile("mov.u32 %0, %1;" : "=r"(b) : "r"(a));                                                \
  asm volatile("mov.u32 %0, %1;" : "=r"(a) : "r"(b));

#define MOVES(NAME, OP)                                                                              \
  extern "C" __global__ void NAME(unsigned *windows, unsigned *results, unsigned value) {            \
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;                                       \
    unsigned a = value, b = value, start, stop;                                                      \
    MEET READ(start) OP READ(stop)                                                                   \
    windows[at] = stop - start;                                                                      \
    results[at] = a + b;                                                                             \
  }
MOVES(window_moves, EIGHT)
MOVES(empty_moves, NOTHING)
