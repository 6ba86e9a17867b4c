// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Streams that are captured into graphs, memory and events of graphs, and what is not allowed
// meanwhile, as CUDA's runtime documents it. What does not hold is printed by its line.
#include <cmath>
#include <map>
#include <string>
#include <thread>

#include "graph_device.h"

namespace {

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
  for (int i = 0; i < 20; ++i) works();  // while the host makes its calls, on a busy machine too
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
  HOLDS(cudaStreamEndCapture(on.stream, &made) == illegal_state);
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
  HOLDS(cudaStreamEndCapture(on.stream, &graph) == illegal_state);
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

/// What a capture tells, nodes added by hand, and a graph that cannot be launched into it.
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
  HOLDS(cudaGraphLaunch(plan, on.stream) == unsupported);
  HOLDS(on.add(1, on.stream) == invalidated);
  HOLDS(cudaStreamEndCapture(on.stream, &ended) == invalidated);
}

const std::map<std::string, void (*)()> parts{{"memory", memory},     {"events", events},
                                              {"host", host_between}, {"illegal", illegal},
                                              {"modes", modes},       {"info", info}};

}  // namespace

int main(int argc, char** argv) {
  return run_parts(parts, argc, argv);
}
