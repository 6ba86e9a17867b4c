// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "characterise/findings/characterisation.h"

namespace forewarp::characterise {

/// The text of a GPU file (docs/data.md): every number with unit, source, confidence, deviation and
/// note; gaps as comments. What it does not say comes from the capability's files.
[[nodiscard]] std::string gpu_file_text(const Characterisation& found);

}  // namespace forewarp::characterise
