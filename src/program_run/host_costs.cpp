// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/host_costs.h"

#include <algorithm>
#include <utility>

namespace forewarp::program_run {
namespace {

using hardware::HostCall;

constexpr double ns_per_us = 1000;

}  // namespace

HostCosts::HostCosts(const hardware::Host& host) : host_(host) {
  if (host.launch_call_us > 0)
    host_.calls[static_cast<std::size_t>(HostCall::launch)].us = host.launch_call_us;
}

double HostCosts::us(HostCall call, double bytes, double nodes) const {
  return host_.call(call).time(bytes, nodes);
}

void HostCosts::charge(HostCall call, double bytes, double nodes) {
  charged_us_ += us(call, bytes, nodes);
  charged_ = true;
  needs_context_ = needs_context_ || (call != HostCall::asks && call != HostCall::properties);
}

void HostCosts::charge_fill(double bytes) {
  const bool small = bytes <= host_.call(HostCall::small_fill).from_bytes;
  charge(small ? HostCall::small_fill : HostCall::fill, bytes);
}

void HostCosts::allocated(MemoryKind kind, std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (kind == MemoryKind::pinned) return charge(HostCall::pin, size);
  if (kind == MemoryKind::registered) return charge(HostCall::register_host, size);
  if (kind == MemoryKind::managed) return charge(HostCall::managed);
  const auto block = static_cast<std::uint64_t>(host_.call(HostCall::new_block).from_bytes);
  if (bytes >= block) return charge(HostCall::new_block, size);
  small_used_ += bytes;
  if (small_used_ <= small_kept_) return charge(HostCall::allocate);
  small_kept_ += block;
  charge(HostCall::new_block);
}

void HostCosts::freed(MemoryKind kind, std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (kind == MemoryKind::pinned) return charge(HostCall::unpin, size);
  if (kind == MemoryKind::registered) return charge(HostCall::unregister_host, size);
  if (kind == MemoryKind::managed) return charge(HostCall::managed);
  const auto block = static_cast<std::uint64_t>(host_.call(HostCall::new_block).from_bytes);
  if (bytes >= block) return charge(HostCall::end_block, size);
  small_used_ -= std::min(small_used_, bytes);
  // One block stays for what comes next.
  if (small_kept_ < small_used_ + 2 * block) return charge(HostCall::release);
  small_kept_ -= block;
  charge(HostCall::end_block);
}

void HostCosts::allocated_in_stream(std::uint64_t bytes) {
  charge(HostCall::pool);
  if (!std::exchange(has_pool_, true)) charge(HostCall::first_of_pool);
  pool_used_ += bytes;
  if (pool_used_ <= pool_kept_) return;
  charge(HostCall::grow_pool, static_cast<double>(pool_used_ - pool_kept_));
  pool_kept_ = pool_used_;
}

void HostCosts::freed_in_stream(std::uint64_t bytes) {
  charge(HostCall::pool);
  pool_used_ -= std::min(pool_used_, bytes);
}

double HostCosts::loading_us(const void* module, const void* kernel) {
  double sum = 0;
  if (loaded_.insert(module).second) sum += us(HostCall::first_of_module);
  if (loaded_.insert(kernel).second) sum += us(HostCall::first_of_kernel);
  return sum;
}

double HostCosts::context_us() {
  if (!std::exchange(needs_context_, false) || std::exchange(has_context_, true)) return 0;
  return us(HostCall::context);
}

Nanoseconds HostCosts::take() {
  if (!std::exchange(charged_, false)) charge(HostCall::asks);
  charged_ = false;
  return static_cast<Nanoseconds>(std::exchange(charged_us_, 0) * ns_per_us + 0.5);
}

}  // namespace forewarp::program_run
