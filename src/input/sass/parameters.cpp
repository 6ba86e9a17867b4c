// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/parameters.h"

#include <algorithm>
#include <utility>

namespace forewarp::input {
namespace {

std::uint32_t natural_alignment(std::uint32_t size) {
  for (const std::uint32_t alignment : {16U, 8U, 4U, 2U}) {
    if (size % alignment == 0) return alignment;
  }
  return 1;
}

/// Sets offsets by natural alignment; false if a type's size is neither known nor stated.
bool lay_out(std::vector<Parameter>& parameters) {
  std::uint32_t offset = 0;
  for (Parameter& parameter : parameters) {
    const auto layout = type_layout(parameter.type);
    parameter.pointer = layout && layout->pointer;
    if (parameter.size == 0 && !layout) return false;
    std::uint32_t alignment = layout ? layout->alignment : natural_alignment(parameter.size);
    if (parameter.size == 0) parameter.size = layout->size;
    alignment = std::min(alignment, natural_alignment(parameter.size));
    parameter.offset = aligned_offset(offset, alignment);
    offset = parameter.offset + parameter.size;
  }
  return true;
}

/// Header lines give a layout only if they name every parameter from 0 on.
std::vector<Parameter> stated_parameters(const KernelFacts& facts) {
  std::vector<Parameter> parameters;
  for (const auto& [index, stated] : facts.stated) {
    if (index != parameters.size()) return {};
    Parameter parameter;
    parameter.name = stated.name;
    parameter.type = stated.type;
    parameter.size = stated.size.value_or(0);
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::vector<Parameter> parameters_of_types(const std::vector<std::string>& types) {
  std::vector<Parameter> parameters;
  for (const std::string& type : types) {
    Parameter parameter;
    parameter.type = type;
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::vector<Parameter> section_parameters(const KernelFacts& facts) {
  std::vector<Parameter> parameters;
  for (const auto& [ordinal, place] : facts.places) {
    if (ordinal != parameters.size()) return {};
    Parameter parameter;
    parameter.offset = place.offset;
    parameter.size = place.size;
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

void take_names(std::vector<Parameter>& parameters, const std::vector<Parameter>& named) {
  if (named.size() != parameters.size()) return;
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (parameters[i].name.empty()) parameters[i].name = named[i].name;
    if (parameters[i].type.empty()) parameters[i].type = named[i].type;
    const auto layout = type_layout(parameters[i].type);
    parameters[i].pointer = layout && layout->pointer;
  }
}

/// Of a parameter without a type: eight bytes that the code uses as an address are a pointer, what
/// only floating arithmetic reads is a floating number.
void take_uses(std::vector<Parameter>& parameters, const std::vector<Parameter>& inferred) {
  for (Parameter& parameter : parameters) {
    if (!parameter.type.empty()) continue;
    for (const Parameter& seen : inferred) {
      if (seen.offset != parameter.offset || seen.size != parameter.size) continue;
      parameter.type = seen.type;
      parameter.pointer = seen.pointer;
    }
  }
}

/// Replaces structures by their fields, if the structure has the size that was stated.
void take_fields(Kernel& kernel, const KernelFacts& facts) {
  // The header lines belong to another list of parameters.
  if (facts.stated.size() != kernel.parameters.size()) return;
  std::vector<Parameter> flat;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Parameter& whole = kernel.parameters[i];
    const auto stated = facts.stated.find(static_cast<std::uint32_t>(i));
    const bool split = stated != facts.stated.end() && !stated->second.fields.empty() &&
                       stated->second.size == whole.size;
    if (!split) {
      flat.push_back(whole);
      continue;
    }
    const auto& fields = stated->second.fields;
    kernel.structures.push_back({whole.name, whole.type, static_cast<std::uint32_t>(i),
                                 static_cast<std::uint32_t>(flat.size()),
                                 static_cast<std::uint32_t>(fields.size()), whole.offset,
                                 whole.size});
    for (Parameter field : fields) {
      field.name = whole.name + '.' + field.name;
      field.offset += whole.offset;
      flat.push_back(std::move(field));
    }
  }
  kernel.parameters = std::move(flat);
}

}  // namespace

void resolve_parameters(Kernel& kernel, const KernelFacts& facts,
                        const KernelSignature& signature) {
  if (facts.parameter_base) kernel.parameter_base = *facts.parameter_base;
  std::vector<Parameter> stated = stated_parameters(facts);
  std::vector<Parameter> mangled = parameters_of_types(signature.types);
  std::vector<Parameter> section = section_parameters(facts);
  const bool stated_known = !stated.empty() && lay_out(stated);
  const bool mangled_known = signature.has_types && lay_out(mangled);
  if (!section.empty()) {  // the exact layout, whichever source gives the names
    take_names(section, stated);
    take_names(section, mangled);
    take_uses(section, infer_parameters(kernel));
    kernel.parameters = std::move(section);
    kernel.parameters_source = stated_known ? FactSource::header_line : FactSource::section_info;
  } else if (stated_known) {
    kernel.parameters = std::move(stated);
    kernel.parameters_source = FactSource::header_line;
  } else if (mangled_known) {
    take_names(mangled, stated);
    kernel.parameters = std::move(mangled);
    kernel.parameters_source = FactSource::mangled_name;
  } else {
    kernel.parameters = infer_parameters(kernel);
    kernel.parameters_source = FactSource::inferred;
  }
  take_fields(kernel, facts);
}

}  // namespace forewarp::input
