// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/sweep.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <forewarp/sweep.h>
#include <utility>

#include "api/state.h"
#include "base/ordered_pipeline.h"
#include "base/text.h"
#include "base/threads.h"
#include "request/argument_text.h"
#include "request/files/case_writer.h"
#include "request/tables/calibration.h"

namespace forewarp::api {
namespace {

constexpr std::uint64_t most_executed = 256;  // as the command line's sweep
constexpr std::size_t most_idle = 64;         // bound kernels kept between sweeps

/// Everything that a point's figures may follow from, but what the sweep changes.
std::string binding_key(Session::State& session, const Ask& ask) {
  std::string key = request::case_line(ask.request);
  const request::Delivery none;
  for (const request::OptionRow& row : request::option_rows()) {
    for (const std::string& text : row.get({ask.request, ask.options, none})) {
      key += '\n' + std::string(row.name) + std::string(row.key) + '=' + text;
    }
  }
  if (ask.options.calibration != nullptr) {
    for (const auto& number : ask.options.calibration->numbers) {
      key += '\n' + number.gpu + ' ' + number.path + '=' + base::significant(number.value, 17);
    }
  }
  const std::lock_guard lock(session.mutex);
  return key + '\n' + std::to_string(session.readings[ask.request.input]);
}

Point point_of(driver::PointResult figures) {
  Point point;
  point.time_ms = figures.time_ms;
  point.limited_by = std::move(figures.limited_by);
  point.blocks_per_sm = figures.blocks_per_sm;
  point.warps_per_sm = figures.warps_per_sm;
  point.needed_warps = figures.needed_warps;
  point.waves = figures.waves;
  point.latency_cycles = figures.latency_cycles;
  return point;
}

Point point_of(const result::Result& result) {
  Point point;
  point.time_ms = result.time_ms;
  point.limited_by = result.limited_by.resource;
  point.blocks_per_sm = result.occupancy.blocks_per_sm;
  point.warps_per_sm = result.occupancy.warps_per_sm;
  point.needed_warps = result.occupancy.needed_warps;
  point.waves = result.occupancy.waves;
  point.latency_cycles = result.latency.cycles;
  if (result.interval_ms[1] > 0) {
    point.low_ms = result.interval_ms[0];
    point.high_ms = result.interval_ms[1];
  }
  return point;
}

}  // namespace

struct Points::State {
  std::shared_ptr<Session::State> session;
  sweep::Sweep sweep;
  std::string key;  ///< of what the workers have bound
  bool executes = false;
  unsigned threads = 1;
  std::vector<std::unique_ptr<SweepScratch>> workers;
  std::vector<Point> ahead;  ///< computed and not yet passed
  std::size_t at = 0;        ///< among them
  std::uint64_t next = 0;    ///< the first that is not computed

  ~State() {
    const std::lock_guard lock(session->mutex);
    for (auto& worker : workers) {
      if (session->idle.size() >= most_idle) session->idle.erase(session->idle.begin());
      session->idle.emplace(key, std::move(worker));
    }
  }

  [[nodiscard]] Expected<Point> figures(std::uint64_t index, SweepScratch& own) const {
    return guarded([&]() -> Expected<Point> {
      sweep.apply(index, own.request, own.choices);
      if (!executes) {
        auto found = own.points.predict(own.request, own.choices, sweep.changes_binding());
        if (!found) return error_of(std::move(found).error());
        return point_of(*std::move(found));
      }
      driver::ResultDetail lean;
      lean.stalls = false;
      const auto made = session->predictor.predict(own.request, "", own.choices, lean);
      if (!made) return error_of(made.error());
      return point_of(*made);
    });
  }

  [[nodiscard]] Point computed(std::uint64_t index, SweepScratch& own) const {
    Expected<Point> found = figures(index, own);
    Point point = found ? *std::move(found) : Point{};
    if (!found) point.error = std::move(found).error();
    point.index = index;
    return point;
  }

  /// The next points, by all threads: each takes a run of neighbours, which share the most.
  void fill() {
    const std::uint64_t run = executes ? 1 : 64, runs = executes ? 4 : 16;
    const std::uint64_t count = std::min(sweep.count() - next, run * runs * threads);
    ahead.assign(count, {});
    at = 0;
    std::atomic<std::uint64_t> taken{0};
    const auto work = [&](unsigned worker) {
      for (std::uint64_t first = taken.fetch_add(run); first < count;
           first = taken.fetch_add(run)) {
        for (std::uint64_t i = first; i < std::min(first + run, count); ++i) {
          ahead[i] = computed(next + i, *workers[worker]);
        }
      }
    };
    const auto helpers = std::min<std::uint64_t>(threads, (count + run - 1) / run);
    in_threads(static_cast<unsigned>(helpers), work);
    next += count;
  }
};

Expected<Points> Access::points(std::shared_ptr<Session::State> session, Ask ask,
                                const std::vector<std::string>& axes) {
  auto sweep = sweep::Sweep::parse(axes);
  if (!sweep) return error_of(std::move(sweep).error());
  if (auto fine = sweep->check(ask.options); !fine) return error_of(fine.error());
  auto state = std::make_unique<Points::State>();
  state->session = session;
  state->sweep = *std::move(sweep);
  state->executes = ask.options.execute && state->sweep.count() <= most_executed;
  state->threads = thread_count(ask.options.jobs);
  ask.options.jobs = 1;
  state->key = binding_key(*session, ask);
  {
    const std::lock_guard lock(session->mutex);
    while (state->workers.size() < state->threads) {
      const auto found = session->idle.find(state->key);
      if (found == session->idle.end()) break;
      state->workers.push_back(std::move(found->second));
      session->idle.erase(found);
    }
  }
  while (state->workers.size() < state->threads) {
    state->workers.push_back(std::make_unique<SweepScratch>(session->predictor));
  }
  for (auto& worker : state->workers) {
    worker->request = ask.request;
    worker->choices = ask.options;
  }
  return Points(std::move(state));
}

Sweep& Sweep::over(std::string_view axis) {
  axes_.emplace_back(axis);
  return *this;
}

Sweep& Sweep::over(std::string_view name, double from, double to, double step) {
  axes_.push_back(std::string(name) + '=' + request::exact_text(from) + ':' +
                  request::exact_text(to) + ':' + request::exact_text(step));
  return *this;
}

Sweep& Sweep::over(std::string_view name, const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(request::exact_text(value));
  axes_.push_back(std::string(name) + '=' + base::join(texts, ","));
  return *this;
}

Points::Points(std::unique_ptr<State> state) : state_(std::move(state)) {}
Points::Points(Points&&) noexcept = default;
Points& Points::operator=(Points&&) noexcept = default;
Points::~Points() = default;

std::uint64_t Points::size() const {
  return state_->sweep.count();
}

bool Points::executes() const {
  return state_->executes;
}

std::vector<Axis> Points::axes() const {
  std::vector<Axis> all;
  for (const sweep::SweepAxis& axis : state_->sweep.axes()) {
    Axis one{axis.name(), axis.numeric(), {}, {}};
    for (std::uint64_t i = 0; i < axis.count(); ++i) {
      one.texts.push_back(axis.text(i));
      if (axis.numeric()) one.values.push_back(axis.number(i));
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<std::string> Points::values(std::uint64_t index) const {
  std::vector<std::string> texts;
  const auto& axes = state_->sweep.axes();
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    texts.push_back(axes[axis].text(state_->sweep.index_at(index, axis)));
  }
  return texts;
}

const Point* Points::current() {
  if (state_->at == state_->ahead.size()) {
    if (state_->next == state_->sweep.count()) return nullptr;
    state_->fill();
  }
  return &state_->ahead[state_->at];
}

void Points::advance() {
  if (current() != nullptr) ++state_->at;
}

}  // namespace forewarp::api
