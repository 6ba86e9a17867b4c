// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace forewarp::serve {

inline constexpr int accepted = 202, bad_request = 400, not_found = 404, wrong_method = 405,
                     busy = 503;

/// A request as it arrived. Names of headers are in lower case.
struct HttpRequest {
  std::string method, path;  ///< the path is decoded and has no query
  std::map<std::string, std::string> query, headers;
  std::string body;
  std::function<bool()> left;  ///< whether the client has closed its connection; null: unknown

  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
  [[nodiscard]] std::string asked(const std::string& name) const {
    const auto found = query.find(name);
    return found == query.end() ? "" : found->second;
  }
};

/// The next part of a stream of events, waited for at most a second: empty is nothing new yet;
/// false: it is at its end.
using EventSource = std::function<bool(std::string& part)>;

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string_view fixed;  ///< instead of the body: bytes that live as long as the program
  std::vector<std::pair<std::string, std::string>> headers;
  EventSource events;  ///< instead of a body: text/event-stream
};

using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

/// {"error": LINE}
[[nodiscard]] HttpResponse refusal(int status, std::string_view line);

}  // namespace forewarp::serve
