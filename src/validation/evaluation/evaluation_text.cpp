// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/evaluation/evaluation_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"

namespace forewarp::validation {
namespace {

constexpr std::size_t model_width = 28;

std::string alpha_text(double alpha) {
  return std::isinf(alpha) ? "inf" : significant(alpha, 4);
}

/// Calls `use` with the first series of every GPU and the series after it of the same one.
template <typename Use>
void each_gpu(const ModelEvaluation& evaluation, Use use) {
  const auto& all = evaluation.series;
  for (auto first = all.begin(); first != all.end();) {
    const auto next = std::find_if(
        first, all.end(), [&](const EvaluatedSeries& other) { return other.gpu != first->gpu; });
    use(std::vector<EvaluatedSeries>(first, next));
    first = next;
  }
}

template <typename Row>
std::string alpha_heads(const std::vector<Row>& rows) {
  std::string out = fmt::format("  {:{}}", "model \\ alpha", model_width);
  for (const Row& row : rows) out += fmt::format(" {:>9}", alpha_text(row.alpha));
  return out + "\n";
}

std::string quotients(const ModelEvaluation& evaluation) {
  std::string out = "\nthroughput over that of " + evaluation.reference +
                    ", least .. greatest over occupancies\n";
  each_gpu(evaluation, [&](const std::vector<EvaluatedSeries>& series) {
    out += "\n" + series.front().gpu + "\n" + alpha_heads(series.front().quotients);
    for (const EvaluatedSeries& one : series) {
      out += fmt::format("  {:{}}", one.model, model_width);
      for (const Quotient& q : one.quotients) {
        out += q.greatest > 0 ? fmt::format(" {:>4.2f}{}{:<4.2f}", q.least,
                                            q.without > 0 ? "*" : "-", q.greatest)
                              : fmt::format(" {:>9}", "no time");
      }
      out += "\n";
    }
  });
  return out + "  *: at some occupancies the formula gives no positive time; those are left out\n";
}

std::string warps_text(double warps, double most) {
  if (warps <= 0) return "never";
  return fmt::format("{:.2f}{}", warps, warps > most ? "+" : "");
}

std::string needed(const ModelEvaluation& evaluation) {
  std::string out =
      "\nwarps per SM that reach 90 % of the tightest limit (+: more than an SM holds)\n";
  each_gpu(evaluation, [&](const std::vector<EvaluatedSeries>& series) {
    out += "\n" + series.front().gpu + "\n" + alpha_heads(series.front().needed);
    for (const EvaluatedSeries& one : series) {
      out += fmt::format("  {:{}}", one.model, model_width);
      for (const NeededWarps& n : one.needed) {
        out += fmt::format(" {:>9}", warps_text(n.most, one.most_warps));
      }
      out += "\n";
    }
  });
  return out;
}

std::string figures(const ModelEvaluation& evaluation) {
  std::string out = "\npublished figures\n";
  for (const PublishedFigure& figure : evaluation.figures) {
    out += fmt::format("  {:5} {:6} {:52} printed {:18} ours {:<10} ({} .. {}) {}\n",
                       figure.holds() ? "holds" : "off", figure.id, figure.what, figure.printed,
                       significant(figure.computed, 5), significant(figure.low, 5),
                       significant(figure.high, 5), figure.exact ? "computed" : "plausibility");
    if (!figure.note.empty()) out += fmt::format("{:15}{}\n", "", figure.note);
  }
  return out;
}

std::string points(const ModelEvaluation& evaluation) {
  std::string out =
      fmt::format("\n{:16} {:{}} {:>6} {:>6} {:>12} {:>12} {:>12} {:>9}\n", "GPU", "model",
                  model_width, "alpha", "warps", "cycles", "additions/c", "others/c", "GB/s");
  for (const EvaluatedSeries& series : evaluation.series) {
    for (const EvaluatedPoint& p : series.points) {
      out += fmt::format("{:16} {:{}} {:>6} {:>6} {:>12} {:>12} {:>12} {:>9}{}\n", series.gpu,
                         series.model, model_width, alpha_text(p.alpha), significant(p.warps, 4),
                         significant(p.cycles, 6), significant(p.additions, 6),
                         significant(p.others, 5), significant(p.gbs, 5),
                         p.applies ? "" : "  no time that could be one");
    }
  }
  return out;
}

}  // namespace

std::string evaluation_text(const ModelEvaluation& evaluation) {
  std::string out = evaluation.title + "\n";
  if (!evaluation.source.empty()) out += "  " + evaluation.source + "\n";
  if (evaluation.series.empty() && evaluation.figures.empty()) return out;
  const auto has = [&](auto member) {
    return std::any_of(evaluation.series.begin(), evaluation.series.end(),
                       [&](const EvaluatedSeries& series) { return !(series.*member).empty(); });
  };
  if (has(&EvaluatedSeries::quotients)) out += quotients(evaluation);
  if (has(&EvaluatedSeries::needed)) out += needed(evaluation);
  if (has(&EvaluatedSeries::points)) out += points(evaluation);
  if (!evaluation.figures.empty()) out += figures(evaluation);
  for (const std::string& note : evaluation.notes) out += "\nnote: " + note + "\n";
  return out;
}

}  // namespace forewarp::validation
