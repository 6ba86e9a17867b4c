// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/api/answers.h"

#include <utility>

namespace forewarp::serve {
namespace {

using Json = nlohmann::ordered_json;
constexpr int deepest = 32;

/// Depth of the brackets outside of texts.
int depth_of(const std::string& text) {
  int depth = 0, most = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') most = std::max(most, ++depth);
    if (c == ']' || c == '}') --depth;
  }
  return most;
}

}  // namespace

HttpResponse json_answer(std::string text, int status) {
  HttpResponse response;
  response.status = status;
  response.body = std::move(text);
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

HttpResponse json_answer(const Json& json, int status) {
  return json_answer(json.dump(-1, ' ', false, Json::error_handler_t::replace), status);
}

HttpResponse refusal(const Diagnostic& why, int status) {
  return refusal(status, why.line());
}

Expected<Json> body_object(const HttpRequest& request) {
  if (depth_of(request.body) > deepest) {
    return Diagnostic{"body", "is nested too deeply", "at most 32 levels", ""};
  }
  Json json = Json::parse(request.body, nullptr, false);
  if (json.is_discarded()) return Diagnostic{"body", "is no JSON", "an object", ""};
  if (!json.is_object()) return Diagnostic{"body", "is no object", "a JSON object", ""};
  return json;
}

}  // namespace forewarp::serve
