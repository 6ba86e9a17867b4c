// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "serve/api/answers.h"
#include "serve/api/api.h"

namespace forewarp::serve {
namespace {

using Json = nlohmann::ordered_json;

Json version_json(const ApiParts& parts) {
  return {{"version", parts.version},
          {"schema", "forewarp.result/1"},
          {"compiles", parts.why_not_compile.empty()},
          {"why_not_compile", parts.why_not_compile},
          {"simulates", parts.why_not_simulate.empty()},
          {"why_not_simulate", parts.why_not_simulate}};
}

/// One line of each board; files that are faulty are left out, `gpu check` says why.
std::string boards_json(const HardwareDatabase& database) {
  Json list = Json::array();
  for (const std::string& id : database.ids()) {
    const auto gpu = database.load(id);
    if (!gpu) continue;
    list.push_back({{"id", id}, {"name", gpu->name}, {"cc", gpu->cc.text()}});
  }
  return list.dump();
}

HttpResponse board(const ApiParts& parts, const std::string& id) {
  const std::vector<std::string> ids = parts.database.ids();
  if (std::ranges::find(ids, id) == ids.end()) {
    return refusal(not_found, "no GPU has this id; expected one of /api/v1/gpus");
  }
  const auto gpu = parts.database.load(id);
  return gpu ? json_answer(parts.gpu_json(*gpu)) : refusal(gpu.error());
}

}  // namespace

void add_hardware_routes(Router& router, const ApiParts& parts) {
  router.add("GET", "/api/v1/version",
             [version = version_json(parts).dump()](const HttpRequest&, const PathParts&) {
               return json_answer(version);
             });
  router.add("GET", "/api/v1/openapi.json", [&parts](const HttpRequest&, const PathParts&) {
    return json_answer(std::string(parts.openapi));
  });
  // The boards are read once: nothing changes them while the server runs.
  router.add("GET", "/api/v1/gpus",
             [boards = boards_json(parts.database)](const HttpRequest&, const PathParts&) {
               return json_answer(boards);
             });
  router.add("GET", "/api/v1/gpus/{}", [&parts](const HttpRequest&, const PathParts& open) {
    return board(parts, open.front());
  });
}

}  // namespace forewarp::serve
