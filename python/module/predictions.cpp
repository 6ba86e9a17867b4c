// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "failure.h"
#include "report/documents/report.h"
#include "result/comparison.h"
#include "result/result_json.h"
#include "session.h"
#include "study/comparison/comparison.h"

namespace forewarp::python {
namespace {

namespace py = pybind11;

Side side_of(const std::string& input, const std::string& gpu, const OptionTexts& options) {
  return {input, gpu, options};
}

ResultDetail everything() {
  ResultDetail detail;
  detail.listing = true;
  detail.provenance = true;
  detail.curve = true;
  detail.simulation = true;
  detail.counterfactuals = WhatIfDepth::all;
  return detail;
}

std::string predict(Session& session, const std::string& input, const std::string& gpu,
                    const OptionTexts& options, bool whole) {
  const Asked asked = asked_of(input, options);
  const Result result = value_of(session.predictor().predict(
      asked.request, gpu, asked.options, whole ? everything() : ResultDetail{}));
  return to_json(result, whole ? JsonStyle::compact() : JsonStyle::lean());
}

/// A launch that has no prediction is a result with an error.
std::string predict_or_error(Session& session, const std::string& input, const std::string& gpu,
                             const OptionTexts& options) {
  const Asked asked = asked_of(input, options);
  const auto result = session.predictor().predict(asked.request, gpu, asked.options, {});
  return to_json(result ? *result : failed_result(asked.request, gpu, result.error()),
                 JsonStyle::lean());
}

std::string profile(Session& session, const std::string& input, const std::string& gpu,
                    const OptionTexts& options) {
  const Asked asked = asked_of(input, options);
  const Result result = value_of(session.predictor().profile(asked.request, gpu, asked.options));
  return to_json(result, JsonStyle::compact());
}

std::string report(Session& session, const std::string& input, const std::string& gpu,
                   const OptionTexts& options, const std::string& format,
                   const std::vector<std::string>& views) {
  const Asked asked = asked_of(input, options);
  const Result result =
      value_of(session.predictor().predict(asked.request, gpu, asked.options, everything()));
  RenderOptions render_options;
  render_options.views = views;
  return value_of(render({result}, format, render_options));
}

ComparedSide compared_side(const Side& side) {
  Asked asked = asked_of(side.input, side.options);
  return {std::move(asked.request), std::move(asked.options), side.gpu};
}

std::string compare_sides(Session& session, const Side& a, const Side& b) {
  Comparisons comparisons;
  comparisons.pairs.push_back(compare(session.predictor(), compared_side(a), compared_side(b)));
  return to_json(comparisons);
}

}  // namespace

void add_predictions(SessionClass& session) {
  py::class_<Side>(session, "Side")
      .def(py::init(&side_of), py::arg("input"), py::arg("gpu"), py::arg("options"));
  session
      .def(
          "give_input",
          [](Session& self, const std::string& name, const py::bytes& bytes) {
            self.predictor().give_input(name, bytes);
          },
          py::arg("name"), py::arg("bytes"))
      .def(
          "forget_input",
          [](Session& self, const std::string& name) { self.predictor().forget_input(name); },
          py::arg("name"))
      .def("predict", &predict, py::arg("input"), py::arg("gpu"), py::arg("options"),
           py::arg("whole") = false, ReleaseLock())
      .def("predict_or_error", &predict_or_error, py::arg("input"), py::arg("gpu"),
           py::arg("options"), ReleaseLock())
      .def("profile", &profile, py::arg("input"), py::arg("gpu"), py::arg("options"), ReleaseLock())
      .def("report", &report, py::arg("input"), py::arg("gpu"), py::arg("options"),
           py::arg("format"), py::arg("views"), ReleaseLock())
      .def("compare", &compare_sides, py::arg("a"), py::arg("b"), ReleaseLock());
}

}  // namespace forewarp::python
