// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "request/options/option_table.h"
#include "request/options/precedence.h"

namespace forewarp::request {

namespace {

using Echo = std::vector<std::pair<std::string, std::string>>;

/// Whether copies and links count: they are part of a time of the host only.
bool copies_are_timed(const OptionSource& from) {
  return !from.request.copies.empty() &&
         timing_of(from.request, from.options).value == Timing::host;
}

void add_text(const OptionRow& row, const std::string& text, Echo& echo) {
  const std::string name(row.name.empty() ? row.key : row.name);
  const std::size_t equals = row.kind == OptionKind::pairs ? text.find('=') : std::string::npos;
  if (equals == std::string::npos) {
    echo.emplace_back(name, text);
  } else {
    echo.emplace_back(name + '.' + text.substr(0, equals), text.substr(equals + 1));
  }
}

/// Adds what the result's `options` show of this row.
void add_row(const OptionRow& row, const OptionSource& from, Echo& echo) {
  const bool copies = copies_are_timed(from);
  if (row.changes == OptionEffect::copies && !copies) return;
  const std::vector<std::string> texts = row.get(from);
  for (const std::string& text : texts) {
    if (!copies && row.kind == OptionKind::pairs && text.starts_with("link.")) continue;
    add_text(row, text, echo);
  }
  if (texts.empty() && row.always_shown) add_text(row, std::string(row.default_text), echo);
}

/// Whether the echo shows this row: not what another row or another key of the result shows.
bool in_echo(const OptionRow& row) {
  const std::string_view name = row.name.empty() ? row.key : row.name;
  return row.shown.starts_with("options.") && row.shown.substr(8) == name;
}

bool is_usual(const OptionRow& row) {
  return row.always_shown || row.name == "cold" || row.name == "warm";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> option_echo(const Case& request,
                                                             const PredictOptions& options) {
  const Delivery none;
  const OptionSource from{request, options, none};
  Echo echo;
  for (const bool usual : {true, false}) {
    for (const OptionRow& row : option_rows()) {
      if (in_echo(row) && is_usual(row) == usual) add_row(row, from, echo);
    }
  }
  return echo;
}

}  // namespace forewarp::request
