// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/calibrated_run.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "request/tables/calibration.h"

namespace forewarp::prediction {
namespace {

std::string origin_text(const Calibration& calibration, const CalibrationOrigin& origin) {
  return " from " + calibration.file + " (" + significant(origin.points) +
         (origin.points == 1 ? " point" : " points") + " of " + origin.source + ")";
}

bool given(const PredictOptions& options, const ModelRun& run, std::string_view option) {
  const std::string whole = std::string(run.model->name()) + '.' + std::string(option);
  return std::any_of(options.model_options.begin(), options.model_options.end(),
                     [&](const auto& o) { return o.first == option || o.first == whole; });
}

}  // namespace

Expected<void> calibrate_run(const PredictOptions& options, Evaluation& evaluation, ModelRun& run) {
  if (options.calibration == nullptr) return {};
  const Calibration& calibration = *options.calibration;
  const std::string model(run.model->name());
  const auto* factor =
      calibration.factor(model, evaluation.launch->code.kernel->name, *evaluation.launch->gpu);
  if (factor == nullptr) return {};
  if (factor->option.empty()) {
    run.divisor = factor->value;
  } else {
    if (given(options, run, factor->option)) return {};
    auto values =
        run.model->parse_options({{model + '.' + factor->option, significant(factor->value, 17)}});
    if (!values) return std::move(values).error();
    for (std::size_t i = 0; i < values->size(); ++i) {
      if (run.model->options()[i].name == factor->option) run.options[i] = (*values)[i];
    }
  }
  evaluation.notes.assumptions.push_back(
      {"calibrated",
       (factor->option.empty() ? "the time of model " + model + " is divided by "
                               : factor->option + " of model " + model + " is ") +
           significant(factor->value, 6) + origin_text(calibration, factor->origin),
       "leave out --calibration"});
  return {};
}

void note_calibration(const PredictOptions& options, Evaluation& evaluation) {
  if (options.calibration == nullptr) return;
  const Calibration& calibration = *options.calibration;
  for (const CalibratedNumber& number : calibration.numbers) {
    if (number.gpu != evaluation.launch->gpu->id) continue;
    evaluation.notes.assumptions.push_back({"calibrated",
                                            number.path + " is " + significant(number.value, 6) +
                                                ' ' + number.unit +
                                                origin_text(calibration, number.origin),
                                            "leave out --calibration"});
  }
  const bool used =
      std::any_of(evaluation.notes.assumptions.begin(), evaluation.notes.assumptions.end(),
                  [](const auto& a) { return a.id == "calibrated"; });
  if (used) return;
  evaluation.notes.assumptions.push_back({"calibration-unused",
                                          calibration.file + " has nothing for " +
                                              evaluation.launch->code.kernel->name + " on " +
                                              evaluation.launch->gpu->id + " that is used here",
                                          "`forewarp calibrate` with measurements of it"});
}

}  // namespace forewarp::prediction
