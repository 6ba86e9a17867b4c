// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "failure.h"
#include "session.h"

namespace forewarp::python {
namespace {

namespace py = pybind11;

Side side_of(const std::string& input, const std::string& gpu, const OptionTexts& options) {
  return {input, gpu, options};
}

std::string predict(PythonSession& session, const std::string& input, const std::string& gpu,
                    const OptionTexts& options, bool whole) {
  const Query query = session.query(input, gpu, options);
  return value_of(session.session().predict(query, whole ? Detail::whole : Detail::usual))
      .json(whole);
}

/// A launch that has no prediction is a result with an error.
std::string predict_or_error(PythonSession& session, const std::string& input,
                             const std::string& gpu, const OptionTexts& options) {
  const Launch launch = launch_of(options);
  return session.session().predict_or_error(session.kernel(input), gpu, launch).json();
}

std::string profile(PythonSession& session, const std::string& input, const std::string& gpu,
                    const OptionTexts& options) {
  return value_of(session.session().profile(session.query(input, gpu, options))).json(true);
}

std::string report(PythonSession& session, const std::string& input, const std::string& gpu,
                   const OptionTexts& options, const std::string& format,
                   const std::vector<std::string>& views) {
  const Query query = session.query(input, gpu, options);
  const Result result = value_of(session.session().predict(query, Detail::whole));
  return value_of(session.session().report({result}, format, views));
}

std::string compare_sides(PythonSession& session, const Side& a, const Side& b) {
  const Query first = session.query(a.input, a.gpu, a.options);
  const Query second = session.query(b.input, b.gpu, b.options);
  return value_of(session.session().compare(first, second)).json();
}

}  // namespace

void add_predictions(SessionClass& session) {
  py::class_<Side>(session, "Side")
      .def(py::init(&side_of), py::arg("input"), py::arg("gpu"), py::arg("options"));
  session
      .def(
          "give_input",
          [](PythonSession& self, const std::string& name, const py::bytes& bytes) {
            self.give_input(name, bytes);
          },
          py::arg("name"), py::arg("bytes"))
      .def("forget_input", &PythonSession::forget_input, py::arg("name"))
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
