// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Copies and fills: what they do at once, and when a board would have done it.
#include <algorithm>
#include <cstring>

#include "model/transfer/copy_time.h"
#include "program_run/host_pages.h"
#include "program_run/machine.h"

namespace forewarp::program_run {
namespace {

std::uint8_t* bytes_at(std::uint64_t address) {
  return reinterpret_cast<std::uint8_t*>(address);  // NOLINT: an address of this process
}

/// The start-up of pinned copies that a benchmark gives has a wait for the whole device in it,
/// which is the program's own here. The driver brings pageable memory through a pinned buffer: that
/// is a pinned copy and more, so that none takes longer. Where single copies were measured, both
/// are as they were.
double pinned_us(const hardware::Link& link, hardware::CopyDirection direction, double bytes) {
  using hardware::HostMemory;
  const double direct = model::copy_time(link, direction, HostMemory::pinned, bytes).us;
  const bool single = link.path(direction, HostMemory::pinned).confidence == Confidence::measured;
  if (single || link.path(direction, HostMemory::pageable).share <= 0) return direct;
  return std::min(direct, model::copy_time(link, direction, HostMemory::pageable, bytes).us);
}

bool on_device(const Allocation* at) {
  return at != nullptr && at->kind != MemoryKind::pinned && at->kind != MemoryKind::registered;
}

/// From the first byte to the last one of all rows.
std::uint64_t extent(std::uint64_t width, std::uint64_t height, std::uint64_t depth,
                     std::uint64_t pitch, std::uint64_t slice) {
  return (depth - 1) * slice + (height - 1) * pitch + width;
}

bool holds(const Allocation& at, std::uint64_t begin, std::uint64_t bytes) {
  return bytes <= at.bytes && begin - at.address <= at.bytes - bytes;
}

/// Whether all rows, which lie in no allocation, can be read or written.
bool reachable(HostPages::Use use, std::uint64_t begin, const CopyOrder& order, std::uint64_t pitch,
               std::uint64_t slice) {
  HostPages pages(use);
  for (std::uint64_t z = 0; z < order.depth; ++z) {
    for (std::uint64_t y = 0; y < order.height; ++y) {
      if (!pages.add(begin + z * slice + y * pitch, order.width)) return false;
    }
  }
  return pages.finish();
}

}  // namespace

Status Machine::check_copy(const CopyOrder& order) {
  const Allocation* to = memory_.find(order.to);
  const Allocation* from = memory_.find(order.from);
  const bool into_device = order.kind == CopyKind::to_device || order.kind == CopyKind::on_device;
  const bool from_device = order.kind == CopyKind::to_host || order.kind == CopyKind::on_device;
  if (to == nullptr && (into_device || memory_.is_device_address(order.to)))
    return Status::invalid_value;
  if (from == nullptr && (from_device || memory_.is_device_address(order.from)))
    return Status::invalid_value;
  const std::uint64_t to_bytes =
      extent(order.width, order.height, order.depth, order.to_pitch, order.to_slice);
  const std::uint64_t from_bytes =
      extent(order.width, order.height, order.depth, order.from_pitch, order.from_slice);
  if (to != nullptr && !holds(*to, order.to, to_bytes)) return Status::invalid_value;
  if (from != nullptr && !holds(*from, order.from, from_bytes)) return Status::invalid_value;
  if (from == nullptr &&
      !reachable(HostPages::Use::read, order.from, order, order.from_pitch, order.from_slice))
    return Status::invalid_value;
  if (to == nullptr &&
      !reachable(HostPages::Use::written, order.to, order, order.to_pitch, order.to_slice))
    return Status::invalid_value;
  const auto is_other = [&](const Allocation* at, bool device) {
    return order.kind != CopyKind::by_address && !device && at != nullptr &&
           at->kind == MemoryKind::device;
  };
  if (is_other(to, into_device) || is_other(from, from_device)) {
    tell("memory",
         "a copy names as the host's what is device memory: CUDA leaves undefined what it does; it "
         "was copied; cudaMemcpyDefault takes the addresses' own kinds");
  }
  return Status::success;
}

double Machine::copy_us(const std::string& what, bool pinned, double bytes) const {
  using hardware::CopyDirection;
  using hardware::HostMemory;
  if (what == "h2d" || what == "d2h") {
    const auto direction = what == "h2d" ? CopyDirection::to_device : CopyDirection::to_host;
    return pinned ? pinned_us(link_, direction, bytes)
                  : model::copy_time(link_, direction, HostMemory::pageable, bytes).us;
  }
  if (what == "p2p") {
    return pinned_us(peer_link_, hardware::CopyDirection::to_device, bytes);
  }
  if (what == "h2h" || copy_gbs_ <= 0) return 0;
  const double passes = what == "fill" ? 1 : 2;
  return passes * bytes / copy_gbs_ / 1e3;  // GB/s are bytes per nanosecond
}

void Machine::note_replaced(std::uint64_t to, std::uint64_t width, std::uint64_t height,
                            std::uint64_t depth, std::uint64_t pitch, std::uint64_t slice) {
  if (settings_.again && settings_.execute == Execute::all) return;  // no launch is looked up
  if ((height == 1 || pitch == width) && depth == 1) return memory_.replaced(to, width * height);
  for (std::uint64_t z = 0; z < depth; ++z) {
    for (std::uint64_t y = 0; y < height; ++y) memory_.replaced(to + z * slice + y * pitch, width);
  }
}

Status Machine::copy(const CopyOrder& order, std::uint32_t device) {
  if (fault_ != Status::success) return fault_;
  if (order.width == 0 || order.height == 0 || order.depth == 0) return Status::success;
  if (order.kind < CopyKind::on_host || order.kind > CopyKind::by_address)
    return Status::invalid_copy_direction;
  if (order.to == 0 || order.from == 0) return Status::invalid_value;
  if (const Status refused = admits(order.stream); refused != Status::success) return refused;
  if (node_ == nullptr && capture_of(order.stream) != nullptr) {
    GraphNode node;
    node.kind = GraphNode::Kind::copy;
    node.copy = order;
    capture(order.stream, std::move(node));
    return Status::success;
  }
  if (const Status bad = check_copy(order); bad != Status::success) return bad;
  const Allocation* to = memory_.find(order.to);
  const Allocation* from = memory_.find(order.from);
  for (std::uint64_t z = 0; z < order.depth; ++z) {
    for (std::uint64_t y = 0; y < order.height; ++y) {
      std::memmove(bytes_at(order.to + z * order.to_slice + y * order.to_pitch),
                   bytes_at(order.from + z * order.from_slice + y * order.from_pitch), order.width);
    }
  }
  note_replaced(order.to, order.width, order.height, order.depth, order.to_pitch, order.to_slice);
  CopyRecord record;
  record.what = std::string(on_device(from) ? "d" : "h") + "2" + (on_device(to) ? "d" : "h");
  record.bytes = order.width * order.height * order.depth;
  record.stream = order.stream;
  record.device = device;
  const bool between = on_device(from) && on_device(to) && from->device != to->device;
  if (between) record.what = "p2p";
  const bool pinned = !on_device(from) ? from != nullptr : !on_device(to) && to != nullptr;
  if (!on_device(from) || !on_device(to)) record.memory = pinned ? "pinned" : "pageable";
  const Engine engine = record.what == "h2d"   ? Engine::copy_in
                        : record.what == "d2h" ? Engine::copy_out
                        : between              ? Engine::copy_out
                        : record.what == "d2d" ? Engine::compute
                                               : Engine::none;
  const double us = copy_us(record.what, pinned, static_cast<double>(record.bytes));
  const bool host_side = !on_device(from) || !on_device(to);
  const bool waits = order.asynchronous ? host_side && !pinned : host_side;
  // A start-up is from a call to its return: a copy that nobody waits for, or that the program
  // waits for by itself, has not the board's way from a call to the return of a wait.
  const double way_us =
      host_side && !waits ? std::min(gpu_->host_us, copy_us(record.what, pinned, 0)) : 0;
  // A copy between devices comes behind the work of both, and before what follows on both.
  const std::uint32_t other = between && device == to->device ? from->device
                              : on_device(to)                 ? to->device
                                                              : device;
  if (between && node_ == nullptr)
    schedule_of(order.stream, device)
        .advance(order.stream, schedules_[other].end_of(legacy_stream));
  const Interval when = place(order.stream, device, engine, us - way_us);
  record.begin = when.begin;
  record.end = when.end;
  journal_.add(record);
  if (between) schedules_[other].advance(legacy_stream, when.end);
  // Between device addresses even the plain copy does not wait; through pageable memory even the
  // asynchronous one does.
  if (node_ != nullptr) return Status::success;
  if (waits) clock_.wait_until(when.end);
  const auto call = waits       ? hardware::HostCall::asks
                    : host_side ? hardware::HostCall::copy
                                : hardware::HostCall::copy_on_device;
  costs_.charge(call);
  return Status::success;
}

Status Machine::fill(const FillOrder& order, std::uint32_t device) {
  if (fault_ != Status::success) return fault_;
  if (order.width == 0 || order.height == 0 || order.depth == 0) return Status::success;
  if (const Status refused = admits(order.stream); refused != Status::success) return refused;
  if (node_ == nullptr && capture_of(order.stream) != nullptr) {
    GraphNode node;
    node.kind = GraphNode::Kind::fill;
    node.fill = order;
    capture(order.stream, std::move(node));
    return Status::success;
  }
  const Allocation* to = memory_.find(order.to);
  const std::uint64_t bytes =
      extent(order.width, order.height, order.depth, order.pitch, order.slice);
  if (to == nullptr || !holds(*to, order.to, bytes)) return Status::invalid_value;
  for (std::uint64_t z = 0; z < order.depth; ++z) {
    for (std::uint64_t y = 0; y < order.height; ++y) {
      std::uint8_t* row = bytes_at(order.to + z * order.slice + y * order.pitch);
      if (order.element == 1) {
        std::memset(row, static_cast<int>(order.value & 0xffU), order.width);
        continue;
      }
      for (std::uint64_t x = 0; x + order.element <= order.width; x += order.element)
        std::memcpy(row + x, &order.value, order.element);
    }
  }
  note_replaced(order.to, order.width, order.height, order.depth, order.pitch, order.slice);
  CopyRecord record;
  record.what = "fill";
  record.bytes = order.width * order.height * order.depth;
  record.stream = order.stream;
  record.device = device;
  const double us = copy_us(record.what, false, static_cast<double>(record.bytes));
  const Interval when = place(order.stream, device, Engine::compute, us);
  record.begin = when.begin;
  record.end = when.end;
  journal_.add(record);
  if (node_ == nullptr) costs_.charge_fill(static_cast<double>(record.bytes));
  return Status::success;
}

}  // namespace forewarp::program_run
