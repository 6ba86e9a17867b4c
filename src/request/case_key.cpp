// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/case_key.h"

#include "base/text.h"
#include "request/argument_text.h"
#include "request/copy_request.h"

namespace forewarp::request {

namespace {

constexpr char separator = '\n';  // between the parts; no part can hold it

void add_arguments(const std::vector<NamedArgument>& arguments, std::string& text) {
  for (const NamedArgument& argument : arguments) {
    text += separator + argument.name;
    if (argument.index) text += '#' + std::to_string(*argument.index);
    text += '=' + text_of(argument.value);
  }
}

}  // namespace

std::string case_key_text(const Case& request) {
  std::string text = request.input + separator + request.kernel + separator + request.gpu;
  for (const Extent& extent : {request.launch.grid, request.launch.block}) {
    for (const std::uint32_t size : extent) text += separator + std::to_string(size);
  }
  text += separator + std::to_string(request.launch.dynamic_shared) + separator +
          std::to_string(request.resident_blocks);
  add_arguments(request.launch.arguments, text);
  text += separator + std::string("constants");
  add_arguments(request.launch.constants, text);
  for (const std::string& option : request.compile_options) text += separator + option;
  if (!request.copies.empty()) text += separator + std::string("link ") + request.link;
  for (const CopyRequest& copy : request.copies) text += separator + copy_text(copy);
  if (request.clock) {
    text += separator + std::to_string(static_cast<int>(request.clock->kind)) + ' ' +
            significant(request.clock->megahertz, 17);
  }
  if (request.timing) text += separator + std::string(timing_name(*request.timing));
  if (request.repeat) text += separator + std::string(repeat_name(*request.repeat));
  if (request.overhead_us)
    text += separator + std::string("added ") + significant(*request.overhead_us, 17);
  return text;
}

}  // namespace forewarp::request
