// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "base/text.h"
#include "report/documents/report.h"
#include "result/result_json.h"
#include "serve/api/answers.h"
#include "serve/api/api.h"
#include "store/stored_runs.h"

namespace forewarp::serve {
namespace {

using Json = nlohmann::ordered_json;

/// What became of a run: a job of this process says it itself; one of an earlier process that has
/// not ended was cut off.
std::string state_of(const StoredRun& run, const std::vector<JobView>& jobs) {
  for (const JobView& job : jobs) {
    if (job.run == run.id) return std::string(state_name(job.state));
  }
  return run.ended.empty() ? "unfinished" : "done";
}

Json run_json(const StoredRun& run, const std::vector<JobView>& jobs) {
  return {{"run", run.id},        {"kind", run.kind},
          {"title", run.command}, {"state", state_of(run, jobs)},
          {"begun", run.begun},   {"ended", run.ended.empty() ? Json() : Json(run.ended)},
          {"points", run.points}, {"kept", run.kept},
          {"failed", run.failed}, {"tool_version", run.tool_version}};
}

Expected<StoredRun> run_named(StoredRuns& store, const std::string& text) {
  const auto number = parse_natural(text);
  if (!number)
    return Diagnostic{"run", "'" + text + "' is no number", "one of /api/v1/results", ""};
  return store.run(static_cast<std::int64_t>(*number));
}

HttpResponse runs(const ApiParts& parts) {
  auto store = StoredRuns::open(parts.store);
  if (!store) return refusal(store.error());
  const auto all = store->all();
  if (!all) return refusal(all.error());
  const std::vector<JobView> jobs = parts.jobs.all();
  Json list = Json::array();
  for (auto run = all->rbegin(); run != all->rend(); ++run) list.push_back(run_json(*run, jobs));
  return json_answer(list);
}

/// The records that a run has kept, each as it was made.
Expected<std::vector<std::string>> records_of(StoredRuns& store, const StoredRun& run) {
  std::vector<std::string> records;
  for (std::uint64_t number = 0; number < run.points; ++number) {
    auto record = store.detail(run, number);
    if (record && !record->empty()) records.push_back(*std::move(record));
  }
  return records;
}

HttpResponse one_run(const ApiParts& parts, const std::string& name) {
  auto store = StoredRuns::open(parts.store);
  if (!store) return refusal(store.error());
  const auto run = run_named(*store, name);
  if (!run) return refusal(run.error(), not_found);
  const auto records = records_of(*store, *run);
  if (!records) return refusal(records.error());
  std::string text = run_json(*run, parts.jobs.all()).dump();
  text.back() = ',';
  return json_answer(text + "\"records\":[" + join(*records, ",") + "]}");
}

HttpResponse exported(const ApiParts& parts, const std::string& name, const std::string& format) {
  auto store = StoredRuns::open(parts.store);
  if (!store) return refusal(store.error());
  const auto run = run_named(*store, name);
  if (!run) return refusal(run.error(), not_found);
  const auto records = records_of(*store, *run);
  if (!records) return refusal(records.error());
  std::vector<Result> results;
  for (const std::string& record : *records) {
    auto result = from_json(record);
    if (!result) return refusal(result.error());
    results.push_back(*std::move(result));
  }
  const std::string wanted = format.empty() ? "json" : format;
  const auto text = render(results, wanted, {});
  if (!text) return refusal(text.error());
  HttpResponse response = json_answer(*text);
  response.type = wanted == "csv"    ? "text/csv"
                  : wanted == "html" ? "text/html"
                                     : "application/json";
  response.headers.emplace_back("Content-Disposition",
                                "attachment; filename=\"forewarp-run-" + std::to_string(run->id) +
                                    "." + (wanted == "markdown" ? "md" : wanted) + "\"");
  return response;
}

}  // namespace

void add_result_routes(Router& router, const ApiParts& parts) {
  router.add("GET", "/api/v1/results",
             [&parts](const HttpRequest&, const PathParts&) { return runs(parts); });
  router.add("GET", "/api/v1/results/{}", [&parts](const HttpRequest&, const PathParts& open) {
    return one_run(parts, open.front());
  });
  router.add("GET", "/api/v1/results/{}/export",
             [&parts](const HttpRequest& request, const PathParts& open) {
               return exported(parts, open.front(), request.asked("format"));
             });
}

}  // namespace forewarp::serve
