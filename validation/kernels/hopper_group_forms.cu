// SPDX-License-Identifier: Apache-2.0
// Forms of a warp group's product whose values can be checked: A in registers or in shared memory, B along the depth or transposed.
#include <cuda_fp16.h>
#include <cstdint>

namespace {

__device__ uint64_t field(uint32_t bytes) { return (bytes & 0x3ffff) >> 4; }
// Distances in bytes between pieces (of 16 bytes, or of a swizzle's width) and between eights of lines; a swizzle's mode is 0 to 3.
__device__ uint64_t matrix_descriptor(const void* tile, uint32_t piece, uint32_t eight, uint64_t mode) {
  return field(static_cast<uint32_t>(__cvta_generic_to_shared(tile))) | field(piece) << 16 | field(eight) << 32 | mode << 62;
}
__device__ void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void finish() { asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory"); }

#define EIGHT(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define SUMS                                                                                                                                          \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, " \
  "%31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, " \
  "%60, %61, %62, %63}"

// d (64 x 128) += A (64 x 16) B (16 x 128)
template <int across_a, int across_b>
__device__ void from_shared(float (&d)[64], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " SUMS ", %64, %65, 1, 1, 1, %66, %67;"
               : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24), EIGHT(d, 32), EIGHT(d, 40), EIGHT(d, 48), EIGHT(d, 56)
               : "l"(a), "l"(b), "n"(across_a), "n"(across_b));
}
template <int across_b, int sign>
__device__ void from_registers(float (&d)[64], const uint32_t (&a)[4], uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " SUMS ", {%64, %65, %66, %67}, %68, 1, %69, 1, %70;"
               : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24), EIGHT(d, 32), EIGHT(d, 40), EIGHT(d, 48), EIGHT(d, 56)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(sign), "n"(across_b));
}

__device__ void store(const float (&d)[64], float* c) {
  const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
  for (int i = 0; i < 64; ++i) c[(row + i / 2 % 2 * 8) * 128 + i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2] = d[i];
}
// 16-byte piece p of line l of a row of 128 bytes lies at p xor (l mod 8).
__device__ int swizzled(int line, int element) { return line * 64 + ((element / 8 ^ line % 8) * 8 + element % 8); }

__device__ void load_registers(uint32_t (&a)[4], const __half* from, int step) {
  const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, k = step * 16 + threadIdx.x % 4 * 2;
  for (int i = 0; i < 4; ++i) a[i] = *reinterpret_cast<const uint32_t*>(from + (row + i % 2 * 8) * 32 + k + i / 2 * 8);
}

// B (32 x 128, by rows) as two columns of boxes of 64 x 32, as a tensor copy of 128-byte rows would bring it.
__device__ void fill_across(__half* tile, const __half* b) {
  for (int i = threadIdx.x; i < 32 * 128; i += 128) tile[i % 128 / 64 * 32 * 64 + swizzled(i / 128, i % 64)] = b[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
}

}  // namespace

// c (64 x 128) = a (64 x 32) b (32 x 128), all by rows: A in registers, B across the depth, swizzled.
extern "C" __global__ void __launch_bounds__(128) registers_across(const __half* a, const __half* b, float* c) {
  __shared__ alignas(1024) __half tile[32 * 128];
  fill_across(tile, b);
  float d[64] = {};
  uint32_t left[2][4];
  for (int step = 0; step < 2; ++step) load_registers(left[step], a, step);
  begin();
  for (int step = 0; step < 2; ++step) from_registers<1, 1>(d, left[step], matrix_descriptor(tile + step * 16 * 64, 32 * 64 * 2, 1024, 1));
  finish();
  store(d, c);
}

// c = -a b, with B's columns contiguous along the depth, without swizzle: matrices of 8 x 8 elements, side by side 128 bytes apart.
extern "C" __global__ void __launch_bounds__(128) registers_along(const __half* a, const __half* b, float* c) {
  __shared__ alignas(1024) __half tile[32 * 128];
  for (int i = threadIdx.x; i < 32 * 128; i += 128) {
    const int k = i / 128, column = i % 128;
    tile[column / 8 * 256 + k / 8 * 64 + column % 8 * 8 + k % 8] = b[i];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float d[64] = {};
  uint32_t left[2][4];
  for (int step = 0; step < 2; ++step) load_registers(left[step], a, step);
  begin();
  for (int step = 0; step < 2; ++step) from_registers<0, -1>(d, left[step], matrix_descriptor(tile + step * 128, 128, 512, 0));
  finish();
  store(d, c);
}

// Both matrices across the depth: A (`a` is 32 x 64, by rows of the depth) swizzled, B in matrices of 8 x 8 elements without swizzle.
extern "C" __global__ void __launch_bounds__(128) shared_across(const __half* a, const __half* b, float* c) {
  __shared__ alignas(1024) __half tile_a[32 * 64], tile_b[32 * 128];
  for (int i = threadIdx.x; i < 32 * 64; i += 128) tile_a[swizzled(i / 64, i % 64)] = a[i];
  // The matrix of depth k/8 and columns n/8 lies at (k/8) * 16 + n/8.
  for (int i = threadIdx.x; i < 32 * 128; i += 128) {
    const int k = i / 128, column = i % 128;
    tile_b[k / 8 * 1024 + column / 8 * 64 + k % 8 * 8 + column % 8] = b[i];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float d[64] = {};
  begin();
  for (int step = 0; step < 2; ++step) {
    from_shared<1, 1>(d, matrix_descriptor(tile_a + step * 16 * 64, 0, 1024, 1), matrix_descriptor(tile_b + step * 2048, 2048, 128, 0));
  }
  finish();
  store(d, c);
}
