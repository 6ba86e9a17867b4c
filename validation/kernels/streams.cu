// SPDX-License-Identifier: Apache-2.0
// Streams in FP64, one element per thread after a check of the range. All take the same parameters.
#define STREAM(NAME) \
  __global__ void stream_##NAME(double *a, const double *b, const double *c, const double *d, int n)
#define ELEMENT (blockIdx.x * blockDim.x + threadIdx.x)

STREAM(init) {
  int i = ELEMENT;
  if (i < n) a[i] = 0.23;
}

// Stores only where a value is found that no buffer holds.
STREAM(read) {
  int i = ELEMENT;
  if (i < n && b[i] == 123.0) a[i] = 1.2;
}

STREAM(scale) {
  int i = ELEMENT;
  if (i < n) a[i] = b[i] * 1.2;
}

STREAM(triad) {
  int i = ELEMENT;
  if (i < n) a[i] = b[i] * d[i] + c[i];
}

STREAM(triad2) {
  int i = ELEMENT;
  if (i < n) a[i] = b[i] * 1.2 + c[i];
}

STREAM(3pt) {
  int i = ELEMENT;
  if (i < 1 || i >= n - 1) return;
  a[i] = 0.5 * b[i] - (b[i - 1] + b[i + 1]);
}

STREAM(5pt) {
  int i = ELEMENT;
  if (i < 2 || i >= n - 2) return;
  a[i] = 0.25 * b[i] - 0.5 * (b[i - 1] + b[i + 1]) + (b[i - 2] + b[i + 2]);
}
