// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result/json_style.h"
#include "result/json_token.h"
#include "result/profiler_metrics.h"
#include "result/result.h"
#include "result/result_fields.h"

namespace forewarp::result {

/// Walks result_fields and appends JSON. Written by hand because a long run writes a line per case:
/// building a document first costs several times as much. Indented style puts a key per line and
/// keeps each element of a list on one.
class JsonWriter {
 public:
  static constexpr bool reads = false;

  JsonWriter(std::string& out, const JsonStyle& style) : out_(out), style_(style) {}

  template <typename T>
  void operator()(std::string_view key, const T& member) {
    name(key);
    value(member);
  }

  template <typename T>
  void large(std::string_view key, const std::vector<T>& member) {
    constexpr bool is_provenance = std::same_as<T, Result::Provenance>;
    if (is_provenance ? style_.provenance : style_.listing) (*this)(key, member);
  }

  void large(std::string_view key, const Result::Execution& member) {
    if (style_.listing && member != Result::Execution{}) (*this)(key, member);
  }

  /// Figures that follow from the rest, by a profiler's names: nothing reads them back.
  void metrics(std::string_view key, const Result& result) {
    if (!style_.listing) return;
    std::vector<std::pair<std::string, double>> list;
    for (const ProfilerMetric& metric : profiler_metrics(result))
      list.emplace_back(metric.name, metric.value);
    (*this)(key, list);
  }

  void open(char bracket) {
    out_ += bracket;
    ++depth_;
    first_ = true;
  }

  void close(char bracket) {
    --depth_;
    if (!first_) break_line();
    out_ += bracket;
    first_ = false;
  }

 private:
  [[nodiscard]] bool spread() const { return style_.pretty && inline_ == 0; }

  void break_line() {
    if (!spread()) return;
    out_ += '\n';
    out_.append(2 * static_cast<std::size_t>(depth_), ' ');
  }

  void item() {
    if (!first_) out_ += style_.pretty && inline_ > 0 ? ", " : ",";
    first_ = false;
    break_line();
  }

  void name(std::string_view key) {
    item();
    append_json_string(out_, key);
    out_ += style_.pretty ? ": " : ":";
  }

  void value(const std::string& text) { append_json_string(out_, text); }
  void value(bool flag) { out_ += flag ? "true" : "false"; }
  void value(double number) { append_json_number(out_, number); }
  void value(std::integral auto number) {
    char buffer[24];
    out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr);
  }
  void value(const std::optional<Diagnostic>& failure) {
    if (failure) {
      value(failure->line());
    } else {
      out_ += "null";
    }
  }
  void value(const std::optional<std::string>& text) {
    if (text) {
      value(*text);
    } else {
      out_ += "null";
    }
  }

  /// Named texts: an object; a text that is exactly a number is written as one.
  void value(const std::vector<std::pair<std::string, std::string>>& texts) {
    open('{');
    for (const auto& [key, text] : texts) {
      name(key);
      if (is_canonical_number(text)) {
        out_ += text;
      } else {
        value(text);
      }
    }
    close('}');
  }
  void value(const std::vector<std::pair<std::string, double>>& numbers) { named(numbers); }
  void value(const std::map<std::string, double>& numbers) { named(numbers); }

  template <typename C>
  void named(const C& numbers) {
    open('{');
    for (const auto& [key, number] : numbers) (*this)(key, number);
    close('}');
  }

  void value(const std::pair<std::uint32_t, std::uint32_t>& pair) {
    value(std::array{pair.first, pair.second});
  }
  template <typename T, std::size_t N>
  void value(const std::array<T, N>& elements) {
    list(elements, true);
  }
  template <typename T>
  void value(const std::vector<T>& elements) {
    list(elements, !std::is_class_v<T> || std::same_as<T, std::string> ||
                       std::same_as<T, std::pair<std::uint32_t, std::uint32_t>>);
  }

  /// Elements that are objects stand on a line each; all else stays on the line of its key.
  template <typename C>
  void list(const C& elements, bool on_one_line) {
    if (on_one_line) ++inline_;
    open('[');
    for (const auto& element : elements) {
      item();
      ++inline_;
      value(element);
      --inline_;
    }
    close(']');
    if (on_one_line) --inline_;
  }

  template <typename T>
  requires requires(JsonWriter& w, const T& t) { result_fields::fields(w, t); }
  void value(const T& record) {
    open('{');
    result_fields::fields(*this, record);
    close('}');
  }

  std::string& out_;
  const JsonStyle& style_;
  int depth_ = 0;
  int inline_ = 0;
  bool first_ = true;
};

}  // namespace forewarp::result
