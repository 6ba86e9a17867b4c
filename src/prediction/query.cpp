// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/query.h"

#include <utility>

#include "base/cache/content_key.h"
#include "execution/storage/device_image.h"
#include "request/options/option_table.h"
#include "request/tables/calibration.h"

namespace forewarp::prediction {
namespace {

/// The values of all rows that change a prediction, as they are in effect.
void add_rows(const Query& query, KeyBytes& key) {
  const Delivery none;
  for (const OptionRow& row : option_rows()) {
    if (row.changes == OptionEffect::nothing) continue;
    key.add_text(row.name.empty() ? row.key : row.name);
    for (const std::string& value : row.get({query.request, query.options, none})) {
      key.add_text(value);
    }
  }
}

/// By content: the file may have been written again.
void add_calibration(const Calibration& calibration, KeyBytes& key) {
  key.add_text(calibration.file);
  for (const CalibratedFactor& factor : calibration.factors) {
    key.add_text(factor.model).add_text(factor.option).add_text(factor.kernel);
    key.add_text(factor.gpu).add_text(factor.cc).add(factor.value).add(factor.origin.points);
    key.add_text(factor.origin.source);
  }
  for (const CalibratedNumber& number : calibration.numbers) {
    key.add_text(number.gpu).add_text(number.path).add_text(number.unit).add(number.value);
    key.add(number.origin.points).add_text(number.origin.source);
  }
}

}  // namespace

std::string key_of(const Query& query) {
  KeyBytes key;
  key.add_text(query.request.input).add_text(query.request.kernel).add_text(query.gpu.value);
  add_rows(query, key);
  const PredictOptions& options = query.options;
  key.add(options.cache).add(options.worst_case).add(options.clock.has_value());
  key.add(query.clock.value.kind).add(query.clock.value.megahertz);
  key.add(options.timing.has_value()).add(query.budget_seconds.value);
  key.add(options.device != nullptr ? options.device->serial : 0);
  key.add(options.most_replayed.value_or(0)).add(query.request.has_block());
  if (options.calibration != nullptr) add_calibration(*options.calibration, key);
  return key.take();
}

void resolve(Query& query) {
  query.gpu = gpu_of(query.request, query.options);
  query.link = link_of(query.request, query.options);
  query.clock = clock_of(query.request, query.options);
  query.timing = timing_of(query.request, query.options);
  query.repeat = repeat_of(query.request, query.options);
  query.overhead_us = overhead_of(query.request, query.options);
  query.budget_seconds = budget_of(query.options);
}

Query make_query(Case request, PredictOptions options, const std::string& gpu) {
  Query query;
  query.request = std::move(request);
  query.options = std::move(options);
  if (!gpu.empty()) query.options.gpus = {gpu};
  resolve(query);
  return query;
}

Query at_clock(const Query& query, const ClockChoice& clock) {
  Query made = query;
  made.options.clock = clock;
  resolve(made);
  return made;
}

}  // namespace forewarp::prediction
