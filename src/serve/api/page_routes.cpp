// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/api/page_routes.h"

#include <string>

#include "base/parts.h"

namespace forewarp::serve {
namespace {

const std::string not_built =
    std::string(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Forewarp</title>"
        "<h1>The page was not built</h1><p>This server was built without Node. Its API is at "
        "<a href=\"/api/v1/openapi.json\">/api/v1</a>; for the page, ") +
    build_all_parts + ".</p></html>";

HttpResponse file_answer(const PageFile& file) {
  HttpResponse response;
  response.type = file.type;
  response.fixed = file.bytes;
  response.headers.emplace_back("Content-Encoding", "gzip");
  // Names of assets change with their content; the first file's does not.
  response.headers.emplace_back("Cache-Control", file.path == "/index.html"
                                                     ? "no-cache"
                                                     : "public, max-age=31536000, immutable");
  return response;
}

}  // namespace

void add_page(Router& router, std::span<const PageFile> files) {
  for (const PageFile& file : files) {
    const auto answer = [&file](const HttpRequest&, const PathParts&) { return file_answer(file); };
    router.add("GET", file.path, answer);
    if (file.path == "/index.html") router.add("GET", "/", answer);
  }
  if (!files.empty()) return;
  router.add("GET", "/", [](const HttpRequest&, const PathParts&) {
    HttpResponse response;
    response.type = "text/html; charset=utf-8";
    response.body = not_built;
    return response;
  });
}

}  // namespace forewarp::serve
