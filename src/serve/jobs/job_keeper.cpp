// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/jobs/job_keeper.h"

#include "base/cache/content_key.h"
#include "result/result_json.h"
#include "store/columns.h"
#include "store/figures.h"
#include "store/run_writer.h"

namespace forewarp::serve {
namespace {

RunStart start_of(const std::string& id, const JobPlan& plan) {
  RunStart start;
  start.kind = plan.kind;
  start.key = "serve/" + id;
  start.command = plan.title;
  start.axes = {"point"};
  start.points = plan.points;
  start.tool_version = FOREWARP_VERSION;
  start.program = "serve";
  return start;
}

/// The figures of a record that is a result; another record has none.
TableRow figures_of_record(const std::string& record, Subject& subject) {
  const auto result = from_json(record);
  if (!result) return TableRow(point_columns().size());
  subject = {result->kernel.sha256, result->kernel.input, result->kernel.name, result->gpu.id,
             result->gpu.id};
  return figures_of(*result);
}

}  // namespace

Expected<std::int64_t> JobKeeper::begin(const std::string& id, const JobPlan& plan) {
  auto writer = RunWriter::begin(file_, start_of(id, plan));
  if (!writer) return writer.error();
  return (*writer)->run();
}

Expected<void> JobKeeper::add(const std::string& id, const JobPlan& plan, std::size_t point,
                              const std::string& record) {
  auto writer = RunWriter::begin(file_, start_of(id, plan));
  if (!writer) return writer.error();
  Subject subject{"-", "-", "-", "-", "-"};
  const TableRow figures = figures_of_record(record, subject);
  const std::string key = "serve/" + id + "/" + std::to_string(point);
  const TableRow axes{static_cast<double>(point)};
  if (!(*writer)->add(point, content_key(key), axes, figures, subject, record)) {
    if (auto failure = (*writer)->failure()) return *failure;
  }
  return (*writer)->finish();
}

}  // namespace forewarp::serve
