// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Graphs built of nodes, as CUDA's runtime documents them. What does not hold is printed by its
// line.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "graph_device.h"

namespace {

/// fill -> kernel -> copy to the host -> host, with all that is asked of and set at nodes.
void nodes() {
  const Device on;
  void *graph = nullptr, *fill = nullptr, *kernel = nullptr, *copy = nullptr, *host = nullptr;
  int calls = 0;
  OK(cudaGraphCreate(&graph, 0));
  const FillNode zeros{on.y, 0, 0, 4, n, 1};
  OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zeros));
  Axpy add(on, 3);
  OK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &add.node));
  OK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, on.host, on.y, n * 4, to_host));
  const HostNode counts{count_up, &calls};
  OK(cudaGraphAddHostNode(&host, graph, &copy, 1, &counts));
  void* const plan = instantiated(graph);
  launched(on, plan);
  HOLDS(on.host[n - 1] == 3 && calls == 1);

  KernelNode read{};
  OK(cudaGraphKernelNodeGetParams(kernel, &read));
  HOLDS(read.function == &axpy && read.grid.x == 4 && read.block.x == 256);
  HOLDS(*static_cast<float*>(read.values[1]) == 3);
  add.a = 5;
  OK(cudaGraphExecKernelNodeSetParams(plan, kernel, &add.node));
  launched(on, plan);
  HOLDS(on.host[0] == 5 && calls == 2);
  add.a = 7;  // of the graph, not of what was made of it
  OK(cudaGraphKernelNodeSetParams(kernel, &add.node));
  launched(on, plan);
  HOLDS(on.host[0] == 5);
  launched(on, instantiated(graph));
  HOLDS(on.host[0] == 7 && calls == 4);

  FillNode filled{};
  OK(cudaGraphMemsetNodeGetParams(fill, &filled));
  HOLDS(filled.to == on.y && filled.element == 4 && filled.width == n && filled.height == 1);
  filled.value = 0x3f800000;  // 1.0F
  OK(cudaGraphExecMemsetNodeSetParams(plan, fill, &filled));
  launched(on, plan);
  HOLDS(on.host[0] == 6);
  HostNode hosted{};
  OK(cudaGraphHostNodeGetParams(host, &hosted));
  HOLDS(hosted.function == count_up && hosted.data == &calls);
  int others = 0;
  hosted.data = &others;
  OK(cudaGraphExecHostNodeSetParams(plan, host, &hosted));
  OK(cudaGraphExecMemcpyNodeSetParams1D(plan, copy, on.host + 1, on.y, 8, to_host));
  on.host[0] = on.host[1] = -1;
  launched(on, plan);
  HOLDS(others == 1 && calls == 5 && on.host[0] == -1 && on.host[1] == 6);
  CopyNode copied{};
  OK(cudaGraphMemcpyNodeGetParams(copy, &copied));
  HOLDS(copied.to.at == on.host && copied.from.at == on.y && copied.width == n * 4);
  OK(cudaGraphMemcpyNodeSetParams(copy, &copied));
  OK(cudaGraphNodeSetEnabled(plan, kernel, 0));
  unsigned enabled = 1;
  OK(cudaGraphNodeGetEnabled(plan, kernel, &enabled));
  HOLDS(enabled == 0);
  launched(on, plan);
  HOLDS(on.host[1] == 1);
  HOLDS(cudaGraphMemsetNodeSetParams(kernel, &filled) == invalid_value);
  HOLDS(cudaGraphKernelNodeGetParams(&others, &read) == invalid_value);
  OK(cudaGraphExecDestroy(plan));
  HOLDS(cudaGraphLaunch(plan, on.stream) == invalid_value);

  // A variable of the program.
  void *symbols = nullptr, *to = nullptr, *from = nullptr;
  const float four[4] = {4, 5, 6, 7};
  float got[2] = {};
  OK(cudaGraphCreate(&symbols, 0));
  OK(cudaGraphAddMemcpyNodeToSymbol(&to, symbols, nullptr, 0, factors, four, 16, 0, to_device));
  OK(cudaGraphAddMemcpyNodeFromSymbol(&from, symbols, &to, 1, got, factors, 8, 4, to_host));
  launched(on, instantiated(symbols));
  HOLDS(got[0] == 5 && got[1] == 6);
}

/// What a graph looks like, and how that is changed.
void shape() {
  const Device on;
  void *graph = nullptr, *nodes[5] = {};
  OK(cudaGraphCreate(&graph, 0));
  for (int i = 0; i < 4; ++i) OK(cudaGraphAddEmptyNode(&nodes[i], graph, nullptr, 0));
  // 3 -> 0 -> 1, 3 -> 2: a later node before an earlier one
  void *from[] = {nodes[3], nodes[0], nodes[3]}, *to[] = {nodes[0], nodes[1], nodes[2]};
  OK(cudaGraphAddDependencies(graph, from, to, 3));
  // A circle, which shows later.
  OK(cudaGraphAddDependencies(graph, &nodes[1], &nodes[3], 1));
  void* none = nullptr;
  HOLDS(cudaGraphInstantiate(&none, graph, nullptr, nullptr, 0) == invalid_value);
  OK(cudaGraphRemoveDependencies(graph, &nodes[1], &nodes[3], 1));
  void *found[8] = {}, *ends[8] = {};
  std::size_t count = 8;
  OK(cudaGraphGetRootNodes(graph, found, &count));
  HOLDS(count == 1 && found[0] == nodes[3] && found[1] == nullptr);
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, &count));
  HOLDS(count == 3);
  OK(cudaGraphGetEdges(graph, found, ends, &count));
  HOLDS(found[0] == nodes[3] && ends[0] == nodes[0] && found[1] == nodes[0] && ends[1] == nodes[1]);
  count = 8;
  OK(cudaGraphNodeGetDependentNodes(nodes[3], found, &count));
  HOLDS(count == 2 && found[0] == nodes[0] && found[1] == nodes[2]);
  OK(cudaGraphNodeGetDependencies(nodes[1], nullptr, &count));
  HOLDS(count == 1);
  int kind = -1;
  OK(cudaGraphNodeGetType(nodes[0], &kind));
  HOLDS(kind == 5);
  OK(cudaGraphRemoveDependencies(graph, from, to, 1));
  OK(cudaGraphGetRootNodes(graph, nullptr, &count));
  HOLDS(count == 2);

  void *clone = nullptr, *twin = nullptr;
  OK(cudaGraphClone(&clone, graph));
  OK(cudaGraphNodeFindInClone(&twin, nodes[0], clone));
  HOLDS(twin != nullptr && twin != nodes[0]);
  OK(cudaGraphDestroyNode(twin));
  HOLDS(cudaGraphNodeGetType(twin, &kind) == invalid_value);
  OK(cudaGraphGetNodes(clone, nullptr, &count));
  HOLDS(count == 3);
  OK(cudaGraphGetEdges(clone, nullptr, nullptr, &count));
  HOLDS(count == 1);
  OK(cudaGraphGetNodes(graph, nullptr, &count));
  HOLDS(count == 4);
  HOLDS(cudaGraphNodeFindInClone(&twin, nodes[0], clone) == invalid_value);

  const char* const folder = std::getenv("TMPDIR");
  const std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/forewarp-graph-" +
                           std::to_string(reinterpret_cast<std::uintptr_t>(&on)) + ".dot";
  OK(cudaGraphDebugDotPrint(graph, path.c_str(), 0));
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::remove(path.c_str());
  HOLDS(text.str().starts_with("digraph dot {") && text.str().find("->") != std::string::npos);
  OK(cudaGraphDestroy(clone));
  OK(cudaGraphDestroy(graph));
  HOLDS(cudaGraphDestroy(graph) == invalid_value);
}

/// A graph within a graph, twice.
void children() {
  const Device on;
  void *part = nullptr, *node = nullptr, *whole = nullptr, *first = nullptr, *second = nullptr;
  OK(cudaGraphCreate(&part, 0));
  Axpy add(on, 2);
  OK(cudaGraphAddKernelNode(&node, part, nullptr, 0, &add.node));
  OK(cudaGraphCreate(&whole, 0));
  OK(cudaGraphAddChildGraphNode(&first, whole, nullptr, 0, part));
  OK(cudaGraphAddChildGraphNode(&second, whole, &first, 1, part));
  int kind = -1;
  OK(cudaGraphNodeGetType(first, &kind));
  HOLDS(kind == 4);
  void* const plan = instantiated(whole);
  launched(on, plan);
  HOLDS(on.last() == 4);
  void *within = nullptr, *inner = nullptr;
  std::size_t count = 1;
  OK(cudaGraphChildGraphNodeGetGraph(second, &within));
  HOLDS(within != part && cudaGraphDestroy(within) == invalid_value);
  OK(cudaGraphGetNodes(within, &inner, &count));
  add.a = 10;
  OK(cudaGraphExecKernelNodeSetParams(plan, inner, &add.node));
  launched(on, plan);
  HOLDS(on.last() == 16);
}

/// Takes over another graph of the same shape.
void update() {
  const Device on;
  const auto captured = [&](float a, bool twice) {
    void* graph = nullptr;
    OK(cudaStreamBeginCapture(on.stream, 1));
    OK(on.add(a, on.stream));
    if (twice) OK(on.add(a, on.stream));
    OK(cudaMemcpyAsync(on.host, on.y, n * 4, to_host, on.stream));
    OK(cudaStreamEndCapture(on.stream, &graph));
    return graph;
  };
  void* const graph = captured(1, false);
  void* const plan = instantiated(graph);
  void* node = nullptr;
  int result = -1;
  OK(cudaGraphExecUpdate(plan, captured(5, false), &node, &result));
  HOLDS(result == 0);
  launched(on, plan);
  HOLDS(on.host[0] == 5);
  HOLDS(cudaGraphExecUpdate(plan, captured(5, true), &node, &result) == update_failure);
  HOLDS(result == 2);
  launched(on, plan);
  HOLDS(on.host[0] == 10);
  // Its nodes are still those of the first graph.
  void* nodes[2] = {};
  std::size_t count = 2;
  OK(cudaGraphGetNodes(graph, nodes, &count));
  Axpy add(on, 100);
  OK(cudaGraphExecKernelNodeSetParams(plan, nodes[0], &add.node));
  launched(on, plan);
  HOLDS(on.host[0] == 110);
}

const std::map<std::string, void (*)()> parts{
    {"nodes", nodes}, {"shape", shape}, {"children", children}, {"update", update}};

}  // namespace

int main(int argc, char** argv) {
  return run_parts(parts, argc, argv);
}
