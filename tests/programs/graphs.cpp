// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Graphs, built of nodes and captured, as CUDA's runtime documents them. A word of the command line
// is a part; what does not hold is printed by its line.
#include "graphs.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "runtime.h"

extern "C" const char kernel_image[];
asm(".section .rodata\n.balign 16\nkernel_image: .incbin \"" KERNELS "\"\n.previous\n");

namespace {

struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* data = kernel_image;
  const void* more = nullptr;
};
const Wrapper wrapper;
char axpy, work;
float factors[4];

struct Registration {
  Registration() {
    void** const handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &axpy, nullptr, "axpy", -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
    __cudaRegisterFunction(handle, &work, nullptr, "work", -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
    __cudaRegisterVar(handle, reinterpret_cast<char*>(factors), nullptr, "factors", 0,
                      sizeof factors, 1, 0);
    __cudaRegisterFatBinaryEnd(handle);
  }
} const registration;

int failures = 0;
void holds(bool is, const char* text, int line) {
  if (is) return;
  std::printf("line %d: %s (last error: %s)\n", line, text, cudaGetErrorString(cudaGetLastError()));
  ++failures;
}
#define HOLDS(condition) holds(condition, #condition, __LINE__)
#define OK(call) HOLDS((call) == 0)
constexpr int unsupported = 900, invalidated = 901, merge = 902, unmatched = 903, unjoined = 904,
              isolation = 905, implicit = 906, captured_event = 907, wrong_thread = 908,
              update_failure = 910, invalid_value = 1;

constexpr int n = 1000;

struct Device {
  float *x = nullptr, *y = nullptr;
  float* host = nullptr;  ///< pinned
  void *stream = nullptr, *other = nullptr, *event = nullptr, *second = nullptr;
  Device() {
    OK(cudaMalloc(reinterpret_cast<void**>(&x), n * 4));
    OK(cudaMalloc(reinterpret_cast<void**>(&y), n * 4));
    OK(cudaMallocHost(reinterpret_cast<void**>(&host), n * 4));
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamCreateWithFlags(&other, 1));
    OK(cudaEventCreate(&event));
    OK(cudaEventCreate(&second));
    const std::vector<float> ones(n, 1.0F);
    OK(cudaMemcpy(x, ones.data(), n * 4, to_device));
    OK(cudaMemset(y, 0, n * 4));
  }
  /// y += a x
  int add(float a, void* in) const { return add_to(y, a, in); }
  int add_to(float* to, float a, void* in) const {
    int count = n;
    const float* from = x;
    void* values[] = {&count, &a, &from, &to};
    return cudaLaunchKernel(&axpy, {4}, {256}, values, 0, in);
  }
  [[nodiscard]] float last() const {
    float value = -1;
    OK(cudaMemcpy(&value, y + n - 1, 4, to_host));
    return value;
  }
};

/// The parameters of an axpy as a node has them.
struct Axpy {
  int count = n;
  float a = 1;
  const float* x = nullptr;
  float* y = nullptr;
  void* values[4] = {&count, &a, &x, &y};
  KernelNode node{&axpy, {4}, {256}, 0, values, nullptr};
  Axpy(const Device& on, float factor) : a(factor), x(on.x), y(on.y) {}
};

void count_up(void* at) {
  ++*static_cast<int*>(at);
}

void* instantiated(void* graph) {
  void* made = nullptr;
  OK(cudaGraphInstantiate(&made, graph, nullptr, nullptr, 0));
  return made;
}
void launched(const Device& on, void* plan) {
  OK(cudaGraphLaunch(plan, on.stream));
  OK(cudaStreamSynchronize(on.stream));
}

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
  HOLDS(cudaGraphAddDependencies(graph, &nodes[1], &nodes[3], 1) == invalid_value);  // a circle
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

/// Memory that nodes allocate and free.
void memory() {
  const Device on;
  void *graph = nullptr, *make = nullptr, *fill = nullptr, *copy = nullptr, *end = nullptr;
  AllocateNode asked{};
  asked.pool.allocation = 1;
  asked.pool.place_type = 1;
  asked.bytes = n * 4;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphAddMemAllocNode(&make, graph, nullptr, 0, &asked));
  HOLDS(asked.address != nullptr);
  const FillNode sevens{asked.address, 0, 7, 4, n, 1};
  OK(cudaGraphAddMemsetNode(&fill, graph, &make, 1, &sevens));
  OK(cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, on.host, asked.address, n * 4, to_host));
  OK(cudaGraphAddMemFreeNode(&end, graph, &copy, 1, asked.address));
  void* address = nullptr;
  OK(cudaGraphMemFreeNodeGetParams(end, &address));
  HOLDS(address == asked.address);
  void* const plan = instantiated(graph);
  for (int i = 0; i < 2; ++i) launched(on, plan);
  HOLDS(reinterpret_cast<int*>(on.host)[n - 1] == 7);
  HOLDS(cudaFree(asked.address) != 0);  // the graph has freed it

  // Captured, with the memory left to the program.
  void *captured = nullptr, *left = nullptr, *other = nullptr;
  OK(cudaStreamBeginCapture(on.stream, 0));
  OK(cudaMallocAsync(&left, n * 4, on.stream));
  OK(cudaMemsetAsync(left, 1, n * 4, on.stream));
  OK(on.add_to(static_cast<float*>(left), 1, on.stream));
  OK(cudaMallocAsync(&other, n * 4, on.stream));
  OK(cudaFreeAsync(other, on.stream));
  OK(cudaStreamEndCapture(on.stream, &captured));
  void* const leaves = instantiated(captured);
  launched(on, leaves);
  HOLDS(cudaGraphLaunch(leaves, on.stream) == invalid_value);  // it is not freed yet
  OK(cudaGraphExecDestroy(leaves));
  OK(cudaGraphDestroy(captured));
  float value = 0;
  OK(cudaMemcpy(&value, left, 4, to_host));
  HOLDS(std::fabs(value - 1) < 1e-6F);
  OK(cudaFree(left));
  HOLDS(cudaFree(left) != 0);

  OK(cudaStreamBeginCapture(on.stream, 0));
  OK(cudaMallocAsync(&left, n * 4, on.stream));
  OK(cudaStreamEndCapture(on.stream, &captured));
  void* frees = nullptr;
  OK(cudaGraphInstantiateWithFlags(&frees, captured, 1));
  for (int i = 0; i < 3; ++i) launched(on, frees);
  OK(cudaFreeAsync(left, on.stream));
}

/// Events that a graph records and waits for: a kernel takes in a graph what it takes alone.
void events() {
  const Device on;
  const auto works = [&] {
    float* at = on.x;
    int rounds = 100000;
    void* values[] = {&at, &rounds};
    OK(cudaLaunchKernel(&work, {1}, {32}, values, 0, on.stream));
  };
  void* graph = nullptr;
  OK(cudaStreamBeginCapture(on.stream, 0));
  OK(cudaEventRecordWithFlags(on.event, on.stream, 1));
  works();
  OK(cudaEventRecordWithFlags(on.second, on.stream, 1));
  OK(cudaStreamEndCapture(on.stream, &graph));
  void* nodes[3] = {};
  std::size_t count = 3;
  OK(cudaGraphGetNodes(graph, nodes, &count));
  HOLDS(count == 3);
  int kind = -1;
  OK(cudaGraphNodeGetType(nodes[0], &kind));
  HOLDS(kind == 7);
  void* event = nullptr;
  OK(cudaGraphEventRecordNodeGetEvent(nodes[2], &event));
  HOLDS(event == on.second);
  launched(on, instantiated(graph));
  float in_graph = 0, alone = 0;
  OK(cudaEventElapsedTime(&in_graph, on.event, on.second));
  OK(cudaEventRecord(on.event, on.stream));
  works();
  OK(cudaEventRecord(on.second, on.stream));
  OK(cudaEventSynchronize(on.second));
  OK(cudaEventElapsedTime(&alone, on.event, on.second));
  HOLDS(std::fabs(in_graph - alone) < 0.05 * alone);

  // A graph that waits for an event of another stream ends behind it.
  void *waiting = nullptr, *wait = nullptr, *end = nullptr, *begin = nullptr;
  OK(cudaEventCreate(&begin));
  OK(cudaGraphCreate(&waiting, 0));
  OK(cudaGraphAddEventWaitNode(&wait, waiting, nullptr, 0, on.event));
  OK(cudaGraphAddEventRecordNode(&end, waiting, &wait, 1, on.second));
  void* const plan = instantiated(waiting);
  OK(cudaEventRecord(begin, on.stream));
  works();
  OK(cudaEventRecord(on.event, on.stream));
  OK(cudaGraphLaunch(plan, on.other));
  OK(cudaStreamSynchronize(on.other));
  float behind = 0;
  OK(cudaEventElapsedTime(&behind, begin, on.second));
  HOLDS(behind >= alone);
}

/// Work of the host is done where the graph has come to it, not at the end.
void host_between() {
  const Device on;
  on.host[0] = 1;
  OK(cudaMemset(on.y, 0, n * 4));
  void* graph = nullptr;
  OK(cudaStreamBeginCapture(on.stream, 2));
  OK(cudaMemcpyAsync(on.host, on.x, 4, to_host, on.stream));
  OK(cudaLaunchHostFunc(
      on.stream, [](void* at) { *static_cast<float*>(at) += 41; }, on.host));
  OK(cudaMemcpyAsync(on.y + n - 1, on.host, 4, to_device, on.stream));
  OK(cudaStreamEndCapture(on.stream, &graph));
  launched(on, instantiated(graph));
  HOLDS(on.last() == 42);
}

/// The capture is ended with an error, and streams are as before.
void ends_with(const Device& on, int error) {
  void* graph = &failures;
  HOLDS(cudaStreamEndCapture(on.stream, &graph) == error);
  HOLDS(graph == nullptr);
  int state = -1;
  OK(cudaStreamIsCapturing(on.stream, &state));
  HOLDS(state == 0);
}
void begins(const Device& on, int mode = 0) {
  OK(cudaStreamBeginCapture(on.stream, mode));
  OK(on.add(1, on.stream));
}

/// Calls that are not allowed while a stream is captured.
void illegal() {
  const Device on;
  void* made = nullptr;
  begins(on);
  HOLDS(cudaStreamSynchronize(on.stream) == unsupported);
  HOLDS(on.add(1, on.stream) == invalidated);
  int state = -1;
  OK(cudaStreamIsCapturing(on.stream, &state));
  HOLDS(state == 2);
  ends_with(on, invalidated);
  begins(on);
  HOLDS(cudaStreamQuery(on.stream) == unsupported);
  ends_with(on, invalidated);
  begins(on);
  HOLDS(cudaDeviceSynchronize() == unsupported);
  ends_with(on, invalidated);
  begins(on);
  HOLDS(cudaMalloc(&made, 16) == unsupported && made == nullptr);
  ends_with(on, invalidated);
  begins(on);
  HOLDS(cudaEventQuery(on.second) == unsupported);
  ends_with(on, invalidated);
  begins(on);
  OK(cudaEventRecord(on.event, on.stream));
  HOLDS(cudaEventSynchronize(on.event) == captured_event);
  ends_with(on, invalidated);
  begins(on);  // a blocking stream
  HOLDS(cudaMemcpy(on.host, on.x, 4, to_host) == implicit);
  ends_with(on, invalidated);
  begins(on);
  HOLDS(on.add(1, nullptr) == implicit);
  ends_with(on, invalidated);
  OK(cudaEventRecord(on.second, on.other));
  begins(on);
  HOLDS(cudaStreamWaitEvent(on.stream, on.second, 0) == isolation);
  ends_with(on, invalidated);
  // Unjoined work, and ends of another stream.
  begins(on);
  OK(cudaEventRecord(on.event, on.stream));
  OK(cudaStreamWaitEvent(on.other, on.event, 0));
  OK(on.add(1, on.other));
  ends_with(on, unjoined);
  begins(on);
  OK(cudaEventRecord(on.event, on.stream));
  OK(cudaStreamWaitEvent(on.other, on.event, 0));
  HOLDS(cudaStreamEndCapture(on.other, &made) == unmatched);
  ends_with(on, invalidated);
  // Two captures do not become one.
  begins(on);
  OK(cudaEventRecord(on.event, on.stream));
  OK(cudaStreamBeginCapture(on.other, 0));
  HOLDS(cudaStreamWaitEvent(on.other, on.event, 0) == merge);
  HOLDS(cudaStreamEndCapture(on.other, &made) == invalidated);
  ends_with(on, invalidated);
  HOLDS(cudaStreamEndCapture(on.stream, &made) == invalid_value);
  HOLDS(cudaStreamBeginCapture(nullptr, 0) == unsupported);
  HOLDS(on.last() == 0);
  OK(on.add(1, on.stream));
  OK(cudaStreamSynchronize(on.stream));
  HOLDS(on.last() == 1);
}

/// Which calls a thread may make depends on the modes of the capture and of the thread.
void modes() {
  const Device on;
  void *made = nullptr, *graph = nullptr;
  begins(on, 2);
  OK(cudaMalloc(&made, 16));
  OK(cudaEventQuery(on.second));
  OK(cudaStreamEndCapture(on.stream, &graph));
  begins(on, 1);  // of this thread: others may
  std::thread([&] { OK(cudaMalloc(&made, 16)); }).join();
  std::thread([&] { HOLDS(cudaStreamEndCapture(on.stream, &graph) == wrong_thread); }).join();
  OK(cudaStreamEndCapture(on.stream, &graph));
  begins(on, 0);
  std::thread([&] {
    int mode = 1;
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    HOLDS(mode == 0);
    OK(cudaMalloc(&made, 16));
  }).join();
  std::thread([&] { HOLDS(cudaMalloc(&made, 16) == unsupported); }).join();
  ends_with(on, invalidated);
  begins(on, 0);
  int mode = 2;
  OK(cudaThreadExchangeStreamCaptureMode(&mode));
  OK(cudaMalloc(&made, 16));
  OK(cudaThreadExchangeStreamCaptureMode(&mode));
  OK(cudaStreamEndCapture(on.stream, &graph));
}

/// What a capture tells, nodes added by hand, and a graph launched into it.
void info() {
  const Device on;
  int state = -1;
  unsigned long long id = 0, other_id = 0;
  OK(cudaStreamGetCaptureInfo(on.stream, &state, &id));
  HOLDS(state == 0);
  begins(on);
  void *graph = nullptr, **last = nullptr, *fill = nullptr, *ended = nullptr;
  std::size_t count = 0;
  OK(cudaStreamGetCaptureInfo_v2(on.stream, &state, &id, &graph, &last, &count));
  HOLDS(state == 1 && id != 0 && count == 1);
  OK(cudaStreamGetCaptureInfo(on.stream, &state, &other_id));
  HOLDS(id == other_id);
  const FillNode zeros{on.y, 0, 0, 4, n, 1};
  OK(cudaGraphAddMemsetNode(&fill, graph, last, count, &zeros));
  OK(cudaStreamUpdateCaptureDependencies(on.stream, &fill, 1, 1));
  OK(on.add(9, on.stream));
  OK(cudaStreamEndCapture(on.stream, &ended));
  HOLDS(ended == graph);
  void* const plan = instantiated(graph);
  launched(on, plan);
  HOLDS(on.last() == 9);
  begins(on);
  OK(cudaGraphLaunch(plan, on.stream));
  OK(on.add(1, on.stream));
  OK(cudaStreamEndCapture(on.stream, &ended));
  OK(cudaGraphGetNodes(ended, nullptr, &count));
  HOLDS(count == 3);
  launched(on, instantiated(ended));
  HOLDS(on.last() == 10);
}

const std::map<std::string, void (*)()> parts{
    {"nodes", nodes},   {"shape", shape},   {"children", children}, {"update", update},
    {"memory", memory}, {"events", events}, {"host", host_between}, {"illegal", illegal},
    {"modes", modes},   {"info", info}};

}  // namespace

int main(int argc, char** argv) {
  for (const auto& [name, part] : parts) {
    if (argc > 1 && name != argv[1]) continue;
    part();
  }
  std::printf("%s %d failures\n", failures == 0 ? "PASS" : "MISS", failures);
  return failures == 0 ? 0 : 1;
}
