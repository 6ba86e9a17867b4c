// SPDX-License-Identifier: Apache-2.0
// Products C = A B of bf16 matrices with fp32 sums: A is m x k by rows, B is k x n by columns, C is n x m (each column of the
// product contiguous). The ladder of Hopper: naive, tiled, warp-group products fed by tensor copies.
#include <cuda_bf16.h>
#include <cstdint>

struct alignas(64) TensorMap {
  unsigned long long words[16];
};

// One element a thread.
extern "C" __global__ void product_naive(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += __bfloat162float(a[row * k + i]) * __bfloat162float(b[column * k + i]);
  c[column * m + row] = __float2bfloat16(sum);
}

// Tiles of 64 x 64 in shared memory, 8 x 8 elements a thread of 64.
extern "C" __global__ void __launch_bounds__(64) product_tiled(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c) {
  __shared__ float tile_a[16][64 + 4], tile_b[16][64 + 4];
  const int row = blockIdx.x * 64, column = blockIdx.y * 64;
  const int x = threadIdx.x % 8, y = threadIdx.x / 8;
  float sum[8][8] = {};
  for (int start = 0; start < k; start += 16) {
    for (int i = 0; i < 16; ++i) {
      tile_a[i][threadIdx.x] = __bfloat162float(a[(row + threadIdx.x) * k + start + i]);
      tile_b[i][threadIdx.x] = __bfloat162float(b[(column + threadIdx.x) * k + start + i]);
    }
    __syncthreads();
    for (int i = 0; i < 16; ++i) {
      float left[8], right[8];
      for (int j = 0; j < 8; ++j) left[j] = tile_a[i][x * 8 + j];
      for (int j = 0; j < 8; ++j) right[j] = tile_b[i][y * 8 + j];
      for (int r = 0; r < 8; ++r)
        for (int s = 0; s < 8; ++s) sum[r][s] += left[r] * right[s];
    }
    __syncthreads();
  }
  for (int s = 0; s < 8; ++s)
    for (int r = 0; r < 8; ++r) c[(column + y * 8 + s) * m + row + x * 8 + r] = __float2bfloat16(sum[r][s]);
}

namespace {

__device__ uint32_t shared_address(const void* at) { return static_cast<uint32_t>(__cvta_generic_to_shared(at)); }

__device__ void barrier_init(uint64_t* barrier, uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}
__device__ void barrier_expect(uint64_t* barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
}
__device__ void barrier_arrive(uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
__device__ void barrier_wait(uint64_t* barrier, uint32_t phase) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@done bra over;\nbra again;\nover:\n}\n" ::"r"(shared_address(barrier)),
      "r"(phase)
      : "memory");
}
// A box of the map from (inner, outer) on.
__device__ void copy_box(void* to, const TensorMap* map, uint64_t* barrier, int inner, int outer) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(to)),
               "l"(map), "r"(shared_address(barrier)), "r"(inner), "r"(outer)
               : "memory");
}
__device__ void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void group_arrive() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void group_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int left>
__device__ void group_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory"); }

// A tile with rows of 64 elements (128 bytes), swizzled over 128 bytes, rows of 8 apart by 1024 bytes.
__device__ uint64_t matrix_descriptor(const void* tile) {
  const uint64_t address = (shared_address(tile) & 0x3ffff) >> 4;
  return address | uint64_t{1} << 16 | uint64_t{1024 >> 4} << 32 | uint64_t{1} << 62;
}

#define EIGHT(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])

// d (64 x 128) += A (64 x 16) B (16 x 128)
__device__ void multiply(float (&d)[64], const void* a, const void* b, int accumulate) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "
      "%62, %63}, %64, %65, p, 1, 1, 0, 0;\n}\n"
      : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24), EIGHT(d, 32), EIGHT(d, 40), EIGHT(d, 48), EIGHT(d, 56)
      : "l"(matrix_descriptor(a)), "l"(matrix_descriptor(b)), "r"(accumulate));
}

constexpr int tile = 128, depth = 64;

template <int rows>
__device__ void store_tile(const float (&d)[rows][64], __nv_bfloat16* c, int m, int row, int column) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x % 128 / 32;
  for (int half = 0; half < rows; ++half) {
    const int r = row + half * 64 + warp * 16 + lane / 4;
    for (int i = 0; i < 16; ++i) {
      const int s = column + i * 8 + lane % 4 * 2;
      c[s * m + r] = __float2bfloat16(d[half][4 * i]);
      c[(s + 1) * m + r] = __float2bfloat16(d[half][4 * i + 1]);
      c[s * m + r + 8] = __float2bfloat16(d[half][4 * i + 2]);
      c[(s + 1) * m + r + 8] = __float2bfloat16(d[half][4 * i + 3]);
    }
  }
}

}  // namespace

// One warp group multiplies what one of its threads copies: no overlap.
extern "C" __global__ void __launch_bounds__(128)
    product_group(int m, int n, int k, const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b, __nv_bfloat16* c) {
  __shared__ alignas(1024) __nv_bfloat16 tile_a[tile * depth], tile_b[tile * depth];
  __shared__ uint64_t full;
  const int row = blockIdx.x * tile, column = blockIdx.y * tile;
  if (threadIdx.x == 0) {
    barrier_init(&full, 1);
    fence_async();
  }
  __syncthreads();
  float d[2][64] = {};
  for (int i = 0; i < k / depth; ++i) {
    if (threadIdx.x == 0) {
      barrier_expect(&full, sizeof tile_a + sizeof tile_b);
      copy_box(tile_a, &a, &full, i * depth, row);
      copy_box(tile_b, &b, &full, i * depth, column);
    }
    barrier_wait(&full, i & 1);
    group_arrive();
    for (int step = 0; step < depth / 16; ++step)
      for (int half = 0; half < 2; ++half) multiply(d[half], tile_a + half * 64 * depth + step * 16, tile_b + step * 16, 1);
    group_commit();
    group_wait<0>();
    __syncthreads();
  }
  store_tile<2>(d, c, m, row, column);
}

// A producer warp group copies into a ring of stages; two consumer groups multiply 64 rows each.
template <int stages>
__device__ void specialised(int m, int n, int k, const TensorMap* a, const TensorMap* b, __nv_bfloat16* c) {
  extern __shared__ __align__(1024) unsigned char memory[];
  __shared__ uint64_t full[stages], empty[stages];
  auto* ring_a = reinterpret_cast<__nv_bfloat16*>(memory);
  auto* ring_b = ring_a + stages * tile * depth;
  const int row = blockIdx.x * tile, column = blockIdx.y * tile;
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) {
      barrier_init(&full[i], 1);
      barrier_init(&empty[i], 2);
    }
    fence_async();
  }
  __syncthreads();
  const int group = threadIdx.x / 128, steps = k / depth;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) {
      for (int i = 0; i < steps; ++i) {
        const int stage = i % stages;
        barrier_wait(&empty[stage], (i / stages & 1) ^ 1);
        barrier_expect(&full[stage], 2 * tile * depth * sizeof(__nv_bfloat16));
        copy_box(ring_a + stage * tile * depth, a, &full[stage], i * depth, row);
        copy_box(ring_b + stage * tile * depth, b, &full[stage], i * depth, column);
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    float d[1][64] = {};
    for (int i = 0; i < steps; ++i) {
      const int stage = i % stages;
      barrier_wait(&full[stage], i / stages & 1);
      group_arrive();
      for (int step = 0; step < depth / 16; ++step)
        multiply(d[0], ring_a + stage * tile * depth + (group - 1) * 64 * depth + step * 16, ring_b + stage * tile * depth + step * 16, 1);
      group_commit();
      group_wait<0>();
      if (threadIdx.x % 128 == 0) barrier_arrive(&empty[stage]);
    }
    store_tile<1>(d, c, m, row + (group - 1) * 64, column);
  }
}

extern "C" __global__ void __launch_bounds__(384)
    product_specialised(int m, int n, int k, const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b, __nv_bfloat16* c) {
  specialised<4>(m, n, k, &a, &b, c);
}
