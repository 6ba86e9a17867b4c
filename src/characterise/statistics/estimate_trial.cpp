// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/statistics/estimate_trial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>

#include "characterise/statistics/clock_cost.h"

namespace forewarp::characterise {
namespace {

constexpr std::size_t rounds = 100;  // of the deconvolution of a draw

/// Mean and standard deviation of errors.
class Errors {
 public:
  void add(double error) {
    ++count_;
    sum_ += error;
    squares_ += error * error;
  }
  [[nodiscard]] double bias() const { return count_ == 0 ? 0 : sum_ / count_; }
  [[nodiscard]] double spread() const {
    if (count_ < 2) return 0;
    return std::sqrt(std::max(0.0, (squares_ - sum_ * sum_ / count_) / (count_ - 1)));
  }

 private:
  double count_ = 0, sum_ = 0, squares_ = 0;
};

/// An estimate of a draw.
struct Estimated {
  double mean = 0;
  std::optional<double> deviation;
};

struct Way {
  std::string_view name, how;
  bool less_moved = false;
  Errors mean, deviation;
  std::uint32_t without = 0;
};

/// So many values of a distribution, as one; the same on every host.
Pmf drawn(const Pmf& of, std::uint32_t count, std::mt19937_64& random) {
  constexpr double range = 9007199254740992.0;  // 2^53
  std::vector<double> up_to(of.masses().begin(), of.masses().end());
  for (std::size_t i = 1; i < up_to.size(); ++i) up_to[i] += up_to[i - 1];
  std::vector<double> seen(up_to.size(), 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const double at = static_cast<double>(random() >> 11U) / range * up_to.back();
    const auto place = std::ranges::upper_bound(up_to, at) - up_to.begin();
    ++seen[std::min(static_cast<std::size_t>(place), seen.size() - 1)];
  }
  return Pmf::of_masses(of.min(), std::move(seen));
}

}  // namespace

Expected<std::vector<EstimateTrial>> compare_estimates(const Pmf& operation, const Pmf& windows,
                                                       const Pmf& empty, const TrialOrder& order,
                                                       std::string_view what) {
  constexpr std::string_view thesis = "thesis", corrected = "corrected", divided = "deconvolved";
  std::vector<Way> ways;
  for (const bool less : {false, true}) {
    if (less && order.moved == 0) continue;
    ways.push_back({thesis, "windows less reflected empty ones", less, {}, {}, 0});
    ways.push_back({corrected, "deviation from Var Z - Var Y", less, {}, {}, 0});
    ways.push_back({divided, "constrained deconvolution", less, {}, {}, 0});
  }
  std::mt19937_64 random(order.seed);
  for (std::uint32_t draw = 0; draw < order.draws; ++draw) {
    const Pmf with = drawn(windows, order.windows, random);
    const Pmf clock = drawn(empty, order.windows, random);
    const auto free = without_clock(with, clock, what);
    if (!free) return free.error();
    std::array<Estimated, 3> made{{{free->mean(), std::sqrt(free->inflated_variance)},
                                   {free->mean(), free->deviation()},
                                   {}}};
    if (const auto found = deconvolved(with, clock, rounds, what)) {
      made[2] = {found->pmf.mean(), found->pmf.deviation()};
    } else if (with.masses().size() >= clock.masses().size()) {
      return found.error();
    } else {  // by chance the windows of this draw spread less than the clock
      made[2] = {free->mean(), {}};
    }
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Estimated& one = made[i % made.size()];
      ways[i].mean.add(one.mean - (ways[i].less_moved ? order.moved : 0) - operation.mean());
      if (one.deviation) {
        ways[i].deviation.add(*one.deviation - operation.deviation());
      } else {
        ++ways[i].without;
      }
    }
  }
  std::vector<EstimateTrial> trials;
  for (const Way& way : ways) {
    trials.push_back({way.less_moved ? way.name == thesis      ? "thesis, less moved registers"
                                       : way.name == corrected ? "corrected, less moved registers"
                                                               : "deconvolved, less moved registers"
                                     : way.name,
                      way.how, way.mean.bias(), way.mean.spread(), way.deviation.bias(),
                      way.deviation.spread(), way.without});
  }
  return trials;
}

}  // namespace forewarp::characterise
