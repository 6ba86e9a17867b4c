// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A sum of vectors, a tiled matrix product and a reduction, as OpenCL:
//
//   forewarp predict examples/opencl/basics.cl --kernel add --gpu rtx3090 --grid 4096 --block 256
//     --arg a=buffer:4MB --arg b=buffer:4MB --arg c=buffer:4MB --arg n=1M
#define TILE 16

__kernel void add(__global const float *a, __global const float *b, __global float *c, int n) {
  const int i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}

// c = a b for square matrices of n rows; n is a multiple of TILE.
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void product(__global const float *a, __global const float *b, __global float *c, int n) {
  __local float of_a[TILE][TILE], of_b[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_group_id(0) * TILE + x, row = get_group_id(1) * TILE + y;
  float sum = 0;
  for (int tile = 0; tile < n; tile += TILE) {
    of_a[y][x] = a[row * n + tile + x];
    of_b[y][x] = b[(tile + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += of_a[y][k] * of_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

// One sum for each work group; part: a float for each work item, --smem.
__kernel void reduce(__global const float *in, __global float *sums, __local float *part, int n) {
  const int item = get_local_id(0), i = get_global_id(0);
  part[item] = i < n ? in[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_way = get_local_size(0) / 2; half_way > 0; half_way /= 2) {
    if (item < half_way) part[item] += part[item + half_way];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) sums[get_group_id(0)] = part[0];
}
