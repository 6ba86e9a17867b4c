// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/tables/calibration.h"

#include "base/text.h"

namespace forewarp::request {

const CalibratedFactor* Calibration::factor(std::string_view model, std::string_view kernel,
                                            const Gpu& gpu) const {
  const CalibratedFactor* found = nullptr;
  for (const CalibratedFactor& entry : factors) {
    if (entry.model != model || entry.kernel != kernel) continue;
    if (entry.gpu == gpu.id) return &entry;
    if (!entry.cc.empty() && entry.cc == gpu.cc.text()) found = &entry;
  }
  return found;
}

std::vector<FactOverride> Calibration::overrides(std::string_view gpu) const {
  std::vector<FactOverride> list;
  for (const CalibratedNumber& number : numbers) {
    if (number.gpu == gpu)
      list.push_back({number.path, significant(number.value, calibration_digits)});
  }
  return list;
}

}  // namespace forewarp::request
