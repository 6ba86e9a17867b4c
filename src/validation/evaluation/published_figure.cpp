// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/evaluation/published_figure.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "base/text.h"
#include "model/closed_form/formula_run.h"
#include "validation/evaluation/whole_warps.h"

namespace forewarp::validation {
namespace {

constexpr std::string_view number_prefix = "number:";

Diagnostic unknown_quantity(const PlannedFigure& figure) {
  return {"figure " + figure.id, "'" + figure.quantity + "' is no quantity",
          "quotient_least, quotient_greatest, additions, others, instructions, gbs, cycles, "
          "needed_warps, peak_share, warps_for_bandwidth, bandwidth_share, number:NAME",
          ""};
}

double rate_of(const EvaluatedPoint& point) {
  return 1 / point.cycles;
}

/// What a quantity of a workload cannot be asked without.
Expected<void> check_figure(const PlannedFigure& figure) {
  const std::string_view what = figure.quantity;
  const bool quotient = what.starts_with("quotient_");
  const bool share = what == "needed_warps" || what == "warps_for_bandwidth";
  const auto lacks = [&](const char* found, const char* expected) {
    return Diagnostic{"figure " + figure.id, found, expected, ""};
  };
  if (quotient && figure.against.empty()) return lacks("the key 'against' is missing", "a model");
  if (share && !(figure.share > 0 && figure.share <= 1)) {
    return lacks("'share' is not in its range", "above 0, at most 1");
  }
  if (!quotient && !share && !(figure.warps > 0)) {
    return lacks("the key 'warps' is missing", "warps per SM, above 0");
  }
  return {};
}

/// The peak that the board reaches, which a source's own rate per SM may round.
double peak_gbs(const Gpu& gpu) {
  return gpu.memory.theory_gbs * gpu.memory.read_share;
}

/// That peak as a share of the tightest limit, where memory alone binds.
double bandwidth_over_peak(WorkloadRun& run, const ModelVariant& variant) {
  const WorkloadPoint point = run.point(*variant.model, variant.options, 1);
  const double gbs_at_peak = point.gbs * point.cycles * run.peak(*variant.model, variant.options);
  return peak_gbs(run.gpu()) / gbs_at_peak;
}

Expected<double> quotient(const PlannedFigure& figure, WorkloadRun& run,
                          const ModelVariant& variant) {
  const auto against = parse_variant(figure.against);
  if (!against) return against.error();
  std::vector<EvaluatedPoint> own, reference;
  const std::vector<double> warps =
      figure.warps > 0 ? std::vector<double>{figure.warps} : whole_warps(run.gpu());
  for (const double n : warps) {
    own.push_back(evaluated_point(run, variant, n));
    reference.push_back(evaluated_point(run, *against, n));
  }
  const Quotient q = quotient_of(own, reference);
  return figure.quantity == "quotient_least" ? q.least : q.greatest;
}

}  // namespace

EvaluatedPoint evaluated_point(WorkloadRun& run, const ModelVariant& variant, double warps) {
  const WorkloadPoint point = run.point(*variant.model, variant.options, warps);
  EvaluatedPoint record;
  record.alpha = run.workload().alpha;
  record.warps = point.warps;
  record.cycles = point.cycles;
  record.additions = point.additions;
  record.others = point.other_instructions;
  record.gbs = point.gbs;
  record.applies = point.applies;
  return record;
}

Quotient quotient_of(const std::vector<EvaluatedPoint>& points,
                     const std::vector<EvaluatedPoint>& reference) {
  Quotient q;
  q.least = std::numeric_limits<double>::infinity();
  if (!points.empty()) q.alpha = points.front().alpha;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].applies || !reference[i].applies) {
      ++q.without;
      continue;
    }
    const double value = rate_of(points[i]) / rate_of(reference[i]);
    if (value < q.least) {
      q.least = value;
      q.least_warps = points[i].warps;
    }
    if (value > q.greatest) {
      q.greatest = value;
      q.greatest_warps = points[i].warps;
    }
  }
  if (q.without == points.size()) q.least = 0;
  return q;
}

Expected<WorkloadRun*> FigureRunner::run_of(const std::string& gpu, const std::string& workload) {
  const auto place = runs_.find({gpu, workload});
  if (place != runs_.end()) return place->second.get();
  auto board = load_gpu_(gpu);
  if (!board) return std::move(board).error();
  const auto parsed = parse_workload(workload);
  if (!parsed) return parsed.error();
  auto& made = runs_[{gpu, workload}];
  made = std::make_unique<WorkloadRun>(*board, *parsed);
  return made.get();
}

Expected<double> FigureRunner::quantity(const PlannedFigure& figure, WorkloadRun& run,
                                        const ModelVariant& variant) {
  const std::string_view what = figure.quantity;
  if (what == "quotient_least" || what == "quotient_greatest")
    return quotient(figure, run, variant);
  if (what == "needed_warps") {
    return run.needed_warps(*variant.model, variant.options, figure.share);
  }
  if (what == "warps_for_bandwidth") {
    return run.needed_warps(*variant.model, variant.options,
                            figure.share * bandwidth_over_peak(run, variant));
  }
  if (what.starts_with(number_prefix)) {
    for (const ModelNumber& number : run.numbers(*variant.model, variant.options, figure.warps)) {
      if (number.name == what.substr(number_prefix.size())) return number.value;
    }
    return unknown_quantity(figure);
  }
  const WorkloadPoint point = run.point(*variant.model, variant.options, figure.warps);
  if (what == "cycles") return point.cycles;
  if (what == "additions") return point.additions;
  if (what == "others") return point.other_instructions;
  if (what == "gbs") return point.gbs;
  if (what == "bandwidth_share") return point.gbs / peak_gbs(run.gpu());
  if (what == "peak_share") return 1 / point.cycles / run.peak(*variant.model, variant.options);
  if (what == "instructions") {
    return point.other_instructions + point.additions / run.gpu().limits.warp_lanes;
  }
  return unknown_quantity(figure);
}

Expected<double> FigureRunner::of_workload(const PlannedFigure& figure) {
  if (auto fine = check_figure(figure); !fine) return fine.error();
  auto run = run_of(figure.gpu, figure.workload);
  if (!run) return std::move(run).error();
  const auto variant = parse_variant(figure.model);
  if (!variant) return variant.error();
  return quantity(figure, **run, *variant);
}

Expected<double> FigureRunner::of_formula(const PlannedFigure& figure) {
  std::shared_ptr<const Gpu> machine;
  if (!figure.gpu.empty()) {
    auto board = load_gpu_(figure.gpu);
    if (!board) return std::move(board).error();
    machine = std::move(*board);
  }
  const auto values = run_formula(figure.formula, figure.inputs, machine.get());
  if (!values) return values.error();
  std::vector<std::string> names;
  for (const auto& [name, value] : *values) {
    if (name == figure.quantity) return value;
    names.push_back(name);
  }
  return Diagnostic{"figure " + figure.id, "'" + figure.quantity + "' is no value of it",
                    join(names, ", "), ""};
}

Expected<PublishedFigure> FigureRunner::compute(const PlannedFigure& figure) {
  auto value = figure.formula.empty() ? of_workload(figure) : of_formula(figure);
  if (!value) return std::move(value).error();
  PublishedFigure made;
  made.id = figure.id;
  made.what = figure.what;
  made.source = figure.source;
  made.printed = figure.printed;
  made.note = figure.note;
  made.exact = figure.exact;
  made.computed = *value * figure.scale;
  made.low = figure.low;
  made.high = figure.high;
  return made;
}

}  // namespace forewarp::validation
