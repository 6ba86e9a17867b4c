// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "study/validation/predicted_points.h"

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "base/text.h"
#include "launch/cache/content_key.h"
#include "request/argument_text.h"
#include "request/files/case_key.h"
#include "request/tables/calibration.h"
#include "study/ordered_pipeline.h"
#include "study/validation/journal.h"

namespace forewarp::study {

namespace {

/// Size and time of change stand for the content of what a case names.
std::string file_key(const std::string& file) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(file, failure);
  const auto time = std::filesystem::last_write_time(file, failure).time_since_epoch().count();
  return file + ' ' + std::to_string(size) + ' ' + std::to_string(time);
}

Case with_architecture(Case request, const Gpu& gpu) {
  constexpr std::string_view word = "{arch}";
  const std::string name = "sm_" + std::to_string(gpu.cc.sm());
  const auto fill = [&](std::string& text) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
      text.replace(at, word.size(), name);
    }
  };
  fill(request.input);
  fill(request.kernel);
  for (std::string& option : request.compile_options) fill(option);
  return request;
}

PredictOptions choices_for(const MeasuredSet& set, const Case& request,
                           const ValidationOptions& options) {
  PredictOptions choices = options.choices;
  choices.jobs = 1;
  const auto found = set.left_out.find(request.gpu);
  if (options.left_out && found != set.left_out.end()) {
    choices.overrides.insert(choices.overrides.end(), found->second.begin(), found->second.end());
  }
  return choices;
}

/// What a calibration was made from says nothing of how good it is.
bool was_used(const Calibration& calibration, const ScoredPoint& point) {
  const auto holds = [&](const CalibrationOrigin& origin) {
    return std::find(origin.used.begin(), origin.used.end(), point.id) != origin.used.end();
  };
  for (const CalibratedFactor& factor : calibration.factors) {
    if (factor.kernel == point.kernel && holds(factor.origin)) return true;
  }
  return std::any_of(calibration.numbers.begin(), calibration.numbers.end(),
                     [&](const CalibratedNumber& n) { return holds(n.origin); });
}

constexpr ResultDetail scored{.stalls = false};

struct Finished {
  bool kept = false;  // in the journal
};

class SetRun {
 public:
  SetRun(Predictor& predictor, const MeasuredSet& set, const ValidationOptions& options,
         Journal& journal)
      : predictor_(predictor), set_(set), options_(options), journal_(journal) {}

  Expected<std::vector<ScoredPoint>> run() {
    std::vector<ScoredPoint> points(set_.points.size());
    std::size_t next = 0;
    PipelineSteps<std::size_t, Finished> steps;
    steps.next = [&](std::size_t& index) {
      if (options_.stop && options_.stop()) return false;
      index = next;
      return next++ < set_.points.size();
    };
    // Kept in the journal as soon as it is known, not when the points before it are.
    steps.work = [&](std::size_t index, unsigned) {
      return Finished{finish(set_.points[index], points[index])};
    };
    std::size_t done = 0;
    steps.finish = [&](const Finished& point) {
      if (options_.progress) options_.progress(++done, set_.points.size());
      return point.kept;
    };
    constexpr std::size_t window = 64;
    OrderedPipeline(std::move(steps), {options_.jobs, 1, window}).run();
    if (!kept_) {
      return Diagnostic{options_.journal, "takes no more points", "room on the disk", ""};
    }
    return points;
  }

  [[nodiscard]] std::size_t resumed() const { return resumed_; }

 private:
  bool finish(const MeasuredPoint& measured, ScoredPoint& point) {
    const std::string key = key_of(measured);
    if (const ScoredPoint* known = journal_.find(key)) {
      point = *known;
      ++resumed_;
    } else {
      point = predict(measured);
      // What the same signal ended, a compiler say, is no refusal.
      const bool ended = !point.error.empty() && options_.stop && options_.stop();
      if (ended) {
        point = {};
        return kept_;
      }
      // What was refused may succeed next time: a toolkit or a file may be there then.
      if (point.error.empty() && !journal_.add(key, point)) kept_ = false;
    }
    join(measured, point);
    if (options_.choices.calibration && was_used(*options_.choices.calibration, point)) {
      point.apart = "calibrated with";
    }
    return kept_;
  }

  /// What the prediction does not know: the measurement, and where its point belongs.
  static void join(const MeasuredPoint& measured, ScoredPoint& point) {
    point.id = measured.id;
    point.group = measured.request.group;
    point.measured_ms = measured.request.measured_ms.value_or(0);
    point.spread = measured.request.spread.value_or(0);
    point.reference_ms = measured.reference_ms;
    if (measured.baseline_bytes > 0) point.bytes = measured.baseline_bytes;
    // Also of a launch that is refused: the measured program may have needed less.
    const bool other_program =
        measured.registers && point.registers != 0 && *measured.registers != point.registers;
    point.apart = measured.apart.empty() && other_program ? "other registers" : measured.apart;
  }

  /// Of all that decides the prediction; what was measured is joined anew each time.
  [[nodiscard]] std::string key_of(const MeasuredPoint& measured) const {
    Case request = measured.request;
    if (const auto gpu = predictor_.gpu(request.gpu, options_.choices)) {
      request = with_architecture(std::move(request), **gpu);
    }
    std::string all = options_.key + '\n' + case_key_text(request) + '\n' +
                      file_key(request.input) + '\n' + file_key(request.gpu);
    for (const auto* list : {&request.launch.arguments, &request.launch.constants}) {
      for (const NamedArgument& argument : *list) {
        if (!argument.value.content.path.empty()) all += file_key(argument.value.content.path);
      }
    }
    for (const FactOverride& fact : choices_for(set_, request, options_).overrides) {
      all += '\n' + fact.path + '=' + fact.value;
    }
    if (!options_.counters.empty()) {
      for (const auto& [name, value] : measured.numbers)
        all += '\n' + name + significant(value, 17);
    }
    return content_key(all);
  }

  ScoredPoint predict(const MeasuredPoint& measured) {
    ScoredPoint point;
    const Case& request = measured.request;
    point.gpu = request.gpu;
    point.kernel = request.kernel;
    if (measured.fault) {
      point.error = measured.fault->line();
      point.refused = PointRefusal::no_launch;
      return point;
    }
    if (auto read = read_facts(request, point); !read) {
      point.error = read.error().line();
      point.refused = PointRefusal::no_code;
      return point;
    }
    const auto result = predict_measured(predictor_, set_, measured, options_, scored);
    if (result) {
      fill(*result, point);
      point.counters = counted_figures(options_.counters, measured.numbers, result->profile);
    } else {
      point.error = result.error().line();
      point.refused = PointRefusal::no_prediction;
    }
    return point;
  }

  /// What board and code say by themselves, whether or not the launch can be predicted. Fails where
  /// code is named that cannot be read.
  Expected<void> read_facts(const Case& request, ScoredPoint& point) {
    const PredictOptions choices = choices_for(set_, request, options_);
    const auto gpu = predictor_.gpu(request.gpu, choices);
    if (!gpu) return {};
    point.gpu = (*gpu)->id;
    point.gbs = (*gpu)->memory_theory_gbs;
    const auto loaded = predictor_.kernel(with_architecture(request, **gpu), **gpu, choices);
    if (!loaded && request.input.empty()) return {};  // copies alone
    if (!loaded) return loaded.error();
    point.kernel = loaded->kernel->name;
    point.registers = loaded->kernel->resources.registers.value_or(0);
    return {};
  }

  static void fill(const Result& result, ScoredPoint& point) {
    point.kernel = result.kernel.name;
    point.gpu = result.gpu.id;
    point.predicted_ms = result.time_ms;
    point.low_ms = result.interval_ms[0];
    point.high_ms = result.interval_ms[1];
    point.interval_class = result.interval_class;
    point.limited_by = result.limited_by.resource;
    for (const Result::ModelTime& model : result.models) {
      if (model.time_ms > 0) point.model_ms[model.name] = model.time_ms;
    }
    point.warps_per_sm = result.occupancy.warps_per_sm;
    point.waves = result.occupancy.waves;
    point.registers = result.kernel.registers;
    point.bytes = result.profile.unique_read_bytes + result.profile.unique_write_bytes;
  }

  Predictor& predictor_;
  const MeasuredSet& set_;
  const ValidationOptions& options_;
  Journal& journal_;
  std::atomic<std::size_t> resumed_ = 0;
  std::atomic<bool> kept_ = true;
};

}  // namespace

Expected<Case> measured_case(Predictor& predictor, const MeasuredSet& set,
                             const MeasuredPoint& measured, const ValidationOptions& options) {
  if (measured.fault) return *measured.fault;
  const auto gpu = predictor.gpu(measured.request.gpu, choices_for(set, measured.request, options));
  if (!gpu) return gpu.error();
  Case request = with_architecture(measured.request, **gpu);
  request.id = measured.id;
  return request;
}

Expected<Result> predict_measured(Predictor& predictor, const MeasuredSet& set,
                                  const MeasuredPoint& measured, const ValidationOptions& options,
                                  const ResultDetail& detail) {
  const auto request = measured_case(predictor, set, measured, options);
  if (!request) return request.error();
  return predictor.predict(*request, request->gpu, choices_for(set, *request, options), detail);
}

Expected<PredictedPoints> predict_points(Predictor& predictor, const MeasuredSet& set,
                                         const ValidationOptions& options) {
  auto journal = Journal::open(options.journal);
  if (!journal) return std::move(journal).error();
  SetRun run(predictor, set, options, *journal);
  auto points = run.run();
  if (!points) return std::move(points).error();
  return PredictedPoints{std::move(*points), run.resumed()};
}

}  // namespace forewarp::study
