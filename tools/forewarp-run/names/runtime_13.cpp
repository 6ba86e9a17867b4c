// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What CUDA 13's runtime has otherwise than those before it: a program that loads libcudart.so.13
// finds these functions first, and the others in the engine.
#include <algorithm>
#include <cstddef>
#include <iterator>

#include "forewarp-run/engine/cuda_types.h"

#define FOREWARP_EXPORT extern "C" __attribute__((visibility("default")))

extern "C" int cudaGetDeviceProperties_v2(cudaDeviceProp* out, int device);
extern "C" int cudaGraphAddDependencies_v2(void* graph, void* const* from, void* const* to,
                                           const void* edges, std::size_t count);
extern "C" int cuGraphExecUpdate_v2(void* plan, void* graph, void* result);
extern "C" int cuGraphGetEdges(void* graph, void** from, void** to, std::size_t* count);
extern "C" int cuGraphNodeGetDependencies(void* node, void** nodes, std::size_t* count);
extern "C" int cuGraphNodeGetDependentNodes(void* node, void** nodes, std::size_t* count);
extern "C" int cuGraphRemoveDependencies(void* graph, void* const* from, void* const* to,
                                         std::size_t count);
extern "C" int cuStreamGetCaptureInfo_v2(void* stream, int* state, unsigned long long* id,
                                         void** graph, void*** nodes, std::size_t* count);
extern "C" int cuStreamUpdateCaptureDependencies(void* stream, void* const* nodes,
                                                 std::size_t count, unsigned flags);
extern "C" int cudaGraphAddNode_v2(void** out, void* graph, void* const* after, const void* edges,
                                   std::size_t count, void* from);
extern "C" int cudaMemPrefetchAsync_v2_ptsz(const void* at, std::size_t bytes,
                                            cudaMemLocation place, unsigned flags, void* stream);
extern "C" int cudaStreamGetCaptureInfo_v3_ptsz(void* stream, int* state, unsigned long long* id,
                                                void** graph, void*** nodes, const void** edges,
                                                std::size_t* count);
extern "C" int cudaStreamUpdateCaptureDependencies_v2_ptsz(void* stream, void* const* nodes,
                                                           const void* edges, std::size_t count,
                                                           unsigned flags);
extern "C" int cudaMemAdvise_v2(const void* at, std::size_t bytes, int advice,
                                cudaMemLocation place);
extern "C" int cudaMemPrefetchAsync_v2(const void* at, std::size_t bytes, cudaMemLocation place,
                                       unsigned flags, void* stream);

namespace {

constexpr int version = 13000;

/// The properties without clocks and the like, as CUDA 13 documents them. What is behind the last
/// one here is reserved and left alone.
struct Properties {
  char name[256];
  char uuid[16];
  char luid[8];
  unsigned luidDeviceNodeMask;
  std::size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  std::size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  std::size_t totalConstMem;
  int major, minor;
  std::size_t textureAlignment, texturePitchAlignment;
  int multiProcessorCount, integrated, canMapHostMemory;
  int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2],
      maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3],
      maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3],
      maxTextureCubemapLayered[2];
  int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2],
      maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
  std::size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
      asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize,
      maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported,
      localL1CacheSupported;
  std::size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,
      hostNativeAtomicSupported, pageableMemoryAccess, concurrentManagedAccess,
      computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
  std::size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,
      maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  std::size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported,
      timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
};

struct Properties12 {
  cudaDeviceProp first;
  cudaDevicePropMore more;
};

template <class T, std::size_t N>
void copy(const T (&from)[N], T (&to)[N]) {
  std::copy(std::begin(from), std::end(from), std::begin(to));
}

void copy_textures(const cudaDeviceProp& from, Properties& to) {
  to.textureAlignment = from.textureAlignment;
  to.texturePitchAlignment = from.texturePitchAlignment;
  to.maxTexture1D = from.maxTexture1D;
  copy(from.maxTexture2D, to.maxTexture2D);
  copy(from.maxTexture2DLinear, to.maxTexture2DLinear);
  copy(from.maxTexture3D, to.maxTexture3D);
  copy(from.maxTexture2DLayered, to.maxTexture2DLayered);
  to.maxSurface1D = from.maxSurface1D;
  copy(from.maxSurface2D, to.maxSurface2D);
  copy(from.maxSurface3D, to.maxSurface3D);
  to.surfaceAlignment = from.surfaceAlignment;
}

void copy_multiprocessor(const cudaDeviceProp& from, Properties& to) {
  to.sharedMemPerBlock = from.sharedMemPerBlock;
  to.regsPerBlock = from.regsPerBlock;
  to.warpSize = from.warpSize;
  to.maxThreadsPerBlock = from.maxThreadsPerBlock;
  copy(from.maxThreadsDim, to.maxThreadsDim);
  copy(from.maxGridSize, to.maxGridSize);
  to.multiProcessorCount = from.multiProcessorCount;
  to.maxThreadsPerMultiProcessor = from.maxThreadsPerMultiProcessor;
  to.globalL1CacheSupported = from.globalL1CacheSupported;
  to.localL1CacheSupported = from.localL1CacheSupported;
  to.sharedMemPerMultiprocessor = from.sharedMemPerMultiprocessor;
  to.regsPerMultiprocessor = from.regsPerMultiprocessor;
  to.sharedMemPerBlockOptin = from.sharedMemPerBlockOptin;
  to.maxBlocksPerMultiProcessor = from.maxBlocksPerMultiProcessor;
  to.reservedSharedMemPerBlock = from.reservedSharedMemPerBlock;
}

void copy_board(const Properties12& from, Properties& to) {
  const cudaDeviceProp& first = from.first;
  copy(first.name, to.name);
  copy(first.uuid, to.uuid);
  to.totalGlobalMem = first.totalGlobalMem;
  to.memPitch = first.memPitch;
  to.totalConstMem = first.totalConstMem;
  to.major = first.major;
  to.minor = first.minor;
  to.canMapHostMemory = first.canMapHostMemory;
  to.concurrentKernels = first.concurrentKernels;
  to.pciBusID = first.pciBusID;
  to.asyncEngineCount = first.asyncEngineCount;
  to.unifiedAddressing = first.unifiedAddressing;
  to.memoryBusWidth = first.memoryBusWidth;
  to.l2CacheSize = first.l2CacheSize;
  to.streamPrioritiesSupported = first.streamPrioritiesSupported;
  to.managedMemory = first.managedMemory;
  to.hostNativeAtomicSupported = first.hostNativeAtomicSupported;
  to.concurrentManagedAccess = first.concurrentManagedAccess;
  to.computePreemptionSupported = first.computePreemptionSupported;
  to.canUseHostPointerForRegisteredMem = first.canUseHostPointerForRegisteredMem;
  to.cooperativeLaunch = first.cooperativeLaunch;
  to.hostRegisterSupported = from.more.hostRegisterSupported;
  to.memoryPoolsSupported = from.more.memoryPoolsSupported;
  to.clusterLaunch = from.more.clusterLaunch;
  to.unifiedFunctionPointers = from.more.unifiedFunctionPointers;
}

}  // namespace

FOREWARP_EXPORT int cudaGetDeviceProperties(Properties* out, int device) {
  Properties12 before{};
  const int status = cudaGetDeviceProperties_v2(&before.first, device);
  if (status != 0 || out == nullptr) return status;
  *out = {};
  copy_board(before, *out);
  copy_multiprocessor(before.first, *out);
  copy_textures(before.first, *out);
  return 0;
}
FOREWARP_EXPORT int cudaGraphAddDependencies(void* graph, void* const* from, void* const* to,
                                             const void* edges, std::size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}
FOREWARP_EXPORT int cudaMemAdvise(const void* at, std::size_t bytes, int advice,
                                  cudaMemLocation place) {
  return cudaMemAdvise_v2(at, bytes, advice, place);
}
FOREWARP_EXPORT int cudaMemPrefetchAsync(const void* at, std::size_t bytes, cudaMemLocation place,
                                         unsigned flags, void* stream) {
  return cudaMemPrefetchAsync_v2(at, bytes, place, flags, stream);
}
FOREWARP_EXPORT int cudaRuntimeGetVersion(int* number) {
  *number = version;
  return 0;
}
FOREWARP_EXPORT int cudaDriverGetVersion(int* number) {
  *number = version;
  return 0;
}
FOREWARP_EXPORT int cudaGraphExecUpdate(void* plan, void* graph, void* result) {
  return cuGraphExecUpdate_v2(plan, graph, result);
}
// Edges have data here, of which there is none.
FOREWARP_EXPORT int cudaGraphRemoveDependencies(void* graph, void* const* from, void* const* to,
                                                const void* /*edges*/, std::size_t count) {
  return cuGraphRemoveDependencies(graph, from, to, count);
}
FOREWARP_EXPORT int cudaGraphGetEdges(void* graph, void** from, void** to, void* /*edges*/,
                                      std::size_t* count) {
  return cuGraphGetEdges(graph, from, to, count);
}
FOREWARP_EXPORT int cudaGraphNodeGetDependencies(void* node, void** nodes, void* /*edges*/,
                                                 std::size_t* count) {
  return cuGraphNodeGetDependencies(node, nodes, count);
}
FOREWARP_EXPORT int cudaGraphNodeGetDependentNodes(void* node, void** nodes, void* /*edges*/,
                                                   std::size_t* count) {
  return cuGraphNodeGetDependentNodes(node, nodes, count);
}
FOREWARP_EXPORT int cudaStreamGetCaptureInfo(void* stream, int* state, unsigned long long* id,
                                             void** graph, void*** nodes, const void** edges,
                                             std::size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return cuStreamGetCaptureInfo_v2(stream, state, id, graph, nodes, count);
}
FOREWARP_EXPORT int cudaStreamUpdateCaptureDependencies(void* stream, void* const* nodes,
                                                        const void* /*edges*/, std::size_t count,
                                                        unsigned flags) {
  return cuStreamUpdateCaptureDependencies(stream, nodes, count, flags);
}
FOREWARP_EXPORT int cudaGraphAddNode(void** out, void* graph, void* const* after, const void* edges,
                                     std::size_t count, void* from) {
  return cudaGraphAddNode_v2(out, graph, after, edges, count, from);
}
FOREWARP_EXPORT int cudaMemPrefetchAsync_ptsz(const void* at, std::size_t bytes,
                                              cudaMemLocation place, unsigned flags, void* stream) {
  return cudaMemPrefetchAsync_v2_ptsz(at, bytes, place, flags, stream);
}
FOREWARP_EXPORT int cudaStreamGetCaptureInfo_ptsz(void* stream, int* state, unsigned long long* id,
                                                  void** graph, void*** nodes, const void** edges,
                                                  std::size_t* count) {
  return cudaStreamGetCaptureInfo_v3_ptsz(stream, state, id, graph, nodes, edges, count);
}
FOREWARP_EXPORT int cudaStreamUpdateCaptureDependencies_ptsz(void* stream, void* const* nodes,
                                                             const void* edges, std::size_t count,
                                                             unsigned flags) {
  return cudaStreamUpdateCaptureDependencies_v2_ptsz(stream, nodes, edges, count, flags);
}
