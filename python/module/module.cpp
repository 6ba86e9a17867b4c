// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The part of the Python package that is not Python: forewarp._core. Texts, numbers and JSON go in
// and out; what people write against is python/forewarp.
#include <exception>
#include <forewarp/version.h>

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
    const Error& why = failure.error();
    const py::object type = py::module_::import("forewarp.errors").attr("Error");
    const py::object error = type(why.place, why.found, why.expected, why.way_out);
    PyErr_SetObject(type.ptr(), error.ptr());
  }
}

Session opened(const std::string& data) {
  SessionOptions options;
  options.data = data;
  options.threads = 0;
  return value_of(Session::open(options));
}

void add_all(py::module_& module) {
  module.doc() = "What forewarp is made of: private, the package's own modules say what it does.";
  module.attr("version") = std::string(version());
  py::register_exception_translator(throw_error);
  module.def(
      "diagnostic_line",
      [](std::string place, std::string found, std::string expected, std::string way_out) {
        return Error{std::move(place), std::move(found), std::move(expected), std::move(way_out)}
            .line();
      },
      py::arg("place"), py::arg("found"), py::arg("expected"), py::arg("way_out"));
  add_tables(module);
  SessionClass session(module, "Session");
  session.def(py::init<const std::string&>(), py::arg("data") = "");
  session.def_property_readonly(
      "data", [](const PythonSession& self) { return self.session().data().string(); });
  add_predictions(session);
  add_sweeps(session);
  add_boards(session);
  add_occupancy(session);
}

}  // namespace

PythonSession::PythonSession(const std::string& data) : session_(opened(data)) {}

void PythonSession::give_input(const std::string& name, const std::string& bytes) {
  Kernel code = value_of(session_.kernel(std::as_bytes(std::span(bytes)), name));
  const std::lock_guard lock(mutex_);
  kernels_.try_emplace(name, std::move(code));
}

void PythonSession::forget_input(const std::string& name) {
  const std::lock_guard lock(mutex_);
  kernels_.erase(name);
}

Kernel PythonSession::kernel(const std::string& input) {
  if (input.empty()) return {};
  const std::lock_guard lock(mutex_);
  const auto found = kernels_.find(input);
  if (found != kernels_.end()) return found->second;
  return kernels_.emplace(input, value_of(session_.kernel(input))).first->second;
}

Query PythonSession::query(const std::string& input, const std::string& gpu,
                           const OptionTexts& options) {
  Launch launch = launch_of(options);
  return {kernel(input), value_of(session_.gpu(gpu)), std::move(launch)};
}

}  // namespace forewarp::python

PYBIND11_MODULE(_core, module) {
  forewarp::python::add_all(module);
}
