// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result/evaluation_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "result/json_number.h"

namespace forewarp::result {
namespace {

using Json = nlohmann::ordered_json;

Json point_json(const EvaluatedPoint& point) {
  Json object{{"alpha", json_number(point.alpha)},
              {"warps", json_number(point.warps)},
              {"cycles", json_number(point.cycles)},
              {"additions_per_cycle", json_number(point.additions)},
              {"others_per_cycle", json_number(point.others)},
              {"gbs", json_number(point.gbs)},
              {"applies", point.applies}};
  Json& numbers = object["numbers"] = Json::object();
  for (const auto& [name, value] : point.numbers) numbers[name] = json_number(value);
  return object;
}

Json series_json(const EvaluatedSeries& series) {
  Json object{{"gpu", series.gpu}, {"model", series.model}, {"most_warps", series.most_warps}};
  Json& quotients = object["quotients"] = Json::array();
  for (const Quotient& q : series.quotients) {
    quotients.push_back({{"alpha", json_number(q.alpha)},
                         {"least", json_number(q.least)},
                         {"greatest", json_number(q.greatest)},
                         {"least_warps", q.least_warps},
                         {"greatest_warps", q.greatest_warps},
                         {"without_time", q.without}});
  }
  Json& needed = object["needed"] = Json::array();
  for (const NeededWarps& n : series.needed) {
    needed.push_back({{"alpha", json_number(n.alpha)},
                      {"warps_90", json_number(n.most)},
                      {"warps_100", json_number(n.all)}});
  }
  Json& points = object["points"] = Json::array();
  for (const EvaluatedPoint& point : series.points) points.push_back(point_json(point));
  return object;
}

}  // namespace

std::string evaluation_json(const ModelEvaluation& evaluation) {
  Json object{{"schema", "forewarp.evaluation_result/1"},
              {"title", evaluation.title},
              {"source", evaluation.source},
              {"workload", evaluation.workload},
              {"reference", evaluation.reference}};
  Json& series = object["series"] = Json::array();
  for (const EvaluatedSeries& one : evaluation.series) series.push_back(series_json(one));
  Json& figures = object["figures"] = Json::array();
  for (const PublishedFigure& figure : evaluation.figures) {
    figures.push_back({{"id", figure.id},
                       {"what", figure.what},
                       {"source", figure.source},
                       {"printed", figure.printed},
                       {"computed", json_number(figure.computed)},
                       {"low", json_number(figure.low)},
                       {"high", json_number(figure.high)},
                       {"kind", figure.exact ? "computed" : "plausibility"},
                       {"holds", figure.holds()},
                       {"note", figure.note}});
  }
  object["notes"] = evaluation.notes;
  return object.dump(2) + "\n";
}

std::string evaluation_csv(const ModelEvaluation& evaluation) {
  std::string out =
      "gpu,model,alpha,warps,cycles,additions_per_cycle,others_per_cycle,gbs,applies\n";
  for (const EvaluatedSeries& series : evaluation.series) {
    for (const EvaluatedPoint& p : series.points) {
      out +=
          fmt::format("{},{},{},{},{:.10g},{:.10g},{:.10g},{:.10g},{}\n", series.gpu, series.model,
                      p.alpha, p.warps, p.cycles, p.additions, p.others, p.gbs, p.applies ? 1 : 0);
    }
  }
  return out;
}

}  // namespace forewarp::result
