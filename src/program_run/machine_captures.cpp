// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Capturing streams into graphs, and what is not allowed meanwhile.
#include <algorithm>
#include <utility>

#include "program_run/machine.h"

namespace forewarp::program_run {

Status Machine::begin_capture(StreamId stream, const CapturingThread& thread, Capture::Mode mode) {
  if (captured_.contains(stream)) return Status::invalid_value;
  auto made = std::make_unique<Capture>();
  made->graph = graphs_.make();
  made->origin = stream;
  made->mode = mode;
  made->thread = thread.id;
  made->id = ++captures_made_;
  captured_[stream] = {made.get(), {}};
  captures_.push_back(std::move(made));
  return Status::success;
}

Status Machine::end_capture(StreamId stream, const CapturingThread& thread, Graph** graph) {
  *graph = nullptr;
  const auto found = captured_.find(stream);
  if (found == captured_.end()) return Status::illegal_state;
  Capture* const capture = found->second.capture;
  if (capture->origin != stream) {
    capture->invalid = true;
    return Status::capture_unmatched;
  }
  // From another thread the capture ends, too, as on a board.
  const bool strange = capture->mode != Capture::Mode::relaxed && capture->thread != thread.id;
  Status status = strange            ? Status::capture_wrong_thread
                  : capture->invalid ? Status::capture_invalidated
                                     : Status::success;
  for (auto& [other, captured] : captured_) {
    std::erase_if(captured.last, [&](const GraphNode* node) { return !graphs_.has_node(node); });
  }
  const auto joins = [&](const GraphNode* node) {
    return std::any_of(found->second.last.begin(), found->second.last.end(),
                       [&](const GraphNode* last) { return reaches(last, node); });
  };
  for (const auto& [other, captured] : captured_) {
    if (status != Status::success || captured.capture != capture || other == stream) continue;
    if (!std::all_of(captured.last.begin(), captured.last.end(), joins))
      status = Status::capture_unjoined;
  }
  Graph* const made = capture->graph;
  std::erase_if(captured_, [&](const auto& one) { return one.second.capture == capture; });
  for (const auto& [known, event] : events_) {
    if (event->capture == capture) event->capture = nullptr;
  }
  std::erase_if(captures_, [&](const auto& one) { return one.get() == capture; });
  if (status == Status::success) {
    *graph = made;
  } else {
    graphs_.end(made);
  }
  return status;
}

bool Machine::end_graph(Graph* graph) {
  const bool captured = std::any_of(captures_.begin(), captures_.end(),
                                    [&](const auto& one) { return one->graph == graph; });
  return !captured && graphs_.end(graph);
}

const Capture* Machine::capture_of(StreamId stream) const {
  const auto found = captured_.find(stream);
  return found == captured_.end() ? nullptr : found->second.capture;
}

void Machine::invalidate(const Capture* capture) {
  for (const auto& known : captures_) {
    if (known.get() == capture) known->invalid = true;
  }
}

Status Machine::unsafe_call(const CapturingThread& thread) {
  Status status = Status::success;
  if (thread.mode == Capture::Mode::relaxed) return status;
  for (const auto& capture : captures_) {
    const bool own = capture->thread == thread.id && capture->mode != Capture::Mode::relaxed;
    const bool of_all =
        capture->mode == Capture::Mode::global && thread.mode == Capture::Mode::global;
    if (!own && !of_all) continue;
    capture->invalid = true;
    status = Status::capture_unsupported;
  }
  return status;
}

Status Machine::asks_stream(StreamId stream) {
  const Capture* const capture = capture_of(stream);
  if (capture == nullptr) return stream == legacy_stream ? admits(stream) : Status::success;
  const bool before = capture->invalid;
  invalidate(capture);
  return before ? Status::capture_invalidated : Status::capture_unsupported;
}

Status Machine::asks_device() {
  for (const auto& capture : captures_) capture->invalid = true;
  return captures_.empty() ? Status::success : Status::capture_unsupported;
}

Status Machine::launches_graph(StreamId stream) {
  if (const Status refused = admits(stream); refused != Status::success) return refused;
  const Capture* const capture = capture_of(stream);
  if (capture == nullptr) return Status::success;
  invalidate(capture);
  return Status::capture_unsupported;
}

Status Machine::asks_event(const Event& event) {
  if (event.capture == nullptr) return Status::success;
  invalidate(event.capture);
  return Status::captured_event;
}

Status Machine::admits(StreamId stream) {
  if (node_ != nullptr || captures_.empty()) return Status::success;
  if (const Capture* const capture = capture_of(stream))
    return capture->invalid ? Status::capture_invalidated : Status::success;
  if (stream != legacy_stream) return Status::success;
  Status status = Status::success;
  for (const auto& [other, captured] : captured_) {
    if (!schedule_of(other, 0).is_blocking(other)) continue;
    captured.capture->invalid = true;
    status = Status::capture_implicit;
  }
  return status;
}

GraphNode* Machine::capture(StreamId stream, GraphNode node) {
  CapturedStream& captured = captured_[stream];
  if (captured.capture->invalid) return nullptr;
  costs_.charge(hardware::HostCall::capture);
  GraphNode* const made = graphs_.add(*captured.capture->graph, std::move(node), captured.last);
  if (made != nullptr) captured.last = {made};
  return made;
}

}  // namespace forewarp::program_run
