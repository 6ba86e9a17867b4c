// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime interface: graphs, captured from streams or built of nodes.
#include <functional>
#include <vector>

#include "cuda_types.h"
#include "engine.h"
#include "launching.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::Graph;
using forewarp::program_run::GraphNode;

namespace {

struct KernelNode {
  const void* function;
  dim3 grid, block;
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

/// A node's handle: its graph's index plus one.
void* handle_of(std::size_t index) {
  return pointer_to(index + 1);
}

template <class Work>
int with_graph(void* graph, Work work) {
  return runtime_call([&](Machine& machine) {
    auto* known = static_cast<Graph*>(graph);
    return machine.has_graph(known) ? work(machine, *known) : Status::invalid_value;
  });
}

Status add(Graph& graph, void** out, void* const* after, std::size_t count, GraphNode node) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t index = address_of(after[i]) - 1;
    if (index >= graph.nodes.size()) return Status::invalid_value;
    node.after.push_back(static_cast<std::uint32_t>(index));
  }
  if (out != nullptr) *out = handle_of(graph.nodes.size());
  graph.nodes.push_back(std::move(node));
  return Status::success;
}

Status kernel_order(Machine& machine, const KernelNode& from,
                    forewarp::program_run::LaunchOrder& order) {
  const auto function = function_of(machine, from.function);
  if (!function) return code_status(function.error());
  LaunchArguments given;
  given.grid = {from.grid.x, from.grid.y, from.grid.z};
  given.block = {from.block.x, from.block.y, from.block.z};
  given.shared = from.shared;
  given.values = from.values;
  return order_of(*function, given, false, order);
}

int instantiate(void** out, void* graph) {
  return with_graph(graph, [&](Machine& machine, Graph& known) {
    *out = machine.instantiate(known);
    return Status::success;
  });
}

int launch_graph(void* graph, StreamId stream) {
  std::vector<std::function<void()>> host;
  const int failed = with_graph(graph, [&](Machine& machine, Graph& known) {
    if (!machine.has_stream(stream)) return Status::invalid_handle;
    return machine.launch_graph(known, stream, thread_state().device, host);
  });
  for (const auto& work : host) work();
  return failed;
}

int end_graph(void* graph) {
  return runtime_call([&](Machine& machine) {
    return machine.end_graph(static_cast<Graph*>(graph)) ? Status::success : Status::invalid_value;
  });
}

}  // namespace

FOREWARP_EXPORT int cudaStreamBeginCapture(void* stream, int /*mode*/) {
  return runtime_call([&](Machine& machine) {
    if (stream_of(stream) == forewarp::program_run::legacy_stream)
      return Status::capture_unsupported;
    return machine.begin_capture(stream_of(stream)) ? Status::success : Status::invalid_value;
  });
}
FOREWARP_EXPORT int cudaStreamEndCapture(void* stream, void** graph) {
  return runtime_call([&](Machine& machine) {
    *graph = machine.end_capture(stream_of(stream));
    return *graph != nullptr ? Status::success : Status::invalid_value;
  });
}
FOREWARP_EXPORT int cudaStreamIsCapturing(void* stream, int* status) {
  return runtime_call([&](Machine& machine) {
    *status = machine.capture_of(stream_of(stream)) != nullptr ? 1 : 0;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaThreadExchangeStreamCaptureMode(int* /*mode*/) {
  return 0;
}
FOREWARP_EXPORT int cudaGraphCreate(void** graph, unsigned /*flags*/) {
  return runtime_call([&](Machine& machine) {
    *graph = machine.make_graph();
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphDestroy(void* graph) {
  return end_graph(graph);
}
FOREWARP_EXPORT int cudaGraphExecDestroy(void* graph) {
  return end_graph(graph);
}
FOREWARP_EXPORT int cudaGraphInstantiate(void** out, void* graph, void** /*node*/, char* /*log*/,
                                         std::size_t /*bytes*/) {
  return instantiate(out, graph);
}
FOREWARP_EXPORT int cudaGraphInstantiateWithFlags(void** out, void* graph,
                                                  unsigned long long /*flags*/) {
  return instantiate(out, graph);
}
FOREWARP_EXPORT int cudaGraphUpload(void* /*graph*/, void* /*stream*/) {
  return 0;
}
FOREWARP_EXPORT int cudaGraphLaunch(void* graph, void* stream) {
  return launch_graph(graph, stream_of(stream));
}
FOREWARP_EXPORT int cudaGraphLaunch_ptsz(void* graph, void* stream) {
  return launch_graph(graph, thread_stream_of(stream));
}
FOREWARP_EXPORT int cudaGraphGetNodes(void* graph, void** nodes, std::size_t* count) {
  return with_graph(graph, [&](Machine& /*machine*/, Graph& known) {
    for (std::size_t i = 0; nodes != nullptr && i < *count && i < known.nodes.size(); ++i)
      nodes[i] = handle_of(i);
    *count = known.nodes.size();
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphAddDependencies(void* graph, void* const* from, void* const* to,
                                             std::size_t count) {
  return with_graph(graph, [&](Machine& machine, Graph& known) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t before = address_of(from[i]) - 1, after = address_of(to[i]) - 1;
      if (before >= known.nodes.size() || after >= known.nodes.size()) return Status::invalid_value;
      if (before > after) {
        machine.unsupported("cudaGraphAddDependencies from a later node to an earlier one");
        return Status::not_supported;
      }
      known.nodes[after].after.push_back(static_cast<std::uint32_t>(before));
    }
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphAddDependencies_v2(void* graph, void* const* from, void* const* to,
                                                const void* /*edges*/, std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, count);
}
FOREWARP_EXPORT int cudaGraphAddKernelNode(void** out, void* graph, void* const* after,
                                           std::size_t count, const KernelNode* from) {
  return with_graph(graph, [&](Machine& machine, Graph& known) {
    GraphNode node;
    node.kind = GraphNode::Kind::kernel;
    const Status status = kernel_order(machine, *from, node.launch);
    return status == Status::success ? add(known, out, after, count, std::move(node)) : status;
  });
}
FOREWARP_EXPORT int cudaGraphExecKernelNodeSetParams(void* graph, void* node,
                                                     const KernelNode* from) {
  return with_graph(graph, [&](Machine& machine, Graph& known) {
    const std::uint64_t index = address_of(node) - 1;
    if (index >= known.nodes.size()) return Status::invalid_value;
    return kernel_order(machine, *from, known.nodes[index].launch);
  });
}
FOREWARP_EXPORT int cudaGraphAddEmptyNode(void** out, void* graph, void* const* after,
                                          std::size_t count) {
  return with_graph(
      graph, [&](Machine& /*machine*/, Graph& known) { return add(known, out, after, count, {}); });
}
FOREWARP_EXPORT int cudaGraphAddMemcpyNode1D(void** out, void* graph, void* const* after,
                                             std::size_t count, void* to, const void* from,
                                             std::size_t bytes, int /*kind*/) {
  return with_graph(graph, [&](Machine& /*machine*/, Graph& known) {
    GraphNode node;
    node.kind = GraphNode::Kind::copy;
    node.copy.to = address_of(to);
    node.copy.from = address_of(from);
    node.copy.width = bytes;
    node.copy.asynchronous = true;
    return add(known, out, after, count, std::move(node));
  });
}
FOREWARP_EXPORT int cudaGraphAddMemcpyNode(void** out, void* graph, void* const* after,
                                           std::size_t count, const cudaMemcpy3DParms* from) {
  return with_graph(graph, [&](Machine& machine, Graph& known) {
    if (from->srcArray != nullptr || from->dstArray != nullptr) {
      machine.unsupported("cudaGraphAddMemcpyNode with an array");
      return Status::not_supported;
    }
    GraphNode node;
    node.kind = GraphNode::Kind::copy;
    node.copy = volume_copy(*from);
    node.copy.asynchronous = true;
    return add(known, out, after, count, std::move(node));
  });
}
FOREWARP_EXPORT int cudaGraphAddMemsetNode(void** out, void* graph, void* const* after,
                                           std::size_t count, const FillNode* from) {
  return with_graph(graph, [&](Machine& /*machine*/, Graph& known) {
    GraphNode node;
    node.kind = GraphNode::Kind::fill;
    node.fill.to = address_of(from->to);
    node.fill.value = from->value;
    node.fill.element = from->element;
    node.fill.width = from->width * from->element;
    node.fill.height = from->height;
    node.fill.pitch = from->pitch;
    return add(known, out, after, count, std::move(node));
  });
}
FOREWARP_EXPORT int cudaGraphAddHostNode(void** out, void* graph, void* const* after,
                                         std::size_t count, const HostNode* from) {
  return with_graph(graph, [&](Machine& /*machine*/, Graph& known) {
    GraphNode node;
    node.kind = GraphNode::Kind::host;
    node.host = [function = from->function, data = from->data] { function(data); };
    return add(known, out, after, count, std::move(node));
  });
}
