// SPDX-License-Identifier: Apache-2.0
// Parts of language models in half precision. Normalisation, activation and rotary embedding have one block for each token.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

// Four consecutive values per thread: one access of 64 bits per operand.
__global__ void add_half(const uint2 *a, const uint2 *b, uint2 *out, int quads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  uint2 v = a[i], w = b[i], sum;
  half2 low = __hadd2(*(half2 *)&v.x, *(half2 *)&w.x), high = __hadd2(*(half2 *)&v.y, *(half2 *)&w.y);
  sum.x = *(unsigned *)&low;
  sum.y = *(unsigned *)&high;
  out[i] = sum;
}

// GELU by the error function, four consecutive values per thread.
__global__ void gelu_half(const uint2 *a, uint2 *out, int quads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  uint2 v = a[i];
  half *x = (half *)&v;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float f = __half2float(x[k]);
    x[k] = __float2half(0.5f * f * (1 + erff(0.70710678f * f)));
  }
  out[i] = v;
}

__device__ float block_sum(float v) {
  __shared__ float parts[32];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
  if (threadIdx.x < 32)
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  return v;
}

// Divides each row by its root mean square.
__global__ void rms_norm(half *out, const half *in, const half *weight, float epsilon, int tokens, int hidden) {
  __shared__ float scale;
  float sum = 0;
  for (int i = threadIdx.x; i < hidden; i += blockDim.x) {
    float x = __half2float(in[blockIdx.x * hidden + i]);
    sum += x * x;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) scale = rsqrtf(sum / hidden + epsilon);
  __syncthreads();
  for (int i = threadIdx.x; i < hidden; i += blockDim.x) {
    float x = __half2float(in[blockIdx.x * hidden + i]);
    out[blockIdx.x * hidden + i] = __hmul(__float2half(x * scale), weight[i]);
  }
}

// Of two halves of a row: silu of the first times the second.
__global__ void silu_and_mul(half *out, const half *in, int width) {
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    float x = __half2float(__ldg(&in[blockIdx.x * 2 * width + i]));
    half y = __ldg(&in[blockIdx.x * 2 * width + width + i]);
    out[blockIdx.x * width + i] = __hmul(__float2half(x / (1 + expf(-x))), y);
  }
}

__device__ void rotate(half *vector, const half *cosine, const half *sine, int place, int half_size) {
  int a = place, b = half_size + place;
  half c = __ldg(cosine + place), s = __ldg(sine + place), x = vector[a], y = vector[b];
  vector[a] = __hsub(__hmul(x, c), __hmul(y, s));
  vector[b] = __hadd(__hmul(y, c), __hmul(x, s));
}

// Rotates pairs of values of each head by an angle that depends on the token's position.
__global__ void rotary_embedding(const long long *positions, half *query, half *key, const half *table, int rotated,
                                 int query_stride, int key_stride, int heads, int key_heads, int head_size) {
  const half *cosine = table + positions[blockIdx.x] * rotated, *sine = cosine + rotated / 2;
  int half_size = rotated / 2;
  for (int i = threadIdx.x; i < heads * half_size; i += blockDim.x)
    rotate(query + blockIdx.x * (long long)query_stride + i / half_size * head_size, cosine, sine, i % half_size, half_size);
  for (int i = threadIdx.x; i < key_heads * half_size; i += blockDim.x)
    rotate(key + blockIdx.x * (long long)key_stride + i / half_size * head_size, cosine, sine, i % half_size, half_size);
}

// Rows of a table, one value after the other.
__global__ void select_rows(half *out, const half *table, const long long *rows, unsigned total, unsigned width) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
    unsigned row = i / width, column = i % width;
    out[row * width + column] = table[rows[row] * width + column];
  }
}

// The same for few rows: one after the other, each by the whole grid.
__global__ void select_few_rows(half *out, const half *table, const long long *rows, unsigned count, unsigned width) {
  for (unsigned r = 0; r < count; ++r) {
    long long row = rows[r];
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < width; i += gridDim.x * blockDim.x)
      out[r * width + i] = table[row * width + i];
  }
}

// C = A B for row-major A of m x k and column-major B of k x n: tiles of 128 x 128 by eight warps, 32 deep, two of them
// in shared memory.
constexpr int tile = 128, deep = 32, pitch = deep + 8;

__device__ void fetch(half *to, const half *from, int k) {
  for (int i = threadIdx.x; i < tile * deep / 8; i += 256) {
    int row = i / (deep / 8), column = i % (deep / 8) * 8;
    __pipeline_memcpy_async(to + row * pitch + column, from + (long long)row * k + column, 16);
  }
}

__global__ void __launch_bounds__(256) product(const half *a, const half *b, half *c, int m, int n, int k) {
  using namespace nvcuda::wmma;
  __shared__ __align__(16) half left[2][tile * pitch], right[2][tile * pitch];
  int warp = threadIdx.x / 32, row = warp / 4 * 64, column = warp % 4 * 32;
  a += (long long)blockIdx.y * tile * k;
  b += (long long)blockIdx.x * tile * k;
  c += (blockIdx.y * tile + row) * n + blockIdx.x * tile + column;
  fragment<accumulator, 16, 16, 16, float> sum[4][2];
#pragma unroll
  for (int i = 0; i < 8; ++i) fill_fragment(sum[i / 2][i % 2], 0.f);
  fetch(left[0], a, k);
  fetch(right[0], b, k);
  __pipeline_commit();
  for (int at = 0; at < k; at += deep) {
    int now = at / deep % 2;
    if (at + deep < k) {
      fetch(left[1 - now], a + at + deep, k);
      fetch(right[1 - now], b + at + deep, k);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
#pragma unroll
    for (int part = 0; part < deep; part += 16) {
      fragment<matrix_a, 16, 16, 16, half, row_major> x[4];
      fragment<matrix_b, 16, 16, 16, half, col_major> y[2];
#pragma unroll
      for (int i = 0; i < 4; ++i) load_matrix_sync(x[i], left[now] + (row + i * 16) * pitch + part, pitch);
#pragma unroll
      for (int j = 0; j < 2; ++j) load_matrix_sync(y[j], right[now] + (column + j * 16) * pitch + part, pitch);
#pragma unroll
      for (int i = 0; i < 8; ++i) mma_sync(sum[i / 2][i % 2], x[i / 2], y[i % 2], sum[i / 2][i % 2]);
    }
    __syncthreads();
  }
  unsigned below = 16 * n;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    fragment<accumulator, 16, 16, 16, half> out;
    for (int e = 0; e < out.num_elements; ++e) out.x[e] = __float2half(sum[i / 2][i % 2].x[e]);
    store_matrix_sync(c + i % 2 * 16, out, n, mem_row_major);
    if (i % 2 == 1) c += below;
    asm volatile("" : "+l"(c));  // keeps sums of pointers out of a bank of constants that listings do not show
  }
}

// The same for few rows of A: a warp for a column of B, whose values are read once for eight rows.
__global__ void __launch_bounds__(256) product_few(const half *a, const half *b, half *c, int m, int n, int k) {
  constexpr int rows = 8;
  int column = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (column >= n) return;
  const uint4 *own = (const uint4 *)(b + (long long)column * k);
  for (int first = 0; first < m; first += rows) {
    float sum[rows] = {};
    for (int at = lane; at < k / 8; at += 32) {
      uint4 w = own[at];
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        if (first + r >= m) break;
        uint4 x = ((const uint4 *)(a + (long long)(first + r) * k))[at];
        half2 part = __hmul2(*(half2 *)&x.x, *(half2 *)&w.x);
        part = __hfma2(*(half2 *)&x.y, *(half2 *)&w.y, part);
        part = __hfma2(*(half2 *)&x.z, *(half2 *)&w.z, part);
        part = __hfma2(*(half2 *)&x.w, *(half2 *)&w.w, part);
        sum[r] += __low2float(part) + __high2float(part);
      }
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (first + r >= m) break;
      for (int d = 16; d > 0; d /= 2) sum[r] += __shfl_xor_sync(~0u, sum[r], d);
      if (lane == 0) c[(first + r) * n + column] = __float2half(sum[r]);
    }
  }
}

// One step of Adam, four weights a thread: weights and both moments in single precision, in half the gradients and the
// weights that products read.
__global__ void adam(float4 *weight, float4 *first, float4 *second, const uint2 *gradient, uint2 *out, float rate, float one, float two, int quads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  float4 w = weight[i], m = first[i], v = second[i];
  uint2 g = gradient[i];
  half low[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float x = __half2float(((half *)&g)[k]), &a = (&m.x)[k], &b = (&v.x)[k], &c = (&w.x)[k];
    a = one * a + (1 - one) * x;
    b = two * b + (1 - two) * x * x;
    c -= rate * a / (sqrtf(b) + 1e-8f);
    low[k] = __float2half(c);
  }
  weight[i] = w;
  first[i] = m;
  second[i] = v;
  out[i] = *(uint2 *)low;
}

// One query of each sequence and head over all keys so far, 128 wide: one block for a head of a sequence, a warp for a
// key at a time, four values of it a lane. So many heads in a row share keys and values.
__global__ void __launch_bounds__(256) attend(half *out, const half *query, const half *keys, const half *values, int seen, float scale,
                                              int sharing) {
  __shared__ float best[8], weight[8], parts[8][128];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  long long head = blockIdx.y * (long long)gridDim.x + blockIdx.x, kept = head / sharing;
  float q[4], sum[4] = {0, 0, 0, 0}, most = -1e30f, total = 0;
  uint2 own = ((const uint2 *)(query + head * 128))[lane];
  for (int i = 0; i < 4; ++i) q[i] = __half2float(((half *)&own)[i]) * scale;
  for (int at = warp; at < seen; at += 8) {
    uint2 k = ((const uint2 *)(keys + (kept * seen + at) * 128))[lane];
    uint2 v = ((const uint2 *)(values + (kept * seen + at) * 128))[lane];
    float s = 0;
    for (int i = 0; i < 4; ++i) s += q[i] * __half2float(((half *)&k)[i]);
    for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    float next = fmaxf(most, s), old = __expf(most - next), w = __expf(s - next);
    for (int i = 0; i < 4; ++i) sum[i] = sum[i] * old + w * __half2float(((half *)&v)[i]);
    total = total * old + w;
    most = next;
  }
  for (int i = 0; i < 4; ++i) parts[warp][lane * 4 + i] = sum[i];
  if (lane == 0) best[warp] = most, weight[warp] = total;
  __syncthreads();
  if (threadIdx.x >= 128) return;
  float top = -1e30f, all = 0, value = 0;
  for (int i = 0; i < 8; ++i) top = fmaxf(top, best[i]);
  for (int i = 0; i < 8; ++i) {
    float w = __expf(best[i] - top);
    all += w * weight[i];
    value += w * parts[i][threadIdx.x];
  }
  out[head * 128 + threadIdx.x] = __float2half(value / all);
}
