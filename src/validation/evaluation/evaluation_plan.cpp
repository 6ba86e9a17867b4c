// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/evaluation/evaluation_plan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "request/tables/field_reading.h"
#include "request/text/toml_value.h"

namespace forewarp::validation {
namespace {

constexpr std::string_view schema = "forewarp.evaluation/1";

/// Numbers of at least `least`; infinity is accepted, NaN is not.
Expected<std::vector<double>> numbers_of(const ValueCursor& cursor, double least) {
  std::vector<double> numbers;
  auto read = each_item(cursor, [&](const ValueCursor& item) -> Expected<void> {
    const auto number = number_of(item);
    if (!number) return number.error();
    if (!(*number >= least)) return item.wrong("numbers from " + significant(least) + " on");
    numbers.push_back(*number);
    return {};
  });
  if (!read) return read.error();
  return numbers;
}

template <typename Owner>
struct TextKey {
  std::string_view name;
  std::string Owner::*member;
};

template <typename Owner>
struct NumberKey {
  std::string_view name;
  double Owner::*member;
};

constexpr std::array<TextKey<PlannedFigure>, 11> figure_texts{{
    {"id", &PlannedFigure::id},
    {"what", &PlannedFigure::what},
    {"source", &PlannedFigure::source},
    {"printed", &PlannedFigure::printed},
    {"note", &PlannedFigure::note},
    {"gpu", &PlannedFigure::gpu},
    {"model", &PlannedFigure::model},
    {"against", &PlannedFigure::against},
    {"workload", &PlannedFigure::workload},
    {"quantity", &PlannedFigure::quantity},
    {"formula", &PlannedFigure::formula},
}};

constexpr std::array<NumberKey<PlannedFigure>, 5> figure_numbers{{
    {"warps", &PlannedFigure::warps},
    {"share", &PlannedFigure::share},
    {"scale", &PlannedFigure::scale},
    {"low", &PlannedFigure::low},
    {"high", &PlannedFigure::high},
}};

constexpr std::array<TextKey<EvaluationPlan>, 4> plan_texts{{
    {"title", &EvaluationPlan::title},
    {"source", &EvaluationPlan::source},
    {"workload", &EvaluationPlan::workload},
    {"reference", &EvaluationPlan::reference},
}};

template <typename Keys>
auto find_key(const Keys& keys, std::string_view name) {
  return std::find_if(keys.begin(), keys.end(), [&](const auto& key) { return key.name == name; });
}

template <typename Keys>
void add_names(const Keys& keys, std::vector<std::string>& names) {
  for (const auto& key : keys) names.emplace_back(key.name);
}

Expected<void> read_kind(const ValueCursor& value, bool& exact) {
  const auto kind = text_of(value);
  if (!kind) return kind.error();
  if (*kind != "computed" && *kind != "plausibility")
    return value.wrong("computed or plausibility");
  exact = *kind == "computed";
  return {};
}

Expected<void> read_inputs(const ValueCursor& cursor, PlannedFigure& figure) {
  return each_key(cursor, [&](const std::string& key, const ValueCursor& value, std::size_t) {
    return put(text_of(value), figure.inputs[key]);
  });
}

/// A figure asks either a model on a workload or a formula.
bool is_complete(const PlannedFigure& figure) {
  const bool named = !figure.id.empty() && !figure.what.empty() && !figure.quantity.empty();
  const bool on_workload = !figure.gpu.empty() && !figure.model.empty() && !figure.workload.empty();
  return named && on_workload == figure.formula.empty();
}

Expected<PlannedFigure> read_figure(const ValueCursor& cursor) {
  PlannedFigure figure;
  bool has_kind = false;
  auto read = each_key(
      cursor,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (const auto text = find_key(figure_texts, key); text != figure_texts.end()) {
          return put(text_of(value), figure.*(text->member));
        }
        if (const auto number = find_key(figure_numbers, key); number != figure_numbers.end()) {
          return put(number_of(value), figure.*(number->member));
        }
        if (key == "inputs") return read_inputs(value, figure);
        if (key == "kind") {
          has_kind = true;
          return read_kind(value, figure.exact);
        }
        std::vector<std::string> names{"kind", "inputs"};
        add_names(figure_texts, names);
        add_names(figure_numbers, names);
        return cursor.unknown_key(index, names);
      });
  if (!read) return read.error();
  if (!is_complete(figure)) {
    return cursor.refuse("the figure is incomplete",
                         "id, what, quantity, and gpu, model, workload or formula with inputs");
  }
  if (!(figure.low <= figure.high)) {
    return cursor.refuse("low is above high", "low and high, where ours must lie");
  }
  if (!has_kind) return cursor.refuse("the key 'kind' is missing", "computed or plausibility");
  return figure;
}

Expected<void> read_figures(const ValueCursor& cursor, std::vector<PlannedFigure>& into) {
  return each_item(cursor, [&](const ValueCursor& item) -> Expected<void> {
    auto figure = read_figure(item);
    if (!figure) return std::move(figure).error();
    into.push_back(std::move(*figure));
    return {};
  });
}

Expected<void> check_schema(const ValueCursor& value) {
  const auto text = text_of(value);
  if (!text) return text.error();
  if (*text != schema) return value.wrong(schema);
  return {};
}

}  // namespace

Expected<EvaluationPlan> parse_plan(const std::string& text, const std::string& name) {
  EvaluationPlan plan;
  const ValueOrigin origin{name, 0, std::filesystem::path(name).parent_path()};
  auto table = parse_toml(text, origin, "an evaluation of models in TOML");
  if (!table) return std::move(table).error();
  const ValueCursor root(*table, origin);
  if (table->find("schema") == nullptr) {
    return root.refuse("the key 'schema' is missing", "schema = \"" + std::string(schema) + "\"");
  }
  auto read = each_key(
      root,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (const auto found = find_key(plan_texts, key); found != plan_texts.end()) {
          return put(text_of(value), plan.*(found->member));
        }
        if (key == "schema") return check_schema(value);
        if (key == "gpus") return put(texts_of(value), plan.gpus);
        if (key == "models") return put(texts_of(value), plan.models);
        if (key == "alphas") return put(numbers_of(value, 0), plan.alphas);
        if (key == "warps") return put(numbers_of(value, 1), plan.warps);
        if (key == "figure") return read_figures(value, plan.figures);
        std::vector<std::string> names{"schema", "gpus", "models", "alphas", "warps", "figure"};
        add_names(plan_texts, names);
        return root.unknown_key(index, names);
      });
  if (!read) return read.error();
  if (!plan.gpus.empty() &&
      (plan.alphas.empty() || plan.models.empty() || plan.reference.empty())) {
    return root.refuse("GPUs without alphas, models or a reference", "all four, or figures alone");
  }
  return plan;
}

Expected<EvaluationPlan> load_plan(const std::string& path) {
  auto text = read_file(path);
  if (!text) return std::move(text).error();
  return parse_plan(*text, path);
}

}  // namespace forewarp::validation
