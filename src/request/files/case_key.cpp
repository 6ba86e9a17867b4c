// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/files/case_key.h"

#include "request/options/option_table.h"

namespace forewarp::request {

std::string case_key_text(const Case& request) {
  const PredictOptions no_options;
  const Delivery no_delivery;
  std::string text;
  for (const OptionRow& row : option_rows()) {
    if (row.key.empty() || row.changes == OptionEffect::nothing) continue;
    for (const std::string& value : row.get({request, no_options, no_delivery})) {
      text += std::string(row.key) + ' ' + std::to_string(value.size()) + ' ' + value + '\n';
    }
  }
  return text;
}

}  // namespace forewarp::request
