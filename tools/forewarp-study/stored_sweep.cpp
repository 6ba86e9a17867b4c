// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "stored_sweep.h"

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "driver/point_predictor.h"
#include "forewarp/prediction_runs.h"
#include "forewarp/progress.h"
#include "forewarp/signals.h"
#include "kept_points.h"
#include "request/options/precedence.h"
#include "request/tables/calibration_file.h"
#include "store/columns.h"
#include "sweep/points/packed_row.h"
#include "sweep/points/point_key.h"
#include "sweep/points/sweep_points.h"
#include "sweep/sweep_runner.h"

namespace forewarp::cli {
namespace {

/// What no option says: the program, the code, the board, and whether points are executed.
struct Fixed {
  std::string prefix;
  Subject subject;
};

Expected<Fixed> fixed_part(Predictor& predictor, const Asked& asked, const RunStart& start,
                           bool executes) {
  const auto gpu = predictor.gpu(gpu_of(asked.request, asked.options).value, asked.options);
  if (!gpu) return gpu.error();
  const auto code = predictor.kernel(asked.request, **gpu, asked.options);
  if (!code) return code.error();
  Fixed fixed;
  fixed.subject = {code->hash, code->input, code->kernel->name, facts_key(**gpu), (*gpu)->id};
  fixed.prefix = start.program + '\n' + code->hash + '\n' + file_key(asked.request.input) + '\n' +
                 fixed.subject.gpu_key + '\n' + (executes ? "executed" : "foreseen");
  if (asked.options.calibration)
    fixed.prefix += '\n' + calibration_text(*asked.options.calibration);
  return fixed;
}

/// The points of one sweep on their way into the store; only the process that keeps them has one.
class SweepIntoStore {
 public:
  SweepIntoStore(const Sweep& sweep, const Asked& asked, const Fixed& fixed, RunWriter& writer)
      : sweep_(sweep),
        request_(asked.request),
        options_(asked.options),
        keys_(fixed.prefix, request_, options_, swept_rows(sweep)),
        subject_(fixed.subject),
        positions_(column_positions(PointResult::columns())),
        figures_(point_columns().size()),
        writer_(writer) {}

  bool known(std::uint64_t number) {
    return !writer_.is_new() && writer_.adopt(number, key_of(number), swept_cells(sweep_, number));
  }

  bool take(std::uint64_t number, std::string_view bytes) {
    auto cells = unpacked(bytes);
    if (!cells || cells->size() != positions_.size()) return false;
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      figures_[positions_[i]] = std::move((*cells)[i]);
    }
    return writer_.add(number, key_of(number), swept_cells(sweep_, number), figures_, subject_, {});
  }

 private:
  std::string key_of(std::uint64_t number) {
    sweep_.apply(number, request_, options_);
    return keys_.key(request_, options_);
  }

  const Sweep& sweep_;
  Case request_;
  PredictOptions options_;
  PointKeys keys_;
  Subject subject_;
  std::vector<std::size_t> positions_;
  TableRow figures_;
  RunWriter& writer_;
};

Expected<Sweep> read_sweep(const Asked& asked) {
  auto sweep = Sweep::parse(asked.delivery.sweeps);
  if (!sweep) return sweep;
  if (auto ok = sweep->check(asked.options); !ok) return ok.error();
  const std::string& format = asked.delivery.format;
  if (!format.empty() && format != "text" && format != "csv" && format != "jsonl" &&
      format != "json") {
    return Diagnostic{"--format " + format, "cannot be combined with --store",
                      "text, csv, jsonl, json", ""};
  }
  return sweep;
}

}  // namespace

Expected<KeptSweep> stored_sweep(Predictor& predictor, const Asked& asked, const RunStart& begun,
                                 PointRunner& runner) {
  const auto sweep = read_sweep(asked);
  if (!sweep) return sweep.error();
  SweepPoints points(predictor, *sweep, asked.request, asked.options, runner.workers());
  PointJob job;
  job.count = sweep->count();
  job.compute = [&](std::uint64_t number, unsigned worker) {
    return packed(points.predict(number, worker));
  };
  if (!runner.keeps()) {
    if (auto ran = runner.run(job); !ran) return ran.error();
    return KeptSweep{};
  }
  tell_static(asked.options, points);
  const auto fixed = fixed_part(predictor, asked, begun, points.executes());
  if (!fixed) return fixed.error();
  RunStart start = begun;
  start.points = job.count;
  for (const SweepAxis& axis : sweep->axes()) start.axes.push_back(axis.name());
  auto writer = RunWriter::begin(asked.delivery.store, start);
  if (!writer) return std::move(writer).error();
  SweepIntoStore store(*sweep, asked, *fixed, **writer);
  Progress progress(progress_wanted(asked.delivery.quiet, asked.delivery.progress));
  std::size_t done = 0;
  job.known = [&](std::uint64_t number) {
    return store.known(number) ? std::optional<std::string>("") : std::nullopt;
  };
  job.take = [&](std::uint64_t number, std::string_view bytes, bool computed) {
    progress("sweep", ++done, job.count);
    return !computed || store.take(number, bytes);
  };
  stop_at_interrupt();
  job.stop = [] { return interrupted(); };
  if (auto ran = runner.run(job); !ran) return ran.error();
  if (auto kept = (*writer)->finish(); !kept) return kept.error();
  return KeptSweep{(*writer)->run(), tell_kept(**writer, asked.delivery, job.count)};
}

}  // namespace forewarp::cli
