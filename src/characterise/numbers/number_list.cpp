// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/numbers/number_list.h"

#include <cmath>
#include <limits>
#include <map>

#include "base/text.h"
#include "base/toml_document.h"

namespace forewarp::characterise {
namespace {

constexpr std::pair every{0, std::numeric_limits<int>::max()};  // architectures
constexpr std::string_view way_out = "see docs/characterise.md";

/// Reads the tables of one file; the first fault stays.
class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  Expected<NumberList> run(const toml::table& root) {
    NumberList list;
    list.file = file_;
    for (const auto& [key, node] : root) {
      const toml::array* rows = node.as_array();
      const bool number = key.str() == "number";
      if ((!number && key.str() != "invisible") || rows == nullptr) {
        fail(node, "'" + std::string(key.str()) + "'", "[[number]] or [[invisible]]");
        break;
      }
      for (const toml::node& row : *rows) {
        const toml::table* table = row.as_table();
        if (table == nullptr) {
          fail(row, "a row that is no table", "");
        } else if (number) {
          list.rows.push_back(number_row(*table));
        } else {
          list.invisible.push_back(invisible(*table));
        }
      }
    }
    if (failure_) return *std::move(failure_);
    return list;
  }

 private:
  void fail(const toml::node& node, std::string found, std::string expected) {
    if (failure_) return;
    const auto begin = node.source().begin;
    failure_ = Diagnostic{place_in_file(file_, begin.line, begin.column), std::move(found),
                          std::move(expected), std::string(way_out)};
  }

  void text(const toml::node& node, std::string_view key, std::string& into) {
    if (const auto value = node.value<std::string>(); value && !value->empty()) {
      into = *value;
    } else {
      fail(node, "'" + std::string(key) + "' is no text", "a text");
    }
  }

  void number(const toml::node& node, std::string_view key, std::optional<double>& into) {
    const auto value = node.value<double>();
    if (value && std::isfinite(*value) && *value > 0) {
      into = *value;
    } else {
      fail(node, "'" + std::string(key) + "' is no number above 0", "a number above 0");
    }
  }

  void texts(const toml::node& node, std::vector<std::string>& into) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) return fail(node, "'tests' is no list", "[\"ID\"]");
    for (const toml::node& element : *list) text(element, "tests", into.emplace_back());
  }

  void where(const toml::node& node, NumberRow& row) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return fail(node, "'where' is no table", "{ threads = 32 }");
    for (const auto& [key, value] : *table) {
      if (const auto word = value.value<std::string>()) {
        row.where.emplace_back(key.str(), *word);
      } else if (const auto figure = value.value<double>()) {
        row.where.emplace_back(key.str(), significant(*figure, 17));
      } else {
        fail(value, "'where' has a value that is neither a number nor a text", "");
      }
    }
  }

  void architectures(const toml::node& node, NumberRow& row) {
    const toml::array* list = node.as_array();
    const bool pair = list != nullptr && list->size() == 2;
    const auto from = pair ? (*list)[0].value<int>() : std::nullopt;
    const auto to = pair ? (*list)[1].value<int>() : std::nullopt;
    if (!from || !to || *from > *to) return fail(node, "'sms' is no range", "[70, 90]");
    row.sms.emplace(*from, *to);
  }

  void entry(std::string_view key, const toml::node& node, NumberRow& row) {
    std::optional<double> figure;
    if (key == "fact") return text(node, key, row.fact);
    if (key == "unit") return text(node, key, row.unit);
    if (key == "how") return text(node, key, row.how);
    if (key == "tests") return texts(node, row.tests);
    if (key == "work") return number(node, key, row.work);
    if (key == "over") return text(node, key, row.over.emplace());
    if (key == "part") return text(node, key, row.part);
    if (key == "quantity") return text(node, key, row.quantity);
    if (key == "divide") return text(node, key, row.divide);
    if (key == "note") return text(node, key, row.note);
    if (key == "mean_below") return number(node, key, row.mean_below);
    if (key == "misses_below") return number(node, key, row.misses_below);
    if (key == "hits_below") return number(node, key, row.hits_below);
    if (key == "where") return where(node, row);
    if (key == "sms") return architectures(node, row);
    if (key == "factor") {
      number(node, key, figure);
      row.factor = figure.value_or(1);
      return;
    }
    if (key == "less") {
      number(node, key, figure);
      row.less = figure.value_or(0);
      return;
    }
    if (key == "move") return text(node, key, row.move);
    if (key == "moved") {
      number(node, key, figure);
      row.moved = figure.value_or(0);
      return;
    }
    if (key == "level") {
      number(node, key, figure);
      if (figure && *figure != std::floor(*figure)) fail(node, "'level' is no whole number", "1");
      row.level = static_cast<std::size_t>(std::min(figure.value_or(1), 1e3));
      return;
    }
    fail(node, "a number has a part named '" + std::string(key) + "'",
         "fact, unit, how, tests, work, less, moved, move, factor, over, part, quantity, divide, "
         "level, mean_below, misses_below, hits_below, where, sms, note");
  }

  NumberRow number_row(const toml::table& table) {
    NumberRow row;
    row.line = table.source().begin.line;
    for (const auto& [key, node] : table) entry(key.str(), node, row);
    if (row.fact.empty() || row.unit.empty() || row.how.empty() ||
        (row.tests.empty() && row.how != "direct")) {
      fail(table, "a number lacks a part", "fact, unit, how and tests");
    } else if (row.move.empty() != (row.moved == 0)) {
      fail(table, "'" + std::string(row.move.empty() ? "moved" : "move") + "' stands alone",
           "moved, how many registers, and move, the fact with the cycles of one");
    } else if (has_row(row)) {
      fail(table, "'" + row.fact + "' has two rows", "one, or one for each range of architectures");
    }
    known_.emplace(row.fact, row.sms.value_or(every));
    return row;
  }

  /// Whether a row before it says the same fact for one of its architectures.
  [[nodiscard]] bool has_row(const NumberRow& row) const {
    const auto [from, to] = row.sms.value_or(every);
    const auto [begin, end] = known_.equal_range(row.fact);
    for (auto one = begin; one != end; ++one) {
      if (one->second.first <= to && from <= one->second.second) return true;
    }
    return false;
  }

  InvisibleFact invisible(const toml::table& table) {
    InvisibleFact row;
    for (const auto& [key, node] : table) {
      if (key.str() == "fact") {
        text(node, "fact", row.fact);
      } else if (key.str() == "why") {
        text(node, "why", row.why);
      } else {
        fail(node, "an invisible fact has a part named '" + std::string(key.str()) + "'",
             "fact, why");
      }
    }
    if (row.fact.empty() || row.why.empty())
      fail(table, "an invisible fact lacks a part", "fact, why");
    return row;
  }

  std::string file_;
  std::multimap<std::string, std::pair<int, int>> known_;  ///< facts, their architectures
  std::optional<Diagnostic> failure_;
};

}  // namespace

Expected<NumberList> parse_numbers(std::string_view text, std::string_view file) {
  const auto document = parse_toml_document(text, file, "TOML", way_out);
  if (!document) return document.error();
  return Reader(file).run(*document);
}

}  // namespace forewarp::characterise
