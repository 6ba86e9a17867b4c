// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/failures.h"

#include <algorithm>
#include <cmath>

namespace forewarp::system {
namespace {

/// SplitMix64: a number whose bits all depend on all bits of the one before.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

class Failing {
 public:
  Failing(const System& system, const Attempt& attempt) : system_(system), attempt_(attempt) {}

  std::vector<FailureEvent> run() {
    for (std::size_t i = 0; i < system_.components.size(); ++i) {
      const Component& unit = system_.components[i];
      add(unit.outages, unit.failures_per_hour, {0, false, i, true});
    }
    for (std::size_t i = 0; i < system_.connections.size(); ++i) {
      const Connection& link = system_.connections[i];
      add(link.outages, link.failures_per_hour, {0, true, i, true});
    }
    std::stable_sort(events_.begin(), events_.end(),
                     [](const FailureEvent& a, const FailureEvent& b) { return a.at_s < b.at_s; });
    return std::move(events_);
  }

 private:
  void add(const std::vector<Outage>& outages, double per_hour, FailureEvent event) {
    constexpr double seconds_per_hour = 3600;
    for (const Outage& outage : outages) {
      const double begin = outage.at_s - attempt_.began_s, end = begin + outage.for_s;
      if (end <= 0) continue;
      event.at_s = std::max(begin, 0.0);
      events_.push_back(event);
      if (std::isinf(end)) continue;
      FailureEvent back = event;
      back.at_s = end;
      back.fails = false;
      events_.push_back(back);
    }
    const std::uint64_t part = parts_++;
    if (!system_.failures.seed || per_hour <= 0) return;
    event.at_s =
        lifetime_s(*system_.failures.seed, attempt_.number, part, per_hour / seconds_per_hour);
    events_.push_back(event);
  }

  const System& system_;
  const Attempt& attempt_;
  std::vector<FailureEvent> events_;
  std::uint64_t parts_ = 0;  ///< so far
};

}  // namespace

double lifetime_s(std::uint64_t seed, std::uint32_t attempt, std::uint64_t part, double per_s) {
  constexpr unsigned digits = 53;  // of a double
  const std::uint64_t bits = mixed(mixed(mixed(seed) ^ attempt) ^ part) >> (64U - digits);
  const double chance = (static_cast<double>(bits) + 0.5) / static_cast<double>(1ULL << digits);
  return -std::log(chance) / per_s;
}

std::vector<FailureEvent> failures_of(const System& system, const Attempt& attempt) {
  return Failing(system, attempt).run();
}

}  // namespace forewarp::system
