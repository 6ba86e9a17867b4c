// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: graphs. Most functions have the arguments and numbers of the runtime's.
#include "driver_calling.h"
#include "graph_calls.h"
#include "per_thread.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::Function;

namespace {

/// CUDA_KERNEL_NODE_PARAMS; what the second version has behind it is not read.
struct DriverKernelNode {
  Function* function;
  unsigned grid[3], block[3], shared;
  void **values, **extra;
};
static_assert(sizeof(DriverKernelNode) == 56);

Status put_kernel(GraphNode& node, const DriverKernelNode* from) {
  if (from == nullptr) return Status::invalid_value;
  LaunchArguments given;
  given.grid = {from->grid[0], from->grid[1], from->grid[2]};
  given.block = {from->block[0], from->block[1], from->block[2]};
  given.shared = from->shared;
  given.values = from->values;
  return order_of(from->function, given, false, node.launch);
}

}  // namespace

FOREWARP_EXPORT int cuGraphAddKernelNode_v2(void** out, void* graph, void* const* after,
                                            std::size_t count, const DriverKernelNode* from) {
  return add_node(out, graph, after, count, NodeKind::kernel,
                  [&](Machine& /*machine*/, GraphNode& node) { return put_kernel(node, from); });
}
FOREWARP_EXPORT int cuGraphAddKernelNode(void** out, void* graph, void* const* after,
                                         std::size_t count, const DriverKernelNode* from) {
  return cuGraphAddKernelNode_v2(out, graph, after, count, from);
}
FOREWARP_EXPORT int cuGraphKernelNodeSetParams_v2(void* node, const DriverKernelNode* from) {
  return with_node(node, NodeKind::kernel,
                   [&](Machine& /*machine*/, GraphNode& known) { return put_kernel(known, from); });
}
FOREWARP_EXPORT int cuGraphKernelNodeSetParams(void* node, const DriverKernelNode* from) {
  return cuGraphKernelNodeSetParams_v2(node, from);
}
FOREWARP_EXPORT int cuGraphExecKernelNodeSetParams_v2(void* plan, void* node,
                                                      const DriverKernelNode* from) {
  return with_step(plan, node, NodeKind::kernel,
                   [&](Machine& /*machine*/, GraphNode& known) { return put_kernel(known, from); });
}
FOREWARP_EXPORT int cuGraphExecKernelNodeSetParams(void* plan, void* node,
                                                   const DriverKernelNode* from) {
  return cuGraphExecKernelNodeSetParams_v2(plan, node, from);
}
FOREWARP_EXPORT int cuGraphInstantiate_v2(void** out, void* graph, void** /*node*/, char* /*log*/,
                                          std::size_t /*bytes*/) {
  return cudaGraphInstantiateWithFlags(out, graph, 0);
}
FOREWARP_EXPORT int cuGraphAddMemsetNode(void** out, void* graph, void* const* after,
                                         std::size_t count, const FillNode* from,
                                         void* /*context*/) {
  return cudaGraphAddMemsetNode(out, graph, after, count, from);
}
FOREWARP_EXPORT int cuGraphExecMemsetNodeSetParams(void* plan, void* node, const FillNode* from,
                                                   void* /*context*/) {
  return cudaGraphExecMemsetNodeSetParams(plan, node, from);
}
FOREWARP_EXPORT int cuStreamBeginCapture_v2(void* stream, int mode) {
  return cudaStreamBeginCapture(stream, mode);
}
FOREWARP_EXPORT int cuGraphCreate(void** graph, unsigned flags) {
  return cudaGraphCreate(graph, flags);
}
FOREWARP_EXPORT int cuGraphDestroy(void* graph) {
  return cudaGraphDestroy(graph);
}
FOREWARP_EXPORT int cuGraphClone(void** out, void* graph) {
  return cudaGraphClone(out, graph);
}
FOREWARP_EXPORT int cuGraphNodeFindInClone(void** out, void* node, void* clone) {
  return cudaGraphNodeFindInClone(out, node, clone);
}
FOREWARP_EXPORT int cuGraphInstantiateWithFlags(void** out, void* graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(out, graph, flags);
}
FOREWARP_EXPORT int cuGraphExecDestroy(void* plan) {
  return cudaGraphExecDestroy(plan);
}
FOREWARP_EXPORT int cuGraphUpload(void* graph, void* stream) {
  return cudaGraphUpload(graph, stream);
}
FOREWARP_EXPORT int cuGraphLaunch(void* graph, void* stream) {
  return cudaGraphLaunch(graph, stream);
}
FOREWARP_EXPORT int cuGraphExecUpdate(void* plan, void* graph, void** node, int* result) {
  return cudaGraphExecUpdate(plan, graph, node, result);
}
FOREWARP_EXPORT int cuGraphGetNodes(void* graph, void** nodes, std::size_t* count) {
  return cudaGraphGetNodes(graph, nodes, count);
}
FOREWARP_EXPORT int cuGraphGetRootNodes(void* graph, void** nodes, std::size_t* count) {
  return cudaGraphGetRootNodes(graph, nodes, count);
}
FOREWARP_EXPORT int cuGraphGetEdges(void* graph, void** from, void** to, std::size_t* count) {
  return cudaGraphGetEdges(graph, from, to, count);
}
FOREWARP_EXPORT int cuGraphNodeGetType(void* node, int* kind) {
  return cudaGraphNodeGetType(node, kind);
}
FOREWARP_EXPORT int cuGraphNodeGetDependencies(void* node, void** nodes, std::size_t* count) {
  return cudaGraphNodeGetDependencies(node, nodes, count);
}
FOREWARP_EXPORT int cuGraphNodeGetDependentNodes(void* node, void** nodes, std::size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, nodes, count);
}
FOREWARP_EXPORT int cuGraphAddDependencies(void* graph, void* const* from, void* const* to,
                                           std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, count);
}
FOREWARP_EXPORT int cuGraphRemoveDependencies(void* graph, void* const* from, void* const* to,
                                              std::size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, count);
}
FOREWARP_EXPORT int cuGraphDestroyNode(void* node) {
  return cudaGraphDestroyNode(node);
}
FOREWARP_EXPORT int cuGraphNodeSetEnabled(void* plan, void* node, unsigned enabled) {
  return cudaGraphNodeSetEnabled(plan, node, enabled);
}
FOREWARP_EXPORT int cuGraphNodeGetEnabled(void* plan, void* node, unsigned* enabled) {
  return cudaGraphNodeGetEnabled(plan, node, enabled);
}
FOREWARP_EXPORT int cuGraphDebugDotPrint(void* graph, const char* path, unsigned flags) {
  return cudaGraphDebugDotPrint(graph, path, flags);
}
FOREWARP_EXPORT int cuGraphMemsetNodeGetParams(void* node, FillNode* out) {
  return cudaGraphMemsetNodeGetParams(node, out);
}
FOREWARP_EXPORT int cuGraphMemsetNodeSetParams(void* node, const FillNode* from) {
  return cudaGraphMemsetNodeSetParams(node, from);
}
FOREWARP_EXPORT int cuGraphAddHostNode(void** out, void* graph, void* const* after,
                                       std::size_t count, const HostNode* from) {
  return cudaGraphAddHostNode(out, graph, after, count, from);
}
FOREWARP_EXPORT int cuGraphHostNodeGetParams(void* node, HostNode* out) {
  return cudaGraphHostNodeGetParams(node, out);
}
FOREWARP_EXPORT int cuGraphHostNodeSetParams(void* node, const HostNode* from) {
  return cudaGraphHostNodeSetParams(node, from);
}
FOREWARP_EXPORT int cuGraphExecHostNodeSetParams(void* plan, void* node, const HostNode* from) {
  return cudaGraphExecHostNodeSetParams(plan, node, from);
}
FOREWARP_EXPORT int cuGraphAddEmptyNode(void** out, void* graph, void* const* after,
                                        std::size_t count) {
  return cudaGraphAddEmptyNode(out, graph, after, count);
}
FOREWARP_EXPORT int cuGraphAddChildGraphNode(void** out, void* graph, void* const* after,
                                             std::size_t count, void* child) {
  return cudaGraphAddChildGraphNode(out, graph, after, count, child);
}
FOREWARP_EXPORT int cuGraphChildGraphNodeGetGraph(void* node, void** graph) {
  return cudaGraphChildGraphNodeGetGraph(node, graph);
}
FOREWARP_EXPORT int cuGraphAddEventRecordNode(void** out, void* graph, void* const* after,
                                              std::size_t count, void* event) {
  return cudaGraphAddEventRecordNode(out, graph, after, count, event);
}
FOREWARP_EXPORT int cuGraphAddEventWaitNode(void** out, void* graph, void* const* after,
                                            std::size_t count, void* event) {
  return cudaGraphAddEventWaitNode(out, graph, after, count, event);
}
FOREWARP_EXPORT int cuGraphEventRecordNodeGetEvent(void* node, void** event) {
  return cudaGraphEventRecordNodeGetEvent(node, event);
}
FOREWARP_EXPORT int cuGraphEventWaitNodeGetEvent(void* node, void** event) {
  return cudaGraphEventWaitNodeGetEvent(node, event);
}
FOREWARP_EXPORT int cuGraphEventRecordNodeSetEvent(void* node, void* event) {
  return cudaGraphEventRecordNodeSetEvent(node, event);
}
FOREWARP_EXPORT int cuGraphEventWaitNodeSetEvent(void* node, void* event) {
  return cudaGraphEventWaitNodeSetEvent(node, event);
}
FOREWARP_EXPORT int cuGraphExecEventRecordNodeSetEvent(void* plan, void* node, void* event) {
  return cudaGraphExecEventRecordNodeSetEvent(plan, node, event);
}
FOREWARP_EXPORT int cuGraphExecEventWaitNodeSetEvent(void* plan, void* node, void* event) {
  return cudaGraphExecEventWaitNodeSetEvent(plan, node, event);
}
FOREWARP_EXPORT int cuGraphAddMemAllocNode(void** out, void* graph, void* const* after,
                                           std::size_t count, AllocateNode* from) {
  return cudaGraphAddMemAllocNode(out, graph, after, count, from);
}
FOREWARP_EXPORT int cuGraphMemAllocNodeGetParams(void* node, AllocateNode* out) {
  return cudaGraphMemAllocNodeGetParams(node, out);
}
FOREWARP_EXPORT int cuGraphAddMemFreeNode(void** out, void* graph, void* const* after,
                                          std::size_t count, void* pointer) {
  return cudaGraphAddMemFreeNode(out, graph, after, count, pointer);
}
FOREWARP_EXPORT int cuGraphMemFreeNodeGetParams(void* node, void* out) {
  return cudaGraphMemFreeNodeGetParams(node, out);
}
FOREWARP_EXPORT int cuStreamEndCapture(void* stream, void** graph) {
  return cudaStreamEndCapture(stream, graph);
}
FOREWARP_EXPORT int cuStreamIsCapturing(void* stream, int* status) {
  return cudaStreamIsCapturing(stream, status);
}
FOREWARP_EXPORT int cuStreamGetCaptureInfo(void* stream, int* state, unsigned long long* id) {
  return cudaStreamGetCaptureInfo(stream, state, id);
}
FOREWARP_EXPORT int cuStreamGetCaptureInfo_v2(void* stream, int* state, unsigned long long* id,
                                              void** graph, void*** nodes, std::size_t* count) {
  return cudaStreamGetCaptureInfo_v2(stream, state, id, graph, nodes, count);
}
FOREWARP_EXPORT int cuStreamUpdateCaptureDependencies(void* stream, void* const* nodes,
                                                      std::size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(stream, nodes, count, flags);
}
FOREWARP_EXPORT int cuThreadExchangeStreamCaptureMode(int* mode) {
  return cudaThreadExchangeStreamCaptureMode(mode);
}
FOREWARP_EXPORT int cuGraphInstantiate(void** out, void* graph, void** node, char* log,
                                       std::size_t bytes) {
  return cuGraphInstantiate_v2(out, graph, node, log, bytes);
}
FOREWARP_EXPORT int cuGraphInstantiateWithParams(void** out, void* graph,
                                                 InstantiateDescription* how) {
  return cudaGraphInstantiateWithParams(out, graph, how);
}
FOREWARP_EXPORT int cuGraphExecGetFlags(void* plan, unsigned long long* flags) {
  return cudaGraphExecGetFlags(plan, flags);
}
// With data of edges, of which there is none.
FOREWARP_EXPORT int cuGraphGetEdges_v2(void* graph, void** from, void** to, void* edges,
                                       std::size_t* count) {
  return cudaGraphGetEdges_v2(graph, from, to, edges, count);
}
FOREWARP_EXPORT int cuGraphNodeGetDependencies_v2(void* node, void** nodes, void* edges,
                                                  std::size_t* count) {
  return cudaGraphNodeGetDependencies_v2(node, nodes, edges, count);
}
FOREWARP_EXPORT int cuGraphNodeGetDependentNodes_v2(void* node, void** nodes, void* edges,
                                                    std::size_t* count) {
  return cudaGraphNodeGetDependentNodes_v2(node, nodes, edges, count);
}
FOREWARP_EXPORT int cuGraphAddDependencies_v2(void* graph, void* const* from, void* const* to,
                                              const void* /*edges*/, std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, count);
}
FOREWARP_EXPORT int cuGraphRemoveDependencies_v2(void* graph, void* const* from, void* const* to,
                                                 const void* /*edges*/, std::size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, count);
}
FOREWARP_EXPORT int cuStreamGetCaptureInfo_v3(void* stream, int* state, unsigned long long* id,
                                              void** graph, void*** nodes, const void** edges,
                                              std::size_t* count) {
  return cudaStreamGetCaptureInfo_v3(stream, state, id, graph, nodes, edges, count);
}
FOREWARP_EXPORT int cuStreamUpdateCaptureDependencies_v2(void* stream, void* const* nodes,
                                                         const void* /*edges*/, std::size_t count,
                                                         unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(stream, nodes, count, flags);
}

PER_THREAD(cuStreamBeginCapture_v2, _ptsz, 2)
PER_THREAD(cuStreamEndCapture, _ptsz, 2)
PER_THREAD(cuStreamIsCapturing, _ptsz, 2)
PER_THREAD(cuStreamGetCaptureInfo, _ptsz, 3)
PER_THREAD(cuStreamGetCaptureInfo_v2, _ptsz, 6)
PER_THREAD(cuStreamUpdateCaptureDependencies, _ptsz, 4)
PER_THREAD(cuGraphUpload, _ptsz, 2)
PER_THREAD(cuGraphLaunch, _ptsz, 2)
PER_THREAD(cuGraphInstantiateWithParams, _ptsz, 3)
PER_THREAD(cuStreamGetCaptureInfo_v3, _ptsz, 7)
PER_THREAD(cuStreamUpdateCaptureDependencies_v2, _ptsz, 5)
