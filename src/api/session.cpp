// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <forewarp/session.h>
#include <thread>
#include <utility>

#include "api/state.h"
#include "base/sha256.h"
#include "base/text.h"
#include "comparison/comparison.h"
#include "report/documents/report.h"
#include "request/files/case_fields.h"
#include "request/text/json_value.h"

namespace forewarp::api {
namespace {

driver::ResultDetail detail_of(Detail detail) {
  driver::ResultDetail shown;
  if (detail == Detail::figures) {
    shown.stalls = false;
    return shown;
  }
  shown.counterfactuals = driver::WhatIfDepth::best;  // what limits is named by them
  if (detail != Detail::whole) return shown;
  shown.listing = shown.provenance = shown.curve = shown.simulation = true;
  shown.counterfactuals = driver::WhatIfDepth::all;
  return shown;
}

/// Under which name the predictor has this code, which it is given when it has it not.
std::string input_name(Session::State& session, const Kernel::State& kernel) {
  if (kernel.code == nullptr) return kernel.input;
  std::string name = kernel.input;
  const std::lock_guard lock(session.mutex);
  const auto other = session.given.find(name);
  if (other != session.given.end() && other->second != kernel.code &&
      *other->second != *kernel.code) {
    constexpr std::size_t digits = 12;
    name += " (" + input::sha256_of(*kernel.code).substr(0, digits) + ")";
  }
  const auto [kept, is_new] = session.given.try_emplace(name, kernel.code);
  if (is_new) session.predictor.give_input(name, *kernel.code);
  return name;
}

unsigned threads_of(unsigned asked, const SessionOptions& options) {
  const unsigned threads = asked != 0 ? asked : options.threads;
  return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

Expected<Ask> ask_of(Session::State& session, const Kernel& kernel, std::string_view gpu,
                     const std::vector<FactChange>& changes, const Launch& launch) {
  const Launch::State& given = Access::of(launch);
  if (given.error) return *given.error;
  const Kernel::State& code = Access::of(kernel);
  Ask ask{given.asked.request, given.asked.options};
  ask.request.input = input_name(session, code);
  if (!code.name.empty()) ask.request.kernel = code.name;
  ask.request.compile_options.insert(ask.request.compile_options.begin(),
                                     code.compile_options.begin(), code.compile_options.end());
  ask.request.gpu = std::string(gpu);
  std::vector<hardware::FactOverride> all;
  for (const FactChange& change : changes) all.push_back({change.path, change.value});
  all.insert(all.end(), ask.options.overrides.begin(), ask.options.overrides.end());
  ask.options.overrides = std::move(all);
  ask.options.jobs = threads_of(given.asked.delivery.jobs, session.options);
  if (!ask.options.budget_seconds) ask.options.budget_seconds = session.options.budget_s;
  if (ask.options.toolkit.empty()) ask.options.toolkit = session.options.toolkit;
  ask.options.cache = ask.options.cache && session.options.disk_cache;
  return ask;
}

Expected<Ask> ask_of(Session::State& session, const Query& query) {
  const Gpu::State& gpu = Access::of(query.gpu);
  return ask_of(session, query.kernel, gpu.asked, gpu.changes, query.launch);
}

Expected<Gpu> gpu_with(std::shared_ptr<Session::State> session, std::string_view name,
                       request::PredictOptions options) {
  auto gpu = session->predictor.gpu(std::string(name), options);
  if (!gpu) return error_of(std::move(gpu).error());
  std::vector<FactChange> changes;
  for (const hardware::FactOverride& one : options.overrides) {
    changes.push_back({one.path, one.value});
  }
  return Access::gpu({std::move(session), *std::move(gpu), std::string(name), std::move(changes)});
}

Expected<Session> Session::open(const SessionOptions& options) {
  return guarded([&]() -> Expected<Session> {
    auto data =
        options.data.empty()
            ? hardware::HardwareDatabase::locate()
            : base::Expected<hardware::HardwareDatabase>(hardware::HardwareDatabase(options.data));
    if (!data) return error_of(std::move(data).error());
    if (data->ids().empty()) {
      return Error{options.data.string(), "holds no GPU files",
                   "a folder with gpus/, capabilities/, isa/ and memory/", ""};
    }
    return Session(std::make_shared<State>(*std::move(data), options));
  });
}

std::filesystem::path Session::data() const {
  return state_->database.directory();
}

std::vector<std::string> Session::gpu_ids() const {
  return state_->database.ids();
}

Expected<Gpu> Session::gpu(std::string_view name, const std::vector<FactChange>& changes) const {
  return guarded([&]() -> Expected<Gpu> {
    if (name.empty()) {
      return Error{"gpu", "no GPU is given", "an id, a name or a file", "see 'forewarp gpu list'"};
    }
    request::PredictOptions options;
    for (const FactChange& change : changes)
      options.overrides.push_back({change.path, change.value});
    return gpu_with(state_, name, std::move(options));
  });
}

Expected<Query> Session::query(std::string_view case_json,
                               const std::filesystem::path& folder) const {
  return guarded([&]() -> Expected<Query> {
    const request::ValueOrigin origin{"case", 0, folder};
    const auto value = request::parse_json(case_json, origin);
    if (!value) return error_of(value.error());
    auto read = request::read_case(*value, origin, request::CaseScope::full_case);
    if (!read) return error_of(std::move(read).error());
    if (read->gpu.empty()) return Error{"case", "names no GPU", R"("gpu": an id)", ""};
    auto board = gpu(read->gpu);
    if (!board) return board.error();
    Kernel code = Access::kernel({read->input, read->kernel, {}, nullptr});
    request::Asked asked;
    asked.request = *std::move(read);
    return Query{std::move(code), *std::move(board), Access::launch(std::move(asked))};
  });
}

Expected<Result> Session::predict(const Query& query, Detail detail) const {
  return guarded([&]() -> Expected<Result> {
    const auto ask = ask_of(*state_, query);
    if (!ask) return ask.error();
    auto made =
        state_->predictor.predict(ask->request, ask->request.gpu, ask->options, detail_of(detail));
    if (!made) return error_of(std::move(made).error());
    return Access::result(*std::move(made));
  });
}

Result Session::predict_or_error(const Kernel& kernel, std::string_view gpu, const Launch& launch,
                                 Detail detail) const {
  request::Case request = Access::of(launch).asked.request;
  request.input = kernel.input();
  auto made = guarded([&]() -> Expected<Result> {
    const auto ask = ask_of(*state_, kernel, gpu, {}, launch);
    if (!ask) return ask.error();
    request = ask->request;
    auto result =
        state_->predictor.predict(ask->request, std::string(gpu), ask->options, detail_of(detail));
    if (!result) return error_of(std::move(result).error());
    return Access::result(*std::move(result));
  });
  if (made) return *std::move(made);
  return Access::result(
      driver::failed_result(request, std::string(gpu), diagnostic_of(made.error())));
}

Expected<Result> Session::profile(const Query& query) const {
  return guarded([&]() -> Expected<Result> {
    const auto ask = ask_of(*state_, query);
    if (!ask) return ask.error();
    auto made = state_->predictor.profile(ask->request, ask->request.gpu, ask->options);
    if (!made) return error_of(std::move(made).error());
    return Access::result(*std::move(made));
  });
}

Expected<Comparison> Session::compare(const Query& a, const Query& b) const {
  return guarded([&]() -> Expected<Comparison> {
    auto first = ask_of(*state_, a);
    if (!first) return first.error();
    auto second = ask_of(*state_, b);
    if (!second) return second.error();
    return Access::comparison(comparison::compare(
        state_->predictor,
        {std::move(first->request), std::move(first->options), Access::of(a.gpu).asked},
        {std::move(second->request), std::move(second->options), Access::of(b.gpu).asked}));
  });
}

Expected<Points> Session::sweep(const Query& query, const Sweep& sweep) const {
  return guarded([&]() -> Expected<Points> {
    auto ask = ask_of(*state_, query);
    if (!ask) return ask.error();
    return Access::points(state_, *std::move(ask), sweep.axes());
  });
}

Expected<std::string> Session::report(const std::vector<Result>& results, std::string_view format,
                                      const std::vector<std::string>& views) const {
  return guarded([&]() -> Expected<std::string> {
    std::vector<result::Result> all;
    for (const Result& one : results) all.push_back(Access::of(one).result);
    report::RenderOptions how;
    how.views = views;
    auto text = report::render(all, format, how);
    if (!text) return error_of(std::move(text).error());
    return *std::move(text);
  });
}

}  // namespace forewarp::api
