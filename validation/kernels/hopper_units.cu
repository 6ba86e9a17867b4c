// SPDX-License-Identifier: Apache-2.0
// One unit of Hopper at a time: copies that a thread starts and waits for in turn, a chain of copies, a chain of loads from a
// neighbour's shared memory, chains and streams of DPX operations.
#include <cstdint>

struct alignas(64) TensorMap {
  unsigned long long words[16];
};

namespace {

__device__ uint32_t shared_address(const void* at) { return static_cast<uint32_t>(__cvta_generic_to_shared(at)); }

__device__ void start(uint64_t* barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.proxy.async.shared::cta;" ::"r"(shared_address(barrier)) : "memory");
}
// Arrives for the bytes that were asked for, and waits until they have come.
__device__ void receive(uint64_t* barrier, uint32_t bytes, uint32_t phase) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@done bra over;\nbra again;\nover:\n}\n" ::"r"(shared_address(barrier)),
      "r"(phase)
      : "memory");
}
__device__ void copy_row(void* to, const void* from, uint32_t bytes, uint64_t* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)), "l"(from), "r"(bytes),
               "r"(shared_address(barrier))
               : "memory");
}

}  // namespace

// Blocks of one thread take pieces of `bytes` in turn.
extern "C" __global__ void copies_of_rows(const char* from, uint32_t bytes, int pieces) {
  __shared__ alignas(128) char row[16384];
  __shared__ uint64_t full;
  start(&full);
  uint32_t phase = 0;
  for (int i = blockIdx.x; i < pieces; i += gridDim.x, phase ^= 1) {
    copy_row(row, from + static_cast<int64_t>(i) * bytes, bytes, &full);
    receive(&full, bytes, phase);
  }
}

// The same with boxes of an array that is `across` boxes wide.
extern "C" __global__ void copies_of_boxes_2d(const __grid_constant__ TensorMap map, int x, int y, int across, int pieces) {
  __shared__ alignas(128) char box[16384];
  __shared__ uint64_t full;
  start(&full);
  uint32_t phase = 0;
  for (int i = blockIdx.x; i < pieces; i += gridDim.x, phase ^= 1) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(box)), "l"(&map),
                 "r"(shared_address(&full)), "r"(i % across * x), "r"(i / across * y)
                 : "memory");
    receive(&full, x * y * 4, phase);
  }
}
extern "C" __global__ void copies_of_boxes_3d(const __grid_constant__ TensorMap map, int x, int y, int z, int across, int down, int pieces) {
  __shared__ alignas(128) char box[16384];
  __shared__ uint64_t full;
  start(&full);
  uint32_t phase = 0;
  for (int i = blockIdx.x; i < pieces; i += gridDim.x, phase ^= 1) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(shared_address(box)), "l"(&map),
        "r"(shared_address(&full)), "r"(i % across * x), "r"(i / across % down * y), "r"(i / across / down * z)
        : "memory");
    receive(&full, x * y * z * 4, phase);
  }
}

// A copy of 16 bytes says where the next one begins: `stride` further in a ring of `ring` bytes, a power of two, and zeros.
extern "C" __global__ void chain_of_copies(const char* from, uint32_t stride, uint32_t ring, int times) {
  __shared__ alignas(16) uint64_t read[2];
  __shared__ uint64_t full;
  start(&full);
  uint32_t at = 0;
#pragma unroll 1
  for (int i = 0; i < times; ++i) {
    copy_row(read, from + at, 16, &full);
    receive(&full, 16, i & 1);
    at = (at + stride + *const_cast<volatile uint32_t*>(reinterpret_cast<uint32_t*>(read))) & (ring - 1);
  }
}

// The block of rank `from` follows a chain in the shared memory of rank `to`.
extern "C" __global__ void chain_in_cluster(int from, int to, int times, uint32_t* out) {
  __shared__ uint32_t next[256];
  uint32_t rank;
  uint64_t there;
  asm volatile("mov.u32 %0, %cluster_ctarank;" : "=r"(rank));
  for (int i = threadIdx.x; i < 256; i += blockDim.x) next[i] = (i + 1) % 256 * 4;
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (rank == from) {
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(static_cast<const void*>(next)), "r"(to));
    uint32_t at = 0;
#pragma unroll 16
    for (int i = 0; i < times; ++i) asm volatile("ld.u32 %0, [%1];" : "=r"(at) : "l"(there + at));
    *out = at;
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

#define CHAIN(name, operation)                                                  \
  extern "C" __global__ void name(int a, int b, int times, int* out) {          \
    int c = threadIdx.x;                                                        \
    _Pragma("unroll 1") for (int i = 0; i < times; ++i) {                       \
      _Pragma("unroll") for (int j = 0; j < 32; ++j) c = operation(c, a, b);    \
    }                                                                           \
    out[blockIdx.x * blockDim.x + threadIdx.x] = c;                             \
  }                                                                             \
  extern "C" __global__ void name##_stream(int a, int b, int times, int* out) { \
    int c = threadIdx.x, d = a + 1, e = a + 2, f = a + 3;                       \
    _Pragma("unroll 1") for (int i = 0; i < times; ++i) {                       \
      _Pragma("unroll") for (int j = 0; j < 8; ++j) {                           \
        c = operation(c, a, b);                                                 \
        d = operation(d, a, b);                                                 \
        e = operation(e, a, b);                                                 \
        f = operation(f, a, b);                                                 \
      }                                                                         \
    }                                                                           \
    out[blockIdx.x * blockDim.x + threadIdx.x] = c + d + e + f;                 \
  }

CHAIN(dpx_add_max, __viaddmax_s32)
CHAIN(dpx_add_max_halves, __viaddmax_s16x2)
CHAIN(dpx_max3, __vimax3_s32)
CHAIN(dpx_max3_halves, __vimax3_s16x2)
