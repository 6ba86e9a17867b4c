// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <forewarp/options.h>

#include "api/errors.h"
#include "api/options_read.h"
#include "base/text.h"
#include "model/model.h"

namespace forewarp::api {
namespace {

using request::OptionGroup;
using request::OptionKind;
using request::OptionRow;

/// Many launches, the report and where it goes are a program's own; code and GPU are not options.
bool has_use(const OptionRow& row) {
  if (row.name == "INPUT" || row.name == "gpu") return false;
  if (row.name == "launch" || row.name == "jobs") return true;
  return row.group != OptionGroup::many && row.group != OptionGroup::report && row.name != "quiet";
}

std::string name_of(const OptionRow& row) {
  return std::string(row.name.empty() ? row.key : row.name);
}

std::string replaced(std::string_view text, char from, char to) {
  std::string changed(text);
  std::replace(changed.begin(), changed.end(), from, to);
  return changed;
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const OptionRow& row : request::option_rows()) {
    if (has_use(row)) names.push_back(replaced(name_of(row), '-', '_'));
  }
  return names;
}

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

Option option_of(const OptionRow& row) {
  return {name_of(row),          std::string(row.key),    kind_name(row.kind),
          std::string(row.unit), std::string(row.values), std::string(row.default_text),
          std::string(row.help)};
}

}  // namespace

Expected<const OptionRow*> option_row(std::string_view name) {
  constexpr auto anywhere =
      static_cast<request::OptionPlace>(request::on_command_line | request::in_case);
  const OptionRow* row = request::option_named(replaced(name, '_', '-'));
  if (row == nullptr) row = request::option_at(anywhere, name);
  if (row != nullptr && has_use(*row)) return row;
  const auto near = base::closest(std::string(name), names());
  return Error{
      "option '" + std::string(name) + "'",
      row == nullptr ? "there is none of this name" : "only the command line has a use for it",
      near ? "perhaps '" + *near + "'" : "", "forewarp.options() lists all"};
}

std::vector<Option> options() {
  std::vector<Option> all;
  for (const OptionRow& row : request::option_rows()) {
    if (has_use(row)) all.push_back(option_of(row));
  }
  return all;
}

Expected<Option> option(std::string_view name) {
  const auto row = option_row(name);
  if (!row) return row.error();
  return option_of(**row);
}

std::vector<Model> models() {
  std::vector<Model> all;
  for (const auto& model : model::models().entries()) {
    Model one{std::string(model->name()),
              std::string(model->sentence()),
              std::string(model->reference()),
              {}};
    for (const model::ModelOption& option : model->options()) {
      one.options.push_back({std::string(option.name), std::string(option.kind),
                             std::string(option.default_value), std::string(option.sentence)});
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace forewarp::api
