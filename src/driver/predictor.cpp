// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/predictor.h"

#include <map>
#include <mutex>
#include <utility>

#include "base/text.h"
#include "driver/load_clock.h"
#include "driver/profile_launch.h"
#include "driver/result_builder.h"
#include "driver/stages/drafted.h"
#include "driver/stages/executed.h"
#include "explain/edits/launch_edit.h"
#include "explain/worst_case.h"
#include "input/kernel_choice.h"
#include "input/sha256.h"
#include "input/source.h"
#include "launch/profile_store.h"
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
  std::mutex mutex;  ///< guards the maps; what they point to never changes
  std::map<std::string, std::shared_ptr<const Gpu>> gpus;
  std::map<std::string, LoadedKernel> kernels;
  std::map<std::string, InputSource> in_memory;  ///< given, or standard input: read only once
  ProfileStore profiles;
  std::once_flag intervals_read;
  Expected<std::shared_ptr<const IntervalTable>> intervals{std::shared_ptr<const IntervalTable>()};
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

std::vector<std::string> gpus_of(const Case& request, const PredictOptions& options) {
  return options.gpus.empty() ? std::vector<std::string>{request.gpu} : options.gpus;
}

Expected<LoadedKernel> load_kernel(const InputSource& source, const Case& request, const Gpu& gpu,
                                   const PredictOptions& options) {
  ReadOptions reading;
  reading.toolkit = options.toolkit;
  reading.target_sm = static_cast<std::uint32_t>(gpu.cc.sm());
  reading.assume_isa = options.assume_isa;
  reading.compile_options = request.compile_options;
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
  const std::lock_guard lock(stores_->mutex);
  std::erase_if(stores_->kernels,
                [&](const auto& kept) { return kept.first.starts_with(name + separator); });
}

Expected<std::shared_ptr<const Gpu>> Predictor::gpu(const std::string& name,
                                                    const PredictOptions& options) {
  const std::string key = gpu_key(name, options);
  {
    const std::lock_guard lock(stores_->mutex);
    const auto found = stores_->gpus.find(key);
    if (found != stores_->gpus.end()) return found->second;
  }
  auto loaded = load_gpu(stores_->database, name, options);
  if (!loaded) return std::move(loaded).error();
  auto shared = std::make_shared<const Gpu>(std::move(*loaded));
  const std::lock_guard lock(stores_->mutex);
  return stores_->gpus.try_emplace(key, std::move(shared)).first->second;
}

Expected<LoadedKernel> Predictor::kernel(const Case& request, const Gpu& gpu,
                                         const PredictOptions& options) {
  std::string key = request.input + separator + request.kernel + separator + gpu.cc.text() +
                    separator + options.toolkit + (options.assume_isa ? "*" : "");
  for (const std::string& option : request.compile_options) key += separator + option;
  {
    const std::lock_guard lock(stores_->mutex);
    const auto found = stores_->kernels.find(key);
    if (found != stores_->kernels.end()) return found->second;
  }
  auto source = stores_->open(request.input);
  if (!source) return std::move(source).error();
  auto loaded = load_kernel(*source, request, gpu, options);
  if (!loaded) return loaded;
  const std::lock_guard lock(stores_->mutex);
  return stores_->kernels.try_emplace(key, std::move(*loaded)).first->second;
}

Expected<std::shared_ptr<const Loaded>> Predictor::load(const Case& request,
                                                        const std::string& gpu_name,
                                                        const PredictOptions& options) {
  if (request.input.empty()) {
    return Diagnostic{"INPUT", "no input is given",
                      "a SASS listing, .cubin, fatbin, executable, .ptx or .cu", ""};
  }
  const std::string& wanted = gpu_name.empty() ? request.gpu : gpu_name;
  if (wanted.empty()) {
    return Diagnostic{"--gpu", "no GPU is given", "an id, a name or a file",
                      "see 'forewarp gpu list'"};
  }
  auto board = gpu(wanted, options);
  if (!board) return std::move(board).error();
  auto code = kernel(request, **board, options);
  if (!code) return std::move(code).error();
  return std::make_shared<const Loaded>(Loaded{std::move(*code), std::move(*board)});
}

Expected<Prepared> Predictor::prepare(const Case& request, const std::string& gpu_name,
                                      const PredictOptions& options) {
  auto loaded = load(request, gpu_name, options);
  if (!loaded) return std::move(loaded).error();
  auto prepared = driver::prepare(*loaded, request, options, &stores_->profiles);
  if (prepared && clock_choice(request, options).kind == ClockChoice::Kind::load) {
    prepared = settle_clock(std::move(*prepared), [&](double megahertz) {
      PredictOptions at = options;
      at.clock = ClockChoice{ClockChoice::Kind::load, megahertz};
      return driver::prepare(*loaded, request, at, &stores_->profiles);
    });
  }
  if (!prepared) return prepared;
  auto plan = copies(request, prepared->kernel(), prepared->gpu(), prepared->draft(), options);
  if (!plan) return std::move(plan).error();
  prepared->copies = *std::move(plan);
  for (auto& assumption : copy_assumptions(prepared->copies, prepared->draft().timing, request)) {
    prepared->notes.assumptions.push_back(std::move(assumption));
  }
  return prepared;
}

Expected<Prepared> Predictor::prepare_edited(const Prepared& prepared, const LaunchEdit& edit,
                                             const Case& request, const PredictOptions& options) {
  auto edited = edited_launch(prepared.executed(), edit);
  if (!edited) return std::move(edited).error();
  auto made = driver::prepare(
      std::make_shared<const Executed>(replayed(*std::move(edited), request, options)), options);
  if (made) made->copies = prepared.copies;
  return made;
}

Expected<Result> Predictor::result(const Prepared& prepared, const ResultDetail& detail) {
  std::call_once(stores_->intervals_read, [this] { stores_->intervals = own_intervals(); });
  if (!stores_->intervals) return stores_->intervals.error();
  return build_result(prepared, detail, stores_->intervals->get());
}

Expected<CopyPlan> Predictor::copies(const Case& request, const Kernel& kernel, const Gpu& gpu,
                                     const LaunchDraft& draft,
                                     const PredictOptions& options) const {
  return plan_copies(LinkDatabase(stores_->database.directory()), kernel, gpu, draft.arguments,
                     draft.timing, request, options);
}

Expected<Result> Predictor::profile(const Case& request, const std::string& gpu_name,
                                    const PredictOptions& options) {
  auto loaded = load(request, gpu_name, options);
  if (!loaded) return std::move(loaded).error();
  auto result = profile_launch(*loaded, request, options, stores_->profiles);
  if (result) result->id = request.id;
  return result;
}

Expected<TraceSummary> Predictor::trace(const Case& request, const std::string& gpu,
                                        const PredictOptions& options, const TraceOrder& order) {
  auto loaded = load(request, gpu, options);
  if (!loaded) return std::move(loaded).error();
  return trace_launch(*loaded, request, options, order);
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
  if (request.input.empty() && !request.copies.empty()) {
    auto result = predict_copies(request, gpu_name, options);
    if (result) result->id = request.id;
    return result;
  }
  auto prepared = prepare(request, gpu_name, options);
  if (!prepared) return std::move(prepared).error();
  auto result = this->result(*prepared, detail);
  if (!result) return result;
  result->id = request.id;
  if (!options.worst_case) return result;
  auto worst = worst_case(*prepared, options);
  if (!worst) return std::move(worst).error();
  result->wcet = *std::move(worst);
  return result;
}

Expected<Result> Predictor::predict_copies(const Case& request, const std::string& gpu_name,
                                           const PredictOptions& options) {
  auto board = gpu(gpu_name.empty() ? request.gpu : gpu_name, options);
  if (!board) return std::move(board).error();
  const LinkDatabase links(stores_->database.directory());
  return copies_result(links, **board, request, options);
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
  result.error = failure.line();
  result.kernel.name = request.kernel;
  result.kernel.input = request.input;
  result.gpu.id = gpu.empty() ? request.gpu : gpu;
  result.launch.grid = request.launch.grid;
  result.launch.block = request.launch.block;
  result.launch.dynamic_shared = request.launch.dynamic_shared;
  return result;
}

}  // namespace forewarp::driver
