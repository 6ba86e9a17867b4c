// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/flows.h"

#include <algorithm>
#include <cmath>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>
#include <simgrid/simix.hpp>
#include <utility>

namespace forewarp::system {

namespace sg = simgrid::s4u;

namespace {

double now() {
  return sg::Engine::get_clock();
}

}  // namespace

bool Flow::is_there() const {
  return left_ && there_at_ <= now();
}

void Flow::wait(Signal& signal) {
  if (is_there()) return;
  tell(signal);
  signal.wait();
}

void Flow::tell(Signal& signal) {
  if (is_there()) return signal.release();
  waiters_[waiters_[0] == nullptr ? 0 : 1] = &signal;
  if (left_) release_in_time();
}

void Flow::release_in_time() {
  if (there_at_ <= now()) return release();
  if (is_awaited_) return;
  is_awaited_ = true;
  Timer::set(there_at_, [this] { release(); });
}

void Flow::release() {
  for (Signal*& waiter : waiters_) {
    if (waiter != nullptr) std::exchange(waiter, nullptr)->release();
  }
}

Flows::Flows(Platform& platform)
    : platform_(platform), links_(2 * platform.system().connections.size()) {
  sg::Activity::on_completion_cb([this](const sg::Activity& activity) {
    const auto* comm = dynamic_cast<const sg::Comm*>(&activity);
    if (comm == nullptr) return;
    if (auto* flow = comm->get_data<Flow>(); flow != nullptr) end(*flow);
  });
}

std::shared_ptr<Flow> Flows::start(std::size_t from, std::size_t to, double bytes, double latency_s,
                                   double soonest) {
  auto flow = std::make_shared<Flow>();
  flow->route_ = &platform_.route(from, to);
  flow->latency_s_ = latency_s;
  flow->soonest_ = soonest;
  if (bytes <= 0) {
    flow->left_ = true;
    flow->there_at_ = std::max(soonest, now() + latency_s);
    return flow;
  }
  flow->self_ = flow;
  bool is_alone = true;
  for (const std::size_t link : flow->route_->links) is_alone &= links_[link].flows == 0;
  if (is_alone) {
    start_alone(*flow, bytes);
  } else {
    start_shared(*flow, bytes);
  }
  return flow;
}

void Flows::start_alone(Flow& flow, double bytes) {
  for (const std::size_t link : flow.route_->links) links_[link] = {1, &flow};
  flow.end_ = now() + bytes / flow.route_->capacity;
  flow.timer_ = Flow::Timer::set(flow.end_, [this, one = &flow] { end(*one); });
}

/// SimGrid tells only maestro's flows' end without being asked, and maestro is who answers a call.
void Flows::start_shared(Flow& flow, double bytes) {
  std::vector<std::pair<Flow*, double>> begin;
  for (const std::size_t link : flow.route_->links) {
    Flow* const other = std::exchange(links_[link].alone, nullptr);
    ++links_[link].flows;
    if (other == nullptr || other->timer_ == nullptr) continue;
    std::exchange(other->timer_, nullptr)->remove();
    for (const std::size_t its : other->route_->links) links_[its].alone = nullptr;
    begin.emplace_back(other, (other->end_ - now()) * other->route_->capacity);
  }
  begin.emplace_back(&flow, bytes);
  simgrid::kernel::actor::simcall_answered([this, &begin] {
    ended_.clear();
    for (const auto& [one, left] : begin) {
      one->comm_ = sg::Comm::sendto_init();
      one->comm_->set_data(one);
      one->comm_->set_payload_size(Platform::units(left));
      one->comm_->set_source(platform_.host(one->route_->from))
          ->set_destination(platform_.host(one->route_->to));  // starts it
    }
  });
}

void Flows::end(Flow& flow) {
  flow.timer_ = nullptr;
  if (flow.comm_ != nullptr) ended_.push_back(std::move(flow.comm_));
  for (const std::size_t link : flow.route_->links) {
    --links_[link].flows;
    if (links_[link].alone == &flow) links_[link].alone = nullptr;
  }
  flow.left_ = true;
  flow.there_at_ = std::max(flow.soonest_, now() + flow.latency_s_);
  const std::shared_ptr<Flow> self = std::move(flow.self_);
  if (flow.waiters_[0] != nullptr) flow.release_in_time();
}

}  // namespace forewarp::system
