// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/points/point_key.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/cache/content_key.h"
#include "request/argument_text.h"

namespace forewarp::sweep {

namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t longest_words = 120;  // of a launch in a key: longer ones are hashed

/// Code and board are known by their content, which the prefix has.
bool by_content(const OptionRow& row) {
  return row.name == "INPUT" || row.name == "gpu" || row.name == "calibration";
}

/// The values in effect, and the files that they name.
Texts values_of(const OptionRow& row, const Case& request, const PredictOptions& options) {
  static const Delivery no_delivery;
  Texts values = row.get({request, options, no_delivery});
  if (row.kind != OptionKind::pairs) return values;
  for (const auto* list : {&request.launch.arguments, &request.launch.constants}) {
    for (const NamedArgument& argument : *list) {
      const std::string& path = argument.value.content.path;
      if (!path.empty()) values.push_back(file_key(path));
    }
  }
  return values;
}

void append_row(std::string& text, const OptionRow& row, const Case& request,
                const PredictOptions& options) {
  for (const std::string& value : values_of(row, request, options)) {
    text += row.name.empty() ? row.key : row.name;
    text += ' ' + std::to_string(value.size()) + ' ' + value + '\n';
  }
}

bool plain(char c) {
  return c > ' ' && c <= '~' && c != ';' && c != '#';
}

/// The values alone, "1000,1,1;": the program, and with it the order of the rows, is in the hash.
void append_words(std::string& text, const OptionRow& row, const Case& request,
                  const PredictOptions& options) {
  bool first = true;
  for (const std::string& value : values_of(row, request, options)) {
    if (!first) text += ' ';
    first = false;
    const bool shown = !value.empty() && std::all_of(value.begin(), value.end(), plain);
    text += shown ? value : '#' + content_key(value);
  }
  text += ';';
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
  others_.push_back({nullptr, content_key(prefix) + '\n'});
  launch_.emplace_back();
  bool one_hash = true;
  for (const OptionRow& row : option_rows()) {
    if (row.changes == OptionEffect::nothing || row.get == nullptr || by_content(row)) continue;
    const bool is_launch = row.changes == OptionEffect::launch;
    Parts& parts = is_launch ? launch_ : others_;
    if (std::find(changing.begin(), changing.end(), &row) != changing.end()) {
      parts.push_back({&row, {}});
      one_hash = one_hash && is_launch;
      continue;
    }
    if (parts.back().row != nullptr) parts.emplace_back();
    (is_launch ? append_words : append_row)(parts.back().text, row, request, options);
  }
  if (one_hash) hash_ = content_key(joined(others_, append_row, request, options));
}

std::string PointKeys::joined(const Parts& parts, AppendRow append, const Case& request,
                              const PredictOptions& options) {
  std::string all;
  for (const Part& part : parts) {
    if (part.row == nullptr) {
      all += part.text;
    } else {
      append(all, *part.row, request, options);
    }
  }
  return all;
}

std::string PointKeys::key(const Case& request, const PredictOptions& options) const {
  const std::string hash =
      hash_.empty() ? content_key(joined(others_, append_row, request, options)) : hash_;
  std::string launch = joined(launch_, append_words, request, options);
  if (launch.size() > longest_words) launch = '#' + content_key(launch);
  return hash + ' ' + launch;
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

}  // namespace forewarp::sweep
