// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/database.h"
#include "request/case.h"
#include "request/predict_options.h"
#include "result/result_detail.h"

namespace forewarp::serve {

/// One prediction as a request asks for it.
struct PredictionRequest {
  Case request;
  PredictOptions options;
  ResultDetail detail;
};

/// Reads {"input": NAME, "gpu": ID, "case": {keys of a case}, "options": {options of the command
/// line by name}, "detail": "full"|"lean"}. Refused: what is not known, and whatever would lead to
/// a file: paths as GPU or link, contents of buffers from files, options of the compiler other
/// than those of harmless_option().
Expected<PredictionRequest> read_prediction_request(std::string_view json,
                                                    const HardwareDatabase& database);

/// Whether the compiler may be given this option of a request: it names no file and no program.
[[nodiscard]] bool harmless_option(std::string_view option);

/// The options of a prediction that a request may have.
[[nodiscard]] const std::vector<std::string_view>& served_options();

}  // namespace forewarp::serve
