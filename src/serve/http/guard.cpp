// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/http/guard.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace forewarp::serve {
namespace {

constexpr int bad_request = 400, no_token = 401, forbidden = 403, no_such_method = 405,
              too_large = 413, wrong_type = 415, misdirected = 421;

bool is_own_host(const GuardRules& rules, const std::string& host) {
  const std::string port = ":" + std::to_string(rules.port);
  if (host == "127.0.0.1" + port || host == "localhost" + port || host == "[::1]" + port) {
    return true;
  }
  // Who listens beyond loopback knows under which names; the token keeps others out.
  return !rules.token.empty() && !host.empty();
}

/// Compares all of it whatever differs, so that the time says nothing.
bool same_secret(std::string_view a, std::string_view b) {
  unsigned differs = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    differs |=
        static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  }
  return differs == 0;
}

bool has_token(const GuardRules& rules, const HttpRequest& request) {
  constexpr std::string_view scheme = "Bearer ";
  const std::string given = request.header("authorization");
  return given.starts_with(scheme) &&
         same_secret(std::string_view(given).substr(scheme.size()), rules.token);
}

/// The page itself may be loaded by anybody: it holds nothing, and asks with the token.
bool needs_token(const HttpRequest& request) {
  return request.path.starts_with("/api/");
}

std::optional<HttpResponse> refused_body(const GuardRules& rules, const HttpRequest& request) {
  const std::string encoding = request.header("content-encoding");
  if (!encoding.empty() && encoding != "identity") {
    return refusal(wrong_type, "Content-Encoding: " + encoding +
                                   ": bodies are not unpacked; expected one as it is");
  }
  const std::string length = request.header("content-length");
  const auto bytes = parse_natural(length);
  if (request.method != "POST") {
    if (!length.empty() && bytes.value_or(1) != 0) {
      return refusal(bad_request, request.method + ": takes no body");
    }
    return std::nullopt;
  }
  if (length.empty() || !bytes) {
    return refusal(411, "Content-Length: is missing; expected the size of the body");
  }
  if (*bytes > rules.most_body) {
    return refusal(too_large, "the body has " + length + " bytes; expected at most " +
                                  std::to_string(rules.most_body));
  }
  const std::string type = request.header("content-type");
  const bool upload = request.path == "/api/v1/inputs";
  const std::string_view wanted = upload ? "application/octet-stream" : "application/json";
  if (!type.starts_with(wanted)) {
    return refusal(wrong_type, "Content-Type: is '" + type + "'; expected " + std::string(wanted));
  }
  return std::nullopt;
}

}  // namespace

HttpResponse refusal(int status, std::string_view line) {
  HttpResponse response;
  response.status = status;
  response.body = nlohmann::json{{"error", line}}.dump(-1, ' ', false,
                                                       nlohmann::json::error_handler_t::replace);
  return response;
}

std::optional<HttpResponse> refused(const GuardRules& rules, const HttpRequest& request) {
  const std::string host = request.header("host");
  if (!is_own_host(rules, host)) {
    return refusal(misdirected,
                   "Host: is '" + host + "'; expected 127.0.0.1:" + std::to_string(rules.port));
  }
  const std::string origin = request.header("origin");
  if (!origin.empty() && origin != "http://" + host) {
    return refusal(forbidden, "Origin: is '" + origin + "'; expected http://" + host);
  }
  const std::string site = request.header("sec-fetch-site");
  const bool page = request.method == "GET" && !needs_token(request);
  if (!page && (site == "cross-site" || site == "same-site")) {
    return refusal(forbidden, "Sec-Fetch-Site: is '" + site + "'; expected same-origin");
  }
  constexpr std::array<std::string_view, 4> methods{"GET", "HEAD", "POST", "DELETE"};
  if (std::ranges::find(methods, request.method) == methods.end()) {
    return refusal(no_such_method, request.method + ": is not served; expected GET, POST, DELETE");
  }
  if (!rules.token.empty() && needs_token(request) && !has_token(rules, request)) {
    return refusal(no_token,
                   "Authorization: has no valid token; expected 'Bearer TOKEN' as the server "
                   "printed it when it was started");
  }
  return refused_body(rules, request);
}

const std::vector<std::pair<std::string, std::string>>& guarding_headers() {
  static const std::vector<std::pair<std::string, std::string>> headers{
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
       "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; "
       "form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"}};
  return headers;
}

}  // namespace forewarp::serve
