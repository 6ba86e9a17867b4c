// SPDX-License-Identifier: Apache-2.0
// Chunks and streams that come again: a launch reads, or reads and writes, the same part of its buffers
// many times over, every time by another block.

// A block sums up one of `chunks` chunks of 64 * 1024 values. The chunks lie interleaved, by rows of two
// times 1024 values. No thread reaches the store.
extern "C" __global__ void __launch_bounds__(1024)
    l2_chunks(double *out, const double *in, int chunks) {
  const double *row = in + blockIdx.x % chunks * 2048 + threadIdx.x;
  double sum = 0;
  for (int i = 0; i < 32; ++i) {
    sum += row[0] * row[1024];
    row += chunks * 2048;
  }
  if (sum == -1) out[threadIdx.x] = sum;
}

// Element thread % length of each array. The division is by a number that the host prepared:
// magic = ceil(2^(32 + shift) / length), shift = floor(log2(length)).
#define L2_STREAM(NAME)                                                                                   \
  extern "C" __global__ void l2_stream_##NAME(double *a, const double *b, const double *c, const double *d, \
                                             unsigned n, unsigned length, unsigned magic, int shift)
#define ELEMENT                                        \
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;  \
  i -= (__umulhi(i, magic) >> shift) * length;         \
  if (i >= n) return

L2_STREAM(write) {
  ELEMENT;
  a[i] = 0.23;
}

L2_STREAM(read) {
  ELEMENT;
  double value = b[i];
  if (value == 123.0) a[i] = value;
}

L2_STREAM(scale) {
  ELEMENT;
  a[i] = b[i] * 1.2;
}

L2_STREAM(triad) {
  ELEMENT;
  a[i] = b[i] * d[i] + c[i];
}
