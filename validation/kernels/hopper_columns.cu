// SPDX-License-Identifier: Apache-2.0
// Columns of pixels (im2col) by the copy engine: sums over the windows of a filter, which a convolution with ones would give,
// and single columns in other numbers of dimensions.
#include <cstdint>

struct alignas(64) TensorMap {
  unsigned long long words[16];
};

namespace {

__device__ uint32_t shared_address(const void* at) { return static_cast<uint32_t>(__cvta_generic_to_shared(at)); }

__device__ void start(uint64_t* barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
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

constexpr int column = 32, channels = 8;  // pixels of a block, numbers of a pixel

}  // namespace

// Output pixel p of width x height per image is the sum of filter x filter pixels from (p % width - pad) * step on; a block has 32.
extern "C" __global__ void sum_windows(const __grid_constant__ TensorMap map, uint32_t* out, int width, int height, int filter, int pad, int step, int spread) {
  __shared__ alignas(128) uint32_t pixels[column * channels];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) start(&full);
  __syncthreads();
  const int first = blockIdx.x * column;
  const int x = first % width * step - pad, y = first / width % height * step - pad, image = first / (width * height);
  uint32_t sum = 0, phase = 0;
  for (int v = 0; v < filter; ++v) {
    for (int u = 0; u < filter; ++u) {
      if (threadIdx.x == 0) {
        expect(&full, sizeof pixels);
        asm volatile(
            "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};" ::"r"(shared_address(pixels)),
            "l"(&map), "r"(shared_address(&full)), "r"(0), "r"(x), "r"(y), "r"(image), "h"(static_cast<unsigned short>(u * spread)),
            "h"(static_cast<unsigned short>(v * spread))
            : "memory");
      }
      wait(&full, phase);
      phase ^= 1;
      sum += pixels[threadIdx.x];
      __syncthreads();
    }
  }
  out[first * channels + threadIdx.x] = sum;
}

// A column of 32 pixels that begins at w with offset u, and back to where it begins.
extern "C" __global__ void move_column_3d(const __grid_constant__ TensorMap from, const __grid_constant__ TensorMap to, int w, int n, int u) {
  __shared__ alignas(128) uint32_t pixels[column * channels];
  __shared__ uint64_t full;
  if (threadIdx.x != 0) return;
  start(&full);
  expect(&full, sizeof pixels);
  asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%0, {%1, %2, %3}], {%4};" ::"l"(&from), "r"(0), "r"(w), "r"(n), "h"(static_cast<unsigned short>(u)) : "memory");
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2], {%6};" ::"r"(shared_address(pixels)),
               "l"(&from), "r"(shared_address(&full)), "r"(0), "r"(w), "r"(n), "h"(static_cast<unsigned short>(u))
               : "memory");
  wait(&full, 0);
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&to), "r"(0), "r"(w), "r"(n), "r"(shared_address(pixels))
               : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

// Column of 32 pixels of a volume.
extern "C" __global__ void copy_column_5d(const __grid_constant__ TensorMap map, uint32_t* out, int w, int h, int d, int n, int u, int v, int t) {
  __shared__ alignas(128) uint32_t pixels[column * channels];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) start(&full);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&full, sizeof pixels);
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2], {%8, %9, %10};" ::"r"(shared_address(pixels)),
        "l"(&map), "r"(shared_address(&full)), "r"(0), "r"(w), "r"(h), "r"(d), "r"(n), "h"(static_cast<unsigned short>(u)), "h"(static_cast<unsigned short>(v)),
        "h"(static_cast<unsigned short>(t))
        : "memory");
  }
  wait(&full, 0);
  out[threadIdx.x] = pixels[threadIdx.x];
}
