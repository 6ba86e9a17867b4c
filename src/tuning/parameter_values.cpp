// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "tuning/parameter_values.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "measured/points/row_scope.h"
#include "measured/tuners/python_expression.h"
#include "request/argument_text.h"
#include "sweep/sweep_range.h"

namespace forewarp::tuning {

namespace {

using Words = std::vector<std::string>;

constexpr std::size_t most_values = 10'000;  // of one parameter

Diagnostic too_many(std::string_view place) {
  return {std::string(place), "more than " + std::to_string(most_values) + " values of a parameter",
          "fewer", ""};
}

std::string number_word(double value) {
  const bool whole = value == std::floor(value) && std::fabs(value) < 9e15;
  return whole ? std::to_string(static_cast<std::int64_t>(value)) : exact_text(value);
}

void add_once(Words& words, std::string word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
}

Expected<Words> range_words(std::string_view text, std::string_view place) {
  const bool doubles = std::count(text.begin(), text.end(), ':') == 1;
  const auto range = SweepRange::parse(doubles ? std::string(text) + ":*2" : std::string(text),
                                       std::string(place) + " " + std::string(text));
  if (!range) return range.error();
  if (!range->whole()) {
    return Diagnostic{std::string(place), "'" + std::string(text) + "' is no range",
                      "whole numbers", "list other values: A,B,.."};
  }
  if (range->count() > most_values) return too_many(place);
  Words words;
  for (std::uint64_t i = 0; i < range->count(); ++i) {
    words.push_back(std::to_string(std::get<std::int64_t>(range->at(i))));
  }
  return words;
}

std::vector<std::vector<std::string>> product(const std::vector<Words>& axes) {
  std::vector<std::vector<std::string>> all{{}};
  for (const Words& axis : axes) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& begun : all) {
      for (const std::string& word : axis) {
        longer.push_back(begun);
        longer.back().push_back(word);
      }
    }
    all = std::move(longer);
  }
  return all;
}

Diagnostic no_shape(std::string_view text, std::string_view place) {
  return {std::string(place), "'" + std::string(text) + "' is no shape of a block",
          "32x4, or 32x4:256x8", ""};
}

/// "32x4:256x8": the sizes of every axis.
Expected<std::vector<Words>> shape_axes(std::string_view text, std::string_view place) {
  const auto ends = split(text, ':');
  const auto from = split(ends[0], 'x');
  const auto to = split(ends.back(), 'x');
  if (ends.size() > 2 || from.size() > 3 || from.size() != to.size()) return no_shape(text, place);
  std::vector<Words> axes;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto low = parse_natural(from[i]);
    const auto high = parse_natural(to[i]);
    if (!low || !high || *low == 0 || *high < *low) return no_shape(text, place);
    if (*low == *high) {
      axes.push_back({std::to_string(*low)});
      continue;
    }
    auto words = range_words(std::to_string(*low) + ":" + std::to_string(*high), place);
    if (!words) return std::move(words).error();
    axes.push_back(std::move(*words));
  }
  return axes;
}

/// A list as Python writes it. Every step returns at the first fault.
class PythonList {
 public:
  static Expected<Words> read(std::string_view text, int depth = 0) {
    constexpr int deepest = 20;
    text = trim(text);
    if (depth > deepest) return refuse(text);
    const auto parts = split_list(text, '+');
    if (parts.size() > 1 && is_list(parts[0])) {
      Words all;
      for (const std::string_view part : parts) {
        const auto words = read(part, depth + 1);
        if (!words) return words;
        for (const std::string& word : *words) add_once(all, word);
      }
      return all;
    }
    for (const std::string_view name : {"list", "tuple", "sorted"}) {
      if (const auto inner = call_of(text, name)) return read(*inner, depth + 1);
    }
    if (const auto inner = call_of(text, "range")) return range(*inner);
    const bool bracket = text.size() >= 2 && ((text.front() == '[' && text.back() == ']') ||
                                              (text.front() == '(' && text.back() == ')'));
    if (bracket) return items(text.substr(1, text.size() - 2), depth);
    return items(text, depth);
  }

 private:
  static Diagnostic refuse(std::string_view text) {
    std::string shown(text.substr(0, 80));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return {"", "'" + shown + "' is no list of values", "[1, 2, 4] or [2**i for i in range(5)]",
            ""};
  }

  static std::optional<std::string_view> call_of(std::string_view text, std::string_view name) {
    if (!text.starts_with(name) || !text.ends_with(')')) return {};
    std::string_view rest = trim(text.substr(name.size()));
    if (!rest.starts_with('(')) return {};
    return rest.substr(1, rest.size() - 2);
  }

  static bool is_list(std::string_view text) {
    text = trim(text);
    return text.starts_with('[') || call_of(text, "list") || call_of(text, "range");
  }

  static Expected<double> value(std::string_view text, std::string_view name, double of_name) {
    const auto formula = formula_of(text);
    if (!formula) return formula.error();
    CsvTable none;
    RowScope scope(none);
    if (!name.empty()) scope.set_number(std::string(name), of_name);
    return scope.value(*formula);
  }

  static Expected<Words> range(std::string_view text) {
    double bounds[3] = {0, 0, 1};
    const auto parts = split_list(text);
    if (parts.empty() || parts.size() > 3) return refuse(text);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto bound = value(parts[i], {}, 0);
      if (!bound) return bound.error();
      bounds[parts.size() == 1 ? 1 : i] = *bound;
    }
    const auto [from, to, step] = bounds;
    for (const double bound : bounds) {
      if (bound != std::floor(bound) || std::fabs(bound) > 1e15) return refuse(text);
    }
    if (step == 0) return refuse(text);
    if ((to - from) / step > static_cast<double>(most_values)) return too_many("");
    Words words;
    for (double at = from; step > 0 ? at < to : at > to; at += step) {
      words.push_back(number_word(at));
    }
    return words;
  }

  /// EXPRESSION for NAME in LIST [if CONDITION]
  static Expected<Words> comprehension(std::string_view text, std::size_t loop, int depth) {
    constexpr std::string_view loop_word = " for ";
    constexpr std::string_view in_word = " in ";
    constexpr std::string_view if_word = " if ";
    const std::string_view expression = text.substr(0, loop);
    const std::string_view rest = text.substr(loop + loop_word.size());
    const std::size_t in = rest.find(in_word);
    if (in == std::string_view::npos) return refuse(text);
    const std::string_view name = trim(rest.substr(0, in));
    std::string_view list = rest.substr(in + in_word.size());
    std::string_view condition;
    if (const std::size_t at = list.find(if_word); at != std::string_view::npos) {
      condition = list.substr(at + if_word.size());
      list = list.substr(0, at);
    }
    const auto inner = read(list, depth + 1);
    if (!inner) return inner;
    Words words;
    for (const std::string& word : *inner) {
      const auto number = parse_number(word);
      if (!number) return refuse(list);
      if (!condition.empty()) {
        const auto kept = value(condition, name, *number);
        if (!kept) return kept.error();
        if (*kept == 0) continue;
      }
      const auto made = value(expression, name, *number);
      if (!made) return made.error();
      add_once(words, number_word(*made));
    }
    return words;
  }

  static Expected<Words> items(std::string_view text, int depth) {
    const std::size_t loop = text.find(" for ");
    if (loop != std::string_view::npos) return comprehension(text, loop, depth);
    Words words;
    const auto parts = split_list(text);
    if (parts.size() > most_values) return too_many("");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string_view part = trim(parts[i]);
      if (part.empty() && i + 1 == parts.size()) break;  // a comma may stand after the last
      const bool quoted =
          part.size() >= 2 && (part[0] == '\'' || part[0] == '"') && part.back() == part[0];
      if (quoted) {
        add_once(words, std::string(part.substr(1, part.size() - 2)));
      } else if (parse_number(part)) {
        add_once(words, std::string(part));
      } else {
        const auto made = value(part, {}, 0);
        if (!made) return made.error();
        add_once(words, number_word(*made));
      }
    }
    return words;
  }
};

}  // namespace

std::vector<std::string_view> split_list(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[') {
      ++depth;
    } else if (c == ')' || c == ']') {
      --depth;
    } else if (c == separator && depth == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

Expected<std::vector<std::string>> parameter_words(std::string_view text, std::string_view place) {
  Words words;
  for (const std::string_view part : split(text, ',')) {
    const std::string_view word = trim(part);
    if (word.empty()) {
      return Diagnostic{std::string(place), "'" + std::string(text) + "' lacks a value",
                        "A,B,.. or FROM:TO", ""};
    }
    if (word.find(':') == std::string_view::npos) {
      add_once(words, std::string(word));
      continue;
    }
    auto range = range_words(word, place);
    if (!range) return range;
    for (std::string& one : *range) add_once(words, std::move(one));
  }
  if (words.size() > most_values) return too_many(place);
  return words;
}

Expected<std::vector<std::vector<std::string>>> block_shapes(std::string_view text,
                                                             std::string_view place) {
  std::vector<std::vector<std::string>> shapes;
  for (const std::string_view part : split(text, ',')) {
    const auto axes = shape_axes(trim(part), place);
    if (!axes) return axes.error();
    for (auto& shape : product(*axes)) {
      if (!shapes.empty() && shape.size() != shapes[0].size()) {
        return Diagnostic{std::string(place),
                          "'" + std::string(text) + "' has shapes of different numbers of axes",
                          "as many sizes in each", "write 32x1 for 32"};
      }
      if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) {
        shapes.push_back(std::move(shape));
      }
      if (shapes.size() > most_values) return too_many(place);
    }
  }
  return shapes;
}

Expected<std::vector<std::string>> python_words(std::string_view text) {
  constexpr std::size_t longest = 100'000;
  if (text.size() > longest) {
    return Diagnostic{"", "a list of values of more than 100000 characters", "a shorter one", ""};
  }
  auto words = PythonList::read(text);
  if (!words) return words;
  if (words->empty()) return Diagnostic{"", "a parameter has no value", "[1, 2, 4]", ""};
  return words;
}

}  // namespace forewarp::tuning
