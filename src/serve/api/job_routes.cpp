// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "serve/api/answers.h"
#include "serve/api/api.h"
#include "serve/api/predict_request.h"

namespace forewarp::serve {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_points = 4096;  // predictions in one job
constexpr std::chrono::seconds longest_point(300);
constexpr std::chrono::milliseconds one_look(1000);

Json job_json(const JobView& view) {
  return {{"id", view.id},       {"kind", view.kind},
          {"title", view.title}, {"state", state_name(view.state)},
          {"done", view.done},   {"points", view.points},
          {"run", view.run},     {"error", view.error.empty() ? Json() : Json(view.error)}};
}

Expected<JobPlan> predict_plan(const Json& body, const ApiParts& parts) {
  auto read = read_predict_request(body, parts, most_points);
  if (!read) return std::move(read).error();
  JobPlan plan{"predict", read->title, read->items.size(), {}};
  auto items = std::make_shared<const std::vector<WorkItem>>(std::move(read->items));
  plan.answer = [items, &parts](std::size_t point,
                                const std::shared_ptr<const std::atomic<bool>>& stop) {
    WorkItem item = (*items)[point];
    item.urgency = Urgency::job;
    item.most = longest_point;
    item.stop = stop;
    return parts.pool.ask(std::move(item));
  };
  return plan;
}

Expected<std::map<std::string, std::string>> texts_at(const Json& body, const char* key) {
  std::map<std::string, std::string> texts;
  const Json object = body.value(key, Json::object());
  if (!object.is_object()) return Diagnostic{key, "is no object", "names and texts", ""};
  for (const auto& [name, value] : object.items()) {
    texts[name] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return texts;
}

Expected<JobPlan> simulate_plan(const Json& body, const ApiParts& parts) {
  if (!parts.why_not_simulate.empty()) {
    return Diagnostic{"simulate", parts.why_not_simulate, "", ""};
  }
  const auto files = texts_at(body, "files");
  if (!files) return files.error();
  const auto set = texts_at(body, "set");
  if (!set) return set.error();
  const auto sweep = texts_at(body, "sweep");
  if (!sweep) return sweep.error();
  SimulationRequest request{*files, *set, *sweep};
  if (auto fine = check_simulation(request); !fine) return fine.error();
  const auto title = body.find("title");
  JobPlan plan{"simulate",
               title != body.end() && title->is_string() ? title->get<std::string>().substr(0, 200)
                                                         : "an application on a system",
               1,
               {}};
  plan.answer = [request = std::move(request), &parts](
                    std::size_t, const std::shared_ptr<const std::atomic<bool>>& stop) {
    return parts.simulations.run(request, stop);
  };
  return plan;
}

HttpResponse submit(const ApiParts& parts, const HttpRequest& request) {
  const auto body = body_object(request);
  if (!body) return refusal(body.error());
  const std::string kind = body->value("kind", Json("predict")).dump();
  auto plan = kind == "\"predict\"" ? predict_plan(*body, parts)
              : kind == "\"simulate\""
                  ? simulate_plan(*body, parts)
                  : Expected<JobPlan>(Diagnostic{"kind", "is " + kind, "predict or simulate", ""});
  if (!plan) return refusal(plan.error());
  const auto job = parts.jobs.submit(*std::move(plan));
  return job ? json_answer(job_json(*job), accepted) : refusal(job.error(), busy);
}

/// What is wrong with a system and an application, before they are simulated.
HttpResponse check(const ApiParts& parts, const HttpRequest& request) {
  if (!parts.why_not_simulate.empty()) {
    return refusal(Diagnostic{"check", parts.why_not_simulate, "", ""});
  }
  const auto body = body_object(request);
  if (!body) return refusal(body.error());
  const auto files = texts_at(*body, "files");
  if (!files) return refusal(files.error());
  const auto fault = parts.simulations.fault_of({*files, {}, {}});
  if (!fault) return refusal(fault.error());
  return json_answer(Json{{"fault", fault->empty() ? Json() : Json(*fault)}});
}

HttpResponse no_such_job() {
  return refusal(not_found,
                 "no job has this id; jobs of an earlier process are in /api/v1/results");
}

/// One event for each change of a job, until it has ended.
HttpResponse events(const ApiParts& parts, const std::string& id) {
  if (!parts.jobs.find(id)) return no_such_job();
  struct Seen {
    std::uint64_t version = 0;
    bool first = true, over = false;
  };
  HttpResponse response;
  response.events = [&parts, id, seen = std::make_shared<Seen>()](std::string& part) {
    if (seen->over) return false;
    const auto view =
        seen->first ? parts.jobs.find(id) : parts.jobs.changed(id, seen->version, one_look);
    if (!view) return false;
    if (seen->first || view->version > seen->version) {
      part = "event: job\ndata: " + job_json(*view).dump() + "\n\n";
    }
    seen->first = false;
    seen->version = view->version;
    seen->over = view->ended();
    return !seen->over;
  };
  return response;
}

}  // namespace

void add_job_routes(Router& router, const ApiParts& parts) {
  router.add("POST", "/api/v1/jobs", [&parts](const HttpRequest& request, const PathParts&) {
    return submit(parts, request);
  });
  router.add("POST", "/api/v1/check", [&parts](const HttpRequest& request, const PathParts&) {
    return check(parts, request);
  });
  router.add("GET", "/api/v1/jobs", [&parts](const HttpRequest&, const PathParts&) {
    Json list = Json::array();
    for (const JobView& view : parts.jobs.all()) list.push_back(job_json(view));
    return json_answer(list);
  });
  router.add("GET", "/api/v1/jobs/{}", [&parts](const HttpRequest&, const PathParts& open) {
    const auto view = parts.jobs.find(open.front());
    return view ? json_answer(job_json(*view)) : no_such_job();
  });
  router.add("DELETE", "/api/v1/jobs/{}", [&parts](const HttpRequest&, const PathParts& open) {
    if (!parts.jobs.find(open.front())) return no_such_job();
    parts.jobs.cancel(open.front());
    return json_answer(job_json(*parts.jobs.find(open.front())));
  });
  router.add("GET", "/api/v1/jobs/{}/events", [&parts](const HttpRequest&, const PathParts& open) {
    return events(parts, open.front());
  });
}

}  // namespace forewarp::serve
