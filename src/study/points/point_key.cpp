// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "study/points/point_key.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "launch/cache/content_key.h"
#include "request/argument_text.h"

namespace forewarp::study {

namespace {

/// Code and board are known by their content, which the prefix has.
bool by_content(const OptionRow& row) {
  return row.name == "INPUT" || row.name == "gpu" || row.name == "calibration";
}

void append_row(std::string& text, const OptionRow& row, const Case& request,
                const PredictOptions& options) {
  static const Delivery no_delivery;
  for (const std::string& value : row.get({request, options, no_delivery})) {
    text += row.name.empty() ? row.key : row.name;
    text += ' ' + std::to_string(value.size()) + ' ' + value + '\n';
  }
  if (row.kind != OptionKind::pairs) return;
  for (const auto* list : {&request.launch.arguments, &request.launch.constants}) {
    for (const NamedArgument& argument : *list) {
      const std::string& path = argument.value.content.path;
      if (!path.empty()) text += file_key(path) + '\n';
    }
  }
}

}  // namespace

std::string facts_key(const Gpu& gpu) {
  std::string all;
  for (const auto& [path, fact] : gpu.facts) {
    all += path + ' ' + exact_text(fact.value) + ' ' + fact.text;
    for (const double value : fact.values) all += ' ' + exact_text(value);
    all += '\n';
  }
  return content_key(all);
}

std::string file_key(const std::string& file) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(file, failure);
  const auto time = std::filesystem::last_write_time(file, failure).time_since_epoch().count();
  return file + ' ' + std::to_string(size) + ' ' + std::to_string(time);
}

PointKeys::PointKeys(std::string_view prefix, const Case& request, const PredictOptions& options,
                     const std::vector<const OptionRow*>& changing) {
  parts_.push_back({nullptr, content_key(prefix) + '\n'});
  for (const OptionRow& row : option_rows()) {
    if (row.changes == OptionEffect::nothing || row.get == nullptr || by_content(row)) continue;
    if (std::find(changing.begin(), changing.end(), &row) != changing.end()) {
      parts_.push_back({&row, {}});
      continue;
    }
    if (parts_.back().row != nullptr) parts_.emplace_back();
    append_row(parts_.back().text, row, request, options);
  }
}

std::string PointKeys::key(const Case& request, const PredictOptions& options) const {
  std::string all;
  for (const Part& part : parts_) {
    if (part.row == nullptr) {
      all += part.text;
    } else {
      append_row(all, *part.row, request, options);
    }
  }
  return content_key(all);
}

std::vector<const OptionRow*> swept_rows(const Sweep& sweep) {
  std::vector<const OptionRow*> rows;
  for (const SweepAxis& axis : sweep.axes()) {
    switch (axis.kind()) {
      case SweepAxis::Kind::argument:
        rows.push_back(option_named("arg"));
        break;
      case SweepAxis::Kind::option:
        rows.push_back(option_named(axis.name()));
        break;
      case SweepAxis::Kind::hardware:
        rows.push_back(option_named("set"));
        break;
      case SweepAxis::Kind::model_option:
        rows.push_back(option_named("option"));
        break;
    }
  }
  return rows;
}

}  // namespace forewarp::study
