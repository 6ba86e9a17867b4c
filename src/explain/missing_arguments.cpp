// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/missing_arguments.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "program/scalar_type.h"

namespace forewarp::explain {
namespace {

std::vector<std::uint32_t> missing_indices(const Kernel& kernel, const BoundArguments& bound) {
  if (bound.layout_from_arguments) return {};  // parameters that are never read leave no trace
  std::vector<std::uint32_t> missing = bound.unset;
  missing.insert(missing.end(), bound.assumed_buffers.begin(), bound.assumed_buffers.end());
  std::sort(missing.begin(), missing.end());
  std::erase_if(missing, [&](std::uint32_t index) { return index >= kernel.parameters.size(); });
  return missing;
}

std::string form_of(const Parameter& parameter) {
  if (parameter.pointer) return "buffer:BYTES";
  const bool number = scalar_type(parameter.type).has_value() || parameter.size <= 8;
  return number ? "NUMBER" : "hex:BYTES";
}

}  // namespace

std::string missing_arguments(const Kernel& kernel, const BoundArguments& bound) {
  std::vector<std::string> texts;
  for (const std::uint32_t index : missing_indices(kernel, bound)) {
    texts.push_back(parameter_text(kernel.parameters[index], declared_index(kernel, index)));
  }
  return join(texts, ", ");
}

std::string options_of_missing(const Kernel& kernel, const BoundArguments& bound) {
  std::vector<std::string> words;
  for (const std::uint32_t index : missing_indices(kernel, bound)) {
    const Parameter& parameter = kernel.parameters[index];
    const std::string name =
        parameter.name.empty() ? std::to_string(declared_index(kernel, index)) : parameter.name;
    words.push_back("--arg " + name + '=' + form_of(parameter));
  }
  return join(words, " ");
}

}  // namespace forewarp::explain
