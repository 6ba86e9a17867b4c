// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Single accesses of memory by the clock in the kernel, to be compiled without optimisation (-Xptxas -O0). Loads of a chase, each
// between two readings: their windows are the distribution of individual latencies. Stores of one line a warp, with more and more
// warps: where the window grows, what takes stores is full. The empty kernels lack the accesses alone.

#define READ(x) asm volatile("mov.u32 %0, %%clock;" : "=r"(x)::"memory");
#define MEET asm volatile("bar.sync 0;" ::: "memory");
#define NOTHING
#pragma nv_diag_suppress 177

#define LOAD asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(place) : : "memory");
#define EIGHT(OP, k) ONE(OP, k) ONE(OP, k + 1) ONE(OP, k + 2) ONE(OP, k + 3) ONE(OP, k + 4) ONE(OP, k + 5) ONE(OP, k + 6) ONE(OP, k + 7)
#define ONE(OP, k)                                                                                   \
  READ(start) OP READ(stop)                                                                          \
  windows[8 * at + (k) % 8] = stop - start;

// Threads of a warp load the same word; warps start `apart` words from each other.
#define CHASE(NAME, OP)                                                                              \
  extern "C" __global__ void NAME(unsigned *windows, void **chain, void **end, int apart) {          \
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;                                       \
    void **place = chain + static_cast<size_t>(at / 32) * apart;                                     \
    unsigned start, stop;                                                                            \
    EIGHT(OP, 0)                                                                                     \
    if (place == nullptr) *end = place;                                                              \
  }
CHASE(window_chase, LOAD)
CHASE(empty_chase, NOTHING)

#define STORE asm volatile("st.global.u32 [%0], %1;" : : "l"(place), "r"(at) : "memory");
#define STORES(NAME, OP)                                                                             \
  extern "C" __global__ void NAME(unsigned *windows, unsigned *lines) {                              \
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;                                       \
    unsigned *place = lines + at;                                                                    \
    unsigned start, stop;                                                                            \
    MEET READ(start) OP READ(stop)                                                                   \
    windows[at] = stop - start;                                                                      \
  }
STORES(window_store, STORE)
STORES(empty_store, NOTHING)
