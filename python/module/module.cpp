// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The part of the Python package that is not Python: forewarp._core. Texts, numbers and JSON go in
// and out; what people write against is python/forewarp.
#include <exception>

#include "failure.h"
#include "session.h"

namespace forewarp::python {
namespace {

namespace py = pybind11;

/// forewarp.Error is a class of the package, so that it can be read and subclassed there.
void throw_error(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Failure& failure) {
    const Diagnostic& why = failure.diagnostic();
    const py::object type = py::module_::import("forewarp.errors").attr("Error");
    const py::object error = type(why.place, why.found, why.expected, why.way_out);
    PyErr_SetObject(type.ptr(), error.ptr());
  }
}

HardwareDatabase opened(const std::string& data) {
  return data.empty() ? value_of(HardwareDatabase::locate()) : HardwareDatabase(data);
}

void add_all(py::module_& module) {
  module.doc() = "What forewarp is made of: private, the package's own modules say what it does.";
  module.attr("version") = FOREWARP_VERSION;
  py::register_exception_translator(throw_error);
  module.def(
      "diagnostic_line",
      [](std::string place, std::string found, std::string expected, std::string way_out) {
        return Diagnostic{std::move(place), std::move(found), std::move(expected),
                          std::move(way_out)}
            .line();
      },
      py::arg("place"), py::arg("found"), py::arg("expected"), py::arg("way_out"));
  add_tables(module);
  SessionClass session(module, "Session");
  session.def(py::init<const std::string&>(), py::arg("data") = "");
  session.def_property_readonly(
      "data", [](const Session& self) { return self.database().directory().string(); });
  add_predictions(session);
  add_sweeps(session);
  add_boards(session);
  add_occupancy(session);
}

}  // namespace

Session::Session(const std::string& data) : database_(opened(data)), predictor_(database_) {}

}  // namespace forewarp::python

PYBIND11_MODULE(_core, module) {
  forewarp::python::add_all(module);
}
