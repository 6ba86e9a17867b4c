// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime interface: nodes of graphs, and what they do.
#include "graph_calls.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::CopyOrder;
using forewarp::program_run::Event;

namespace {

Status put(Machine& machine, GraphNode& node, const KernelNode* from) {
  if (from == nullptr) return Status::invalid_value;
  const auto function = function_of(machine, from->function);
  if (!function) return code_status(function.error());
  LaunchArguments given;
  given.grid = {from->grid.x, from->grid.y, from->grid.z};
  given.block = {from->block.x, from->block.y, from->block.z};
  given.shared = from->shared;
  given.values = from->values;
  return order_of(*function, given, false, node.launch);
}
Status put(Machine& machine, GraphNode& node, const cudaMemcpy3DParms* from) {
  if (from == nullptr) return Status::invalid_value;
  if (from->srcArray != nullptr || from->dstArray != nullptr) {
    machine.unsupported("a node of a graph that copies an array");
    return Status::not_supported;
  }
  node.copy = volume_copy(*from);
  node.copy.asynchronous = true;
  return Status::success;
}
Status put(Machine& /*machine*/, GraphNode& node, const FillNode* from) {
  const bool known =
      from != nullptr && (from->element == 1 || from->element == 2 || from->element == 4);
  if (!known) return Status::invalid_value;
  node.fill = {};
  node.fill.to = address_of(from->to);
  node.fill.value = from->value;
  node.fill.element = from->element;
  node.fill.width = from->width * from->element;
  node.fill.height = from->height;
  node.fill.pitch = from->pitch;
  return Status::success;
}
Status put(Machine& /*machine*/, GraphNode& node, const HostNode* from) {
  if (from == nullptr || from->function == nullptr) return Status::invalid_value;
  node.function = from->function;
  node.data = from->data;
  node.host = [function = from->function, data = from->data] { function(data); };
  return Status::success;
}
Status put_event(Machine& machine, GraphNode& node, void* event) {
  node.event = static_cast<Event*>(event);
  return machine.has_event(node.event) ? Status::success : Status::invalid_value;
}
Status put_bytes(GraphNode& node, std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  if (to == 0 || from == 0) return Status::invalid_value;
  node.copy = {};
  node.copy.to = to;
  node.copy.from = from;
  node.copy.width = bytes;
  node.copy.asynchronous = true;
  return Status::success;
}
/// Between a variable and other memory.
Status put_symbol(Machine& machine, GraphNode& node, const void* symbol, std::size_t offset,
                  const void* other, std::size_t bytes, bool to_symbol) {
  const auto found = machine.modules().variable_of(symbol, thread_state().device);
  if (!found) return code_status(found.error());
  if (*found == nullptr) return Status::invalid_symbol;
  if (offset > (*found)->bytes || bytes > (*found)->bytes - offset) return Status::invalid_value;
  const std::uint64_t at = (*found)->address + offset;
  return to_symbol ? put_bytes(node, at, address_of(other), bytes)
                   : put_bytes(node, address_of(other), at, bytes);
}

template <class From>
int add(void** out, void* graph, void* const* after, std::size_t count, NodeKind kind,
        const From* from) {
  return add_node(out, graph, after, count, kind,
                  [&](Machine& machine, GraphNode& node) { return put(machine, node, from); });
}
template <class From>
int set(void* node, NodeKind kind, const From* from) {
  return with_node(node, kind,
                   [&](Machine& machine, GraphNode& known) { return put(machine, known, from); });
}
template <class From>
int set_step(void* plan, void* node, NodeKind kind, const From* from) {
  return with_step(plan, node, kind,
                   [&](Machine& machine, GraphNode& known) { return put(machine, known, from); });
}

int get_event(void* node, NodeKind kind, void** event) {
  return with_node(node, kind, [&](Machine& /*machine*/, GraphNode& known) {
    *event = known.event;
    return Status::success;
  });
}
int set_event(void* node, NodeKind kind, void* event) {
  return with_node(node, kind, [&](Machine& machine, GraphNode& known) {
    return put_event(machine, known, event);
  });
}
int set_step_event(void* plan, void* node, NodeKind kind, void* event) {
  return with_step(plan, node, kind, [&](Machine& machine, GraphNode& known) {
    return put_event(machine, known, event);
  });
}
int add_event(void** out, void* graph, void* const* after, std::size_t count, NodeKind kind,
              void* event) {
  return add_node(out, graph, after, count, kind, [&](Machine& machine, GraphNode& node) {
    return put_event(machine, node, event);
  });
}

}  // namespace

FOREWARP_EXPORT int cudaGraphAddKernelNode(void** out, void* graph, void* const* after,
                                           std::size_t count, const KernelNode* from) {
  return add(out, graph, after, count, NodeKind::kernel, from);
}
FOREWARP_EXPORT int cudaGraphKernelNodeGetParams(void* node, KernelNode* out) {
  return with_node(node, NodeKind::kernel, [&](Machine& machine, GraphNode& known) {
    auto& order = known.launch;
    known.pointers.clear();
    for (const auto& parameter : order.function->code.kernel->parameters)
      known.pointers.push_back(order.parameters.data() + parameter.offset);
    *out = {machine.modules().host_of(order.function),
            {order.grid[0], order.grid[1], order.grid[2]},
            {order.block[0], order.block[1], order.block[2]},
            order.dynamic_shared,
            known.pointers.data(),
            nullptr};
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphKernelNodeSetParams(void* node, const KernelNode* from) {
  return set(node, NodeKind::kernel, from);
}
FOREWARP_EXPORT int cudaGraphExecKernelNodeSetParams(void* plan, void* node,
                                                     const KernelNode* from) {
  return set_step(plan, node, NodeKind::kernel, from);
}

FOREWARP_EXPORT int cudaGraphAddMemcpyNode(void** out, void* graph, void* const* after,
                                           std::size_t count, const cudaMemcpy3DParms* from) {
  return add(out, graph, after, count, NodeKind::copy, from);
}
FOREWARP_EXPORT int cudaGraphMemcpyNodeGetParams(void* node, cudaMemcpy3DParms* out) {
  return with_node(node, NodeKind::copy, [&](Machine& /*machine*/, GraphNode& known) {
    constexpr int by_address = 4;
    const CopyOrder& order = known.copy;
    const auto rows = [&](std::uint64_t slice, std::uint64_t pitch) {
      return pitch == 0 || slice == 0 ? order.height : slice / pitch;
    };
    *out = {};
    out->srcPtr = {pointer_to(order.from), order.from_pitch, order.width,
                   rows(order.from_slice, order.from_pitch)};
    out->dstPtr = {pointer_to(order.to), order.to_pitch, order.width,
                   rows(order.to_slice, order.to_pitch)};
    out->extent = {order.width, order.height, order.depth};
    out->kind = by_address;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphMemcpyNodeSetParams(void* node, const cudaMemcpy3DParms* from) {
  return set(node, NodeKind::copy, from);
}
FOREWARP_EXPORT int cudaGraphExecMemcpyNodeSetParams(void* plan, void* node,
                                                     const cudaMemcpy3DParms* from) {
  return set_step(plan, node, NodeKind::copy, from);
}
FOREWARP_EXPORT int cudaGraphAddMemcpyNode1D(void** out, void* graph, void* const* after,
                                             std::size_t count, void* to, const void* from,
                                             std::size_t bytes, int /*kind*/) {
  return add_node(out, graph, after, count, NodeKind::copy, [&](Machine&, GraphNode& node) {
    return put_bytes(node, address_of(to), address_of(from), bytes);
  });
}
FOREWARP_EXPORT int cudaGraphMemcpyNodeSetParams1D(void* node, void* to, const void* from,
                                                   std::size_t bytes, int /*kind*/) {
  return with_node(node, NodeKind::copy, [&](Machine&, GraphNode& known) {
    return put_bytes(known, address_of(to), address_of(from), bytes);
  });
}
FOREWARP_EXPORT int cudaGraphExecMemcpyNodeSetParams1D(void* plan, void* node, void* to,
                                                       const void* from, std::size_t bytes,
                                                       int /*kind*/) {
  return with_step(plan, node, NodeKind::copy, [&](Machine&, GraphNode& known) {
    return put_bytes(known, address_of(to), address_of(from), bytes);
  });
}
FOREWARP_EXPORT int cudaGraphAddMemcpyNodeToSymbol(void** out, void* graph, void* const* after,
                                                   std::size_t count, const void* symbol,
                                                   const void* from, std::size_t bytes,
                                                   std::size_t offset, int /*kind*/) {
  return add_node(out, graph, after, count, NodeKind::copy, [&](Machine& machine, GraphNode& node) {
    return put_symbol(machine, node, symbol, offset, from, bytes, true);
  });
}
FOREWARP_EXPORT int cudaGraphAddMemcpyNodeFromSymbol(void** out, void* graph, void* const* after,
                                                     std::size_t count, void* to,
                                                     const void* symbol, std::size_t bytes,
                                                     std::size_t offset, int /*kind*/) {
  return add_node(out, graph, after, count, NodeKind::copy, [&](Machine& machine, GraphNode& node) {
    return put_symbol(machine, node, symbol, offset, to, bytes, false);
  });
}
FOREWARP_EXPORT int cudaGraphMemcpyNodeSetParamsToSymbol(void* node, const void* symbol,
                                                         const void* from, std::size_t bytes,
                                                         std::size_t offset, int /*kind*/) {
  return with_node(node, NodeKind::copy, [&](Machine& machine, GraphNode& known) {
    return put_symbol(machine, known, symbol, offset, from, bytes, true);
  });
}
FOREWARP_EXPORT int cudaGraphMemcpyNodeSetParamsFromSymbol(void* node, void* to, const void* symbol,
                                                           std::size_t bytes, std::size_t offset,
                                                           int /*kind*/) {
  return with_node(node, NodeKind::copy, [&](Machine& machine, GraphNode& known) {
    return put_symbol(machine, known, symbol, offset, to, bytes, false);
  });
}
FOREWARP_EXPORT int cudaGraphExecMemcpyNodeSetParamsToSymbol(void* plan, void* node,
                                                             const void* symbol, const void* from,
                                                             std::size_t bytes, std::size_t offset,
                                                             int /*kind*/) {
  return with_step(plan, node, NodeKind::copy, [&](Machine& machine, GraphNode& known) {
    return put_symbol(machine, known, symbol, offset, from, bytes, true);
  });
}
FOREWARP_EXPORT int cudaGraphExecMemcpyNodeSetParamsFromSymbol(void* plan, void* node, void* to,
                                                               const void* symbol,
                                                               std::size_t bytes,
                                                               std::size_t offset, int /*kind*/) {
  return with_step(plan, node, NodeKind::copy, [&](Machine& machine, GraphNode& known) {
    return put_symbol(machine, known, symbol, offset, to, bytes, false);
  });
}

FOREWARP_EXPORT int cudaGraphAddMemsetNode(void** out, void* graph, void* const* after,
                                           std::size_t count, const FillNode* from) {
  return add(out, graph, after, count, NodeKind::fill, from);
}
FOREWARP_EXPORT int cudaGraphMemsetNodeGetParams(void* node, FillNode* out) {
  return with_node(node, NodeKind::fill, [&](Machine& /*machine*/, GraphNode& known) {
    const auto& order = known.fill;
    *out = {pointer_to(order.to),        order.pitch, order.value, order.element,
            order.width / order.element, order.height};
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphMemsetNodeSetParams(void* node, const FillNode* from) {
  return set(node, NodeKind::fill, from);
}
FOREWARP_EXPORT int cudaGraphExecMemsetNodeSetParams(void* plan, void* node, const FillNode* from) {
  return set_step(plan, node, NodeKind::fill, from);
}

FOREWARP_EXPORT int cudaGraphAddHostNode(void** out, void* graph, void* const* after,
                                         std::size_t count, const HostNode* from) {
  return add(out, graph, after, count, NodeKind::host, from);
}
FOREWARP_EXPORT int cudaGraphHostNodeGetParams(void* node, HostNode* out) {
  return with_node(node, NodeKind::host, [&](Machine& /*machine*/, GraphNode& known) {
    *out = {known.function, known.data};
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphHostNodeSetParams(void* node, const HostNode* from) {
  return set(node, NodeKind::host, from);
}
FOREWARP_EXPORT int cudaGraphExecHostNodeSetParams(void* plan, void* node, const HostNode* from) {
  return set_step(plan, node, NodeKind::host, from);
}

FOREWARP_EXPORT int cudaGraphAddEmptyNode(void** out, void* graph, void* const* after,
                                          std::size_t count) {
  return add_node(out, graph, after, count, NodeKind::empty,
                  [](Machine& /*machine*/, GraphNode& /*node*/) { return Status::success; });
}
FOREWARP_EXPORT int cudaGraphAddChildGraphNode(void** out, void* graph, void* const* after,
                                               std::size_t count, void* child) {
  return with_graph(graph, [&](Machine& machine, Graph& known) {
    auto* const within = static_cast<Graph*>(child);
    if (!machine.graphs().has(within)) return Status::invalid_value;
    std::vector<GraphNode*> before;
    for (std::size_t i = 0; i < count; ++i) before.push_back(static_cast<GraphNode*>(after[i]));
    GraphNode* const made = machine.graphs().add_child(known, *within, before);
    if (made == nullptr) return Status::invalid_value;
    if (out != nullptr) *out = made;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphChildGraphNodeGetGraph(void* node, void** graph) {
  return with_node(node, NodeKind::graph, [&](Machine& /*machine*/, GraphNode& known) {
    *graph = known.child.get();
    return Status::success;
  });
}

FOREWARP_EXPORT int cudaGraphAddEventRecordNode(void** out, void* graph, void* const* after,
                                                std::size_t count, void* event) {
  return add_event(out, graph, after, count, NodeKind::record_event, event);
}
FOREWARP_EXPORT int cudaGraphAddEventWaitNode(void** out, void* graph, void* const* after,
                                              std::size_t count, void* event) {
  return add_event(out, graph, after, count, NodeKind::wait_event, event);
}
FOREWARP_EXPORT int cudaGraphEventRecordNodeGetEvent(void* node, void** event) {
  return get_event(node, NodeKind::record_event, event);
}
FOREWARP_EXPORT int cudaGraphEventWaitNodeGetEvent(void* node, void** event) {
  return get_event(node, NodeKind::wait_event, event);
}
FOREWARP_EXPORT int cudaGraphEventRecordNodeSetEvent(void* node, void* event) {
  return set_event(node, NodeKind::record_event, event);
}
FOREWARP_EXPORT int cudaGraphEventWaitNodeSetEvent(void* node, void* event) {
  return set_event(node, NodeKind::wait_event, event);
}
FOREWARP_EXPORT int cudaGraphExecEventRecordNodeSetEvent(void* plan, void* node, void* event) {
  return set_step_event(plan, node, NodeKind::record_event, event);
}
FOREWARP_EXPORT int cudaGraphExecEventWaitNodeSetEvent(void* plan, void* node, void* event) {
  return set_step_event(plan, node, NodeKind::wait_event, event);
}

FOREWARP_EXPORT int cudaGraphAddMemAllocNode(void** out, void* graph, void* const* after,
                                             std::size_t count, AllocateNode* from) {
  if (from == nullptr || from->bytes == 0) return static_cast<int>(Status::invalid_value);
  return add_node(
      out, graph, after, count, NodeKind::allocate, [&](Machine& machine, GraphNode& node) {
        const int device = from->pool.place.id;
        if (device < 0 || static_cast<std::uint32_t>(device) >= machine.devices())
          return Status::invalid_value;
        node.memory = machine.graph_memory(from->bytes, static_cast<std::uint32_t>(device));
        if (!node.memory) return Status::memory_allocation;
        from->address = pointer_to(node.memory->address);
        return Status::success;
      });
}
FOREWARP_EXPORT int cudaGraphMemAllocNodeGetParams(void* node, AllocateNode* out) {
  return with_node(node, NodeKind::allocate, [&](Machine& /*machine*/, GraphNode& known) {
    constexpr int pinned = 1, on_device = 1;  // cudaMemAllocationTypePinned, ..LocationTypeDevice
    *out = {};
    out->pool.allocation = pinned;
    out->pool.place.type = on_device;
    out->bytes = known.memory->bytes;
    out->address = pointer_to(known.memory->address);
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphAddMemFreeNode(void** out, void* graph, void* const* after,
                                            std::size_t count, void* pointer) {
  return add_node(out, graph, after, count, NodeKind::release,
                  [&](Machine& machine, GraphNode& node) {
                    node.memory = machine.graph_memory_at(address_of(pointer));
                    return node.memory ? Status::success : Status::invalid_value;
                  });
}
FOREWARP_EXPORT int cudaGraphMemFreeNodeGetParams(void* node, void* out) {
  return with_node(node, NodeKind::release, [&](Machine& /*machine*/, GraphNode& known) {
    *static_cast<void**>(out) = pointer_to(known.memory->address);
    return Status::success;
  });
}

FOREWARP_EXPORT int cudaGraphAddNode(void** out, void* graph, void* const* after, std::size_t count,
                                     AnyNode* from) {
  if (from == nullptr) return static_cast<int>(Status::invalid_value);
  const auto kind = static_cast<NodeKind>(from->kind);
  switch (kind) {
    case NodeKind::kernel:
      return add(out, graph, after, count, kind, &from->kernel);
    case NodeKind::copy:
      return add(out, graph, after, count, kind, &from->copy.what);
    case NodeKind::fill:
      return add(out, graph, after, count, kind, &from->fill);
    case NodeKind::host:
      return add(out, graph, after, count, kind, &from->host);
    case NodeKind::graph:
      return cudaGraphAddChildGraphNode(out, graph, after, count, from->handle);
    case NodeKind::empty:
      return cudaGraphAddEmptyNode(out, graph, after, count);
    case NodeKind::wait_event:
    case NodeKind::record_event:
      return add_event(out, graph, after, count, kind, from->handle);
    case NodeKind::allocate:
      return cudaGraphAddMemAllocNode(out, graph, after, count, &from->allocate);
    case NodeKind::release:
      return cudaGraphAddMemFreeNode(out, graph, after, count, from->handle);
    case NodeKind::library:
      break;
  }
  return unsupported("cudaGraphAddNode of a node with a condition or a semaphore");
}
FOREWARP_EXPORT int cudaGraphAddNode_v2(void** out, void* graph, void* const* after,
                                        const void* /*edges*/, std::size_t count, AnyNode* from) {
  return cudaGraphAddNode(out, graph, after, count, from);
}
