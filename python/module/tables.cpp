// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <forewarp/options.h>
#include <optional>
#include <vector>

#include "failure.h"
#include "session.h"

namespace forewarp::python {
namespace {

namespace py = pybind11;

py::dict option_dict(const Option& option) {
  py::dict entry;
  entry["name"] = option.name;
  entry["key"] = option.key;
  entry["kind"] = option.kind;
  entry["unit"] = option.unit;
  entry["values"] = option.values;
  entry["default"] = option.default_value;
  entry["help"] = option.help;
  return entry;
}

py::list option_list() {
  py::list list;
  for (const Option& option : options()) list.append(option_dict(option));
  return list;
}

py::list model_list() {
  py::list list;
  for (const Model& model : models()) {
    py::list own;
    for (const ModelOption& option : model.options) {
      py::dict entry;
      entry["name"] = option.name;
      entry["kind"] = option.kind;
      entry["default"] = option.default_value;
      entry["sentence"] = option.sentence;
      own.append(entry);
    }
    py::dict entry;
    entry["name"] = model.name;
    entry["sentence"] = model.sentence;
    entry["reference"] = model.reference;
    entry["options"] = own;
    list.append(entry);
  }
  return list;
}

std::vector<KernelFacts> facts_of(const std::string& name, const std::optional<std::string>& bytes,
                                  std::uint32_t sm, const OptionTexts& given) {
  const Launch options = launch_of(given);
  const Session session = value_of(Session::open());
  const Kernel code = value_of(bytes ? session.kernel(std::as_bytes(std::span(*bytes)), name)
                                     : session.kernel(name));
  return value_of(session.kernels(code, sm, options));
}

py::list kernels(const std::string& name, const std::optional<std::string>& bytes, std::uint32_t sm,
                 const OptionTexts& options) {
  std::vector<KernelFacts> found;
  {
    const py::gil_scoped_release released;
    found = facts_of(name, bytes, sm, options);
  }
  py::list list;
  for (const KernelFacts& kernel : found) {
    py::dict entry;
    entry["name"] = kernel.name;
    entry["full_name"] = kernel.full_name;
    entry["mangled"] = kernel.mangled;
    entry["sm"] = kernel.sm;
    entry["instructions"] = kernel.instructions;
    entry["registers"] = kernel.registers;
    list.append(entry);
  }
  return list;
}

}  // namespace

void add_tables(py::module_& module) {
  module.def("options", &option_list);
  module.def("option_kind", [](const std::string& name) { return value_of(option(name)).kind; });
  module.def("models", &model_list);
  module.def("kernels", &kernels, py::arg("name"), py::arg("bytes"), py::arg("sm"),
             py::arg("options"));
}

}  // namespace forewarp::python
