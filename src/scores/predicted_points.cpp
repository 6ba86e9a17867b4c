// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "scores/predicted_points.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/cache/content_key.h"
#include "base/text.h"
#include "request/argument_text.h"
#include "request/files/case_key.h"
#include "request/tables/calibration.h"
#include "result/validation_json.h"
#include "scores/journal.h"
#include "sweep/points/point_key.h"
#include "sweep/points/thread_runner.h"

namespace forewarp::scores {

namespace {

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

/// A journal as it was before there was a store: refused points are not kept, they may succeed next
/// time, when a toolkit or a file may be there.
class JournalKeeper : public PointKeeper {
 public:
  JournalKeeper(Journal journal, std::string file)
      : journal_(std::move(journal)), file_(std::move(file)) {}

  Expected<void> begin(std::size_t /*points*/, const PointAxes& /*axes*/) override { return {}; }
  std::optional<ScoredPoint> find(std::size_t /*index*/, const std::string& key) override {
    const ScoredPoint* known = journal_.find(key);
    return known == nullptr ? std::nullopt : std::optional(*known);
  }
  bool add(std::size_t /*index*/, const std::string& key, const Case& /*request*/,
           const ScoredPoint& point) override {
    return !point.error.empty() || journal_.add(key, point);
  }
  [[nodiscard]] Diagnostic failure() const override {
    return {file_, "takes no more points", "room on the disk", ""};
  }
  Expected<void> finish() override { return {}; }

 private:
  Journal journal_;
  std::string file_;
};

/// As bytes: at which step it was refused, then its line.
std::string bytes_of(const ScoredPoint& point, const std::string& key) {
  return static_cast<char>('0' + static_cast<int>(point.refused)) + point_line(point, key);
}

std::optional<KeyedPoint> point_of(std::string_view bytes) {
  if (bytes.empty()) return {};
  auto read = read_point_line(bytes.substr(1));
  if (read) read->point.refused = static_cast<PointRefusal>(bytes.front() - '0');
  return read;
}

class SetRun {
 public:
  SetRun(Predictor& predictor, const MeasuredSet& set, const ValidationOptions& options,
         PointKeeper& keeper)
      : predictor_(predictor), set_(set), options_(options), keeper_(keeper) {}

  Expected<std::vector<ScoredPoint>> run(PointRunner& runner) {
    std::vector<ScoredPoint> points(set_.points.size());
    PointJob job;
    job.count = points.size();
    job.stop = options_.stop;
    job.everywhere = true;
    job.known = [&](std::uint64_t index) -> std::optional<std::string> {
      const std::string key = key_of(set_.points[index]);
      const auto point = keeper_.find(index, key);
      return point ? std::optional(bytes_of(*point, key)) : std::nullopt;
    };
    job.compute = [&](std::uint64_t index, unsigned) -> std::string {
      const ScoredPoint point = predict(set_.points[index]);
      // What the same signal ended, a compiler say, is no refusal.
      if (!point.error.empty() && options_.stop && options_.stop()) return {};
      return bytes_of(point, key_of(set_.points[index]));
    };
    std::size_t done = 0;
    job.take = [&](std::uint64_t index, std::string_view bytes, bool computed) {
      const bool kept = take(index, bytes, computed, points[index]);
      if (options_.progress) options_.progress(++done, points.size());
      return kept;
    };
    if (auto ran = runner.run(job); !ran) return ran.error();
    if (!kept_) return keeper_.failure();
    return points;
  }

  [[nodiscard]] std::size_t resumed() const { return resumed_; }

 private:
  bool take(std::size_t index, std::string_view bytes, bool computed, ScoredPoint& point) {
    auto read = point_of(bytes);
    if (!read) return true;  // no other version of this program computes beside this one
    const MeasuredPoint& measured = set_.points[index];
    point = std::move(read->point);
    if (!computed) {
      ++resumed_;
    } else if (!keeper_.add(index, read->key, measured.request, point)) {
      kept_ = false;
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
    point.gbs = (*gpu)->memory.theory_gbs;
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
    for (const Result::Bound& bound : result.bounds) {
      if (bound.resource == point.limited_by) point.limit_label = bound.label;
    }
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
  PointKeeper& keeper_;
  std::size_t resumed_ = 0;
  bool kept_ = true;
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
                                         const ValidationOptions& options, const PointAxes& axes) {
  std::unique_ptr<PointKeeper> own;
  if (options.keeper == nullptr) {
    auto journal = Journal::open(options.journal);
    if (!journal) return std::move(journal).error();
    own = std::make_unique<JournalKeeper>(*std::move(journal), options.journal);
  }
  PointKeeper& keeper = own ? *own : *options.keeper;
  if (auto begun = keeper.begin(set.points.size(), axes); !begun) return begun.error();
  ThreadRunner threads(options.jobs);
  SetRun run(predictor, set, options, keeper);
  auto points = run.run(options.runner != nullptr ? *options.runner : threads);
  if (!points) return std::move(points).error();
  return PredictedPoints{std::move(*points), run.resumed()};
}

}  // namespace forewarp::scores
