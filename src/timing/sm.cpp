// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/sm.h"

#include <algorithm>

#include "timing/stages/asynchronous.h"
#include "timing/stages/barrier.h"
#include "timing/stages/dispatch.h"
#include "timing/stages/issue.h"

namespace forewarp::timing {

Sm::Sm(const SmMachine& machine, const TimedKernel& kernel, BlockSupply& supply, DevicePath* device,
       std::uint32_t resident, std::uint32_t seed, Recorder* recorder)
    : state_(machine, kernel, supply, device, resident, seed, recorder),
      last_core_(machine.schedulers - 1) {}

Ticks Sm::drained() const {
  return std::max(state_.end, state_.memory.drained());
}

bool Sm::start_block(Ticks at) {
  if (!timing::start_block(state_, at)) return false;
  find_next();
  return true;
}

void Sm::step() {
  last_core_ = next_core_;
  SubCore& core = state_.cores[next_core_];
  const Ticks now = next_;
  const Ticks interval = state_.machine->issue_interval;
  const bool issued = issue_slot(state_, next_core_, now);
  if (issued && core.more_ready) {
    state_.next[next_core_] = slot_from(core.port, interval);
  } else {
    state_.find_next(next_core_, issued ? core.port : now + interval);
  }
  find_next();
}

void Sm::find_next() {
  do {
    next_ = never;
    // Equally early schedulers take turns, so that none is always first at what they share.
    const auto count = static_cast<std::uint32_t>(state_.next.size());
    const Ticks* next = state_.next.data();
    std::uint32_t s = last_core_;
    for (std::uint32_t k = 0; k < count; ++k) {
      s = s + 1 >= count ? 0 : s + 1;
      // Without a branch, which nobody could foretell.
      const std::uint32_t sooner = next[s] < next_ ? ~0U : 0U;
      next_core_ ^= (next_core_ ^ s) & sooner;
      next_ = std::min(next_, next[s]);
    }
  } while (next_ == never && (release_stuck(state_) || wake_stuck(state_)));
}

}  // namespace forewarp::timing
