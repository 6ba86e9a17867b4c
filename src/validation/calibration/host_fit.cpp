// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/calibration/host_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/statistics.h"
#include "base/text.h"
#include "base/toml_text.h"
#include "hardware/host_database.h"
#include "scores/scores.h"

namespace forewarp::validation {
namespace {

constexpr std::size_t fewest = 3;
constexpr std::size_t numbers = 8;

// What is unknown, as logarithms of value over start. `pace` is common to both directions.
enum Unknown : std::uint8_t { pace, inward, outward, in_startup, out_startup, touch, launch, call };

using Vector = std::array<double, numbers>;
using Matrix = std::array<Vector, numbers>;

// How far a host is from the start before a run is seen: twofold; its directions by a quarter, as
// the same thread works in both; calls may be anything from a query to a line of output: fourfold.
const Vector known_within{std::log(2), std::log(1.25), std::log(1.25), std::log(2),
                          std::log(2), std::log(2),    std::log(2),    std::log(4)};

constexpr double first_scatter = 0.1;      // of runs, as a logarithm, before it is known
constexpr double least_scatter = 0.02;     // no clock of a host is better
constexpr double outlier_from = 1.5;       // scatters: from there on the weight falls
constexpr double mad_to_scatter = 1.4826;  // of a normal distribution
constexpr int rounds = 4, steps = 30, halvings = 12;
constexpr double derivative_step = 1e-5;
constexpr double says_more = 0.7;  // of the deviation that was known before

Host host_at(const HostStart& start, const Vector& at) {
  Host host = start.host;
  HostPath& in = host.paths[static_cast<std::size_t>(CopyDirection::to_device)];
  HostPath& out = host.paths[static_cast<std::size_t>(CopyDirection::to_host)];
  in.gbs *= std::exp(at[pace] + at[inward]);
  out.gbs *= std::exp(at[pace] + at[outward]);
  in.startup_us *= std::exp(at[in_startup]);
  out.startup_us *= std::exp(at[out_startup]);
  host.first_touch_gbs *= std::exp(at[touch]);
  host.launch_us *= std::exp(at[launch]);
  host.call_us *= std::exp(at[call]);
  return host;
}

/// The sum that is to be least, its slope (half of it, downhill) and its curvature.
struct Valley {
  double height = 0;
  Vector downhill{};
  Matrix curvature{};
};

class Search {
 public:
  Search(std::span<const HostRun> runs, const Link& link, const HostStart& start)
      : runs_(runs), link_(link), start_(start) {}

  void run() {
    for (int round = 0; round < rounds; ++round) {
      for (int step = 0; step < steps && go_down(); ++step) {
      }
      scatter_ = std::max(least_scatter, mad_to_scatter * median_residual());
    }
  }

  [[nodiscard]] const Vector& at() const { return at_; }
  [[nodiscard]] Host host() const { return host_at(start_, at_); }
  /// Covariances of the unknowns.
  [[nodiscard]] Matrix covariances() const { return inverse(valley(at_).curvature); }

  [[nodiscard]] double error(const Host& host) const {
    double sum = 0;
    for (const HostRun& run : runs_) sum += std::fabs(run_ms(run, link_, host) / run.ms - 1);
    return sum / static_cast<double>(runs_.size());
  }

 private:
  [[nodiscard]] double residual(const HostRun& run, const Vector& at) const {
    return std::log(run_ms(run, link_, host_at(start_, at)) / run.ms);
  }

  [[nodiscard]] double median_residual() const {
    std::vector<double> all;
    for (const HostRun& run : runs_) all.push_back(std::fabs(residual(run, at_)));
    return quantile(std::move(all), 0.5);
  }

  /// Huber's loss, square near zero.
  [[nodiscard]] double height(const Vector& at) const {
    double sum = 0;
    for (const HostRun& run : runs_) {
      const double r = std::fabs(residual(run, at)) / scatter_;
      sum += r <= outlier_from ? r * r : outlier_from * (2 * r - outlier_from);
    }
    for (std::size_t i = 0; i < numbers; ++i) sum += std::pow(at[i] / known_within[i], 2);
    return sum;
  }

  [[nodiscard]] Valley valley(const Vector& at) const {
    Valley v;
    v.height = height(at);
    for (const HostRun& run : runs_) {
      const double r = residual(run, at);
      const double far = std::fabs(r) / scatter_;
      const double weight = (far <= outlier_from ? 1 : outlier_from / far) / (scatter_ * scatter_);
      Vector slope{};
      for (std::size_t i = 0; i < numbers; ++i) {
        Vector beside = at;
        beside[i] += derivative_step;
        slope[i] = (residual(run, beside) - r) / derivative_step;
      }
      for (std::size_t i = 0; i < numbers; ++i) {
        v.downhill[i] -= weight * slope[i] * r;
        for (std::size_t j = 0; j < numbers; ++j) v.curvature[i][j] += weight * slope[i] * slope[j];
      }
    }
    for (std::size_t i = 0; i < numbers; ++i) {
      const double within = known_within[i] * known_within[i];
      v.downhill[i] -= at[i] / within;
      v.curvature[i][i] += 1 / within;
    }
    return v;
  }

  /// Gauss and Jordan; what is known before keeps every pivot above zero.
  static Matrix inverse(Matrix a) {
    Matrix b{};
    for (std::size_t i = 0; i < numbers; ++i) b[i][i] = 1;
    for (std::size_t i = 0; i < numbers; ++i) {
      const double pivot = a[i][i];
      for (std::size_t j = 0; j < numbers; ++j) {
        a[i][j] /= pivot;
        b[i][j] /= pivot;
      }
      for (std::size_t k = 0; k < numbers; ++k) {
        if (k == i) continue;
        const double times = a[k][i];
        for (std::size_t j = 0; j < numbers; ++j) {
          a[k][j] -= times * a[i][j];
          b[k][j] -= times * b[i][j];
        }
      }
    }
    return b;
  }

  /// One step of Gauss and Newton, halved until it leads down; false: none does.
  bool go_down() {
    constexpr double worth = 1e-9;
    const Valley here = valley(at_);
    const Matrix covariance = inverse(here.curvature);
    Vector step{};
    for (std::size_t i = 0; i < numbers; ++i) {
      for (std::size_t j = 0; j < numbers; ++j) step[i] += covariance[i][j] * here.downhill[j];
    }
    for (int halving = 0; halving < halvings; ++halving) {
      Vector next = at_;
      for (std::size_t i = 0; i < numbers; ++i) next[i] += std::ldexp(step[i], -halving);
      if (const double there = height(next); there < here.height) {
        at_ = next;
        return here.height - there > worth * here.height;
      }
    }
    return false;
  }

  std::span<const HostRun> runs_;
  const Link& link_;
  const HostStart& start_;
  double scatter_ = first_scatter;
  Vector at_{};
};

/// The number at a path of the fitted host, and the unknowns whose sum is its logarithm.
struct Sought {
  const char* path;
  double value;
  std::vector<Unknown> sum;
};

std::vector<Sought> sought_in(const Host& host) {
  const HostPath& in = host.path(CopyDirection::to_device);
  const HostPath& out = host.path(CopyDirection::to_host);
  return {{"h2d.gbs", in.gbs, {pace, inward}},
          {"h2d.startup_us", in.startup_us, {in_startup}},
          {"d2h.gbs", out.gbs, {pace, outward}},
          {"d2h.startup_us", out.startup_us, {out_startup}},
          {"first_touch.gbs", host.first_touch_gbs, {touch}},
          {"launch.us", host.launch_us, {launch}},
          {"call.us", host.call_us, {call}}};
}

/// Rates and start-ups that the host does not state are those of the link's file.
HostStart completed(const HostStart& start, const Link& link) {
  HostStart whole = start;
  for (const CopyDirection direction : {CopyDirection::to_device, CopyDirection::to_host}) {
    HostPath& path = whole.host.paths[static_cast<std::size_t>(direction)];
    if (path.gbs <= 0) path.gbs = steady_gbs(link, direction, HostMemory::pageable);
    if (path.startup_us <= 0) {
      path.startup_us = link.path(direction, HostMemory::pageable).startup_us;
    }
  }
  if (whole.host.launch_us <= 0) whole.host.launch_us = start.launch_us;
  if (whole.host.call_us <= 0) whole.host.call_us = whole.host.launch_us;
  return whole;
}

Expected<void> check_runs(std::span<const HostRun> runs, const HostStart& start) {
  if (runs.size() < fewest) {
    return Diagnostic{"host", std::to_string(runs.size()) + " runs",
                      "at least " + std::to_string(fewest), "copies of several sizes, both ways"};
  }
  const bool starts = std::any_of(runs.begin(), runs.end(), [](const HostRun& run) {
    return run.launches > 0 || run.calls > 0;
  });
  if (!starts || start.host.launch_us > 0) return {};
  return Diagnostic{"host", "runs with launches or calls, and no board to start from",
                    "--gpu ID: the board that ran them", ""};
}

}  // namespace

double run_ms(const HostRun& run, const Link& link, const Host& host) {
  constexpr double per_milli = 1e3;
  double us = run.launches * host.launch_us + run.calls * host.call_us;
  for (const HostCopy& copy : run.copies) us += copy_time(link, host, copy).us;
  return run.kernel_ms + us / per_milli;
}

Expected<HostFit> fit_host(std::span<const HostRun> runs, const Link& link,
                           const HostStart& start) {
  const HostStart whole = completed(start, link);
  if (auto fine = check_runs(runs, whole); !fine) return fine.error();
  Search search(runs, link, whole);
  search.run();
  const Matrix covariance = search.covariances();
  HostFit fit;
  fit.runs = runs.size();
  fit.error_before = search.error(whole.host);
  fit.error_after = search.error(search.host());
  for (const Sought& one : sought_in(search.host())) {
    double variance = 0, before = 0;
    for (const Unknown i : one.sum) {
      before += known_within[i] * known_within[i];
      for (const Unknown j : one.sum) variance += covariance[i][j];
    }
    const bool determined = one.value > 0 && variance < says_more * says_more * before;
    fit.numbers.push_back({one.path, std::string(unit_of_host_path(one.path)), one.value,
                           std::sqrt(std::max(variance, 0.0)), determined});
  }
  return fit;
}

std::string host_text(const HostFit& fit, const std::string& name, const std::string& source) {
  constexpr double percent = 100;
  constexpr int digits = 4;
  std::string text = "name = " + toml_quoted(name) + '\n';
  std::vector<std::string> left_out;
  for (const HostNumber& number : fit.numbers) {
    if (!number.determined) {
      left_out.push_back(number.path);
      continue;
    }
    const double within = percent * (std::exp(number.deviation) - 1);
    text += "\n[" + number.path + "]\nvalue = " + significant(number.value, digits) +
            "\nunit = " + toml_quoted(number.unit) + "\nsource = " + toml_quoted(source) +
            "\nconfidence = \"derived\"\nnote = " +
            toml_quoted("fitted on " + std::to_string(fit.runs) + " runs, within " +
                        significant(within, 2) + " %") +
            '\n';
  }
  if (!left_out.empty()) text += "\n# These runs say too little of " + join(left_out, ", ") + ".\n";
  return text;
}

}  // namespace forewarp::validation
