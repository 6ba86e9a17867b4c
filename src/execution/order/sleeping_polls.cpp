// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/order/sleeping_polls.h"

#include <cmath>
#include <tuple>

namespace forewarp::execution {

bool SleepingPolls::fall_asleep(Poller& poller, double at) {
  const std::vector<SeenWord>& seen = poller.poll.words();
  for (const SeenWord& word : seen) {
    if (words_.value_at(word.address) != word.value) return false;
  }
  poller.asleep = true;
  poller.next = at;
  polls_from_now(poller, seen.front().address);
  poller.sleep = ++sleeps_;
  for (const SeenWord& word : seen) {
    std::vector<Watch>& watches = watched_[word.address];
    if (watches.size() == watches.capacity()) std::erase_if(watches, is_over);
    watches.push_back({&poller, word.value, poller.sleep});
  }
  return true;
}

std::vector<Poller*> SleepingPolls::seeing(std::uint64_t word, double written) {
  const auto found = watched_.find(word);
  if (found == watched_.end()) return {};
  const std::uint32_t value = words_.value_at(word);
  looked_at_ += found->second.size();
  std::vector<Poller*> loads, swaps;
  std::size_t over = 0;
  for (const Watch& watch : found->second) {
    if (watch.seen == value) continue;
    if (is_over(watch)) {
      ++over;
      continue;
    }
    const bool by_load = program_.ops[watch.poller->warp->pc].operation == Operation::load;
    (by_load ? loads : swaps).push_back(watch.poller);
  }
  if (2 * over > found->second.size()) std::erase_if(found->second, is_over);
  // One that polls by an atomic may change the word again: the others follow if it does not.
  if (!swaps.empty()) {
    const auto order = [&](const Poller* poller) {
      return std::tuple(wake_time(*poller, written), poller->block, poller->warp->number);
    };
    loads.push_back(*std::min_element(swaps.begin(), swaps.end(),
                                      [&](auto* a, auto* b) { return order(a) < order(b); }));
  }
  return loads;
}

PollPace SleepingPolls::pace_of(const Poller& poller) const {
  const double period = poller.poll.period();
  if (!(period > 0)) return {};
  const auto found = pollers_.find(poller.polling);
  const double beside = found == pollers_.end() ? 0 : static_cast<double>(found->second);
  const double behind = std::max(0.0, beside * poll_time_ - period);
  return {period + behind, behind};
}

double SleepingPolls::wake_time(const Poller& poller, double written) const {
  const double period = pace_of(poller).period;
  if (written <= poller.next || !(period > 0)) return std::max(poller.next, written);
  return poller.next + period * std::ceil((written - poller.next) / period);
}

void SleepingPolls::polls_from_now(Poller& poller, std::uint64_t word) {
  if (poller.polling == word) return;
  if (poller.polling != 0) --pollers_[poller.polling];
  if (word != 0) {
    const std::uint64_t polling = ++pollers_[word];
    if (polling > most_) {
      most_ = polling;
      most_period_ = poller.poll.period();
    }
  }
  poller.polling = word;
}

}  // namespace forewarp::execution
