// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/expected.h"
#include "serve/api/api.h"

namespace forewarp::serve {

/// {"input": {"id"|"example"|"text": .., "name": ..}, "gpus": [..], "case": {..}, "options": {..},
/// "detail": ..}, and for a job instead of "case" a list "cases": an item for each case and GPU.
struct PredictRequest {
  std::vector<WorkItem> items;
  std::string title;
};

[[nodiscard]] Expected<PredictRequest> read_predict_request(const nlohmann::ordered_json& body,
                                                            const ApiParts& parts,
                                                            std::size_t most);

/// The input that {"id"|"example"|"text": ..} names.
[[nodiscard]] Expected<std::shared_ptr<const StoredInput>> named_input(
    const nlohmann::ordered_json& input, const ApiParts& parts);

}  // namespace forewarp::serve
