// SPDX-License-Identifier: Apache-2.0
// What lanes and warps hand to each other: the lane that is elected, squares of a matrix between registers and shared memory,
// registers that one warp group gives to the other.
#include <cstdint>

namespace {

__device__ uint32_t shared_address(const void* at) { return static_cast<uint32_t>(__cvta_generic_to_shared(at)); }

// 100 and the leader for the lane that is elected among those of `members`, the leader for the others.
__device__ uint32_t elected(uint32_t members) {
  uint32_t leader, chosen;
  asm volatile("{\n.reg .pred p;\nelect.sync %0|p, %2;\nselp.u32 %1, 100, 0, p;\n}\n" : "=r"(leader), "=r"(chosen) : "r"(members));
  return chosen + leader;
}

}  // namespace

// One warp: first all of its lanes elect, then those from 8 to 15 alone; the others write 1000.
extern "C" __global__ void elect_lanes(uint32_t* out) {
  out[threadIdx.x] = elected(0xffffffff);
  uint32_t second = 1000;
  if (threadIdx.x / 8 == 1) second = elected(0xff00);
  out[32 + threadIdx.x] = second;
}

// Four squares of 8 x 8 halves from registers to shared memory, and back as they are and across.
extern "C" __global__ void store_squares(const uint32_t* in, uint32_t* out) {
  __shared__ alignas(128) uint16_t square[4][8][8];
  const uint32_t lane = threadIdx.x;
  uint32_t r[4], s[4], t[4];
  for (int i = 0; i < 4; ++i) r[i] = in[32 * i + lane];
  const uint32_t row = shared_address(square[lane / 8][lane % 8]);
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncwarp();
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(s[0]), "=r"(s[1]), "=r"(s[2]), "=r"(s[3]) : "r"(row) : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(t[0]), "=r"(t[1]), "=r"(t[2]), "=r"(t[3]) : "r"(row) : "memory");
  for (int i = 0; i < 4; ++i) {
    out[32 * i + lane] = s[i];
    out[128 + 32 * i + lane] = t[i];
    out[256 + 32 * i + lane] = *reinterpret_cast<uint32_t*>(&square[i][lane / 4][lane % 4 * 2]);
  }
}

// The first warp group gives registers away, the second one takes them: both go on with what they held.
extern "C" __global__ void __launch_bounds__(256, 1) hand_registers_over(const uint32_t* in, uint32_t* out) {
  const uint32_t held = in[threadIdx.x];
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    out[threadIdx.x] = 2 * held;
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 200;");
    out[threadIdx.x] = 3 * held;
  }
}

// The second warp group can take its registers only once the first one, after a long chain of sums, has given some away; then it has
// a chain of its own. With `waits` 0 neither hands any over.
extern "C" __global__ void __launch_bounds__(256, 1) hand_over_late(float* out, int turns, int waits) {
  float sum = out[threadIdx.x];
  if (threadIdx.x < 128) {
#pragma unroll 16
    for (int i = 0; i < turns; ++i) sum = sum * 0.5f + 1.0f;
    if (waits) asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
  } else {
    if (waits) asm volatile("setmaxnreg.inc.sync.aligned.u32 200;");
#pragma unroll 16
    for (int i = 0; i < turns; ++i) sum = sum * 0.5f + 1.0f;
  }
  out[threadIdx.x] = sum;
}
