// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/advice/amounts.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace forewarp::comparison {

bool apart(double a, double b, double same) {
  return std::fabs(a - b) > same * std::max(std::fabs(a), std::fabs(b));
}

std::string amount_text(double amount, const std::string& unit) {
  const double scale = amount >= 1e6 ? 1e6 : amount >= 1e3 ? 1e3 : 1;
  const std::string letter = scale == 1e6 ? "M" : scale == 1e3 ? "k" : "";
  std::string text = significant(amount / scale, 3);
  if (!letter.empty() || !unit.empty()) text += " ";
  text += letter;
  if (!letter.empty() && unit.size() > 1) text += " ";
  return text + unit;
}

}  // namespace forewarp::comparison
