// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Kernels whose accesses are scattered over an array of `words` words, a power of two, by a hash of the thread's number. What each must take is so
// many bytes of device memory (scripts/show/order_kernels.py).

__device__ __forceinline__ unsigned scattered(unsigned i) {
  i ^= i >> 16;
  i *= 0x7feb352du;
  i ^= i >> 15;
  i *= 0x846ca68bu;
  return i ^ i >> 16;
}
__device__ __forceinline__ unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void gather_words(const unsigned* in, unsigned* out, unsigned mask) {
  const unsigned i = thread_number();
  out[i] = in[scattered(i) & mask];
}
// Each quad of lanes reads one whole sector, each half-quad two words.
extern "C" __global__ void gather_sectors(const unsigned* in, unsigned* out, unsigned mask) {
  const unsigned i = thread_number();
  out[i] = in[((scattered(i / 8) & mask / 8) * 8) + i % 8];
}
extern "C" __global__ void gather_lines(const unsigned* in, unsigned* out, unsigned mask) {
  const unsigned i = thread_number();
  out[i] = in[((scattered(i / 32) & mask / 32) * 32) + i % 32];
}
extern "C" __global__ void scatter_words(unsigned* out, unsigned mask) {
  const unsigned i = thread_number();
  out[scattered(i) & mask] = i;
}
extern "C" __global__ void scatter_bytes(unsigned char* out, unsigned mask) {
  const unsigned i = thread_number();
  out[scattered(i) & mask] = (unsigned char)i;
}
extern "C" __global__ void scatter_sectors(unsigned* out, unsigned mask) {
  const unsigned i = thread_number();
  out[((scattered(i / 8) & mask / 8) * 8) + i % 8] = i;
}
extern "C" __global__ void reduce_words(unsigned* out, unsigned mask) {
  const unsigned i = thread_number();
  atomicAdd(out + (scattered(i) & mask), 1u);
}
extern "C" __global__ void reduce_stream(unsigned* out) { atomicAdd(out + thread_number(), 1u); }
extern "C" __global__ void update_words(unsigned* data, unsigned mask) {
  const unsigned at = scattered(thread_number()) & mask;
  data[at] = data[at] * 3u + 1u;
}
extern "C" __global__ void strided_words(const unsigned* in, unsigned* out, unsigned stride) {
  const unsigned i = thread_number();
  out[i] = in[size_t(i) * stride];
}
// Sixteen bytes at a random place: half a sector of each lane.
extern "C" __global__ void gather_quads(const uint4* in, uint4* out, unsigned mask) {
  const unsigned i = thread_number();
  out[i] = in[scattered(i) & mask];
}
// Rows of 64 bytes, each by sixteen lanes.
extern "C" __global__ void gather_rows(const unsigned* in, unsigned* out, unsigned mask) {
  const unsigned i = thread_number();
  out[i] = in[((scattered(i / 16) & mask / 16) * 16) + i % 16];
}
extern "C" __global__ void scatter_add(unsigned long long* sums, unsigned mask) {
  const unsigned i = thread_number();
  atomicAdd(sums + (scattered(i) & mask), 1ull + i);
}
// One word of every sector is stored.
extern "C" __global__ void strided_stores(unsigned* out, unsigned stride) {
  const unsigned i = thread_number();
  out[size_t(i) * stride] = i;
}
// Open addressing in a table filled to a half: how many slots are looked at depends on the keys.
extern "C" __global__ void probe_table(const unsigned* table, unsigned* out, unsigned mask) {
  const unsigned i = thread_number();
  unsigned at = scattered(i) & mask, steps = 1;
  while (table[at] % 2 != 0) {
    at = (at + 1) & mask;
    ++steps;
  }
  out[i] = steps;
}
