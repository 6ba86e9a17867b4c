// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/predictor.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "analysis/kernel_analysis.h"
#include "base/cache/content_key.h"
#include "base/cache/memory_cache.h"
#include "base/sha256.h"
#include "base/text.h"
#include "driver/kept_answers.h"
#include "driver/profile_launch.h"
#include "driver/result_builder.h"
#include "driver/trace_launch.h"
#include "explain/edits/launch_edit.h"
#include "explain/worst_case.h"
#include "hardware/gpu_key.h"
#include "input/kernel_choice.h"
#include "input/source.h"
#include "model/automatic/interval_rule.h"
#include "prediction/execution.h"
#include "prediction/launch.h"
#include "prediction/load_clock.h"
#include "prediction/trace.h"
#include "request/tables/calibration.h"
#include "request/tables/interval_file.h"

namespace forewarp::driver {

struct Predictor::Stores {
  explicit Stores(HardwareDatabase d) : database(std::move(d)) {}

  Expected<InputSource> open(const std::string& input) {
    const std::lock_guard lock(mutex);
    const auto found = in_memory.find(input);
    if (found != in_memory.end()) return found->second;
    auto source = InputSource::open(input);
    if (source && input == "-") in_memory.emplace(input, *source);
    return source;
  }

  HardwareDatabase database;
  std::mutex mutex;                              ///< guards in_memory
  std::map<std::string, InputSource> in_memory;  ///< given, or standard input: read only once
  std::shared_ptr<MemoryCache> cache = std::make_shared<MemoryCache>();
  std::once_flag intervals_read;
  Expected<std::shared_ptr<const IntervalTable>> intervals{std::shared_ptr<const IntervalTable>()};
};

/// What is evaluated, before anything is executed.
struct Predictor::Planned {
  std::shared_ptr<const Launch> launch;
  CopyPlan copies;
  TracePlan trace;
  std::string key;  ///< of the evaluation; empty: it is not kept
};

namespace {

constexpr char separator = '\n';  // between the parts of a key; no part can hold it

std::string gpu_key(const std::string& name, const PredictOptions& options) {
  std::string key = name;
  for (const FactOverride& change : options.overrides) {
    key += separator + change.path + '=' + change.value;
  }
  if (options.calibration == nullptr) return key;
  // Keyed by the file's content, not its name, as it may have been rewritten in between.
  for (const CalibratedNumber& number : options.calibration->numbers) {
    key += separator + number.gpu + separator + number.path + '=' + significant(number.value, 17);
  }
  return key;
}

/// Calibrated numbers are applied first, so that those that the user sets win.
Expected<Gpu> load_gpu(const HardwareDatabase& database, const std::string& name,
                       const PredictOptions& options) {
  auto loaded = database.load(name, options.overrides);
  if (!loaded || options.calibration == nullptr) return loaded;
  std::vector<FactOverride> changes = options.calibration->overrides(loaded->id);
  if (changes.empty()) return loaded;
  changes.insert(changes.end(), options.overrides.begin(), options.overrides.end());
  return database.load(name, changes);
}

/// Every board that is asked for.
std::vector<std::string> gpus_of(const Case& request, const PredictOptions& options) {
  return options.gpus.empty() ? std::vector<std::string>{request.gpu} : options.gpus;
}

ReadOptions reading_of(const Case& request, const Gpu& gpu, const PredictOptions& options,
                       const std::shared_ptr<MemoryCache>& listings) {
  ReadOptions reading;
  reading.listings = listings;
  reading.toolkit = options.toolkit;
  reading.target_sm = static_cast<std::uint32_t>(gpu.cc.sm());
  reading.assume_isa = options.assume_isa;
  reading.compile_options = request.compile_options;
  // A program's launches are predicted anew, but what a disassembler says of its code stays true.
  reading.cache = options.cache || options.device != nullptr;
  return reading;
}

Expected<LoadedKernel> load_kernel(const InputSource& source, const Case& request,
                                   const ReadOptions& reading) {
  auto kernel = read_kernel(source, {request.kernel, reading.target_sm}, reading);
  if (!kernel) return std::move(kernel).error();
  LoadedKernel loaded;
  loaded.input = request.input;
  loaded.hash = sha256_of(kernel->text);
  loaded.given = source.text();
  loaded.kernel = std::make_shared<const Kernel>(std::move(*kernel));
  loaded.analysis = std::make_shared<const KernelAnalysis>(analyze(*loaded.kernel));
  return loaded;
}

}  // namespace

Predictor::Predictor(HardwareDatabase database)
    : stores_(std::make_unique<Stores>(std::move(database))) {}
Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

void Predictor::give_input(const std::string& name, std::string bytes) {
  const std::lock_guard lock(stores_->mutex);
  stores_->in_memory.try_emplace(name, InputSource::of_text(name, std::move(bytes)));
}

void Predictor::forget_input(const std::string& name) {
  stores_->cache->forget("kernel", name + separator);
}

const std::shared_ptr<MemoryCache>& Predictor::cache() const {
  return stores_->cache;
}

Expected<std::shared_ptr<const Gpu>> Predictor::gpu(const std::string& name,
                                                    const PredictOptions& options) {
  return stores_->cache->get<Gpu>("gpu", gpu_key(name, options),
                                  [&]() -> Expected<std::shared_ptr<const Gpu>> {
                                    auto loaded = load_gpu(stores_->database, name, options);
                                    if (!loaded) return std::move(loaded).error();
                                    return std::make_shared<const Gpu>(std::move(*loaded));
                                  });
}

Expected<LoadedKernel> Predictor::kernel(const Case& request, const Gpu& gpu,
                                         const PredictOptions& options) {
  std::string key = request.input + separator + request.kernel + separator + gpu.cc.text() +
                    separator + options.toolkit + (options.assume_isa ? "*" : "");
  for (const std::string& option : request.compile_options) key += separator + option;
  const auto kept = stores_->cache->get<LoadedKernel>(
      "kernel", key, [&]() -> Expected<std::shared_ptr<const LoadedKernel>> {
        auto source = stores_->open(request.input);
        if (!source) return std::move(source).error();
        auto loaded =
            load_kernel(*source, request, reading_of(request, gpu, options, stores_->cache));
        if (!loaded) return std::move(loaded).error();
        return std::make_shared<const LoadedKernel>(std::move(*loaded));
      });
  if (!kept) return kept.error();
  return **kept;
}

Expected<std::vector<std::string>> Predictor::kernels(const Case& request, const Gpu& gpu,
                                                      const PredictOptions& options) {
  auto source = stores_->open(request.input);
  if (!source) return std::move(source).error();
  auto listed = list_kernels(*source, reading_of(request, gpu, options, stores_->cache));
  if (!listed) return std::move(listed).error();
  std::vector<std::string> names;
  for (const KernelSummary& kernel : *listed) names.push_back(kernel.mangled);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());  // one per architecture
  return names;
}

Expected<Launch> Predictor::launch(const Query& query) {
  if (query.request.input.empty()) {
    return Diagnostic{"INPUT", "no input is given",
                      "a SASS listing, .cubin, fatbin, executable, .ptx or .cu", ""};
  }
  if (query.gpu.value.empty()) {
    return Diagnostic{"--gpu", "no GPU is given", "an id, a name or a file",
                      "see 'forewarp gpu list'"};
  }
  auto board = gpu(query.gpu.value, query.options);
  if (!board) return std::move(board).error();
  const auto code = kernel(query.request, **board, query.options);
  if (!code) return code.error();
  return make_launch(*code, *std::move(board), query);
}

/// The stages behind the trace.
Expected<Evaluation> Predictor::staged(const Query& query, std::shared_ptr<const Launch> launch,
                                       std::shared_ptr<const Trace> trace) {
  auto bound = make_bound(*launch, *trace, query, stores_->cache.get());
  if (!bound) return std::move(bound).error();
  return prediction::evaluate(std::move(launch), std::move(trace), *std::move(bound), query,
                              stores_->cache);
}

/// The same at the clock that the power limit allows, if it is asked for.
Expected<Evaluation> Predictor::settled(const Query& query,
                                        const std::shared_ptr<const Launch>& launch,
                                        const std::shared_ptr<const Trace>& trace) {
  auto made = staged(query, launch, trace);
  if (!made || !power_sets_clock(query.clock.value, *launch)) return made;
  return settle_clock(*std::move(made), [&](double megahertz) -> Expected<Evaluation> {
    const Query at = at_clock(query, {ClockChoice::Kind::load, megahertz});
    auto again = make_launch(launch->code, launch->gpu, at);
    if (!again) return std::move(again).error();
    return staged(at, std::make_shared<const Launch>(*std::move(again)), trace);
  });
}

Expected<Predictor::Planned> Predictor::plan(const Query& query) {
  auto made = launch(query);
  if (!made) return std::move(made).error();
  if (auto ok = check_models(query); !ok) return ok.error();
  auto launch = std::make_shared<const Launch>(*std::move(made));
  auto copies = this->copies(*launch, query);
  if (!copies) return std::move(copies).error();
  TracePlan trace = plan_trace(*launch, query);
  KeyBytes key;  // with that of the trace, which has the content of files and of the module
  add_plan(*copies, key.add_text(launch->key).add_text(trace.key));
  std::string text = trace.key.empty() ? std::string() : content_key(key.take());
  return Planned{std::move(launch), *std::move(copies), std::move(trace), std::move(text)};
}

Expected<std::shared_ptr<const Evaluation>> Predictor::evaluate(const Query& query,
                                                                const Planned& planned) {
  const std::shared_ptr<const Launch>& launch = planned.launch;
  return stores_->cache->get<Evaluation>(
      "evaluation", planned.key, [&]() -> Expected<std::shared_ptr<const Evaluation>> {
        const auto trace = make_trace(*launch, query, planned.trace, *stores_->cache);
        if (!trace) return trace.error();
        auto evaluation = settled(query, launch, *trace);
        if (!evaluation) return std::move(evaluation).error();
        evaluation->copies = planned.copies;
        for (auto& assumed : copy_assumptions(planned.copies, launch->timing, query.request)) {
          evaluation->notes.assumptions.push_back(std::move(assumed));
        }
        return std::make_shared<const Evaluation>(*std::move(evaluation));
      });
}

Expected<std::shared_ptr<const Evaluation>> Predictor::evaluate(const Query& query) {
  auto planned = plan(query);
  if (!planned) return std::move(planned).error();
  return evaluate(query, *planned);
}

Expected<std::shared_ptr<const Evaluation>> Predictor::evaluate(const Case& request,
                                                                const std::string& gpu,
                                                                const PredictOptions& options) {
  return evaluate(make_query(request, options, gpu));
}

Expected<Evaluation> Predictor::evaluate_edited(const Evaluation& evaluation,
                                                const LaunchEdit& edit, const Query& query) {
  auto edited = edited_launch(*evaluation.launch, *evaluation.trace, edit);
  if (!edited) return std::move(edited).error();
  auto trace =
      std::make_shared<const Trace>(replayed(std::move(edited->trace), *edited->launch, query));
  auto bound = make_bound(*edited->launch, *trace, query, nullptr);
  if (!bound) return std::move(bound).error();
  auto made = prediction::evaluate(std::move(edited->launch), std::move(trace), *std::move(bound),
                                   query, nullptr);
  if (made) made->copies = evaluation.copies;
  return made;
}

Expected<Result> Predictor::result(const Evaluation& evaluation, const ResultDetail& detail) {
  std::call_once(stores_->intervals_read, [this] { stores_->intervals = own_intervals(); });
  if (!stores_->intervals) return stores_->intervals.error();
  return build_result(evaluation, detail, stores_->intervals->get());
}

Expected<CopyPlan> Predictor::copies(const Launch& launch, const Query& query) const {
  return plan_copies(LinkDatabase(stores_->database.directory()), launch, query);
}

Expected<Result> Predictor::profile(const Case& request, const std::string& gpu_name,
                                    const PredictOptions& options) {
  const Query query = make_query(request, options, gpu_name);
  const auto made = launch(query);
  if (!made) return made.error();
  auto result = profile_launch(*made, query, *stores_->cache);
  if (result) result->id = request.id;
  return result;
}

Expected<TraceSummary> Predictor::trace(const Case& request, const std::string& gpu,
                                        const PredictOptions& options, const TraceOptions& order) {
  const Query query = make_query(request, options, gpu);
  const auto made = launch(query);
  if (!made) return made.error();
  return trace_launch(*made, query, order);
}

std::vector<Result> Predictor::profile_all(const Case& request, const PredictOptions& options) {
  std::vector<Result> results;
  for (const std::string& name : gpus_of(request, options)) {
    auto result = profile(request, name, options);
    results.push_back(result ? std::move(*result) : failed_result(request, name, result.error()));
  }
  return results;
}

Expected<Result> Predictor::predict(const Case& request, const std::string& gpu_name,
                                    const PredictOptions& options, const ResultDetail& detail) {
  const Query query = make_query(request, options, gpu_name);
  if (request.input.empty() && !request.copies.empty()) {
    auto result = predict_copies(query);
    if (result) result->id = request.id;
    return result;
  }
  const auto planned = plan(query);
  if (!planned) return planned.error();
  const std::string key =
      options.cache ? answer_key(planned->key, *planned->launch, query, detail) : std::string();
  auto result = recall_answer(key);
  if (!result) {
    auto made = answer(query, *planned, detail);
    if (!made) return made;
    result = *std::move(made);
    keep_answer(key, *result);
  }
  result->id = request.id;
  return *std::move(result);
}

Expected<Result> Predictor::answer(const Query& query, const Planned& planned,
                                   const ResultDetail& detail) {
  const auto evaluation = evaluate(query, planned);
  if (!evaluation) return evaluation.error();
  auto result = this->result(**evaluation, detail);
  if (!result || !query.options.worst_case) return result;
  auto worst = worst_case(**evaluation, query.options);
  if (!worst) return std::move(worst).error();
  result->wcet = *std::move(worst);
  return result;
}

Expected<Result> Predictor::predict_copies(const Query& query) {
  auto board = gpu(query.gpu.value, query.options);
  if (!board) return std::move(board).error();
  return copies_result(LinkDatabase(stores_->database.directory()), **board, query);
}

std::vector<Result> Predictor::predict_all(const Case& request, const PredictOptions& options,
                                           const ResultDetail& detail) {
  std::vector<Result> results;
  for (const std::string& name : gpus_of(request, options)) {
    auto result = predict(request, name, options, detail);
    results.push_back(result ? std::move(*result) : failed_result(request, name, result.error()));
  }
  return results;
}

Result failed_result(const Case& request, const std::string& gpu, const Diagnostic& failure) {
  Result result;
  result.id = request.id;
  result.error = failure;
  result.kernel.name = request.kernel;
  result.kernel.input = request.input;
  result.gpu.id = gpu.empty() ? request.gpu : gpu;
  result.launch.grid = request.launch.grid;
  result.launch.block = request.launch.block;
  result.launch.dynamic_shared = request.launch.dynamic_shared;
  return result;
}

}  // namespace forewarp::driver
