// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/api/predict_request.h"

#include <algorithm>
#include <array>
#include <utility>

#include "serve/work/answerer.h"

namespace forewarp::serve {
namespace {

using Json = nlohmann::ordered_json;

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Expected<std::vector<std::string>> gpus_of(const Json& body) {
  const auto found = body.find("gpus");
  const Diagnostic wrong{"gpus", "is not a list of ids", R"(["ID", ..])", "see /api/v1/gpus"};
  if (found == body.end() || !found->is_array() || found->empty()) return wrong;
  std::vector<std::string> gpus;
  for (const Json& gpu : *found) {
    if (!gpu.is_string()) return wrong;
    gpus.push_back(gpu.get<std::string>());
  }
  return gpus;
}

Expected<Json> cases_of(const Json& body) {
  if (const auto one = body.find("case"); one != body.end()) return Json::array({*one});
  const auto many = body.find("cases");
  if (many == body.end() || !many->is_array() || many->empty()) {
    return Diagnostic{"case", "is missing", "an object with grid, block and args", "docs/cases.md"};
  }
  return *many;
}

Expected<void> check_keys(const Json& body) {
  constexpr std::array<std::string_view, 7> keys{"input",   "gpus",   "case", "cases",
                                                 "options", "detail", "kind"};
  for (const auto& [key, value] : body.items()) {
    if (std::ranges::find(keys, key) != keys.end()) continue;
    return Diagnostic{"body", "has the key '" + key + "'",
                      "input, gpus, case or cases, options, detail", ""};
  }
  return {};
}

std::string title_of(const StoredInput& input, const Json& cases,
                     const std::vector<std::string>& gpus) {
  std::string title = input.name.substr(input.name.find('/') + 1);
  const std::string kernel = cases[0].is_object() ? text_at(cases[0], "kernel") : "";
  if (!kernel.empty()) title += " " + kernel;
  if (cases.size() > 1) title += ", " + std::to_string(cases.size()) + " launches";
  title += " on " + gpus.front();
  if (gpus.size() > 1) title += " and " + std::to_string(gpus.size() - 1) + " more";
  return title;
}

}  // namespace

Expected<std::shared_ptr<const StoredInput>> named_input(const Json& input, const ApiParts& parts) {
  if (!input.is_object()) {
    return Diagnostic{"input", "is missing", R"({"id": ..}, {"example": ..} or {"text": ..})", ""};
  }
  if (const std::string id = text_at(input, "id"); !id.empty()) {
    if (auto found = parts.inputs.find(id)) return found;
    return Diagnostic{"input", "'" + id + "' is not there", "an input that was uploaded",
                      "send it again to /api/v1/inputs"};
  }
  if (const std::string name = text_at(input, "example"); !name.empty()) {
    const auto found = std::ranges::find(parts.examples, name, &Example::name);
    if (found != parts.examples.end()) return parts.inputs.put(found->name, found->bytes);
    return Diagnostic{"input", "no example is named '" + name + "'", "one of /api/v1/examples", ""};
  }
  return parts.inputs.put(text_at(input, "name"), text_at(input, "text"));
}

Expected<PredictRequest> read_predict_request(const Json& body, const ApiParts& parts,
                                              std::size_t most) {
  if (auto fine = check_keys(body); !fine) return fine.error();
  auto input = named_input(body.value("input", Json()), parts);
  if (!input) return input.error();
  const auto gpus = gpus_of(body);
  if (!gpus) return gpus.error();
  const auto cases = cases_of(body);
  if (!cases) return cases.error();
  if (cases->size() * gpus->size() > most) {
    return Diagnostic{"body",
                      "asks for " + std::to_string(cases->size() * gpus->size()) + " predictions",
                      "at most " + std::to_string(most), ""};
  }
  PredictRequest request;
  request.title = title_of(**input, *cases, *gpus);
  for (const Json& one : *cases) {
    for (const std::string& gpu : *gpus) {
      Json order{{"input", (*input)->name}, {"gpu", gpu}, {"case", one}};
      for (const char* key : {"options", "detail"}) {
        if (body.contains(key)) order[key] = body[key];
      }
      WorkItem item;
      item.kind = message::predict;
      item.text = order.dump(-1, ' ', false, Json::error_handler_t::replace);
      item.input = *input;
      request.items.push_back(std::move(item));
    }
  }
  return request;
}

}  // namespace forewarp::serve
