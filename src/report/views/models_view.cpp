// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/models_view.h"

#include <cmath>
#include <optional>
#include <utility>

#include "base/text.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

std::string numbers_of(const Result::ModelTime& model) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : model.numbers) parts.push_back(name + ' ' + figure(value));
  return join(parts, ", ");
}

std::string ratio_of(const Result::ModelTime& model, const Result& result) {
  const double ratio = model.time_ms / result.time_ms;
  return std::isfinite(ratio) ? figure(ratio, 3) : "-";
}

}  // namespace

Section ModelsView::content(const Result& result) const {
  Section section{"models", "", {}};
  Table table;
  table.columns = {{"model", Align::left, ""},
                   {"time", Align::right, ""},
                   {"ratio", Align::right, "to the prediction"},
                   {"applies", Align::left, ""},
                   {"why", Align::text, ""},
                   {"its figures", Align::text, ""}};
  for (const Result::ModelTime& model : result.models) {
    const bool chosen = model.name == result.model;
    table.rows.push_back({{model.name, duration(model.time_ms), ratio_of(model, result),
                           model.applies ? "yes" : "no", model.why, numbers_of(model)},
                          chosen          ? Tone::strong
                          : model.applies ? Tone::plain
                                          : Tone::faint,
                          std::nullopt,
                          0});
  }
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
