// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/http/guard.h"

#include <gtest/gtest.h>

#include "serve/api/router.h"

namespace forewarp::tests {
namespace {

GuardRules rules() {
  GuardRules rules;
  rules.port = 80;
  rules.most_body = 100;
  return rules;
}

HttpRequest request(const std::string& method, const std::string& path) {
  HttpRequest request;
  request.method = method;
  request.path = path;
  request.headers["host"] = "127.0.0.1:80";
  return request;
}

HttpRequest post(const std::string& size) {
  HttpRequest made = request("POST", "/api/v1/predict");
  made.headers["content-type"] = "application/json";
  made.headers["content-length"] = size;
  return made;
}

int status_of(const GuardRules& rules, const HttpRequest& request) {
  const auto no = refused(rules, request);
  return no ? no->status : 0;
}

TEST(Guard, NamesOfThisMachineAreServed) {
  for (const char* host : {"127.0.0.1:80", "localhost:80", "[::1]:80"}) {
    HttpRequest asked = request("GET", "/");
    asked.headers["host"] = host;
    EXPECT_EQ(status_of(rules(), asked), 0) << host;
  }
  for (const char* host : {"", "evil.example:80", "127.0.0.1:81", "127.0.0.1", "localhost"}) {
    HttpRequest asked = request("GET", "/");
    asked.headers["host"] = host;
    EXPECT_EQ(status_of(rules(), asked), 421) << host;
  }
}

TEST(Guard, OtherOriginsAndSitesAreRefused) {
  HttpRequest asked = request("GET", "/api/v1/gpus");
  asked.headers["origin"] = "http://127.0.0.1:80";
  asked.headers["sec-fetch-site"] = "same-origin";
  EXPECT_EQ(status_of(rules(), asked), 0);
  asked.headers["sec-fetch-site"] = "cross-site";
  EXPECT_EQ(status_of(rules(), asked), 403);
  asked.headers.erase("sec-fetch-site");
  asked.headers["origin"] = "null";
  EXPECT_EQ(status_of(rules(), asked), 403);
}

TEST(Guard, BodiesAreBoundedAndPlain) {
  EXPECT_EQ(status_of(rules(), post("100")), 0);
  EXPECT_EQ(status_of(rules(), post("101")), 413);
  EXPECT_EQ(status_of(rules(), post("-1")), 411);
  EXPECT_EQ(status_of(rules(), post("")), 411);
  HttpRequest packed = post("100");
  packed.headers["content-encoding"] = "gzip";
  EXPECT_EQ(status_of(rules(), packed), 415);
  HttpRequest form = post("100");
  form.headers["content-type"] = "text/plain";
  EXPECT_EQ(status_of(rules(), form), 415);
}

TEST(Guard, ATokenIsAskedOfTheApiAlone) {
  GuardRules open = rules();
  open.token = "secret";
  EXPECT_EQ(status_of(open, request("GET", "/")), 0);
  EXPECT_EQ(status_of(open, request("GET", "/api/v1/gpus")), 401);
  for (const char* wrong : {"Bearer secre", "Bearer secrets", "secret", "Basic secret"}) {
    HttpRequest asked = request("GET", "/api/v1/gpus");
    asked.headers["authorization"] = wrong;
    EXPECT_EQ(status_of(open, asked), 401) << wrong;
  }
  HttpRequest asked = request("GET", "/api/v1/gpus");
  asked.headers["authorization"] = "Bearer secret";
  EXPECT_EQ(status_of(open, asked), 0);
}

TEST(Router, PathsAreMatchedPartByPart) {
  Router router;
  router.add("GET", "/a/{}/c", [](const HttpRequest&, const PathParts& open) {
    HttpResponse response;
    response.body = open.front();
    return response;
  });
  EXPECT_EQ(router.answer(request("GET", "/a/b/c")).body, "b");
  EXPECT_EQ(router.answer(request("GET", "/a/../c")).body, "..");
  EXPECT_EQ(router.answer(request("GET", "/a//c")).status, 404);
  EXPECT_EQ(router.answer(request("GET", "/a/b/c/d")).status, 404);
  EXPECT_EQ(router.answer(request("DELETE", "/a/b/c")).status, 405);
}

}  // namespace
}  // namespace forewarp::tests
