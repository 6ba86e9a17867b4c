// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/trace_launch.h"

#include <algorithm>
#include <utility>

#include "driver/result_builder.h"
#include "execution/grid/profile_run.h"
#include "execution/lowering/kernel_lowering.h"
#include "prediction/execution.h"
#include "prediction/execution_launch.h"
#include "prediction/execution_report.h"
#include "prediction/launch.h"
#include "request/tables/work_budget.h"
#include "trace/builtin.h"
#include "trace/trace_directory.h"
#include "trace/trace_recorder.h"

namespace forewarp::driver {
namespace {

/// The trace's header, as far as it is known before the kernel is executed.
TraceHeader describe(const Launch& launch, const ExecutionInput& input, const SamplePlan& plan) {
  Result result;
  describe_launch(launch, launch.notes, result);
  TraceHeader header;
  header.tool_version = std::move(result.tool_version);
  header.kernel = std::move(result.kernel);
  header.gpu = std::move(result.gpu);
  header.launch = std::move(result.launch);
  header.findings = std::move(result.findings);
  header.assumptions = std::move(result.assumptions);
  // A trace has no times, so it assumes no clock.
  std::erase_if(header.assumptions, [](const auto& a) { return a.id == "clock"; });
  header.choose(plan);
  for (const ExecutionBuffer& buffer : input.buffers) {
    header.buffers.push_back({buffer.name, buffer.address, buffer.bytes});
  }
  const Kernel& kernel = *launch.code.kernel;
  for (const Instruction& instruction : kernel.instructions) {
    header.code.push_back({instruction.address, std::string(kernel.text_of(instruction)),
                           std::string(class_name(instruction.instruction_class))});
  }
  return header;
}

/// Executes the plan's blocks in order and passes each to the writer when it ends.
Expected<void> record(const Program& program, const ExecutionInput& input, GridOptions options,
                      TraceWriter& writer, LaunchProfile& profile, TraceHeader& header) {
  options.threads = 1;  // keeps blocks in order and only one at a time in memory
  TraceRecorder recorder(program.ops.size(), writer);
  TraceSink sink(recorder);
  auto paths = profile_plan_with(program, input, profile.executed.plan, options, sink);
  if (recorder.failure()) return *recorder.failure();
  if (!paths) return std::move(paths).error();
  if (auto ok = writer.finish(); !ok) return ok;
  header.warps = recorder.warps();
  header.recorded = recorder.instructions();
  header.estimated = paths->warp_instructions;
  header.relative_error = paths->relative_error;
  profile.executed.paths = std::move(*paths);
  return {};
}

/// A launch that is ready to execute.
struct ReadyLaunch {
  const Launch& launch;
  const ExecutionLaunch& execution;
  const Program& program;
};

Expected<TraceSummary> write(const ReadyLaunch& ready, SamplePlan plan, const GridOptions& options,
                             const TraceFormat& format, const std::filesystem::path& target) {
  const ExecutionInput& input = ready.execution.input;
  const Kernel& kernel = *ready.program.kernel;
  TraceSummary summary;
  TraceHeader& header = summary.header;
  header = describe(ready.launch, input, plan);
  header.written_as = format.name();
  header.files = format.files();
  auto folder = TraceDirectory::prepare(target, header);
  if (!folder) return std::move(folder).error();
  auto writer = format.open(folder->path(), {&kernel, &header});
  if (!writer) return std::move(writer).error();
  LaunchProfile profile;
  profile.executed.plan = std::move(plan);
  profile.zeroed = ready.execution.module.zeroed;
  profile.unsized = ready.execution.module.unsized;
  const auto written = record(ready.program, input, options, **writer, profile, header);
  if (!written) return written.error();
  note_executed(ready.launch, profile, header.findings, header.assumptions);
  header.complete = true;
  const auto bytes = folder->keep(header);
  if (!bytes) return bytes.error();
  summary.bytes = *bytes;
  summary.notes = format.notes(header);
  return summary;
}

Expected<const TraceFormat*> format_named(const Registry<TraceFormat>& formats,
                                          const std::string& name) {
  auto found = formats.find(name);
  if (found) return found;
  Diagnostic failure = std::move(found).error();
  failure.place = "--as " + name;
  return failure;
}

}  // namespace

Expected<TraceSummary> trace_launch(const Launch& launch, const Query& query,
                                    const TraceOptions& order) {
  const PredictOptions& options = query.options;
  const Registry<TraceFormat> formats = builtin_trace_formats();
  const auto format = format_named(formats, order.format);
  if (!format) return format.error();
  const LoadedKernel& code = launch.code;
  auto execution = execution_launch(*code.kernel, launch.config, launch.arguments, options,
                                    launch.gpu->limits.shared_per_block_optin);
  if (!execution) return std::move(execution).error();
  Kernel kernel = *code.kernel;
  put_addresses(kernel, execution->module);
  const auto program = lower_kernel(kernel);
  if (!program) return program.error();

  ProfileOptions profiling;
  profiling.analysis = code.analysis.get();
  profiling.sample = options.sample;
  const ExecutionBudget budget = counting_budget(options, trace_budget);
  profiling.budget = budget.sample;
  profiling.grid.most_instructions = budget.most;
  profiling.grid.threads = options.jobs;
  auto plan = choose_plan(*program, execution->input, profiling);
  if (!plan) return std::move(plan).error();
  return write({launch, *execution, *program}, std::move(*plan), profiling.grid, **format,
               order.folder);
}

}  // namespace forewarp::driver
