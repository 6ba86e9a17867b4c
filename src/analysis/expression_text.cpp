// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/expression_text.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace forewarp::analysis {
namespace {

/// Operator precedence of a text, loosest first.
enum class Level : std::uint8_t { choice, logic, comparison, bits, sum, product, atom };

struct Text {
  std::string text;
  Level level = Level::atom;
};

constexpr std::size_t longest = 4000;

class Printer {
 public:
  Printer(const Kernel& kernel, const ExpressionPool& pool) : kernel_(kernel), pool_(pool) {}

  std::string print(Expression e) { return text_of(e).text; }

 private:
  struct Addend {
    std::string text;
    std::int64_t coefficient = 1;
  };

  std::string at(Expression e, Level level) {
    Text t = text_of(e);
    return t.level < level ? "(" + t.text + ")" : t.text;
  }

  Text text_of(Expression e) {
    written_ += 1;
    if (written_ > longest) return {"..", Level::atom};
    const ExpressionNode& n = pool_.node(e);
    switch (n.kind) {
      case ExpressionKind::constant:
        return number(n.value);
      case ExpressionKind::sum:
        return sum(e);
      case ExpressionKind::product:
        return product(e);
      case ExpressionKind::sign_extend:
      case ExpressionKind::zero_extend:
        return text_of(n.a);
      case ExpressionKind::floor_divide:
      case ExpressionKind::truncate_divide:
        return {at(n.a, Level::product) + "/" + at(n.b, Level::atom), Level::product};
      case ExpressionKind::bit_and:
        return infix(n, " & ", Level::bits);
      case ExpressionKind::bit_or:
        return infix(n, " | ", Level::bits);
      case ExpressionKind::bit_xor:
        return infix(n, " ^ ", Level::bits);
      case ExpressionKind::logical_and:
        return infix(n, " && ", Level::logic);
      case ExpressionKind::logical_or:
        return infix(n, " || ", Level::logic);
      case ExpressionKind::equal:
        return infix(n, " == ", Level::comparison);
      case ExpressionKind::less:
      case ExpressionKind::less_unsigned:
        return infix(n, " < ", Level::comparison);
      case ExpressionKind::logical_not:
        return inverse(n.a);
      case ExpressionKind::minimum:
        return call("min", n);
      case ExpressionKind::maximum:
        return call("max", n);
      case ExpressionKind::half_product:
        return call("mul16", n);
      case ExpressionKind::half_merge:
        return call("merge16", n);
      case ExpressionKind::select:
        return {
            at(n.a, Level::logic) + " ? " + at(n.b, Level::logic) + " : " + at(n.c, Level::logic),
            Level::choice};
      case ExpressionKind::power_of_two:
        return {"2^" + at(n.a, Level::atom), Level::product};
      case ExpressionKind::floor_log2:
        return {"log2(" + print(n.a) + ")", Level::atom};
      default:
        return {atom(n, e), Level::atom};
    }
  }

  static Text number(std::int64_t value) {
    return {std::to_string(value), value < 0 ? Level::sum : Level::atom};
  }

  Text infix(const ExpressionNode& n, std::string_view sign, Level level) {
    const auto tighter = static_cast<Level>(static_cast<std::uint8_t>(level) + 1);
    const bool associative = level == Level::logic;
    const auto side = [&](Expression e) {
      const bool alike = associative && pool_.kind(e) == n.kind;
      return at(e, alike ? level : tighter);
    };
    std::string first = side(n.a), second = side(n.b);
    const bool ordered = n.kind == ExpressionKind::less || n.kind == ExpressionKind::less_unsigned;
    const bool constant_first = pool_.is_constant(n.a) && !pool_.is_constant(n.b);
    const bool symbols = !pool_.is_constant(n.a) && !pool_.is_constant(n.b);
    if (!ordered && (constant_first || (symbols && second < first))) std::swap(first, second);
    return {first + std::string(sign) + second, level};
  }

  Text inverse(Expression a) {
    const ExpressionNode& n = pool_.node(a);
    if (n.kind == ExpressionKind::equal) return infix(n, " != ", Level::comparison);
    if (n.kind == ExpressionKind::less || n.kind == ExpressionKind::less_unsigned) {
      return infix(n, " >= ", Level::comparison);
    }
    return {"!" + at(a, Level::atom), Level::atom};
  }

  Text call(std::string_view name, const ExpressionNode& n) {
    Expression first = n.a, second = n.b;
    if (pool_.is_constant(second)) std::swap(first, second);
    std::string a = print(first), b = print(second);
    if (!pool_.is_constant(first) && b < a) std::swap(a, b);
    return {std::string(name) + "(" + a + ", " + b + ")", Level::atom};
  }

  /// Division rounds down, so 4*(a/b) keeps its parentheses.
  std::string factor(Expression e) {
    const ExpressionKind kind = pool_.kind(e);
    const bool divides =
        kind == ExpressionKind::floor_divide || kind == ExpressionKind::truncate_divide;
    return at(e, divides ? Level::atom : Level::product);
  }

  Text product(Expression e) {
    std::vector<std::string> factors;
    for (const Term& t : pool_.stored_terms(e)) factors.push_back(factor(t.node));
    std::sort(factors.begin(), factors.end());
    return {join(factors, "*"), Level::product};
  }

  Text sum(Expression e) {
    std::vector<Term> terms = pool_.terms(e);
    std::int64_t constant = pool_.constant_part(e);
    std::vector<Addend> addends;
    while (take_remainder(terms, constant, addends) || take_quotient_remainder(terms, addends)) {
    }
    for (const Term& t : terms) {
      const bool alone = t.coefficient == 1 || t.coefficient == -1;
      addends.push_back({alone ? at(t.node, Level::product) : factor(t.node), t.coefficient});
    }
    std::sort(addends.begin(), addends.end(), [](const Addend& a, const Addend& b) {
      if ((a.coefficient > 0) != (b.coefficient > 0)) return a.coefficient > 0;
      return a.text < b.text;
    });
    if (addends.size() == 1 && addends[0].coefficient == 1 && constant == 0) {
      return {addends[0].text, Level::product};
    }
    // Puts a positive constant first if the text would otherwise start with a minus.
    std::string text;
    if (constant > 0 && !addends.empty() && addends[0].coefficient < 0) {
      text = std::to_string(constant);
      constant = 0;
    }
    for (const Addend& a : addends) append(text, a);
    if (constant != 0 || text.empty()) append_constant(text, constant);
    return {text,
            addends.size() == 1 && constant == 0 && text[0] != '-' ? Level::product : Level::sum};
  }

  static void append(std::string& text, const Addend& a) {
    const bool negative = a.coefficient < 0;
    if (text.empty()) {
      text = negative ? "-" : "";
    } else {
      text += negative ? " - " : " + ";
    }
    const std::uint64_t size = negative ? 0 - static_cast<std::uint64_t>(a.coefficient)
                                        : static_cast<std::uint64_t>(a.coefficient);
    if (size != 1) text += std::to_string(size) + "*";
    text += a.text;
  }

  static void append_constant(std::string& text, std::int64_t constant) {
    if (text.empty()) {
      text = std::to_string(constant);
    } else if (constant < 0) {
      text += " - " + std::to_string(0 - static_cast<std::uint64_t>(constant));
    } else {
      text += " + " + std::to_string(constant);
    }
  }

  /// Prints c*(x/a) - c*m*(x/(a*m)) in a sum as c*((x/a) % m).
  bool take_quotient_remainder(std::vector<Term>& terms, std::vector<Addend>& addends) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const ExpressionNode& outer = pool_.node(terms[i].node);
      if (outer.kind != ExpressionKind::floor_divide) continue;
      for (std::size_t j = 0; j < terms.size(); ++j) {
        const ExpressionNode& inner = pool_.node(terms[j].node);
        if (inner.kind != ExpressionKind::floor_divide || inner.a != outer.a) continue;
        const auto am = pool_.constant_value(outer.b), a = pool_.constant_value(inner.b);
        if (!am || !a || *a <= 1 || *a >= *am || *am % *a != 0) continue;
        if (terms[i].coefficient % (*am / *a) != 0) continue;
        if (terms[j].coefficient != -(terms[i].coefficient / (*am / *a))) continue;
        addends.push_back(
            {"(" + print(terms[j].node) + ") % " + std::to_string(*am / *a), terms[j].coefficient});
        if (addends.back().coefficient != 1) addends.back().text = "(" + addends.back().text + ")";
        terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
        terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
        return true;
      }
    }
    return false;
  }

  /// Prints c*x - c*m*(x/m) in a sum as c*(x % m).
  bool take_remainder(std::vector<Term>& terms, std::int64_t& constant,
                      std::vector<Addend>& addends) {
    for (const Term& t : terms) {
      const ExpressionNode& n = pool_.node(t.node);
      if (n.kind != ExpressionKind::floor_divide) continue;
      const auto m = pool_.constant_value(n.b);
      if (!m || *m <= 1 || t.coefficient % *m != 0) continue;
      const std::int64_t c = -(t.coefficient / *m);
      std::vector<Term> left;
      std::size_t matched = 0;
      const std::vector<Term> inside = pool_.terms(n.a);
      for (const Term& other : terms) {
        if (other == t) continue;
        const bool match = std::any_of(inside.begin(), inside.end(), [&](const Term& x) {
          return x.node == other.node && x.coefficient * c == other.coefficient;
        });
        if (match)
          ++matched;
        else
          left.push_back(other);
      }
      if (matched != inside.size()) continue;
      addends.push_back({at(n.a, Level::product) + " % " + std::to_string(*m), c});
      if (c != 1 && c != -1) addends.back().text = "(" + addends.back().text + ")";
      constant -= c * pool_.constant_part(n.a);
      terms = std::move(left);
      return true;
    }
    return false;
  }

  std::string atom(const ExpressionNode& n, Expression e) {
    static constexpr std::string_view launch[] = {
        "blockDim.x", "blockDim.y",  "blockDim.z",  "gridDim.x",   "gridDim.y",
        "gridDim.z",  "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x",
        "blockIdx.y", "blockIdx.z",  "laneid"};
    switch (n.kind) {
      case ExpressionKind::parameter:
        return parameter(n);
      case ExpressionKind::launch:
        return std::string(launch[n.index]);
      case ExpressionKind::iteration:
        return "k" + std::to_string(n.index);
      case ExpressionKind::phi:
        return "phi" + std::to_string(e);
      case ExpressionKind::constant_bank:
        return "c[" + hex(static_cast<std::uint64_t>(n.value)) + "][" + hex(n.index) + "]";
      default:
        break;
    }
    if (e == 0 || n.index >= kernel_.instructions.size()) return "?";
    return "?" + hex(kernel_.instructions[n.index].address, 4);
  }

  std::string parameter(const ExpressionNode& n) {
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
      const Parameter& p = kernel_.parameters[i];
      if (n.index < p.offset || n.index >= p.offset + p.size) continue;
      const std::string name = parameter_name(kernel_, i);
      if (n.index == p.offset && n.bytes == p.size) return name;
      return name + "[" + std::to_string(n.index - p.offset) + ":" +
             std::to_string(n.index - p.offset + n.bytes) + "]";
    }
    return "arg[" + std::to_string(n.index) + "]";
  }

  const Kernel& kernel_;
  const ExpressionPool& pool_;
  std::size_t written_ = 0;
};

}  // namespace

std::string parameter_name(const Kernel& kernel, std::size_t index) {
  const std::string& name = kernel.parameters[index].name;
  return name.empty() ? "arg" + std::to_string(index) : name;
}

std::string expression_text(const Kernel& kernel, const ExpressionPool& pool, Expression e) {
  return Printer(kernel, pool).print(e);
}

}  // namespace forewarp::analysis
