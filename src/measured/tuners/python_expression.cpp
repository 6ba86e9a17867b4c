// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/tuners/python_expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "base/text.h"
#include "measured/tuners/word_letters.h"
#include "request/argument_text.h"

namespace forewarp::measured {

namespace {

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Functions that both sides know, by their names there.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> functions{
    {{"ceil", "ceil"},
     {"floor", "floor"},
     {"int", "trunc"},
     {"float", ""},
     {"round", "nearest"},
     {"abs", "abs"},
     {"min", "min"},
     {"max", "max"},
     {"sqrt", "sqrt"},
     {"log2", "log2"},
     {"log", "ln"},
     {"exp", "exp"}}};

/// Recursive descent, one function for each level of precedence. Every result is a number, a name
/// or stands in parentheses, so that precedence is settled here and nowhere else. After the first
/// fault every step returns at once.
class Translator {
 public:
  Translator(std::string_view text, const ListBound& bound) : text_(text), bound_(bound) {}

  Expected<std::string> run() {
    std::string formula = choice();
    if (!fault_ && !rest().empty()) fail("an operator");
    if (!fault_) return formula;
    return std::move(*fault_);
  }

 private:
  static constexpr int deepest = 100;

  std::string fail(std::string expected) {
    if (fault_) return {};
    const std::string_view left = rest();
    const std::string at = left.empty() ? "its end" : "'" + std::string(left.substr(0, 20)) + "'";
    std::string shown(text_.substr(0, 120));
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    fault_ = Diagnostic{"", "'" + shown + "' cannot be read from " + one_line(at),
                        std::move(expected), ""};
    return {};
  }

  static std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(),
        [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }, ' ');
    return text;
  }

  std::string_view rest() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return text_.substr(at_);
  }

  /// A sign; one that goes on as another ('*' of '**') is not taken.
  bool take(std::string_view sign, std::string_view unless = {}) {
    const std::string_view left = rest();
    if (!left.starts_with(sign) || (!unless.empty() && left.starts_with(unless))) return false;
    at_ += sign.size();
    return true;
  }

  bool take_word(std::string_view word) {
    const std::string_view left = rest();
    if (!left.starts_with(word) || (left.size() > word.size() && in_word(left[word.size()]))) {
      return false;
    }
    at_ += word.size();
    return true;
  }

  std::string choice() {
    if (fault_ || ++depth_ > deepest) return fail("less nesting");
    std::string value = either();
    if (take_word("if")) {
      const std::string condition = either();
      if (!take_word("else")) return fail("else");
      const std::string other = choice();
      value = "((" + condition + ") != 0 ? " + value + " : " + other + ")";
    }
    --depth_;
    return value;
  }

  std::string either() {
    std::string left = both();
    while (!fault_ && (take_word("or") || take("||")))
      left = "((" + left + " != 0) || (" + both() + " != 0))";
    return left;
  }

  std::string both() {
    std::string left = negated();
    while (!fault_ && (take_word("and") || take("&&")))
      left = "((" + left + " != 0) && (" + negated() + " != 0))";
    return left;
  }

  std::string negated() {
    if (!take_word("not") && !take("!", "!=")) return compared();
    if (fault_ || ++depth_ > deepest) return fail("less nesting");
    std::string value = "(" + negated() + " == 0)";
    --depth_;
    return value;
  }

  std::string comparison_sign() {
    for (const std::string_view sign : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (take(sign)) return std::string(sign);
    }
    return {};
  }

  /// a < b < c is a < b and b < c.
  std::string compared() {
    std::string left = sum(), all;
    for (std::string sign = comparison_sign(); !fault_ && !sign.empty(); sign = comparison_sign()) {
      std::string right = sum();
      const std::string one = "(" + left + " " + sign + " " + right + ")";
      constexpr std::size_t longest = 4096;  // each further one repeats the one before
      if (all.size() + one.size() > longest) return fail("a shorter chain of comparisons");
      all = all.empty() ? one : "(" + all + " && " + one + ")";
      left = std::move(right);
    }
    return all.empty() ? left : all;
  }

  std::string sum() {
    std::string left = product();
    while (!fault_) {
      if (take("+")) {
        left = "(" + left + " + " + product() + ")";
      } else if (take("-")) {
        left = "(" + left + " - " + product() + ")";
      } else {
        break;
      }
    }
    return left;
  }

  std::string product() {
    std::string left = signed_value();
    while (!fault_) {
      if (take("//")) {
        left = "floordiv(" + left + ", " + signed_value() + ")";
      } else if (take("/")) {
        left = "(" + left + " / " + signed_value() + ")";
      } else if (take("%")) {
        left = "modulo(" + left + ", " + signed_value() + ")";
      } else if (take("*", "**")) {
        left = "(" + left + " * " + signed_value() + ")";
      } else {
        break;
      }
    }
    return left;
  }

  std::string signed_value() {
    if (fault_ || ++depth_ > deepest) return fail("less nesting");
    std::string value;
    if (take("-")) {
      value = "(0 - " + signed_value() + ")";
    } else {
      value = take("+") ? signed_value() : power();
    }
    --depth_;
    return value;
  }

  /// Binds to the right, and weaker than a sign before its exponent.
  std::string power() {
    std::string base = atom();
    if (!fault_ && take("**")) base = "(" + base + " ^ " + signed_value() + ")";
    return base;
  }

  std::string atom() {
    if (fault_) return {};
    if (take("(")) {
      std::string value = choice();
      if (!take(")")) return fail("a closing parenthesis");
      return "(" + value + ")";
    }
    const std::string_view left = rest();
    if (left.empty()) return fail("a value");
    if (std::isdigit(static_cast<unsigned char>(left[0])) != 0 || left[0] == '.') return number();
    if (starts_name(left[0])) return named();
    return fail("a number, a name or a parenthesis");
  }

  std::string number() {
    const std::string_view left = rest();
    std::size_t size = 0;
    while (size < left.size()) {
      const char c = left[size];
      const bool sign = (c == '+' || c == '-') && size > 0 && (left[size - 1] | 0x20) == 'e';
      if (!in_word(c) && c != '.' && !sign) break;
      ++size;
    }
    const auto value = parse_number(left.substr(0, size));
    if (!value) return fail("a number");
    at_ += size;
    return exact_text(*value);
  }

  std::string_view name() {
    const std::string_view left = rest();
    std::size_t size = 0;
    while (size < left.size() && in_word(left[size])) ++size;
    at_ += size;
    return left.substr(0, size);
  }

  std::string named() {
    const std::size_t begin = at_;
    std::string_view word = name();
    if ((word == "math" || word == "np" || word == "numpy") && take(".")) word = name();
    if (word == "True" || word == "False") return word == "True" ? "1" : "0";
    if (take("(")) return call(word, begin);
    std::string path(word);
    while (take(".")) {  // a field of a structure
      const std::string_view field = name();
      if (field.empty()) return fail("a field's name");
      path += "." + std::string(field);
    }
    if (!take("[")) return path;
    const std::string_view index = name();
    const bool whole = !index.empty() && std::all_of(index.begin(), index.end(), [](char c) {
      return std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
    if (!whole || !take("]")) return fail("[NUMBER]");
    return path + "_" + std::string(index);
  }

  /// After the opening parenthesis.
  std::string call(std::string_view word, std::size_t begin) {
    const auto found = std::find_if(functions.begin(), functions.end(),
                                    [&](const auto& pair) { return pair.first == word; });
    if (found == functions.end()) {
      at_ = begin;
      return fail("a function such as ceil, floor, min, max");
    }
    const std::size_t inside = at_;
    std::vector<std::string> values{choice()};
    while (!fault_ && take(",")) values.push_back(choice());
    if (!fault_ && !take(")")) return fail("a closing parenthesis");
    if (fault_) return {};
    const bool extreme = word == "min" || word == "max";
    if (extreme && values.size() == 1) {
      const std::string_view inner = trim(text_.substr(inside, at_ - 1 - inside));
      const auto value = bound_ ? bound_(inner, word == "max") : std::nullopt;
      return value ? exact_text(*value) : values[0];
    }
    if (!extreme && values.size() != 1) return fail("one argument of " + std::string(word));
    return std::string(found->second) + "(" + join(values, ", ") + ")";
  }

  std::string_view text_;
  const ListBound& bound_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<Diagnostic> fault_;
};

}  // namespace

Expected<std::string> formula_of(std::string_view python, const ListBound& bound) {
  constexpr std::size_t longest = 4096;
  if (python.size() > longest) {
    return Diagnostic{"", "the expression is longer than 4096 characters", "a size", ""};
  }
  return Translator(python, bound).run();
}

}  // namespace forewarp::measured
