// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/recorders/history.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace forewarp::timing {

void Residency::change(Ticks at, int warps) {
  const auto place =
      std::find_if(ahead_.begin(), ahead_.end(), [&](const auto& e) { return e.first < at; });
  ahead_.insert(place, {at, warps});
  if (warps < 0) settle(at);
}

void Residency::settle(Ticks until) {
  while (!ahead_.empty() && ahead_.back().first <= until) {
    const auto [at, warps] = ahead_.back();
    ahead_.pop_back();
    pass(at);
    if (warps < 0 && !someone_went_) {
      someone_went_ = true;
      first_going_ = last_coming_ = sums_;
    }
    level_ = std::max<std::int64_t>(0, level_ + warps);
    if (warps > 0 && someone_went_) last_coming_ = sums_;
  }
}

void Residency::pass(Ticks until) {
  if (until <= sums_.at) return;
  add_to_points(sums_.at, until);
  const auto time = static_cast<double>(until - sums_.at);
  const auto warps = static_cast<double>(level_);
  sums_ = {until, sums_.level + warps * time, sums_.square + warps * warps * time};
  const auto at = static_cast<std::size_t>(level_);
  if (time_at_.size() <= at) time_at_.resize(at + 1, 0);
  time_at_[at] += time;
}

void Residency::add_to_points(Ticks from, Ticks until) {
  while ((until - 1) / width_ >= static_cast<Ticks>(most_points)) {
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      const double moved = std::exchange(stretches_[i], 0);
      stretches_[i / 2] += moved;
    }
    stretches_.resize((stretches_.size() + 1) / 2);
    width_ *= 2;
  }
  while (from < until) {
    const auto index = static_cast<std::size_t>(from / width_);
    if (stretches_.size() <= index) stretches_.resize(index + 1, 0);
    const Ticks next = std::min(until, (from / width_ + 1) * width_);
    stretches_[index] += static_cast<double>(level_) * static_cast<double>(next - from);
    from = next;
  }
}

Residency::Summary Residency::summary(Ticks end) const {
  Residency whole = *this;
  whole.settle(end);
  whole.pass(end);
  Summary summary;
  if (end <= 0) return summary;
  for (std::size_t i = 0; i < whole.stretches_.size(); ++i) {
    const Ticks from = static_cast<Ticks>(i) * whole.width_;
    const auto length = static_cast<double>(std::min(whole.width_, whole.sums_.at - from));
    summary.points.emplace_back(cycles_of(from), whole.stretches_[i] / length);
  }
  const auto& time = whole.time_at_;
  summary.mean = whole.sums_.level / static_cast<double>(whole.sums_.at);
  if (!time.empty()) summary.highest = static_cast<double>(time.size() - 1);
  for (std::size_t n = 0; n < time.size(); ++n) {
    const bool few = 2 * static_cast<double>(n) < summary.highest;
    if (few) summary.below_half += time[n] / static_cast<double>(whole.sums_.at);
  }
  const auto steady = static_cast<double>(whole.last_coming_.at - whole.first_going_.at);
  if (steady <= 0) return summary;
  const double mean = (whole.last_coming_.level - whole.first_going_.level) / steady;
  const double square = (whole.last_coming_.square - whole.first_going_.square) / steady;
  summary.deviation = std::sqrt(std::max(0.0, square - mean * mean));
  return summary;
}

void BlockEnds::add(Ticks at) {
  last_ = std::max(last_, at);
  if (count_++ % stride_ != 0) return;
  kept_.push_back(at);
  if (kept_.size() < most_kept) return;
  std::size_t left = 0;
  for (std::size_t i = 0; i < kept_.size(); i += 2) kept_[left++] = kept_[i];
  kept_.resize(left);
  stride_ *= 2;
}

Ticks BlockEnds::at_share(double share) const {
  if (kept_.empty()) return 0;
  if (share >= 1) return last_;
  const double rank = share * static_cast<double>(count_ - 1) / static_cast<double>(stride_);
  return kept_[std::min(kept_.size() - 1, static_cast<std::size_t>(std::llround(rank)))];
}

}  // namespace forewarp::timing
