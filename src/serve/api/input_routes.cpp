// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "serve/api/answers.h"
#include "serve/api/api.h"
#include "serve/api/predict_request.h"
#include "serve/work/answerer.h"

namespace forewarp::serve {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_at_once = 64;  // predictions in one request; more are a job

Json input_json(const StoredInput& input) {
  return {{"id", input.id},
          {"name", input.name.substr(input.name.find('/') + 1)},
          {"bytes", input.bytes.size()},
          {"compiled", input.compiled}};
}

HttpResponse kernels(const ApiParts& parts, const std::string& id, const HttpRequest& request) {
  const std::string gpu = request.asked("gpu");
  const auto input = parts.inputs.find(id);
  if (!input) {
    return refusal(not_found, "input: '" + id + "' is not there; send it to /api/v1/inputs");
  }
  const std::vector<std::string> ids = parts.database.ids();
  if (std::ranges::find(ids, gpu) == ids.end()) {
    return refusal(bad_request,
                   "gpu: no GPU has the id '" + gpu + "'; expected one of /api/v1/gpus");
  }
  WorkItem item;
  item.kind = message::kernels;
  item.text = input->name + '\0' + gpu;
  item.input = input;
  auto answer = parts.pool.ask(std::move(item), request.left);
  return answer ? json_answer(*std::move(answer)) : refusal(answer.error());
}

HttpResponse predict(const ApiParts& parts, const HttpRequest& request) {
  const auto body = body_object(request);
  if (!body) return refusal(body.error());
  auto read = read_predict_request(*body, parts, most_at_once);
  if (!read) return refusal(read.error());
  std::string text = "[";
  for (WorkItem& item : read->items) {
    const auto record = parts.pool.ask(std::move(item), request.left);
    if (!record) return refusal(record.error());
    text += text.size() > 1 ? "," : "";
    text += *record;
  }
  return json_answer(text + "]");
}

Json examples_json(const ApiParts& parts) {
  Json list = Json::array();
  for (const Example& example : parts.examples) {
    list.push_back({{"name", example.name},
                    {"title", example.title},
                    {"kind", example.kind},
                    {"launch", Json::parse(example.launch, nullptr, false)}});
  }
  return list;
}

HttpResponse example_text(const ApiParts& parts, const std::string& name) {
  const auto found = std::ranges::find(parts.examples, name, &Example::name);
  if (found == parts.examples.end()) {
    return refusal(not_found, "no example has this name; expected one of /api/v1/examples");
  }
  return json_answer(Json{{"name", found->name}, {"text", found->bytes}});
}

}  // namespace

void add_input_routes(Router& router, const ApiParts& parts) {
  router.add("GET", "/api/v1/examples", [&parts](const HttpRequest&, const PathParts&) {
    return json_answer(examples_json(parts));
  });
  router.add("GET", "/api/v1/examples/{}", [&parts](const HttpRequest&, const PathParts& open) {
    return example_text(parts, open.front());
  });
  router.add("POST", "/api/v1/inputs", [&parts](const HttpRequest& request, const PathParts&) {
    const auto input = parts.inputs.put(request.asked("name"), request.body);
    return input ? json_answer(input_json(**input)) : refusal(input.error());
  });
  router.add("GET", "/api/v1/inputs/{}/kernels",
             [&parts](const HttpRequest& request, const PathParts& open) {
               return kernels(parts, open.front(), request);
             });
  router.add("POST", "/api/v1/predict", [&parts](const HttpRequest& request, const PathParts&) {
    return predict(parts, request);
  });
}

}  // namespace forewarp::serve
