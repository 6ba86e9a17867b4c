// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/http/message.h"

namespace forewarp::serve {

/// Parts of a path that a route leaves open, in order.
using PathParts = std::vector<std::string>;

/// Which handler answers: by method and path, exactly. "{}" stands for one part of a path.
class Router {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&, const PathParts&)>;

  void add(std::string method, std::string_view path, Handler handler);
  [[nodiscard]] HttpResponse answer(const HttpRequest& request) const;
  /// "GET /api/v1/gpus", for the test of the OpenAPI file.
  [[nodiscard]] std::vector<std::string> routes() const;

 private:
  struct Route {
    std::string method;
    PathParts parts;
    Handler handler;
  };
  std::vector<Route> routes_;
};

}  // namespace forewarp::serve
