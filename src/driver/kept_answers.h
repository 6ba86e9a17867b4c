// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "prediction/launch.h"
#include "result/result.h"
#include "result/result_detail.h"

namespace forewarp::driver {

/// The key of an answer on disk: of its evaluation, what is shown of it, the source lines that it
/// shows, and this build. Empty where the evaluation has no key, or follows from a program's memory
/// as it is: the answer is not kept.
[[nodiscard]] std::string answer_key(const std::string& evaluation, const Launch& launch,
                                     const Query& query, const ResultDetail& detail);

/// The answer that any process kept under this key; a damaged one counts as absent.
[[nodiscard]] std::optional<Result> recall_answer(const std::string& key);

void keep_answer(const std::string& key, const Result& result);

}  // namespace forewarp::driver
