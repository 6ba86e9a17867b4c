// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>

#include "base/text.h"
#include "command.h"
#include "driver/predictor.h"
#include "driver/trace_launch.h"
#include "missing_options.h"
#include "prediction_options.h"
#include "request/options/precedence.h"
#include "trace/builtin.h"

namespace forewarp::cli {
namespace {

/// "12.3 kB"
std::string size_text(std::uint64_t bytes) {
  constexpr double step = 1000;
  constexpr const char* units[] = {"bytes", "kB", "MB", "GB", "TB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= step && unit + 1 < std::size(units); ++unit) size /= step;
  return significant(size, 3) + " " + units[unit];
}

/// What was written and what it stands for.
std::string summary_text(const TraceSummary& summary, const std::string& folder) {
  const TraceHeader& header = summary.header;
  const std::string blocks =
      std::to_string(header.held_blocks) + " of " + std::to_string(header.of_blocks) + " blocks";
  std::string text = header.kernel.name + " (" + header.kernel.arch + ") for " + header.gpu.name +
                     ": " + blocks + ", " + std::to_string(header.warps) + " warps, " +
                     std::to_string(header.recorded) + " warp instructions\n";
  if (!header.whole_grid()) {
    text += "  sampled: the whole grid has " + significant(header.estimated, 6) +
            " warp instructions within " + significant(100 * header.relative_error, 2) +
            " %; --sample all|N changes the choice\n";
  }
  for (const std::string& note : summary.notes) text += "  " + note + "\n";
  for (const Result::Finding& finding : header.findings) {
    text += "  " + finding.kind + ": " + finding.text + "\n";
  }
  for (const Result::Assumption& assumption : header.assumptions) {
    if (assumption.id == "sampled-blocks") continue;
    text += "  assumed: " + assumption.text;
    if (!assumption.change_with.empty()) text += " (" + assumption.change_with + ")";
    text += "\n";
  }
  return text + "  written as " + header.written_as + " to " + folder + ": " +
         std::string(TraceHeader::file_name) + ", " + join(header.files, ", ") + "; " +
         size_text(summary.bytes) + "\n";
}

/// Options of predict that a trace has no use for.
Expected<void> check(const Delivery& options, const PredictOptions& choices) {
  const auto refuse = [](const char* option, const char* why, const char* way_out) {
    return Diagnostic{option, why, "", way_out};
  };
  if (options.output.empty()) {
    return refuse("-o", "no folder is given for the trace", "name one with -o DIR");
  }
  if (choices.gpus.size() > 1) {
    return refuse("--gpu", "names several GPUs, and a trace is of one", "run it once per GPU");
  }
  if (!options.cases.empty()) {
    return refuse("--cases", "names many launches, and a trace is of one", "run it once per case");
  }
  if (!options.sweeps.empty()) {
    return refuse("--sweep", "makes many launches, and a trace is of one", "run it once per value");
  }
  if (!options.format.empty() && options.format != "text") {
    return refuse("--format", "is for reports", "--as chooses how a trace is written");
  }
  return {};
}

Expected<int> run_trace(const PredictionOptions& given, const std::string& format) {
  const auto asked = given.asked();
  if (!asked) return asked.error();
  const std::string& folder = asked->delivery.output;
  const PredictOptions& choices = asked->options;
  if (auto ok = check(asked->delivery, choices); !ok) return ok.error();
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  Predictor predictor(std::move(*database));
  const std::string gpu = gpu_of(asked->request, choices).value;
  const auto written = predictor.trace(asked->request, gpu, choices, {folder, format});
  if (!written) return written.error();
  if (auto ok = deliver(summary_text(*written, folder), ""); !ok) return ok.error();
  return 0;
}

std::string format_names() {
  const Registry<TraceFormat> registry = builtin_trace_formats();
  std::string formats;
  for (const auto& known : registry.entries()) {
    formats += (formats.empty() ? "" : "; ") + std::string(known->name()) + ": " +
               std::string(known->sentence());
  }
  return formats;
}

}  // namespace

Command trace_command() {
  auto options = std::make_shared<PredictionOptions>();
  auto format = std::make_shared<std::string>("forewarp");
  Command command{"trace", "every warp's instructions and addresses, written to a folder",
                  options->flags({"store", "again"})};
  for (Flag& flag : command.flags) {
    if (flag.names.ends_with("--output")) flag.help = "folder for the trace";
  }
  command.flags.push_back({"--as", format.get(), format_names()});
  command.lacks = [options] { return missing_options(*options, true); };
  command.action = [options, format] { return run_trace(*options, *format); };
  return command;
}

}  // namespace forewarp::cli
