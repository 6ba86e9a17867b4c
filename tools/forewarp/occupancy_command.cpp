// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "binding/launch_check.h"
#include "command.h"
#include "hardware/database.h"
#include "occupancy_table.h"
#include "occupancy_text.h"

namespace forewarp::cli {
namespace {

struct Options {
  std::string gpu, capability, curve, table, output;
  std::string format = "text";
  BlockNeeds needs;
};

/// Names the board or the capability and fills its limits.
Expected<void> find_limits(const HardwareDatabase& database, const Options& options,
                           OccupancyAnswer& answer) {
  if (!options.gpu.empty()) {
    auto gpu = database.load(options.gpu);
    if (!gpu) return gpu.error();
    answer.gpu = gpu->id;
    answer.capability = gpu->cc.text();
    answer.limits = gpu->limits;
    return {};
  }
  if (options.capability.empty()) {
    return Diagnostic{"occupancy", "no GPU was named", "--gpu ID or --cc X.Y", ""};
  }
  const auto capability = parse_capability(options.capability);
  if (!capability) return capability.error();
  auto limits = database.limits(*capability);
  if (!limits) return limits.error();
  answer.capability = capability->text();
  answer.limits = std::move(limits).value();
  return {};
}

Expected<void> check_needs(const Options& options) {
  if (options.needs.threads == 0 && options.curve != "block") {
    return Diagnostic{"occupancy", "no block size was given", "--block N", ""};
  }
  if (options.needs.registers == 0 && options.curve != "regs") {
    return Diagnostic{"occupancy", "no register count was given", "--regs N", ""};
  }
  return {};
}

Expected<OccupancyAnswer> make_answer(const HardwareDatabase& database, const Options& options) {
  if (auto checked = check_needs(options); !checked) return checked.error();
  OccupancyAnswer answer;
  if (auto found = find_limits(database, options, answer); !found) return found.error();
  answer.needs = options.needs;
  if (const auto axis = curve_axis(options.curve)) {
    answer.axis = options.curve;
    answer.curve = occupancy_curve(answer.limits, answer.needs, *axis);
    return answer;
  }
  answer.occupancy = occupancy(answer.limits, answer.needs);
  if (const auto checked = check_block(answer.limits, answer.needs); !checked) {
    Diagnostic refusal = checked.error();
    refusal.place.clear();
    answer.refusal = refusal.line();
  }
  return answer;
}

/// What goes to standard output, and the launch error of a block that the GPU refuses.
struct Answer {
  std::string text, refusal;
};

/// A refusal is one line of its own; the formats that programs read are printed all the same.
Expected<Answer> run(const Options& options) {
  const auto database = HardwareDatabase::locate();
  if (!database) return database.error();
  if (!options.table.empty()) {
    auto table = occupancy_table(*database, options.table);
    if (!table) return std::move(table).error();
    return Answer{std::move(*table), ""};
  }
  const auto answer = make_answer(*database, options);
  if (!answer) return answer.error();
  if (options.format == "json") return Answer{occupancy_as_json(*answer), answer->refusal};
  if (options.format == "csv") return Answer{occupancy_as_csv(*answer), answer->refusal};
  return Answer{answer->refusal.empty() ? occupancy_as_text(*answer) : "", answer->refusal};
}

Expected<int> answer_occupancy(const Options& options) {
  const auto answer = run(options);
  if (!answer) return answer.error();
  if (!options.output.empty() && !answer->text.empty()) {
    if (auto written = write_file(options.output, answer->text); !written) return written.error();
  } else {
    fmt::print("{}", answer->text);
  }
  if (!answer->refusal.empty()) return Diagnostic{"occupancy", answer->refusal, "", ""};
  return 0;
}

}  // namespace

Command occupancy_command() {
  auto options = std::make_shared<Options>();
  BlockNeeds& needs = options->needs;
  Command command{"occupancy", "resident blocks and warps, their limiter, and curves"};
  command.flags = {
      {"--gpu", &options->gpu, "GPU id, name or data file"},
      {.names = "--cc",
       .target = &options->capability,
       .help = "compute capability, X.Y",
       .excludes = "--gpu"},
      {"--block", &needs.threads, "threads per block"},
      {"--regs", &needs.registers, "registers per thread"},
      {"--static-smem", &needs.static_shared, "static shared bytes per block"},
      {"--smem", &needs.dynamic_shared, "dynamic shared bytes per block"},
      {.names = "--carveout",
       .target = &needs.carveout_percent,
       .help = "preferred share of the largest shared memory, percent; -1: the largest",
       .range = {{-1, 100}}},
      {"--barriers", &needs.barriers, "named barriers per block"},
      {"--curve", &options->curve, "occupancy over this need", {"block", "regs", "smem"}},
      {"--table", &options->table, "answer every row of this CSV file"},
      {"--format", &options->format, "how to print", {"text", "json", "csv"}},
      {"-o", &options->output, "write to this file instead of standard output"}};
  command.action = [options]() { return answer_occupancy(*options); };
  return command;
}

}  // namespace forewarp::cli
