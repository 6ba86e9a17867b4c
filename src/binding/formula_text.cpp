// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/formula_text.h"

#include <bit>
#include <cctype>
#include <cmath>
#include <map>

#include "base/text.h"

namespace forewarp::binding {
namespace {

constexpr int formula_digits = 6;

bool is_name(const std::string& text) {
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.') return false;
  }
  return !text.empty();
}

/// The product of a term's loops as text; numeric trip counts go into `coefficient`.
std::string symbols(std::uint64_t set, const std::vector<PathLoop>& loops, double& coefficient) {
  std::string text;
  for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
    const PathLoop& loop = loops[static_cast<std::size_t>(std::countr_zero(rest))];
    if (loop.formula.empty() || parse_number(loop.formula)) {
      coefficient *= loop.trips;
      continue;
    }
    if (!text.empty()) text += '*';
    text += is_name(loop.formula) ? loop.formula : "(" + loop.formula + ")";
  }
  return text;
}

}  // namespace

std::string formula_text(const TripPolynomial& formula, const std::vector<PathLoop>& loops) {
  double constant = 0;
  std::map<std::string, double> terms;
  for (const TripPolynomial::Term& term : formula.terms()) {
    double coefficient = term.coefficient;
    const std::string product = symbols(term.loops, loops, coefficient);
    (product.empty() ? constant : terms[product]) += coefficient;
  }
  std::string text;
  if (constant != 0 || terms.empty()) text = significant(constant, formula_digits);
  for (const auto& [product, coefficient] : terms) {
    if (coefficient == 0) continue;
    const double size = std::fabs(coefficient);
    if (!text.empty())
      text += coefficient < 0 ? " - " : " + ";
    else if (coefficient < 0)
      text += "-";
    if (size != 1) text += significant(size, formula_digits) + "*";
    text += product;
  }
  return text;
}

}  // namespace forewarp::binding
