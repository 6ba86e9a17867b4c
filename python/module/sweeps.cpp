// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <pybind11/numpy.h>
#include <utility>
#include <vector>

#include "driver/point_predictor.h"
#include "failure.h"
#include "session.h"
#include "study/ordered_pipeline.h"
#include "study/sweep.h"

namespace forewarp::python {
namespace {

namespace py = pybind11;

/// Points up to which a sweep executes the kernel for each of them, as the command line's does.
constexpr std::uint64_t most_executed = 256;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Figures of a point; low and high only where the kernel was executed for it.
struct SweptPoint {
  PointResult figures;
  double low_ms = none, high_ms = none;
  std::string error;
};

/// Words of a column: each once, points hold its place.
class Words {
 public:
  std::uint32_t place(const std::string& word) {
    const auto [found, added] =
        places_.try_emplace(word, static_cast<std::uint32_t>(words_.size()));
    if (added) words_.push_back(word);
    return found->second;
  }
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

 private:
  std::map<std::string, std::uint32_t> places_;
  std::vector<std::string> words_;
};

struct Columns {
  std::map<std::string, std::vector<double>> numbers;
  std::vector<std::uint32_t> limited_by, error;
  Words limits, errors;

  void add(const SweptPoint& point) {
    const PointResult& figures = point.figures;
    const bool fine = point.error.empty();
    const auto put = [&](const char* name, double value) {
      numbers[name].push_back(fine ? value : none);
    };
    put("time_ms", figures.time_ms);
    put("low_ms", point.low_ms);
    put("high_ms", point.high_ms);
    put("blocks_per_sm", figures.blocks_per_sm);
    put("warps_per_sm", figures.warps_per_sm);
    put("needed_warps", figures.needed_warps);
    put("waves", figures.waves);
    put("latency_cycles", figures.latency_cycles);
    limited_by.push_back(limits.place(figures.limited_by));
    error.push_back(errors.place(point.error));
  }
};

/// What one thread changes from point to point.
struct Scratch {
  Case request;
  PredictOptions choices;
  std::unique_ptr<PointPredictor> points;
};

SweptPoint executed_point(Predictor& predictor, const Scratch& own) {
  ResultDetail detail;
  detail.stalls = false;
  auto result = predictor.predict(own.request, "", own.choices, detail);
  if (!result) return {{}, none, none, result.error().line()};
  SweptPoint point;
  point.figures.time_ms = result->time_ms;
  point.figures.limited_by = result->limited_by.resource;
  point.figures.blocks_per_sm = result->occupancy.blocks_per_sm;
  point.figures.warps_per_sm = result->occupancy.warps_per_sm;
  point.figures.needed_warps = result->occupancy.needed_warps;
  point.figures.waves = result->occupancy.waves;
  point.figures.latency_cycles = result->latency.cycles;
  if (result->interval_ms[1] > 0) {
    point.low_ms = result->interval_ms[0];
    point.high_ms = result->interval_ms[1];
  }
  return point;
}

SweptPoint foreseen_point(const Sweep& sweep, const Scratch& own) {
  auto found = own.points->predict(own.request, own.choices, sweep.changes_binding());
  if (!found) return {{}, none, none, found.error().line()};
  return {std::move(*found), none, none, ""};
}

Columns sweep_columns(Session& session, const Asked& asked, const Sweep& sweep) {
  const bool executes = asked.options.execute && sweep.count() <= most_executed;
  const unsigned jobs = asked.options.jobs;
  std::vector<Scratch> scratch(thread_count(jobs));
  for (Scratch& own : scratch) {
    own = {asked.request, asked.options, std::make_unique<PointPredictor>(session.predictor())};
    own.choices.jobs = 1;
  }
  Columns columns;
  std::uint64_t next = 0;
  PipelineSteps<std::uint64_t, SweptPoint> steps;
  steps.next = [&](std::uint64_t& point) { return (point = next++) < sweep.count(); };
  steps.work = [&](std::uint64_t point, unsigned worker) {
    Scratch& own = scratch[worker];
    sweep.apply(point, own.request, own.choices);
    return executes ? executed_point(session.predictor(), own) : foreseen_point(sweep, own);
  };
  steps.finish = [&](SweptPoint& point) {
    columns.add(point);
    return true;
  };
  constexpr std::size_t foreseen_chunk = 64;  // such points take microseconds
  OrderedPipeline(std::move(steps), {jobs, executes ? 1 : foreseen_chunk, 16}).run();
  return columns;
}

py::list axes_of(const Sweep& sweep) {
  py::list axes;
  for (const SweepAxis& axis : sweep.axes()) {
    py::list values;
    for (std::uint64_t i = 0; i < axis.count(); ++i) {
      if (axis.numeric()) {
        values.append(axis.number(i));
      } else {
        values.append(axis.text(i));
      }
    }
    axes.append(py::make_tuple(axis.name(), values));
  }
  return axes;
}

template <typename T>
py::array_t<T> array_of(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::dict sweep(Session& session, const std::string& input, const std::string& gpu,
               const OptionTexts& options, const std::vector<std::string>& axes) {
  Columns columns;
  Sweep points;
  {
    const py::gil_scoped_release released;
    Asked asked = asked_of(input, options);
    asked.request.gpu = gpu;
    asked.options.gpus.clear();
    points = value_of(Sweep::parse(axes));
    value_of(points.check(asked.options));
    columns = sweep_columns(session, asked, points);
  }
  py::dict numbers;
  for (const auto& [name, values] : columns.numbers) numbers[name.c_str()] = array_of(values);
  py::dict result;
  result["axes"] = axes_of(points);
  result["numbers"] = numbers;
  result["limited_by"] = py::make_tuple(array_of(columns.limited_by), columns.limits.words());
  result["error"] = py::make_tuple(array_of(columns.error), columns.errors.words());
  return result;
}

}  // namespace

void add_sweeps(SessionClass& session) {
  session.def("sweep", &sweep, py::arg("input"), py::arg("gpu"), py::arg("options"),
              py::arg("axes"));
}

}  // namespace forewarp::python
