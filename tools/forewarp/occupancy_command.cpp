// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
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

void declare(CLI::App& command, Options& options) {
  auto* gpu = command.add_option("--gpu", options.gpu, "GPU id, name or data file");
  command.add_option("--cc", options.capability, "compute capability, X.Y")->excludes(gpu);
  command.add_option("--block", options.needs.threads, "threads per block");
  command.add_option("--regs", options.needs.registers, "registers per thread");
  command.add_option("--static-smem", options.needs.static_shared, "static shared bytes per block");
  command.add_option("--smem", options.needs.dynamic_shared, "dynamic shared bytes per block");
  command
      .add_option("--carveout", options.needs.carveout_percent,
                  "preferred share of the largest shared memory, percent; -1: the largest")
      ->check(CLI::Range(-1, 100));
  command.add_option("--barriers", options.needs.barriers, "named barriers per block");
  command.add_option("--curve", options.curve, "occupancy over this need")
      ->check(CLI::IsMember({"block", "regs", "smem"}));
  command.add_option("--table", options.table, "answer every row of this CSV file");
  command.add_option("--format", options.format, "how to print")
      ->check(CLI::IsMember({"text", "json", "csv"}));
  command.add_option("-o", options.output, "write to this file instead of standard output");
}

}  // namespace

Action add_occupancy(CLI::App& app) {
  auto options = std::make_shared<Options>();
  declare(app, *options);
  return [options]() -> Expected<int> {
    const auto answer = run(*options);
    if (!answer) return answer.error();
    if (!options->output.empty() && !answer->text.empty()) {
      if (auto written = write_file(options->output, answer->text); !written) {
        return written.error();
      }
    } else {
      fmt::print("{}", answer->text);
    }
    if (!answer->refusal.empty()) return Diagnostic{"occupancy", answer->refusal, "", ""};
    return 0;
  };
}

}  // namespace forewarp::cli
