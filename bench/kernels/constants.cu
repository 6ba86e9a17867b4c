// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Constants as operands: 192 dependent additions a pass, which read 8 to 192 lines of 64 bytes in turn. One warp; where the lines no
// longer fit the first level, every addition waits for the next one.

__constant__ float held[16 * 192];

#define CONSTANTS(LINES)                                                          \
  extern "C" __global__ void constants_##LINES(float *out, int passes, float a) { \
    float x = a + threadIdx.x;                                                    \
    const int last = passes + threadIdx.x / 32; /* a constant as the bound would take a line */ \
    _Pragma("unroll 1") for (int i = 0; i < last; ++i) {                        \
      _Pragma("unroll") for (int k = 0; k < 192; ++k) { x += held[16 * (k % LINES)]; } \
    }                                                                             \
    if (x == a) out[threadIdx.x] = x;                                             \
  }
CONSTANTS(8)
CONSTANTS(16)
CONSTANTS(24)
CONSTANTS(32)
CONSTANTS(48)
CONSTANTS(64)
CONSTANTS(96)
CONSTANTS(192)
