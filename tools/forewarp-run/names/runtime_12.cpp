// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What CUDA 12's runtime has otherwise than CUDA 11's: a program that loads libcudart.so.12 finds
// it first, and the others in the engine.
#define FOREWARP_EXPORT extern "C" __attribute__((visibility("default")))

namespace {
constexpr unsigned version = 12040;
}

extern "C" int cudaGetDriverEntryPointByVersion(const char* name, void** out, unsigned version,
                                                unsigned long long flags, int* found);
extern "C" int cudaGetDriverEntryPointByVersion_ptsz(const char* name, void** out, unsigned version,
                                                     unsigned long long flags, int* found);
extern "C" int cuGraphExecUpdate_v2(void* plan, void* graph, void* result);

FOREWARP_EXPORT int cudaGraphExecUpdate(void* plan, void* graph, void* result) {
  return cuGraphExecUpdate_v2(plan, graph, result);
}
FOREWARP_EXPORT int cudaGetDriverEntryPoint(const char* name, void** out, unsigned long long flags,
                                            int* found) {
  return cudaGetDriverEntryPointByVersion(name, out, version, flags, found);
}
FOREWARP_EXPORT int cudaGetDriverEntryPoint_ptsz(const char* name, void** out,
                                                 unsigned long long flags, int* found) {
  return cudaGetDriverEntryPointByVersion_ptsz(name, out, version, flags, found);
}
