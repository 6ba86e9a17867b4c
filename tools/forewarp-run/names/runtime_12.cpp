// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What CUDA 12's runtime has otherwise than CUDA 11's: a program that loads libcudart.so.12 finds
// it first, and the others in the engine.
#define FOREWARP_EXPORT extern "C" __attribute__((visibility("default")))

extern "C" int cuGraphExecUpdate_v2(void* plan, void* graph, void* result);

FOREWARP_EXPORT int cudaGraphExecUpdate(void* plan, void* graph, void* result) {
  return cuGraphExecUpdate_v2(plan, graph, result);
}
