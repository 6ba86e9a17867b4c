// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "runtime.h"

/// As much of CUDA's runtime interface about graphs as graphs.cpp calls.
extern "C" {
struct KernelNode {
  const void* function;
  Dim3 grid, block;
  unsigned shared;
  void** values;
  void** extra;
};
struct FillNode {
  void* to;
  std::size_t pitch;
  unsigned value, element;
  std::size_t width, height;
};
struct HostNode {
  void (*function)(void*);
  void* data;
};
struct CopyPlace {
  void* at;
  std::size_t pitch, width, height;
};
struct CopyNode {
  void* from_array;
  std::size_t from_offset[3];
  CopyPlace from;
  void* to_array;
  std::size_t to_offset[3];
  CopyPlace to;
  std::size_t width, height, depth;
  int kind;
};
struct AllocateNode {
  struct {
    int allocation, handles, place_type, place;
    void* security;
    unsigned char reserved[64];
  } pool;
  const void* access;
  std::size_t accesses, bytes;
  void* address;
};
int cudaMallocAsync(void** out, std::size_t bytes, void* stream);
int cudaFreeAsync(void* at, void* stream);
int cudaStreamQuery(void* stream);
int cudaStreamIsCapturing(void* stream, int* state);
int cudaStreamGetCaptureInfo(void* stream, int* state, unsigned long long* id);
int cudaStreamGetCaptureInfo_v2(void* stream, int* state, unsigned long long* id, void** graph,
                                void*** nodes, std::size_t* count);
int cudaStreamUpdateCaptureDependencies(void* stream, void* const* nodes, std::size_t count,
                                        unsigned flags);
int cudaThreadExchangeStreamCaptureMode(int* mode);
int cudaEventRecordWithFlags(void* event, void* stream, unsigned flags);
int cudaEventQuery(void* event);
int cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data);
int cudaGraphCreate(void** graph, unsigned flags);
int cudaGraphDestroy(void* graph);
int cudaGraphClone(void** out, void* graph);
int cudaGraphNodeFindInClone(void** out, void* node, void* clone);
int cudaGraphInstantiateWithFlags(void** out, void* graph, unsigned long long flags);
int cudaGraphExecDestroy(void* plan);
int cudaGraphExecUpdate(void* plan, void* graph, void** node, int* result);
int cudaGraphGetNodes(void* graph, void** nodes, std::size_t* count);
int cudaGraphGetRootNodes(void* graph, void** nodes, std::size_t* count);
int cudaGraphGetEdges(void* graph, void** from, void** to, std::size_t* count);
int cudaGraphNodeGetType(void* node, int* kind);
int cudaGraphNodeGetDependencies(void* node, void** nodes, std::size_t* count);
int cudaGraphNodeGetDependentNodes(void* node, void** nodes, std::size_t* count);
int cudaGraphAddDependencies(void* graph, void* const* from, void* const* to, std::size_t count);
int cudaGraphRemoveDependencies(void* graph, void* const* from, void* const* to, std::size_t count);
int cudaGraphDestroyNode(void* node);
int cudaGraphNodeSetEnabled(void* plan, void* node, unsigned enabled);
int cudaGraphNodeGetEnabled(void* plan, void* node, unsigned* enabled);
int cudaGraphDebugDotPrint(void* graph, const char* path, unsigned flags);
int cudaGraphAddKernelNode(void** out, void* graph, void* const* after, std::size_t count,
                           const KernelNode* from);
int cudaGraphKernelNodeGetParams(void* node, KernelNode* out);
int cudaGraphKernelNodeSetParams(void* node, const KernelNode* from);
int cudaGraphExecKernelNodeSetParams(void* plan, void* node, const KernelNode* from);
int cudaGraphMemcpyNodeGetParams(void* node, CopyNode* out);
int cudaGraphMemcpyNodeSetParams(void* node, const CopyNode* from);
int cudaGraphAddMemcpyNode1D(void** out, void* graph, void* const* after, std::size_t count,
                             void* to, const void* from, std::size_t bytes, int kind);
int cudaGraphExecMemcpyNodeSetParams1D(void* plan, void* node, void* to, const void* from,
                                       std::size_t bytes, int kind);
int cudaGraphAddMemcpyNodeToSymbol(void** out, void* graph, void* const* after, std::size_t count,
                                   const void* symbol, const void* from, std::size_t bytes,
                                   std::size_t offset, int kind);
int cudaGraphAddMemcpyNodeFromSymbol(void** out, void* graph, void* const* after, std::size_t count,
                                     void* to, const void* symbol, std::size_t bytes,
                                     std::size_t offset, int kind);
int cudaGraphAddMemsetNode(void** out, void* graph, void* const* after, std::size_t count,
                           const FillNode* from);
int cudaGraphMemsetNodeGetParams(void* node, FillNode* out);
int cudaGraphMemsetNodeSetParams(void* node, const FillNode* from);
int cudaGraphExecMemsetNodeSetParams(void* plan, void* node, const FillNode* from);
int cudaGraphAddHostNode(void** out, void* graph, void* const* after, std::size_t count,
                         const HostNode* from);
int cudaGraphHostNodeGetParams(void* node, HostNode* out);
int cudaGraphExecHostNodeSetParams(void* plan, void* node, const HostNode* from);
int cudaGraphAddEmptyNode(void** out, void* graph, void* const* after, std::size_t count);
int cudaGraphAddChildGraphNode(void** out, void* graph, void* const* after, std::size_t count,
                               void* child);
int cudaGraphChildGraphNodeGetGraph(void* node, void** graph);
int cudaGraphAddEventRecordNode(void** out, void* graph, void* const* after, std::size_t count,
                                void* event);
int cudaGraphAddEventWaitNode(void** out, void* graph, void* const* after, std::size_t count,
                              void* event);
int cudaGraphEventRecordNodeGetEvent(void* node, void** event);
int cudaGraphAddMemAllocNode(void** out, void* graph, void* const* after, std::size_t count,
                             AllocateNode* from);
int cudaGraphAddMemFreeNode(void** out, void* graph, void* const* after, std::size_t count,
                            void* pointer);
int cudaGraphMemFreeNodeGetParams(void* node, void* out);
}
