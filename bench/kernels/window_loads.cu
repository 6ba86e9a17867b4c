// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Latencies of loads by the clock in the kernel, after Sanchez 2017. Local memory (with -maxrregcount=32): an array that no register
// file holds, its first element stored past L1 and loaded through every level. Global memory: one word for the whole grid, written
// through and loaded past L1. Three windows each, as later loads are likelier to hit; the empty kernels lack the loads alone. To be
// compiled without optimisation (-Xptxas -O0). Each thread writes its windows and the sum of what it loaded, which the host checks.

#define READ(x) asm volatile("mov.u32 %0, %%clock;" : "=r"(x)::"memory");
#define MEET asm volatile("bar.sync 0;" ::: "memory");

#define LOCAL(k) asm volatile("ld.local.ca.f32 %0, [room];" : "=f"(x##k)::"memory");
#define GLOBAL(k) asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(x##k) : "l"(word) : "memory");
#define NOTHING(k)

#define TIMED(k, OP) MEET READ(start##k) OP(k) READ(stop##k)
#define WRITE                                                                                        \
  windows[3 * at] = stop0 - start0;                                                                  \
  windows[3 * at + 1] = stop1 - start1;                                                              \
  windows[3 * at + 2] = stop2 - start2;                                                              \
  results[at] = x0 + x1 + x2;

#define LOCAL_WINDOWS(NAME, OP)                                                                      \
  extern "C" __global__ void NAME(unsigned *windows, float *results, float value) {                  \
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;                                       \
    unsigned start0, stop0, start1, stop1, start2, stop2;                                            \
    float x0 = value, x1 = value, x2 = value;                                                        \
    asm volatile(".local .align 4 .f32 room[256]; st.local.cs.f32 [room], %0;" : : "f"(value) : "memory"); \
    TIMED(0, OP) TIMED(1, OP) TIMED(2, OP) MEET                                                      \
    WRITE                                                                                            \
  }
LOCAL_WINDOWS(window_local, LOCAL)
LOCAL_WINDOWS(empty_local, NOTHING)

__device__ float shared_by_all;
#define GLOBAL_WINDOWS(NAME, OP)                                                                     \
  extern "C" __global__ void NAME(unsigned *windows, float *results, float value) {                  \
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;                                       \
    unsigned start0, stop0, start1, stop1, start2, stop2;                                            \
    float x0 = value, x1 = value, x2 = value;                                                        \
    float *word = &shared_by_all;                                                                    \
    asm volatile("st.global.wt.f32 [%0], %1;" : : "l"(word), "f"(value) : "memory");                 \
    TIMED(0, OP) TIMED(1, OP) TIMED(2, OP) MEET                                                      \
    WRITE                                                                                            \
  }
GLOBAL_WINDOWS(window_global, GLOBAL)
GLOBAL_WINDOWS(empty_global, NOTHING)

// The same word, one window, for devices that tell one window a launch.
#define ONE_WINDOW(NAME, OP)                                                                         \
  extern "C" __global__ void NAME(unsigned *windows, float *results, float value) {                  \
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;                                       \
    unsigned start0, stop0;                                                                          \
    float x0 = value;                                                                                \
    float *word = &shared_by_all;                                                                    \
    asm volatile("st.global.wt.f32 [%0], %1;" : : "l"(word), "f"(value) : "memory");                 \
    TIMED(0, OP) MEET                                                                                \
    windows[at] = stop0 - start0;                                                                    \
    results[at] = x0;                                                                                \
  }
ONE_WINDOW(window_global_once, GLOBAL)
ONE_WINDOW(empty_global_once, NOTHING)
