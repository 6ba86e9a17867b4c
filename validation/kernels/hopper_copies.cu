// SPDX-License-Identifier: Apache-2.0
// Copies by the copy engine whose values can be checked: a box of an array, rows of bytes there and back, a row for a cluster.
#include <cstdint>

struct alignas(64) TensorMap {
  unsigned long long words[16];
};

namespace {

__device__ uint32_t shared_address(const void* at) { return static_cast<uint32_t>(__cvta_generic_to_shared(at)); }

__device__ void start(uint64_t* barrier, uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void expect(uint64_t* barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
}
__device__ void wait(uint64_t* barrier, uint32_t phase) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@done bra over;\nbra again;\nover:\n}\n" ::"r"(shared_address(barrier)),
      "r"(phase)
      : "memory");
}

}  // namespace

// The box of 64 x 16 elements of 2 bytes at (x, y), as it lies in shared memory.
extern "C" __global__ void copy_box(const __grid_constant__ TensorMap map, uint32_t* out, int x, int y) {
  __shared__ alignas(1024) uint32_t box[64 * 16 / 2];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) start(&full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&full, sizeof box);
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(box)), "l"(&map),
                 "r"(shared_address(&full)), "r"(x), "r"(y)
                 : "memory");
  }
  wait(&full, 0);
  for (int i = threadIdx.x; i < 64 * 16 / 2; i += blockDim.x) out[i] = box[i];
}

// Each block copies 512 bytes in, adds one to each number, and copies them out.
extern "C" __global__ void copy_rows(const uint32_t* in, uint32_t* out) {
  __shared__ alignas(128) uint32_t row[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) start(&full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&full, sizeof row);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(row)), "l"(in + blockIdx.x * 128),
                 "r"(static_cast<uint32_t>(sizeof row)), "r"(shared_address(&full))
                 : "memory");
  }
  wait(&full, 0);
  row[threadIdx.x] += 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + blockIdx.x * 128), "r"(shared_address(row)),
                 "r"(static_cast<uint32_t>(sizeof row))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}

// The first block of a cluster of two brings a row to both; each tells the other when it has read it.
extern "C" __global__ void __cluster_dims__(2, 1, 1) share_row(const uint32_t* in, uint32_t* out) {
  __shared__ alignas(128) uint32_t row[128];
  __shared__ uint64_t full, read;
  uint32_t rank;
  asm volatile("mov.u32 %0, %cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    start(&full, 1);
    start(&read, 2);
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (threadIdx.x == 0) {
    expect(&full, sizeof row);
    if (rank == 0) {
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(row)),
                   "l"(in + blockIdx.x / 2 * 128), "r"(static_cast<uint32_t>(sizeof row)), "r"(shared_address(&full)), "h"(static_cast<short>(3))
                   : "memory");
    }
  }
  wait(&full, 0);
  out[blockIdx.x * 128 + threadIdx.x] = row[threadIdx.x] + rank;
  if (threadIdx.x < 2) {
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(&read)), "r"(threadIdx.x));
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
  }
  wait(&read, 0);
}
