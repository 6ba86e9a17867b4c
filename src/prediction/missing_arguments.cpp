// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/missing_arguments.h"

#include <algorithm>

#include "base/text.h"
#include "program/scalar_type.h"
#include "program/tensor_map.h"

namespace forewarp::prediction {
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
  if (parameter.size == TensorMap::bytes)
    return "tensor:TYPE:SIZExSIZE:box=SIZExSIZE:swizzle=128B:BUFFER";
  const bool number = scalar_type(parameter.type).has_value() || parameter.size <= 8;
  return number ? "NUMBER" : "hex:BYTES";
}

/// The ways in `text` but for the first, if that one begins and ends as given.
std::string without_first_way(std::string_view text, std::string_view begin, std::string_view end) {
  constexpr std::string_view next = ", or ";
  const std::size_t length = std::min(text.find(next), text.size());
  const std::string_view first = text.substr(0, length);
  if (!first.starts_with(begin) || !first.ends_with(end)) return std::string(text);
  return std::string(text.substr(std::min(length + next.size(), text.size())));
}

}  // namespace

std::string missing_arguments(const Kernel& kernel, const BoundArguments& bound) {
  std::vector<std::string> texts;
  for (const std::uint32_t index : missing_indices(kernel, bound)) {
    texts.push_back(parameter_text(kernel.parameters[index], declared_index(kernel, index)));
  }
  return join(texts, ", ");
}

std::vector<MissingArgument> missing_argument_options(const Kernel& kernel,
                                                      const BoundArguments& bound) {
  std::vector<MissingArgument> options;
  for (const std::uint32_t index : missing_indices(kernel, bound)) {
    const Parameter& parameter = kernel.parameters[index];
    const std::string name =
        parameter.name.empty() ? std::to_string(declared_index(kernel, index)) : parameter.name;
    options.push_back({"--arg " + name + '=' + form_of(parameter), parameter.type});
  }
  return options;
}

std::string options_of_missing(const Kernel& kernel, const BoundArguments& bound) {
  std::vector<std::string> words;
  for (const MissingArgument& argument : missing_argument_options(kernel, bound)) {
    words.push_back(argument.option);
  }
  return join(words, " ");
}

Diagnostic without_counts(Diagnostic analysis, const std::optional<Diagnostic>& execution,
                          const Kernel& kernel, const BoundArguments& bound) {
  const std::string missing = missing_arguments(kernel, bound);
  const std::string stops =
      execution ? "executing it stops: " + execution->place + ": " + execution->found : "";
  if (missing.empty()) {
    if (!execution) return analysis;
    analysis.found += "; " + stops;
    const bool both = !analysis.way_out.empty() && !execution->way_out.empty();
    analysis.way_out += (both ? ", or " : "") + execution->way_out;
    return analysis;
  }
  analysis.found =
      "not given: " + missing + "; " + analysis.found + (execution ? "; " + stops : "");
  // The options say these already.
  std::vector<std::string> others{without_first_way(analysis.way_out, "give --arg", "--arg")};
  if (execution) {
    others.push_back(without_first_way(execution->way_out, "give it by --arg ", "=VALUE"));
  }
  std::erase(others, "");
  for (const MissingArgument& argument : missing_argument_options(kernel, bound)) {
    const std::size_t space = argument.option.find(' ');
    analysis.missing.push_back(argument.option.substr(0, space));
    analysis.missing.push_back(argument.option.substr(space + 1));
  }
  analysis.way_out = "add " + options_of_missing(kernel, bound) +
                     (others.empty() ? "" : "; or " + join(others, ", or "));
  return analysis;
}

}  // namespace forewarp::prediction
