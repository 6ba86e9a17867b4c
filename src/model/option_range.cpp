// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/option_range.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace forewarp::model {
namespace {

double most_of(const OptionRange& range, const Gpu* gpu) {
  return range.most_on != nullptr && gpu != nullptr ? std::min(range.most, range.most_on(*gpu))
                                                    : range.most;
}

}  // namespace

bool OptionRange::has(double value, const Gpu* gpu) const {
  if (zero && value == 0) return true;
  if (whole && value != std::floor(value)) return false;
  const double top = most_of(*this, gpu);
  return value >= least && (below ? value < top : value <= top);
}

std::string OptionRange::text(const Gpu* gpu) const {
  std::string text = zero ? "0, or " : "";
  text += whole ? "a whole number from " : "a number from ";
  text += significant(least) + (below ? " to below " : " to ") + significant(most_of(*this, gpu));
  if (most_on != nullptr) {
    text += gpu != nullptr ? ", as many as fit on " + gpu->name : ", or fewer where fewer fit";
  }
  return text;
}

}  // namespace forewarp::model
