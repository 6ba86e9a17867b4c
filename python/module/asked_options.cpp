// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "asked_options.h"

#include <algorithm>
#include <map>
#include <thread>

#include "base/text.h"
#include "failure.h"
#include "request/files/launch_file.h"

namespace forewarp::python {
namespace {

constexpr auto anywhere = static_cast<OptionPlace>(on_command_line | in_case);

/// Many launches, the report and where it goes: Python has its own means, but for the threads.
bool has_use(const OptionRow& row) {
  if (row.name == "INPUT" || row.name == "gpu") return false;  // arguments of their own
  if (row.name == "launch" || row.name == "jobs") return true;
  return row.group != OptionGroup::many && row.group != OptionGroup::report && row.name != "quiet";
}

std::string python_name(const OptionRow& row) {
  std::string name(row.name.empty() ? row.key : row.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const OptionRow* row : python_options()) names.push_back(python_name(*row));
  return names;
}

void set_texts(const OptionRow& row, const std::vector<std::string>& texts, Asked& asked) {
  const OptionTarget into{asked.request, asked.options, asked.delivery};
  const std::string place = python_name(row);
  if (row.kind == OptionKind::list) {
    value_of(row.set(row, join(texts, ","), place, into));
    return;
  }
  for (const std::string& text : texts) value_of(row.set(row, text, place, into));
}

}  // namespace

std::vector<const OptionRow*> python_options() {
  std::vector<const OptionRow*> rows;
  for (const OptionRow& row : option_rows()) {
    if (has_use(row)) rows.push_back(&row);
  }
  return rows;
}

const OptionRow& python_option(const std::string& name) {
  std::string dashed = name;
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  const OptionRow* row = option_named(dashed);
  if (row == nullptr) row = option_at(anywhere, name);
  if (row != nullptr && has_use(*row)) return *row;
  const auto near = closest(name, names());
  throw Failure(Diagnostic{
      "option '" + name + "'",
      row == nullptr ? "there is none of this name" : "only the command line has a use for it",
      near ? "perhaps '" + *near + "'" : "", "forewarp.options() lists all"});
}

Asked asked_of(const std::string& input, const OptionTexts& given) {
  Asked asked;
  std::map<const OptionRow*, const std::vector<std::string>*> texts;
  for (const auto& [name, values] : given) texts[&python_option(name)] = &values;
  const auto launch = texts.find(option_named("launch"));
  if (launch != texts.end() && !launch->second->empty()) {
    asked.request = value_of(read_launch_file(launch->second->front()));
  }
  for (const OptionRow* row : python_options()) {
    const auto found = texts.find(row);
    if (found != texts.end()) set_texts(*row, *found->second, asked);
  }
  asked.request.input = input;
  const unsigned jobs = asked.delivery.jobs;
  asked.options.jobs = jobs > 0 ? jobs : std::max(1U, std::thread::hardware_concurrency());
  return asked;
}

}  // namespace forewarp::python
