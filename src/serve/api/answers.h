// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "base/expected.h"
#include "serve/http/message.h"

namespace forewarp::serve {

[[nodiscard]] HttpResponse json_answer(std::string text, int status = 200);
[[nodiscard]] HttpResponse json_answer(const nlohmann::ordered_json& json, int status = 200);
[[nodiscard]] HttpResponse refusal(const Diagnostic& why, int status = bad_request);

/// The body as a JSON object that is not nested beyond reason.
[[nodiscard]] Expected<nlohmann::ordered_json> body_object(const HttpRequest& request);

}  // namespace forewarp::serve
