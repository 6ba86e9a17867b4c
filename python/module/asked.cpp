// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "asked.h"

#include <algorithm>
#include <forewarp/options.h>
#include <map>

#include "failure.h"

namespace forewarp::python {
namespace {

std::string python_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<std::string> in_one(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ",") + text;
  return {joined};
}

}  // namespace

Launch launch_of(const OptionTexts& given) {
  std::map<std::string, std::vector<std::string>> texts;
  for (const auto& [name, values] : given) texts[value_of(option(name)).name] = values;
  Launch launch;
  if (const auto file = texts.find("launch"); file != texts.end() && !file->second.empty()) {
    launch = value_of(Launch::from_file(file->second.front()));
  }
  for (const Option& one : options()) {
    const auto found = texts.find(one.name);
    if (found == texts.end() || one.name == "launch") continue;
    for (const std::string& text : one.kind == "list" ? in_one(found->second) : found->second) {
      launch.set(python_name(one.name), text);
    }
  }
  if (const auto wrong = launch.error()) throw Failure(*wrong);
  return launch;
}

}  // namespace forewarp::python
