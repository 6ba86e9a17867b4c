// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/ordered_pipeline.h"
#include "base/text.h"
#include "command.h"
#include "compare_sides.h"
#include "comparison/case_pairs.h"
#include "comparison/comparison.h"
#include "driver/predictor.h"
#include "driver/recorded_launch.h"
#include "prediction_options.h"
#include "report/documents/comparison_report.h"

namespace forewarp::cli {
namespace {

struct Options {
  PredictionOptions common;
  std::string a, b, fail_above;
  std::vector<std::string> of_a, of_b;
};

Expected<double> parse_gate(const std::string& text) {
  std::string_view digits = trim(text);
  if (digits.ends_with('%')) digits = trim(digits.substr(0, digits.size() - 1));
  const auto percent = parse_number(digits);
  if (percent && *percent >= 0 && *percent <= 1e6) return *percent / 100;
  return Diagnostic{"--fail-above", "'" + text + "'", "percent, 0 or more: 3%", ""};
}

/// Every GPU of a side; one of a side stands beside each of the other's.
Expected<std::vector<std::pair<std::string, std::string>>> gpu_pairs(const ComparedSide& a,
                                                                     const ComparedSide& b) {
  std::vector<std::string> first = a.options.gpus, second = b.options.gpus;
  if (first.empty()) first.push_back(a.request.gpu);
  if (second.empty()) second.push_back(b.request.gpu);
  if (first.size() > 1 && second.size() > 1 && first.size() != second.size()) {
    return Diagnostic{
        "--gpu",
        std::to_string(first.size()) + " GPUs for A, " + std::to_string(second.size()) + " for B",
        "as many for both, or one", ""};
  }
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    pairs.emplace_back(first[std::min(i, first.size() - 1)],
                       second[std::min(i, second.size() - 1)]);
  }
  return pairs;
}

struct Work {
  ComparedSide a, b;
};

Expected<void> add_work(const ComparedSide& a, const ComparedSide& b, std::vector<Work>& list) {
  const auto pairs = gpu_pairs(a, b);
  if (!pairs) return pairs.error();
  for (const auto& [first, second] : *pairs) {
    Work work{a, b};
    work.a.gpu = first;
    work.b.gpu = second;
    work.a.options.gpus.clear();
    work.b.options.gpus.clear();
    list.push_back(std::move(work));
  }
  return {};
}

bool is_cases(const std::string& file) {
  return file.ends_with(".jsonl");
}

Expected<std::vector<Work>> work_of(const Options& options, Comparisons& comparisons) {
  std::vector<Work> list;
  if (is_cases(options.a) != is_cases(options.b)) {
    return Diagnostic{"compare", "one side is a case file, the other is not",
                      "two case files, or none", ""};
  }
  if (!is_cases(options.a)) {
    auto a = read_side(options.common, options.a, options.of_a, "--a");
    if (!a) return std::move(a).error();
    auto b = read_side(options.common, options.b, options.of_b, "--b");
    if (!b) return std::move(b).error();
    if (auto ok = add_work(*a, *b, list); !ok) return ok.error();
    return list;
  }
  auto cases = pair_cases(options.a, options.b);
  if (!cases) return std::move(cases).error();
  comparisons.vanished = cases->vanished;
  comparisons.added = cases->added;
  for (CasePairs::Pair& pair : cases->pairs) {
    auto a = read_case_side(options.common, std::move(pair.a), options.of_a, "--a");
    if (!a) return std::move(a).error();
    auto b = read_case_side(options.common, std::move(pair.b), options.of_b, "--b");
    if (!b) return std::move(b).error();
    if (auto ok = add_work(*a, *b, list); !ok) return ok.error();
  }
  return list;
}

void run_all(Predictor& predictor, std::vector<Work>& list, unsigned jobs,
             Comparisons& comparisons) {
  std::size_t next = 0;
  PipelineSteps<std::size_t, Comparison> steps;
  steps.next = [&](std::size_t& index) {
    index = next;
    return next++ < list.size();
  };
  steps.work = [&](std::size_t& index, unsigned) {
    return compare(predictor, list[index].a, list[index].b);
  };
  steps.finish = [&](Comparison& comparison) {
    comparisons.pairs.push_back(std::move(comparison));
    return true;
  };
  OrderedPipeline(std::move(steps), {jobs, 1, 16}).run();
}

/// Refusals and what the gate says, a line each.
int tell(const Comparisons& comparisons) {
  if (comparisons.fail_above >= 0) {
    for (const std::string& line : comparisons.failures) {
      std::fprintf(stderr, "forewarp: compare: %s\n", line.c_str());
    }
    return comparisons.failures.empty() ? 0 : 1;
  }
  int code = 0;
  for (const Comparison& pair : comparisons.pairs) {
    for (const Result* side : {&pair.a, &pair.b}) {
      if (!side->error) continue;
      std::fprintf(stderr, "forewarp: compare: %s: %s\n", side == &pair.a ? "A" : "B",
                   side->error->line().c_str());
      code = 1;
    }
  }
  return code;
}

Expected<int> run(Options& options) {
  if (options.common.given("sweep")) {
    return Diagnostic{"--sweep", "cannot be combined with compare", "two sides",
                      "'forewarp predict --sweep' tabulates many"};
  }
  PredictionOptions of_both = options.common;  // a number of --launch needs the recording
  if (is_recording(options.a)) of_both.give(*option_named("INPUT"), {options.a});
  const auto common = of_both.asked();
  if (!common) return common.error();
  const Delivery& delivery = common->delivery;
  Comparisons comparisons;
  double gate = -1;
  if (!options.fail_above.empty()) {
    const auto share = parse_gate(options.fail_above);
    if (!share) return share.error();
    gate = *share;
  }
  auto work = work_of(options, comparisons);
  if (!work) return std::move(work).error();
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  Predictor predictor(std::move(*database));
  run_all(predictor, *work, delivery.jobs, comparisons);
  if (gate >= 0) apply_gate(gate, comparisons);
  const TextStyle style = delivery.output.empty() ? terminal_style() : TextStyle{};
  const auto text = render_comparisons(comparisons, delivery.format, style);
  if (!text) return text.error();
  if (auto written = deliver(*text, delivery.output); !written) return written.error();
  return tell(comparisons);
}

}  // namespace

Command compare_command() {
  auto options = std::make_shared<Options>();
  PredictionOptions& common = options->common;
  Command command{"compare", "two kernels, launches or GPUs: what changes, and why",
                  common.flags({"INPUT", "cases", "sweep", "store", "again", "view", "progress"})};
  const auto add = [&](Flag flag) -> Flag& { return command.flags.emplace_back(std::move(flag)); };
  add({"A", &options->a, "code, a launch file (.toml) or a case file (.jsonl): before"}).required =
      true;
  add({"B", &options->b, "the same: after"}).required = true;
  add(common.flag("INPUT", "the code, where A and B are launch files", "--input"));
  add(common.flag("sweep")).hidden = true;
  add({"--a", &options->of_a, "KEY=VALUE for A alone: " + side_keys()}).type_name = "KEY=VALUE";
  add({"--b", &options->of_b, "the same for B"}).type_name = "KEY=VALUE";
  add({"--fail-above", &options->fail_above,
       "exit 1 where B is slower than A by more than this: 3%"});
  command.action = [options] { return run(*options); };
  return command;
}

}  // namespace forewarp::cli
