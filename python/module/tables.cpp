// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <vector>

#include "failure.h"
#include "input/kernel_choice.h"
#include "input/kernel_matching.h"
#include "input/source.h"
#include "model/model.h"
#include "session.h"

namespace forewarp::python {
namespace {

namespace py = pybind11;

std::string kind_name(OptionKind kind) {
  switch (kind) {
    case OptionKind::flag:
      return "flag";
    case OptionKind::text:
      return "text";
    case OptionKind::sizes:
      return "sizes";
    case OptionKind::natural:
      return "natural";
    case OptionKind::positive:
      return "positive";
    case OptionKind::list:
      return "list";
    case OptionKind::repeated:
      return "repeated";
    case OptionKind::pairs:
      break;
  }
  return "pairs";
}

py::dict option_dict(const OptionRow& row) {
  py::dict entry;
  entry["name"] = std::string(row.name.empty() ? row.key : row.name);
  entry["key"] = std::string(row.key);
  entry["kind"] = kind_name(row.kind);
  entry["unit"] = std::string(row.unit);
  entry["values"] = std::string(row.values);
  entry["default"] = std::string(row.default_text);
  entry["help"] = std::string(row.help);
  return entry;
}

py::list options() {
  py::list list;
  for (const OptionRow* row : python_options()) list.append(option_dict(*row));
  return list;
}

py::list model_list() {
  py::list list;
  for (const auto& model : models().entries()) {
    py::list own;
    for (const ModelOption& option : model->options()) {
      py::dict entry;
      entry["name"] = std::string(option.name);
      entry["kind"] = std::string(option.kind);
      entry["default"] = std::string(option.default_value);
      entry["sentence"] = std::string(option.sentence);
      own.append(entry);
    }
    py::dict entry;
    entry["name"] = std::string(model->name());
    entry["sentence"] = std::string(model->sentence());
    entry["reference"] = std::string(model->reference());
    entry["options"] = own;
    list.append(entry);
  }
  return list;
}

std::vector<KernelSummary> summaries(const std::string& name,
                                     const std::optional<std::string>& bytes, std::uint32_t sm,
                                     const OptionTexts& given) {
  const Asked asked = asked_of(name, given);
  ReadOptions reading;
  reading.target_sm = sm;
  reading.toolkit = asked.options.toolkit;
  reading.assume_isa = asked.options.assume_isa;
  reading.compile_options = asked.request.compile_options;
  return value_of(list_kernels(
      bytes ? InputSource::of_text(name, *bytes) : value_of(InputSource::open(name)), reading));
}

py::list kernels(const std::string& name, const std::optional<std::string>& bytes, std::uint32_t sm,
                 const OptionTexts& options) {
  std::vector<KernelSummary> found;
  {
    const py::gil_scoped_release released;
    found = summaries(name, bytes, sm, options);
  }
  py::list list;
  for (const KernelSummary& kernel : found) {
    py::dict entry;
    entry["name"] = kernel.name;
    entry["full_name"] = full_name(kernel.mangled);
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
  module.def("options", &options);
  module.def("option_kind",
             [](const std::string& name) { return kind_name(python_option(name).kind); });
  module.def("models", &model_list);
  module.def("kernels", &kernels, py::arg("name"), py::arg("bytes"), py::arg("sm"),
             py::arg("options"));
}

}  // namespace forewarp::python
