// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime interface: streams whose work goes into a graph.
#include "graph_calls.h"
#include "per_thread.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::Capture;

namespace {

constexpr int none = 0, active = 1, invalidated = 2;  // cudaStreamCaptureStatus*

int state_of(const Capture* capture) {
  if (capture == nullptr) return none;
  return capture->invalid ? invalidated : active;
}

int begin(StreamId stream, int mode) {
  return runtime_call([&](Machine& machine) {
    if (stream == forewarp::program_run::legacy_stream) return Status::capture_unsupported;
    if (mode < 0 || mode > 2) return Status::invalid_value;
    if (!machine.has_stream(stream)) return Status::invalid_handle;
    return machine.begin_capture(stream, capturing_thread(), static_cast<Capture::Mode>(mode));
  });
}

int end(StreamId stream, void** graph) {
  return runtime_call([&](Machine& machine) {
    Graph* made = nullptr;
    const Status status = machine.end_capture(stream, capturing_thread(), &made);
    *graph = made;
    return status;
  });
}

struct CaptureInfo {
  int* state;
  unsigned long long* id;
  void** graph;
  void*** nodes;
  std::size_t* count;
};

int info(StreamId stream, const CaptureInfo& out) {
  return runtime_call([&](Machine& machine) {
    if (out.state == nullptr) return Status::invalid_value;
    const Capture* const capture = machine.capture_of(stream);
    *out.state = state_of(capture);
    if (capture == nullptr) return machine.admits(stream);
    if (out.id != nullptr) *out.id = capture->id;
    if (out.graph != nullptr) *out.graph = capture->graph;
    auto& last = machine.captured_last(stream);
    if (out.nodes != nullptr) *out.nodes = reinterpret_cast<void**>(last.data());  // NOLINT
    if (out.count != nullptr) *out.count = last.size();
    return Status::success;
  });
}

int follow(StreamId stream, void* const* nodes, std::size_t count, unsigned flags) {
  constexpr unsigned set = 1;  // cudaStreamSetCaptureDependencies
  return runtime_call([&](Machine& machine) {
    const Capture* const capture = machine.capture_of(stream);
    if (capture == nullptr) return Status::invalid_value;
    if (capture->invalid) return Status::capture_invalidated;
    auto last = machine.captured_last(stream);
    if (flags == set) last.clear();
    for (std::size_t i = 0; i < count; ++i) {
      auto* const node = static_cast<GraphNode*>(nodes[i]);
      if (!machine.graphs().has_node(node) || node->graph != capture->graph)
        return Status::invalid_value;
      if (std::find(last.begin(), last.end(), node) == last.end()) last.push_back(node);
    }
    machine.captured_last(stream) = std::move(last);
    return Status::success;
  });
}

}  // namespace

FOREWARP_EXPORT int cudaStreamBeginCapture(void* stream, int mode) {
  return begin(stream_of(stream), mode);
}
FOREWARP_EXPORT int cudaStreamEndCapture(void* stream, void** graph) {
  return end(stream_of(stream), graph);
}
FOREWARP_EXPORT int cudaStreamIsCapturing(void* stream, int* status) {
  return info(stream_of(stream), {status, nullptr, nullptr, nullptr, nullptr});
}
FOREWARP_EXPORT int cudaThreadExchangeStreamCaptureMode(int* mode) {
  if (mode == nullptr || *mode < 0 || *mode > 2) return static_cast<int>(Status::invalid_value);
  const auto own = std::exchange(thread_state().capture_mode, static_cast<Capture::Mode>(*mode));
  *mode = static_cast<int>(own);
  return 0;
}
FOREWARP_EXPORT int cudaStreamGetCaptureInfo(void* stream, int* state, unsigned long long* id) {
  return info(stream_of(stream), {state, id, nullptr, nullptr, nullptr});
}
FOREWARP_EXPORT int cudaStreamGetCaptureInfo_v2(void* stream, int* state, unsigned long long* id,
                                                void** graph, void*** nodes, std::size_t* count) {
  return info(stream_of(stream), {state, id, graph, nodes, count});
}
FOREWARP_EXPORT int cudaStreamUpdateCaptureDependencies(void* stream, void* const* nodes,
                                                        std::size_t count, unsigned flags) {
  return follow(stream_of(stream), nodes, count, flags);
}
// As before, with data of edges, of which there is none.
FOREWARP_EXPORT int cudaStreamGetCaptureInfo_v3(void* stream, int* state, unsigned long long* id,
                                                void** graph, void*** nodes, const void** edges,
                                                std::size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return cudaStreamGetCaptureInfo_v2(stream, state, id, graph, nodes, count);
}
FOREWARP_EXPORT int cudaStreamUpdateCaptureDependencies_v2(void* stream, void* const* nodes,
                                                           const void* /*edges*/, std::size_t count,
                                                           unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(stream, nodes, count, flags);
}

PER_THREAD(cudaStreamBeginCapture, _ptsz, 2)
PER_THREAD(cudaStreamEndCapture, _ptsz, 2)
PER_THREAD(cudaStreamIsCapturing, _ptsz, 2)
PER_THREAD(cudaStreamGetCaptureInfo, _ptsz, 3)
PER_THREAD(cudaStreamGetCaptureInfo_v2, _ptsz, 6)
PER_THREAD(cudaStreamUpdateCaptureDependencies, _ptsz, 4)
PER_THREAD(cudaStreamGetCaptureInfo_v3, _ptsz, 7)
PER_THREAD(cudaStreamUpdateCaptureDependencies_v2, _ptsz, 5)
