// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Calls of the vendor's libraries: computed by the host at once, with the time of a model.
#include <chrono>
#include <vector>

#include "program_run/machine.h"

namespace forewarp::program_run {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Status Machine::library(const LibraryCall& call, StreamId stream, std::uint32_t device) {
  if (fault_ != Status::success) return fault_;
  if (const Status refused = admits(stream); refused != Status::success) return refused;
  if (node_ == nullptr && capture_of(stream) != nullptr) {
    GraphNode node;
    node.kind = GraphNode::Kind::library;
    node.library = call;
    capture(stream, std::move(node));
    return Status::success;
  }
  std::uint64_t at = 0;
  std::vector<LibraryUse> uses = call.uses;
  auto outside = LibraryCalls::outside(call.name(), uses, memory_, at);
  if (!outside && call.found) {
    const std::vector<LibraryUse> found = call.found();
    uses.insert(uses.end(), found.begin(), found.end());
    outside = LibraryCalls::outside(call.name(), found, memory_, at);
  }
  if (outside) {
    tell("memory", *outside);
    if (!memory_.is_mapped(at)) fail(Status::illegal_address, device);
    return Status::illegal_address;
  }
  const auto predicted = libraries_->predict(call, database_.directory().string());
  if (!predicted) {
    tell("error", predicted.error().line());
    return Status::unknown;
  }
  LaunchRecord record;
  record.state = compute(call, uses) ? "library" : "skipped";
  if (!launcher_->selects(call.name())) record.state = "unselected";
  record.kernel = predicted->kernel;
  record.prediction = predicted->prediction;
  record.device = device;
  record.stream = stream;
  record.issued = record.begin = record.end = clock_.now();
  if (record.state != "unselected") {
    const Interval when =
        place(stream, device, Engine::compute, 1000 * predicted->ms, predicted->share);
    record.begin = when.begin;
    record.end = when.end;
  }
  journal_.add(record);
  if (node_ == nullptr) costs_.charge(hardware::HostCall::launch);
  return Status::success;
}

bool Machine::compute(const LibraryCall& call, const std::vector<LibraryUse>& uses) {
  const bool whole = launcher_->begins_library_call();
  if (!whole) return false;
  const auto begin = std::chrono::steady_clock::now();
  call.compute();
  launcher_->ended_library_call(call.operations, seconds_since(begin));
  for (const LibraryUse& use : uses) {
    if (use.written && !settings_.again) memory_.replaced(use.address, use.bytes);
  }
  return true;
}

}  // namespace forewarp::program_run
