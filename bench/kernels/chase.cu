// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Loads that each need the one before it: content pointers:STRIDE. A tour is `steps` loads, of which 32 stand in the loop.

#define THIRTY_TWO(OP) _Pragma("unroll") for (int k = 0; k < 32; ++k) { OP }
#define TOURS(OP)                                                                                    \
  _Pragma("unroll 1") for (int t = 0; t < tours; ++t) {                                              \
    _Pragma("unroll 1") for (int i = 0; i < steps; i += 32) { THIRTY_TWO(OP) }                       \
  }

// Through every level that caches such loads.
extern "C" __global__ void chase(void **chain, void **end, int tours, int steps) {
  void **at = chain;
  TOURS(asm volatile("ld.global.u64 %0, [%0];" : "+l"(at) : : "memory");)
  if (at == nullptr) *end = at;
}

// Past L1.
extern "C" __global__ void chase_l2(void **chain, void **end, int tours, int steps) {
  void **at = chain;
  TOURS(asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at) : : "memory");)
  if (at == nullptr) *end = at;
}

// As read-only data, which earlier generations cache in another place.
extern "C" __global__ void chase_read_only(void **chain, void **end, int tours, int steps) {
  void **at = chain;
  TOURS(asm volatile("ld.global.nc.u64 %0, [%0];" : "+l"(at));)
  if (at == nullptr) *end = at;
}

// Addresses of words that lie in shared memory, `stride` bytes apart.
extern "C" __global__ void chase_shared(int *out, int tours, int steps, int stride) {
  __shared__ unsigned ring[2048];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(ring));
  for (int i = threadIdx.x; i < 2048; i += blockDim.x) ring[i] = base + (4 * i + stride) % 8192;
  __syncthreads();
  unsigned at = base;
  TOURS(asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at) : : "memory");)
  if (at == 0) *out = 1;
}

// What an atomic operation in shared memory gives back is the next address.
extern "C" __global__ void chase_shared_atomic(int *out, int tours, int steps, int stride) {
  __shared__ unsigned ring[2048];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(ring));
  for (int i = threadIdx.x; i < 2048; i += blockDim.x) ring[i] = base + (4 * i + stride) % 8192;
  __syncthreads();
  unsigned at = base;
  TOURS(asm volatile("atom.shared.or.b32 %0, [%0], 0;" : "+r"(at) : : "memory");)
  if (at == 0) *out = 1;
}

// The same in global memory: one thread, one line of L2 after the other.
extern "C" __global__ void chase_atomic(void **chain, void **end, int tours, int steps) {
  void **at = chain;
  TOURS(asm volatile("atom.global.or.b64 %0, [%0], 0;" : "+l"(at) : : "memory");)
  if (at == nullptr) *end = at;
}

// Constant memory by computed address: zeros, so that the next place is `stride` further in a room of `steps` places.
__constant__ unsigned table[16384];
extern "C" __global__ void chase_constant(int *out, int tours, int steps, int stride) {
  const unsigned long long base = __cvta_generic_to_constant(table);
  unsigned at = 0, found = 0;
#pragma unroll 1
  for (int t = 0; t < tours; ++t) {
    at = found;
#pragma unroll 1
    for (int i = 0; i < steps; i += 32) {
      THIRTY_TWO(asm volatile("ld.const.u32 %0, [%1];" : "=r"(found) : "l"(base + at)); at += found + stride;)
    }
  }
  if (found != 0) *out = at;
}
