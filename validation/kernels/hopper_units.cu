// SPDX-License-Identifier: Apache-2.0
// One unit of Hopper at a time: copies that a thread starts and waits for in turn, a chain of copies, a chain of loads from a
// neighbour's shared memory, chains and streams of DPX operations.
#include <cstdint>
#include <cuda/barrier>

struct alignas(64) TensorMap {
  unsigned long long words[16];
};

namespace {

__device__ uint32_t shared_address(const void* at) { return static_cast<uint32_t>(__cvta_generic_to_shared(at)); }

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ Barrier& start(char* place) {
  Barrier* barrier = reinterpret_cast<Barrier*>(place);
  init(barrier, 1);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  return *barrier;
}
// Asks for bytes, arrives, and waits until they have come.
__device__ void receive(Barrier& barrier, uint32_t bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(bytes) : "memory");
  barrier.wait(barrier.arrive());
}
__device__ void copy_row(void* to, const void* from, uint32_t bytes, const void* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)), "l"(from), "r"(bytes),
               "r"(shared_address(barrier))
               : "memory");
}

}  // namespace

// Blocks of one thread take pieces of `BYTES` in turn, and wait for each with the library's barrier.
template <uint32_t BYTES>
__device__ void rows_in_turn(const char* from, uint32_t pieces) {
  __shared__ alignas(128) char row[BYTES];
  __shared__ alignas(8) char place[sizeof(Barrier)];
  Barrier& full = start(place);
  for (uint32_t i = blockIdx.x; i < pieces; i += gridDim.x) {
    copy_row(row, from + static_cast<uint64_t>(i) * BYTES, BYTES, &full);
    receive(full, BYTES);
  }
}
#define ROWS(kilobytes) \
  extern "C" __global__ void copies_of_rows_##kilobytes(const char* from, int pieces) { rows_in_turn<kilobytes * 1024>(from, pieces); }
ROWS(1)
ROWS(2)
ROWS(4)
ROWS(8)
ROWS(12)
ROWS(16)

// The same with boxes of an array of 32768 x 32768 words.
template <int X, int Y>
__device__ void flat_boxes_in_turn(const TensorMap& map, uint32_t pieces) {
  constexpr uint32_t across = 32768 / X;
  __shared__ alignas(128) char box[X * Y * 4];
  __shared__ alignas(8) char place[sizeof(Barrier)];
  Barrier& full = start(place);
  for (uint32_t i = blockIdx.x; i < pieces; i += gridDim.x) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(box)), "l"(&map),
                 "r"(shared_address(&full)), "r"(i % across * X), "r"(i / across * Y)
                 : "memory");
    receive(full, X * Y * 4);
  }
}
#define FLAT_BOXES(w, h) \
  extern "C" __global__ void copies_of_boxes_##w##x##h(const __grid_constant__ TensorMap map, int pieces) { flat_boxes_in_turn<w, h>(map, pieces); }
FLAT_BOXES(16, 16)
FLAT_BOXES(32, 16)
FLAT_BOXES(32, 32)
FLAT_BOXES(64, 32)
FLAT_BOXES(96, 32)
FLAT_BOXES(64, 64)

// And of an array of 1024 x 1024 x 1024 words.
template <int X, int Y, int Z>
__device__ void deep_boxes_in_turn(const TensorMap& map, uint32_t pieces) {
  constexpr uint32_t across = 1024 / X, down = 1024 / Y;
  __shared__ alignas(128) char box[X * Y * Z * 4];
  __shared__ alignas(8) char place[sizeof(Barrier)];
  Barrier& full = start(place);
  for (uint32_t i = blockIdx.x; i < pieces; i += gridDim.x) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(shared_address(box)), "l"(&map),
        "r"(shared_address(&full)), "r"(i % across * X), "r"(i / across % down * Y), "r"(i / across / down * Z)
        : "memory");
    receive(full, X * Y * Z * 4);
  }
}
#define DEEP_BOXES(w, h, d) \
  extern "C" __global__ void copies_of_boxes_##w##x##h##x##d(const __grid_constant__ TensorMap map, int pieces) { deep_boxes_in_turn<w, h, d>(map, pieces); }
DEEP_BOXES(8, 8, 4)
DEEP_BOXES(8, 8, 8)
DEEP_BOXES(16, 8, 8)
DEEP_BOXES(16, 16, 8)
DEEP_BOXES(16, 16, 12)
DEEP_BOXES(16, 16, 16)
DEEP_BOXES(64, 64, 1)
DEEP_BOXES(256, 16, 1)
DEEP_BOXES(16, 256, 1)
DEEP_BOXES(4, 4, 256)

// A copy of 16 bytes brings what the place of the next one depends on: zero, beside `stride` further in a ring of `ring` bytes,
// a power of two.
extern "C" __global__ void chain_of_copies(const char* from, uint32_t stride, uint32_t ring, int times) {
  __shared__ alignas(16) uint64_t read[2];
  __shared__ alignas(8) char place[sizeof(Barrier)];
  Barrier& full = start(place);
  *read = 0;
  uint32_t at = 0;
#pragma unroll 1
  for (int i = 0; i < times; i += 8) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      copy_row(read, from + at + *const_cast<volatile uint64_t*>(read), 16, &full);
      at = (at + stride) & (ring - 1);
      receive(full, 16);
    }
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
