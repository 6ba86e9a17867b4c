// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "driver/workload_run.h"

namespace forewarp::validation {

/// A model with its own options, so that variants of one model can be compared.
struct ModelVariant {
  std::string text;  ///< "gpumech:policy=gto:bandwidth=on"
  const Model* model = nullptr;
  OptionValues options;
};

/// Reads NAME[:OPTION=VALUE]..
Expected<ModelVariant> parse_variant(std::string_view text);

/// `texts` as variants; "all" stands for every model with its defaults.
Expected<std::vector<ModelVariant>> parse_variants(const std::vector<std::string>& texts);

}  // namespace forewarp::validation
