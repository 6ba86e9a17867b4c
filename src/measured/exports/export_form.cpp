// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/exports/export_form.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace forewarp::measured {

namespace {

/// How a header begins and what else it has, the more special form first.
struct FormHeader {
  ExportForm form;
  std::string_view begins;
  std::array<std::string_view, 2> has;
};
constexpr std::array<FormHeader, 7> headers{{
    {ExportForm::compute_details, "ID", {"Kernel Name", "Metric Name"}},
    {ExportForm::compute_wide, "ID", {"Kernel Name", "Grid Size"}},
    {ExportForm::systems_trace, "Start", {"GrdX", "BlkX"}},
    {ExportForm::nvprof_trace, "Start", {"Grid X", "Block X"}},
    {ExportForm::nvprof_metrics, "Device", {"Invocations", "Metric Name"}},
    {ExportForm::nvprof_metrics, "Device", {"Invocations", "Event Name"}},
    {ExportForm::nvprof_launches, "Device", {"Context", "Kernel"}},
}};

std::optional<ExportForm> form_of(std::string_view line) {
  line = trim(line);
  if (line.starts_with('"')) line.remove_prefix(1);
  for (const FormHeader& header : headers) {
    const bool all = std::all_of(header.has.begin(), header.has.end(), [&](std::string_view word) {
      return line.find(word) != std::string_view::npos;
    });
    if (all && line.starts_with(header.begins)) return header.form;
  }
  return {};
}

}  // namespace

std::optional<FoundTable> find_table(std::string_view text) {
  std::optional<FoundTable> found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!found) {
      const auto form = form_of(line);
      if (form) found = FoundTable{*form, ""};
    } else if (trim(line).empty()) {
      break;  // another table follows
    }
    if (found && !line.starts_with("==")) found->text.append(line).append("\n");
  }
  return found;
}

}  // namespace forewarp::measured
