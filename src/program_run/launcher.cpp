// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/launcher.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/mixed.h"
#include "execution/grid/in_place_run.h"
#include "execution/lowering/kernel_lowering.h"
#include "execution/lowering/unread_modifiers.h"
#include "execution/storage/device_image.h"
#include "program/kernel.h"
#include "program_run/launch_refusal.h"
#include "program_run/launch_text.h"
#include "request/tables/work_budget.h"

namespace forewarp::program_run {
namespace {

constexpr double few_instructions = 20000;  // of a launch that is not worth a second thread
constexpr double later_budget_s = 0.1;      // of predictions of a launch that varies one
constexpr double longest_budget_s = 5;      // of one that is known to end, and to be long
constexpr double like_itself = 1.5;         // instructions of a launch that is predicted afterwards
constexpr double budget_room = 4;           // blocks, and what is traced of them, take parts of it
constexpr std::size_t most_points = 32;     // predictions of a kernel with one geometry
constexpr std::uint64_t most_compared_bytes = 1 << 16;  // of what the host writes by itself
constexpr std::size_t many_sizes = 32;  // geometries of a kernel that are predicted in any case
constexpr double near_sizes = 1.05;     // ratio of threads; beyond many, one serves the others

/// Seconds of this machine's time since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

void Launcher::provide_heap() {
  if (services_->heap.has_memory()) return;
  const std::uint64_t address = memory_->allocate(heap_bytes_, MemoryKind::device, 0);
  if (address != 0) services_->heap.give(address, heap_bytes_);
}

execution::ExecutionInput Launcher::input_of(const LaunchOrder& order) const {
  execution::ExecutionInput input;
  input.grid = order.grid;
  input.block = order.block;
  input.cluster = order.clusters();
  input.static_shared = order.function->code.kernel->resources.static_shared.value_or(0);
  input.dynamic_shared = order.dynamic_shared;
  input.parameters = order.parameters;
  input.buffers = memory_->buffers();
  input.banks = CodeModules::banks_of(*order.function, order.variables());
  input.services = services_;
  return input;
}

Launcher::Predicted Launcher::predict(const LaunchOrder& order, execution::ExecutionInput& input,
                                      double budget_s, std::uint32_t id) {
  const Stopwatch watch;
  const Function& function = *order.function;
  request::Case request;
  request.input = function.module->input;
  request.kernel = function.mangled;
  request.launch.grid = order.grid;
  request.launch.block = order.block;
  request.launch.cluster = order.cluster;
  request.launch.dynamic_shared = order.dynamic_shared;
  request.has_dynamic_shared = true;
  const Kernel& kernel = *function.code.kernel;
  for (std::uint32_t i = 0; i < kernel.parameters.size(); ++i) {
    const Parameter& parameter = kernel.parameters[i];
    NamedArgument argument;
    argument.index = i;
    argument.value.kind = Argument::Kind::bytes;
    const auto begin = order.parameters.begin() + parameter.offset;
    argument.value.bytes.assign(begin, begin + parameter.size);
    request.launch.arguments.push_back(std::move(argument));
  }
  auto image = std::make_shared<execution::DeviceImage>();
  image->buffers = input.buffers;
  image->banks = input.banks;
  image->services = input.services;
  image->module_address = order.variables().globals;
  image->apart = order.variables().apart;
  image->parameters = order.parameters;
  image->serial = ++serial_;
  request::PredictOptions options;
  options.toolkit = settings_->toolkit;
  options.assume_isa = settings_->assume_isa;
  options.cache = false;
  options.jobs = settings_->threads;
  if (budget_s != request::usual_budget_seconds) options.budget_seconds = budget_s;
  options.device = image;
  driver::ResultDetail detail;
  detail.stalls = false;

  PredictionRecord record;
  record.id = id;
  record.kernel = function.id;
  record.grid = order.grid;
  record.block = order.block;
  record.dynamic_shared = order.dynamic_shared;
  LaunchPoint point;
  point.record = record.id;
  point.parameters = order.parameters;
  for (const std::string& gpu : settings_->gpus) {
    const auto result = predictor_->predict(request, gpu, options, detail);
    const bool own = &gpu == settings_->gpus.data();
    if (!result) {
      if (own) record.failure = point.failure = result.error().line();
      continue;
    }
    if (!own) {
      record.others[result->gpu.id] = result->time_ms;
      continue;
    }
    tell_driver_calls(function, *result);
    record.ms = result->time_ms;
    record.low_ms = result->interval_ms[0];
    record.high_ms = result->interval_ms[1];
    record.limited_by = result->limited_by.resource;
    record.model = result->model;
    point.ms = result->time_ms;
    point.instructions = result->profile.warp_instructions;
    const double places =
        static_cast<double>(result->occupancy.blocks_per_sm) * static_cast<double>(result->gpu.sms);
    if (places > 0) point.share = std::min(1.0, static_cast<double>(volume(order.grid)) / places);
  }
  work_.predicted(watch.seconds());
  return {std::move(point), std::move(record)};
}

void Launcher::tell_driver_calls(const Function& function, const Result& result) {
  for (const Result::Finding& finding : result.findings) {
    if (finding.kind != "driver-functions") continue;
    const std::string kernel = function.code.kernel->name + ": ";
    // The counts differ from launch to launch.
    journal_->tell({"note", kernel + finding.text}, kernel + finding.kind);
  }
}

void Launcher::judge(const LaunchOrder& order, const execution::GridRun& run,
                     LaunchOutcome& outcome) {
  const Kernel& kernel = *order.function->code.kernel;
  const auto tell = [&](std::string text) { journal_->tell({"memory", std::move(text)}); };
  for (const execution::AccessFinding& finding : run.findings) {
    const std::string text = access_text(kernel, finding, order.block);
    const bool misaligned = finding.kind == execution::AccessFinding::Kind::misaligned;
    const bool global =
        finding.space == MemorySpace::global || finding.space == MemorySpace::generic;
    tell(text);
    if (finding.space == MemorySpace::surface) outcome.status = Status::launch_failure;
    if (misaligned) outcome.status = Status::misaligned_address;
    if (!misaligned && global && !memory_->is_mapped(finding.address))
      outcome.status = Status::illegal_address;
    if (outcome.status != Status::success && outcome.message.empty()) outcome.message = text;
  }
  if (run.lost) {
    tell(kernel.name +
         ": stores values that are not computed here; they are not the kernel's result");
    lose_results();
    outcome.state = "assumed";
  }
  if (!run.unmet.empty()) {
    tell(kernel.name + ": lanes wait at " + instruction_text(kernel, run.unmet.front()) +
         " for lanes that wait elsewhere, which CUDA leaves undefined; they went on without them");
  }
  if (!run.assumed.empty() || !run.halved.empty() || !run.scattered.empty()) {
    const std::vector<std::uint32_t>& at = !run.assumed.empty()  ? run.assumed
                                           : !run.halved.empty() ? run.halved
                                                                 : run.scattered;
    tell(kernel.name + ": a value that is not computed decides " +
         instruction_text(kernel, at.front()) +
         "; what follows from it is not the kernel's result");
    lose_results();
    outcome.state = "assumed";
  }
}

RepeatedLaunches::Key Launcher::key_of(const LaunchOrder& order) const {
  RepeatedLaunches::Key key = {order.function->id, order.device, order.dynamic_shared,
                               texture_changes_};
  key.insert(key.end(), order.grid.begin(), order.grid.end());
  key.insert(key.end(), order.block.begin(), order.block.end());
  const Extent clusters = order.clusters();
  key.insert(key.end(), clusters.begin(), clusters.end());
  for (std::size_t i = 0; i < order.parameters.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, order.parameters.data() + i,
                std::min<std::size_t>(8, order.parameters.size() - i));
    key.push_back(word);
  }
  return key;
}

Launcher::Values Launcher::values_of(const LaunchOrder& order, bool whole) const {
  Values values;
  const auto add = [&](std::uint64_t number) { values.number = mixed(values.number ^ number); };
  for (std::size_t i = 0; i < order.parameters.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, order.parameters.data() + i,
                std::min<std::size_t>(8, order.parameters.size() - i));
    const Allocation* const at = memory_->find(word);
    add(at == nullptr ? word : 0);
    if (whole || at == nullptr) continue;
    const bool read = !at->host_writes || at->bytes <= most_compared_bytes;
    values.contents.push_back(read ? DeviceMemory::content_of(*at) : 0);
  }
  if (whole) return values;
  for (const auto& [number, place] : order.variables().banks) {
    const Allocation* const at = memory_->find(place.address);
    if (at != nullptr) values.contents.push_back(DeviceMemory::content_of(*at));
  }
  return values;
}

bool Launcher::predict_counted(const LaunchOrder& order, LaunchSeries& series, double count) {
  execution::ExecutionInput input = input_of(order);
  auto [point, record] = predict(order, input, later_budget_s, ++records_);
  journal_->add(record);
  if (!point.failure.empty()) return false;
  if (recorder_.on()) recorder_.launch(launches_, order, input, *memory_, settings_->gpus.front());
  recorded_[point.record] = launches_;
  series.points.push_back(std::move(point));
  if (knows(series, count)) series.points.back().instructions = count;
  return true;
}

void Launcher::predict_longer(const LaunchOrder& order, LaunchSeries& series, double count,
                              double budget_s) {
  const double known_s = count / request::own_work_rates().warp_instructions;
  const double longer_s = std::min(longest_budget_s, known_s * budget_room);
  if (longer_s <= budget_s || !work_.may_predict(longer_s)) return;
  execution::ExecutionInput input = input_of(order);
  auto [point, record] = predict(order, input, longer_s, series.points.back().record);
  if (!point.failure.empty() || point.instructions <= 0) return;
  const double ratio = count / point.instructions;
  if (ratio > like_itself || ratio < 1 / like_itself) return;
  for (double* ms : {&point.ms, &record.ms, &record.low_ms, &record.high_ms}) *ms *= ratio;
  for (auto& [gpu, ms] : record.others) ms *= ratio;
  journal_->add(record);  // in place of the failure
  series.points.back() = std::move(point);
}

bool Launcher::repeat(const LaunchOrder& order, LaunchOutcome& outcome) {
  if (settings_->again) return false;
  const auto instructions = repeated_.repeat(key_of(order));
  if (!instructions) return false;
  ++repeats_;
  outcome.instructions = *instructions;
  return true;
}

void Launcher::execute(const LaunchOrder& order, const execution::ExecutionInput& input, bool few,
                       LaunchOutcome& outcome) {
  const Stopwatch watch;
  execution::GridOptions options;
  options.threads = few ? 1 : settings_->threads;
  options.most_instructions = work_.instructions_left();
  const std::uint64_t calls = services_->outside_calls;
  auto run = execution::run_in_place(order.program(), input, options,
                                     [&] { return work_.may_execute(watch.seconds()); });
  work_.executed(run ? run->instructions : 0, watch.seconds());
  if (!services_->printed.empty() && printer_) printer_(services_->printed, false);
  services_->printed.clear();
  if (!services_->failed_assertion.empty()) {
    if (printer_) printer_(services_->failed_assertion, true);
    outcome.status = Status::assertion;
    outcome.message = std::exchange(services_->failed_assertion, {});
    outcome.message.resize(outcome.message.find('\n'));
    return;
  }
  if (!run) {
    lose_results();
    outcome.state = "failed";
    outcome.status = Status::launch_failure;
    outcome.message = failure_text(run.error());
    return;
  }
  outcome.instructions = run->instructions;
  if (run->cut) {
    lose_results();
    outcome.state = "cut";
    outcome.message = (run->late ? "no time of --limit is left for execution: "
                                 : std::string("the budget of execution is spent in ")) +
                      run->cut->line() + "; results are from here on not computed; " +
                      (run->late ? "a larger --limit, or --execute all, computes them"
                                 : "--execute all computes them");
  }
  judge(order, *run, outcome);
  std::vector<std::uint64_t> constants;
  for (const auto& [number, place] : order.variables().banks) constants.push_back(place.address);
  // What calls leave behind is not in memory alone.
  if (calls != services_->outside_calls) run->lost = true;
  if (!settings_->again) repeated_.executed(key_of(order), *run, constants);
}

bool Launcher::executes_all() const {
  return settings_->execute == Execute::all ||
         (settings_->execute == Execute::automatic && sound_ && work_.may_execute());
}

bool Launcher::begins_library_call() {
  const bool whole = executes_all();
  if (!whole) lose_results();
  return whole;
}

void Launcher::stand_in(const LaunchOrder& order, const SeriesKey& key) {
  const bool late = !work_.may_predict();
  const bool many = !late && !recorder_.on() && predicted_sizes(series_, key[0]) >= many_sizes;
  if (!late && !many) return;
  auto point =
      late ? program_run::stand_in(series_, key) : program_run::stand_in(series_, key, near_sizes);
  if (!point) return;
  LaunchSeries& series = series_[key];
  series.points.push_back(std::move(*point));
  series.wanted = false;
  journal_->tell({"note", order.function->code.kernel->name +
                              (late ? ": no time is left to predict it in new sizes; those take "
                                      "the time of the nearest "
                                      "size, by their threads"
                                    : ": launched in many sizes; those whose threads are within 5 "
                                      "% of a predicted one's "
                                      "take its time, by their threads")});
}

LaunchOutcome Launcher::launch_beside(const LaunchOrder& order) {
  LaunchOutcome outcome;
  ++launches_;
  outcome.state = "unselected";
  if (!executes_all()) {
    lose_results();
    return outcome;
  }
  if (!repeat(order, outcome)) execute(order, input_of(order), false, outcome);
  return outcome;
}

LaunchOutcome Launcher::launch(const LaunchOrder& order) {
  LaunchOutcome outcome;
  const auto board = predictor_->gpu(modules_->gpu(), {});
  if (!board) {
    outcome.status = Status::no_device;
    outcome.state = "refused";
    return outcome;
  }
  if (const auto refusal = refusal_of(**board, order, outcome.message)) {
    outcome.status = *refusal;
    outcome.state = "refused";
    return outcome;
  }
  const Function& function = *order.function;
  const auto [known_kernel, first] = calls_driver_.try_emplace(function.id, false);
  if (first) {
    known_kernel->second = execution::may_call_driver(order.program());
    const Kernel& kernel = *function.code.kernel;
    journal_->add(
        KernelRecord{function.id, kernel.name, kernel.mangled, "sm_" + std::to_string(kernel.sm)});
    if (const std::string unread = execution::unread_text(kernel); !unread.empty())
      journal_->add(MessageRecord{"note", kernel.name + ": " + unread});
  }
  if (known_kernel->second) provide_heap();
  if (!selection_.takes(function.code.kernel->name)) return launch_beside(order);
  const Extent clusters = order.clusters();
  const SeriesKey key = {function.id,    order.grid[0],  order.grid[1],  order.grid[2],
                         order.block[0], order.block[1], order.block[2], order.dynamic_shared,
                         clusters[0],    clusters[1],    clusters[2]};
  LaunchSeries& series = series_[key];
  ++series.launches;
  if (series.points.empty()) stand_in(order, key);
  const bool whole = executes_all();
  const Values values = values_of(order, whole);
  const bool known = same_launch(series, order.parameters, values.contents) != nullptr;
  const bool tried_values = tries(series, values.number) && !known;
  const bool room = series.points.size() < most_points;
  const bool more = room && work_.may_predict();
  const bool anew =
      series.points.empty() || (more && (series.wanted || (!whole && !known) ||
                                         (tried_values && !series.points.back().stands_in)));
  outcome.state = "skipped";
  const bool repeats = whole && !anew && repeat(order, outcome);
  std::optional<execution::ExecutionInput> input;
  if (anew || (whole && !repeats)) input = input_of(order);
  ++launches_;
  double budget_s = 0;
  if (anew) {
    if (recorder_.on())
      recorder_.launch(launches_, order, *input, *memory_, settings_->gpus.front());
    const bool earliest = series.points.empty() && work_.may_execute();
    budget_s = earliest ? request::usual_budget_seconds : later_budget_s;
    auto [point, record] = predict(order, *input, budget_s, ++records_);
    journal_->add(record);
    series.points.push_back(std::move(point));
    if (!whole) series.points.back().contents = values.contents;
    recorded_[series.points.back().record] = launches_;
  }
  if (whole) {
    outcome.state = "executed";
    if (!repeats && !(anew && repeat(order, outcome)))
      execute(order, *input, series.last_instructions < few_instructions, outcome);
  } else {
    lose_results();
  }
  // A launch that was cut tells nothing about how many instructions it takes.
  const double count = outcome.state == "cut" ? 0 : static_cast<double>(outcome.instructions);
  if (count > 0) series.last_instructions = count;
  if (anew) {
    if (!series.points.back().failure.empty() && outcome.state == "executed" && count > 0)
      predict_longer(order, series, count, budget_s);
    LaunchPoint& made = series.points.back();
    if (outcome.state == "cut" && !made.failure.empty()) {
      // Neither the prediction nor the whole budget saw its end: a board's watchdog ends it.
      outcome.status = Status::launch_timeout;
      outcome.message = made.failure;
    }
    if (count > 0 && outcome.state == "executed") made.instructions = count;
    outcome.device_ms = made.ms;
    outcome.prediction = made.record;
    outcome.share = made.share;
    series.wanted = false;
    tried(series);
  } else {
    const bool own = more && count > 0 && !knows(series, count) &&
                     !series.points.back().stands_in && predict_counted(order, series, count);
    const LaunchPoint* const same = same_launch(series, order.parameters, values.contents);
    const LaunchPoint& near = same != nullptr ? *same : series.points.back();
    outcome.device_ms = count > 0 ? time_of(series, same, count) : near.ms;
    outcome.prediction = near.record;
    if (recorder_.on() && !own) recorder_.same(launches_, recorded_[near.record]);
    outcome.share = near.share;
    if (count > 0) series.wanted = !knows(series, count);
  }
  return outcome;
}

}  // namespace forewarp::program_run
