// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Each lane of a warp takes the same lock. From sm_70 on the one that has it must go on although
// the others of its warp, which it would meet first, ask for it again and again.
extern "C" __global__ void lane_lock(unsigned* lock, volatile unsigned* count) {
  while (atomicCAS(lock, 0u, 1u) != 0) {
  }
  *count = *count + 1;
  __threadfence();
  atomicExch(lock, 0u);
}
