// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <forewarp/session.h>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/errors.h"
#include "driver/point_predictor.h"
#include "driver/predictor.h"
#include "hardware/database.h"
#include "request/options/option_row.h"
#include "result/comparison.h"
#include "result/result.h"

namespace forewarp::api {

struct Gpu::State {
  std::shared_ptr<Session::State> session;
  std::shared_ptr<const hardware::Gpu> gpu;
  std::string asked;  ///< the name that leads to it
  std::vector<FactChange> changes;
};

struct Kernel::State {
  std::string input, name;
  std::vector<std::string> compile_options;
  std::shared_ptr<const std::string> code;  ///< in memory; null: in a file
};

struct Launch::State {
  request::Asked asked;
  std::optional<Error> error;

  void keep(Expected<void> done) {
    if (!done && !error) error = done.error();
  }
};

struct Result::State {
  result::Result result;
};

struct Comparison::State {
  result::Comparison comparison;
};

/// What one thread of a sweep changes from point to point, and what it has bound for it.
struct SweepScratch {
  explicit SweepScratch(driver::Predictor& predictor) : points(predictor) {}
  request::Case request;
  request::PredictOptions choices;
  driver::PointPredictor points;
};

/// A query as the predictor takes it.
struct Ask {
  request::Case request;
  request::PredictOptions options;
};

struct Session::State {
  State(hardware::HardwareDatabase data, SessionOptions with)
      : database(data), options(std::move(with)), predictor(std::move(data)) {}

  hardware::HardwareDatabase database;
  SessionOptions options;
  driver::Predictor predictor;
  std::mutex mutex;                                                 ///< guards what follows
  std::map<std::string, std::shared_ptr<const std::string>> given;  ///< code in memory, by name
  std::map<std::string, std::uint64_t> readings;  ///< of a file: how often it was asked for anew
  /// Bound kernels of sweeps that ended, by what they were bound for; the next such sweep goes on.
  std::multimap<std::string, std::unique_ptr<SweepScratch>> idle;
};

/// The only way from the handles to what they hold.
struct Access {
  static const Gpu::State& of(const Gpu& gpu) { return *gpu.state_; }
  static const Kernel::State& of(const Kernel& kernel) { return *kernel.state_; }
  static const Launch::State& of(const Launch& launch) { return *launch.state_; }
  static const Result::State& of(const Result& result) { return *result.state_; }
  static Session::State& of(const Session& session) { return *session.state_; }

  static Gpu gpu(Gpu::State state) {
    return Gpu(std::make_shared<const Gpu::State>(std::move(state)));
  }
  static Kernel kernel(Kernel::State state) {
    return Kernel(std::make_shared<const Kernel::State>(std::move(state)));
  }
  static Launch launch(request::Asked asked) {
    return Launch(std::make_unique<Launch::State>(Launch::State{std::move(asked), {}}));
  }
  static Result result(result::Result from) {
    return Result(std::make_shared<const Result::State>(Result::State{std::move(from)}));
  }
  static Comparison comparison(result::Comparison from) {
    return Comparison(
        std::make_shared<const Comparison::State>(Comparison::State{std::move(from)}));
  }
  static Expected<Points> points(std::shared_ptr<Session::State> session, Ask ask,
                                 const std::vector<std::string>& axes);
};

/// A GPU with changes.
Expected<Gpu> gpu_with(std::shared_ptr<Session::State> session, std::string_view name,
                       request::PredictOptions options);

/// The query for a predictor: the launch with its code and its GPU, and what the session says where
/// the launch does not. Refused: the launch's own error.
Expected<Ask> ask_of(Session::State& session, const Kernel& kernel, std::string_view gpu,
                     const std::vector<FactChange>& changes, const Launch& launch);

/// The same of a whole query.
Expected<Ask> ask_of(Session::State& session, const Query& query);

}  // namespace forewarp::api
