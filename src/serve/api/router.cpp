// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/api/router.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"

namespace forewarp::serve {
namespace {

constexpr std::string_view open = "{}";

PathParts parts_of(std::string_view path) {
  PathParts parts;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    parts.emplace_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<PathParts> match(const PathParts& route, const PathParts& path) {
  if (route.size() != path.size()) return std::nullopt;
  PathParts found;
  for (std::size_t i = 0; i < route.size(); ++i) {
    if (route[i] == open && !path[i].empty()) {
      found.push_back(path[i]);
    } else if (route[i] != path[i]) {
      return std::nullopt;
    }
  }
  return found;
}

}  // namespace

void Router::add(std::string method, std::string_view path, Handler handler) {
  routes_.push_back({std::move(method), parts_of(path), std::move(handler)});
}

HttpResponse Router::answer(const HttpRequest& request) const {
  const PathParts path = parts_of(request.path);
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  std::vector<std::string> others;
  for (const Route& route : routes_) {
    const auto found = match(route.parts, path);
    if (!found) continue;
    if (route.method == method) return route.handler(request, *found);
    others.push_back(route.method);
  }
  if (others.empty()) return refusal(not_found, "there is nothing at this path; see /api/v1");
  return refusal(wrong_method,
                 method + " is not what this path takes; expected " + join(others, ", "));
}

std::vector<std::string> Router::routes() const {
  std::vector<std::string> all;
  for (const Route& route : routes_) all.push_back(route.method + " /" + join(route.parts, "/"));
  return all;
}

}  // namespace forewarp::serve
