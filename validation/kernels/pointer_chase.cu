// SPDX-License-Identifier: Apache-2.0
// Every load needs the one before it: content pointers:STRIDE. The result is kept by a store that no
// launch of a single block reaches.
__global__ void pointer_chase(void **chain, void **end, int steps) {
  void **at = chain;
#pragma unroll 1
  for (int done = 0; done < steps; done += 32) {
#pragma unroll
    for (int i = 0; i < 32; ++i) at = (void **)*at;
  }
  if (blockIdx.x > 0) end[threadIdx.x] = at;
}
