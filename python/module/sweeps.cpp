// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <pybind11/numpy.h>
#include <vector>

#include "failure.h"
#include "session.h"

namespace forewarp::python {
namespace {

namespace py = pybind11;

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

  void add(const Point& point) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const auto put = [&](const char* name, double value) {
      numbers[name].push_back(point.error ? none : value);
    };
    put("time_ms", point.time_ms);
    put("low_ms", point.low_ms);
    put("high_ms", point.high_ms);
    put("blocks_per_sm", point.blocks_per_sm);
    put("warps_per_sm", point.warps_per_sm);
    put("needed_warps", point.needed_warps);
    put("waves", point.waves);
    put("latency_cycles", point.latency_cycles);
    limited_by.push_back(limits.place(point.limited_by));
    error.push_back(errors.place(point.error ? point.error->line() : ""));
  }
};

py::list axes_of(const Points& points) {
  py::list axes;
  for (const Axis& axis : points.axes()) {
    if (axis.numeric) {
      axes.append(py::make_tuple(axis.name, axis.values));
    } else {
      axes.append(py::make_tuple(axis.name, axis.texts));
    }
  }
  return axes;
}

template <typename T>
py::array_t<T> array_of(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

Points points_of(PythonSession& session, const std::string& input, const std::string& gpu,
                 const OptionTexts& options, const std::vector<std::string>& axes) {
  Sweep sweep;
  for (const std::string& axis : axes) sweep.over(axis);
  return value_of(session.session().sweep(session.query(input, gpu, options), sweep));
}

py::dict sweep(PythonSession& session, const std::string& input, const std::string& gpu,
               const OptionTexts& options, const std::vector<std::string>& axes) {
  Columns columns;
  py::list named;
  {
    py::gil_scoped_release released;
    Points points = points_of(session, input, gpu, options, axes);
    for (const Point& point : points) columns.add(point);
    const py::gil_scoped_acquire acquired;
    named = axes_of(points);
  }
  py::dict numbers;
  for (const auto& [name, values] : columns.numbers) numbers[name.c_str()] = array_of(values);
  py::dict result;
  result["axes"] = named;
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
