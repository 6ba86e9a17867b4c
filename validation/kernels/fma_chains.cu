// SPDX-License-Identifier: Apache-2.0
// Two chains of STEPS dependent FMAs on each pair of elements. A block owns a piece of 256 * ELEMENTS
// values of each array and walks through it with a stride of 256; it stores one value.
#define ELEMENTS 4000

template <int STEPS>
__device__ __forceinline__ void chains(const float *a, const float *b, float *out) {
  size_t first = (size_t)blockIdx.x * 256 * ELEMENTS + threadIdx.x;
  a += first;
  b += first;
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < ELEMENTS; i += 2) {
    float p = a[i * 256], q = b[i * 256];
    float v = p - q;
    float w = a[i * 256 + 256] - b[i * 256 + 256];
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
      v = v * p - q;
      w = w * p - q;
    }
    sum += v + w;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

#define CHAIN(STEPS)                                                                             \
  extern "C" __global__ void __launch_bounds__(256)                                              \
      fma_chains_##STEPS(const float *a, const float *b, float *out) {                           \
    chains<STEPS>(a, b, out);                                                                    \
  }
CHAIN(0) CHAIN(1) CHAIN(2) CHAIN(4) CHAIN(8) CHAIN(16) CHAIN(24) CHAIN(32) CHAIN(40) CHAIN(48)
CHAIN(56) CHAIN(64) CHAIN(72) CHAIN(80) CHAIN(88) CHAIN(96) CHAIN(104) CHAIN(112) CHAIN(120)
CHAIN(128) CHAIN(136) CHAIN(144) CHAIN(152) CHAIN(160) CHAIN(168) CHAIN(176) CHAIN(184) CHAIN(192)
CHAIN(200) CHAIN(208) CHAIN(216) CHAIN(224) CHAIN(232) CHAIN(240) CHAIN(248) CHAIN(256) CHAIN(264)
CHAIN(272) CHAIN(280) CHAIN(288) CHAIN(296) CHAIN(304) CHAIN(312) CHAIN(320) CHAIN(328) CHAIN(336)
CHAIN(344) CHAIN(352) CHAIN(360) CHAIN(368) CHAIN(376) CHAIN(384) CHAIN(392) CHAIN(400) CHAIN(408)
CHAIN(416) CHAIN(424) CHAIN(432) CHAIN(440) CHAIN(448) CHAIN(456) CHAIN(464) CHAIN(472) CHAIN(480)
CHAIN(488) CHAIN(496) CHAIN(504) CHAIN(512)
