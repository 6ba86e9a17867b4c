// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// One level of a breadth-first search: the frontier's neighbours that nobody reached.
__global__ void bfs_level(const int* offsets, const int* neighbours, int* level, int depth, int n,
                          int* changed) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || level[v] != depth) return;
  for (int k = offsets[v]; k < offsets[v + 1]; ++k) {
    const int w = neighbours[k];
    if (level[w] < 0) {
      level[w] = depth + 1;
      *changed = 1;
    }
  }
}
