// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "cuda_types.h"
#include "engine.h"
#include "launching.h"

/// What the functions about graphs share. A graph's handle is its address, as is a node's, and that
/// of what can be launched the address of its plan; each is looked up before it is followed.
namespace forewarp::cli {

/// cudaKernelNodeParams.
struct KernelNode {
  const void* function;
  dim3 grid, block;
  unsigned shared;
  void** values;
  void** extra;
};
/// cudaMemsetParams; width in elements.
struct FillNode {
  void* to;
  std::size_t pitch;
  unsigned value, element;
  std::size_t width, height;
};
/// cudaHostNodeParams.
struct HostNode {
  void (*function)(void*);
  void* data;
};
/// cudaMemAllocNodeParams.
struct AllocateNode {
  struct {
    int allocation, handles;
    cudaMemLocation place;
    void* security;
    unsigned char reserved[64];
  } pool;
  const void* access;
  std::size_t accesses, bytes;
  void* address;
};
/// cudaGraphNodeParams: a node of any kind.
struct AnyNode {
  int kind, reserved[3];
  union {
    KernelNode kernel;
    struct {
      int flags, reserved[3];
      cudaMemcpy3DParms what;
    } copy;
    FillNode fill;
    HostNode host;
    void* handle;  ///< of an event, of a graph within, or of memory that is freed
    AllocateNode allocate;
    long long room[29];
  };
  long long end;
};
/// cudaGraphInstantiateParams.
struct InstantiateDescription {
  unsigned long long flags;
  void* upload_stream;
  void* failed_node;
  int result;
};
static_assert(sizeof(AnyNode) == 256);
static_assert(sizeof(KernelNode) == 56 && sizeof(FillNode) == 40 && sizeof(AllocateNode) == 120);

using program_run::Graph;
using program_run::GraphNode;
using program_run::GraphPlan;
using NodeKind = program_run::GraphNode::Kind;

template <class Work>
int with_graph(void* graph, Work work) {
  return runtime_call([&](Machine& machine) {
    auto* known = static_cast<Graph*>(graph);
    return machine.graphs().has(known) ? work(machine, *known) : Status::invalid_value;
  });
}

template <class Work>
int with_node(void* node, Work work) {
  return runtime_call([&](Machine& machine) {
    auto* known = static_cast<GraphNode*>(node);
    return machine.graphs().has_node(known) ? work(machine, *known) : Status::invalid_value;
  });
}

/// The same of a node that must be of a kind.
template <class Work>
int with_node(void* node, NodeKind kind, Work work) {
  return with_node(node, [&](Machine& machine, GraphNode& known) {
    return known.kind == kind ? work(machine, known) : Status::invalid_value;
  });
}

template <class Work>
int with_plan(void* plan, Work work) {
  return runtime_call([&](Machine& machine) {
    const auto known = machine.plan(static_cast<GraphPlan*>(plan));
    return known ? work(machine, *known) : Status::invalid_value;
  });
}

/// What is launched for a node of the graph that a plan was made of.
template <class Work>
int with_step(void* plan, void* node, Work work) {
  return with_plan(plan, [&](Machine& machine, GraphPlan& known) {
    auto* const of = static_cast<GraphNode*>(node);
    if (!machine.graphs().has_node(of)) return Status::invalid_value;
    auto* const step = program_run::step_of(known, *of);
    return step != nullptr ? work(machine, step->node) : Status::invalid_value;
  });
}
template <class Work>
int with_step(void* plan, void* node, NodeKind kind, Work work) {
  return with_step(plan, node, [&](Machine& machine, GraphNode& known) {
    return known.kind == kind ? work(machine, known) : Status::invalid_value;
  });
}

/// Adds a node; `put(machine, node)` says what it does.
template <class Put>
int add_node(void** out, void* graph, void* const* after, std::size_t count, NodeKind kind,
             Put put) {
  return with_graph(graph, [&](Machine& machine, Graph& known) {
    GraphNode node;
    node.kind = kind;
    const Status status = put(machine, node);
    if (status != Status::success) return status;
    std::vector<GraphNode*> before;
    for (std::size_t i = 0; i < count; ++i) before.push_back(static_cast<GraphNode*>(after[i]));
    GraphNode* const made = machine.graphs().add(known, std::move(node), before);
    if (made == nullptr) return Status::invalid_value;
    if (out != nullptr) *out = made;
    return Status::success;
  });
}

/// Nodes as the interface hands them out: as many as there is room for, and how many there are; the
/// room that is left is filled with null.
inline Status give_nodes(std::span<GraphNode* const> nodes, void** out, std::size_t* count) {
  if (count == nullptr) return Status::invalid_value;
  for (std::size_t i = 0; out != nullptr && i < *count; ++i)
    out[i] = i < nodes.size() ? nodes[i] : nullptr;
  *count = out == nullptr ? nodes.size() : std::min(*count, nodes.size());
  return Status::success;
}

}  // namespace forewarp::cli

// What the driver interface has with the same arguments.
extern "C" {
int cudaGraphCreate(void** graph, unsigned flags);
int cudaGraphDestroy(void* graph);
int cudaGraphClone(void** out, void* graph);
int cudaGraphNodeFindInClone(void** out, void* node, void* clone);
int cudaGraphInstantiateWithFlags(void** out, void* graph, unsigned long long flags);
int cudaGraphInstantiateWithParams(void** out, void* graph,
                                   forewarp::cli::InstantiateDescription* how);
int cudaGraphExecGetFlags(void* plan, unsigned long long* flags);
int cudaGraphGetEdges_v2(void* graph, void** from, void** to, void* edges, std::size_t* count);
int cudaGraphNodeGetDependencies_v2(void* node, void** nodes, void* edges, std::size_t* count);
int cudaGraphNodeGetDependentNodes_v2(void* node, void** nodes, void* edges, std::size_t* count);
int cudaStreamGetCaptureInfo_v3(void* stream, int* state, unsigned long long* id, void** graph,
                                void*** nodes, const void** edges, std::size_t* count);
int cudaGraphExecDestroy(void* plan);
int cudaGraphUpload(void* graph, void* stream);
int cudaGraphLaunch(void* graph, void* stream);
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
int cudaGraphMemsetNodeGetParams(void* node, forewarp::cli::FillNode* out);
int cudaGraphMemsetNodeSetParams(void* node, const forewarp::cli::FillNode* from);
int cudaGraphAddHostNode(void** out, void* graph, void* const* after, std::size_t count,
                         const forewarp::cli::HostNode* from);
int cudaGraphHostNodeGetParams(void* node, forewarp::cli::HostNode* out);
int cudaGraphHostNodeSetParams(void* node, const forewarp::cli::HostNode* from);
int cudaGraphExecHostNodeSetParams(void* plan, void* node, const forewarp::cli::HostNode* from);
int cudaGraphAddEmptyNode(void** out, void* graph, void* const* after, std::size_t count);
int cudaGraphAddChildGraphNode(void** out, void* graph, void* const* after, std::size_t count,
                               void* child);
int cudaGraphChildGraphNodeGetGraph(void* node, void** graph);
int cudaGraphAddEventRecordNode(void** out, void* graph, void* const* after, std::size_t count,
                                void* event);
int cudaGraphAddEventWaitNode(void** out, void* graph, void* const* after, std::size_t count,
                              void* event);
int cudaGraphEventRecordNodeGetEvent(void* node, void** event);
int cudaGraphEventWaitNodeGetEvent(void* node, void** event);
int cudaGraphEventRecordNodeSetEvent(void* node, void* event);
int cudaGraphEventWaitNodeSetEvent(void* node, void* event);
int cudaGraphExecEventRecordNodeSetEvent(void* plan, void* node, void* event);
int cudaGraphExecEventWaitNodeSetEvent(void* plan, void* node, void* event);
int cudaGraphAddMemAllocNode(void** out, void* graph, void* const* after, std::size_t count,
                             forewarp::cli::AllocateNode* from);
int cudaGraphMemAllocNodeGetParams(void* node, forewarp::cli::AllocateNode* out);
int cudaGraphAddMemFreeNode(void** out, void* graph, void* const* after, std::size_t count,
                            void* pointer);
int cudaGraphMemFreeNodeGetParams(void* node, void* out);
int cudaStreamEndCapture(void* stream, void** graph);
int cudaStreamIsCapturing(void* stream, int* status);
int cudaStreamGetCaptureInfo(void* stream, int* state, unsigned long long* id);
int cudaStreamGetCaptureInfo_v2(void* stream, int* state, unsigned long long* id, void** graph,
                                void*** nodes, std::size_t* count);
int cudaStreamUpdateCaptureDependencies(void* stream, void* const* nodes, std::size_t count,
                                        unsigned flags);
int cudaThreadExchangeStreamCaptureMode(int* mode);
int cudaGraphAddMemsetNode(void** out, void* graph, void* const* after, std::size_t count,
                           const forewarp::cli::FillNode* from);
int cudaGraphExecMemsetNodeSetParams(void* plan, void* node, const forewarp::cli::FillNode* from);
int cudaStreamBeginCapture(void* stream, int mode);
}
