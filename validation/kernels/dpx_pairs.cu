// SPDX-License-Identifier: Apache-2.0
// Chains and streams of 32-bit DPX operations as a compiler makes them that has no instruction for them: two instructions each.
#include <cstdint>

namespace {

__device__ int max_of_three(int a, int b, int c) {
  int both, all;
  asm("max.s32 %0, %1, %2;" : "=r"(both) : "r"(a), "r"(b));
  asm("max.s32 %0, %1, %2;" : "=r"(all) : "r"(both), "r"(c));
  return all;
}
__device__ int max_of_sum(int a, int b, int c) {
  int sum, greater;
  asm("add.s32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
  asm("max.s32 %0, %1, %2;" : "=r"(greater) : "r"(sum), "r"(c));
  return greater;
}

}  // namespace

// Operands come from memory, so that they lie in registers of the lanes.
#define CHAIN(name, operation)                                                     \
  extern "C" __global__ void name(const int* from, int times, int* out) {          \
    int a = from[threadIdx.x], b = a + 1, c = a + 2;                               \
    _Pragma("unroll 1") for (int i = 0; i < times; ++i) {                          \
      _Pragma("unroll") for (int j = 0; j < 32; ++j) c = operation(c, a, b);       \
    }                                                                              \
    out[blockIdx.x * blockDim.x + threadIdx.x] = c;                                \
  }                                                                                \
  extern "C" __global__ void name##_stream(const int* from, int times, int* out) { \
    int a = from[threadIdx.x], b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = b;  \
    _Pragma("unroll 1") for (int i = 0; i < times; ++i) {                          \
      _Pragma("unroll") for (int j = 0; j < 8; ++j) {                              \
        c = operation(c, a, b);                                                    \
        d = operation(d, a, b);                                                    \
        e = operation(e, a, b);                                                    \
        f = operation(f, a, b);                                                    \
      }                                                                            \
    }                                                                              \
    out[blockIdx.x * blockDim.x + threadIdx.x] = c + d + e + f;                    \
  }

CHAIN(dpx_pair_add_max, max_of_sum)
CHAIN(dpx_pair_max3, max_of_three)
