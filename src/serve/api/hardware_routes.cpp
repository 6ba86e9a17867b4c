// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/file.h"
#include "hardware/edited_file.h"
#include "serve/api/answers.h"
#include "serve/api/api.h"
#include "serve/process/own_folder.h"

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

/// A board's file with the numbers of `set`: {"set": ["memory.read_share=0.9"]}.
HttpResponse edited(const ApiParts& parts, const HttpRequest& request, const std::string& id) {
  const std::vector<std::string> ids = parts.database.ids();
  if (std::ranges::find(ids, id) == ids.end()) {
    return refusal(not_found, "no GPU has this id; expected one of /api/v1/gpus");
  }
  const auto body = body_object(request);
  if (!body) return refusal(body.error());
  std::vector<FactOverride> changes;
  for (const Json& one : body->value("set", Json::array())) {
    const std::string text = one.is_string() ? one.get<std::string>() : one.dump();
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      return refusal(Diagnostic{"set", "'" + text + "' has no '='", "PATH=VALUE", ""});
    }
    changes.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  const auto text = edited_file(parts.database, id, changes);
  if (!text) return refusal(text.error());
  // Read as a user's file, whose numbers have to fit together.
  const OwnFolder folder;
  const std::filesystem::path file = folder.path() / (id + ".toml");
  if (auto written = write_file(file, *text); !written) return refusal(written.error());
  if (const auto read = parts.database.load(file.string()); !read) {
    Diagnostic fault = read.error();
    fault.place = fault.place.substr(fault.place.rfind('/') + 1);
    return refusal(fault);
  }
  return json_answer(Json{{"toml", *text}});
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
  router.add("POST", "/api/v1/gpus/{}/edited",
             [&parts](const HttpRequest& request, const PathParts& open) {
               return edited(parts, request, open.front());
             });
}

}  // namespace forewarp::serve
