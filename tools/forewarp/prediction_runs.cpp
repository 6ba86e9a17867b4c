// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction_runs.h"

#include <fstream>
#include <string>

#include "driver/case_file.h"
#include "result/result_json.h"

namespace forewarp::cli {

Expected<int> run_cases(Predictor& predictor, const PredictionOptions& options,
                        const PredictOptions& choices) {
  std::ifstream stream(options.cases);
  if (!stream) return Diagnostic{options.cases, "cannot be opened", "", ""};
  CaseLines lines(stream);
  CaseText text;
  std::string out;
  bool failed = false;
  while (lines.next(text)) {
    const CaseLine line = parse_case(text, options.cases);
    Result result;
    if (!line.parsed) {
      result = failed_result({}, "", line.parsed.error());
      result.id = line.id;
    } else {
      PredictOptions own = choices;
      result = predictor.predict_all(*line.parsed, own, {}).front();
    }
    failed = failed || result.error.has_value();
    out += to_json(result, JsonStyle::lean()) + '\n';
  }
  if (auto written = deliver(out, options.output); !written) return written.error();
  return failed ? 1 : 0;
}

Expected<int> run_sweep(Predictor& predictor, const PredictionOptions& options,
                        const Case& request, const PredictOptions& choices) {
  (void)predictor;
  (void)options;
  (void)request;
  (void)choices;
  return Diagnostic{"--sweep", "is not built yet", "", ""};
}

}  // namespace forewarp::cli
