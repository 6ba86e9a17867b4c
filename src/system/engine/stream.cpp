// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/stream.h"

#include <simgrid/s4u.hpp>

namespace forewarp::system {

namespace sg = simgrid::s4u;

void Stream::open(const std::string& name, sg::Host* host) {
  ready_ = sg::Semaphore::create(0);
  sg::Actor::create(name, host, [this] { work(); })->daemonize();
}

void Stream::give(Operation operation, Instant at) {
  ++given_;
  waiting_.emplace_back(std::move(operation), at);
  ready_->release();
}

void Stream::work() {
  for (;;) {
    ready_->acquire();
    const auto [operation, given] = std::move(waiting_.front());
    waiting_.pop_front();
    operation(lane_, given);
    ++done_;
    done_at_ = sg::Engine::get_clock();
    std::erase_if(waiters_, [this](const auto& waiter) {
      if (waiter.first > done_) return false;
      waiter.second->release();
      return true;
    });
  }
}

void Stream::wait_done(std::uint64_t count) {
  if (done_ >= count) return;
  const sg::SemaphorePtr signal = sg::Semaphore::create(0);
  waiters_.emplace_back(count, signal);
  signal->acquire();
}

}  // namespace forewarp::system
