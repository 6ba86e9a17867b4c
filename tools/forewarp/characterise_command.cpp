// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "characterise/files/gpu_file_text.h"
#include "characterise/files/mwp_parameters.h"
#include "characterise/findings/characterisation.h"
#include "characterise_report.h"
#include "command.h"
#include "hardware/database.h"

namespace forewarp::cli {
namespace {

namespace fs = std::filesystem;

struct CharacteriseOptions {
  std::string folder, like, name, numbers, compare, output, mwp, format = "text";
  std::optional<std::uint64_t> threads;
};

/// The board of the same capability whose SMs and bandwidth are nearest. Fails where there is none.
Expected<Gpu> nearest_board(const HardwareDatabase& database, const MeasuredDevice& device) {
  const auto count = device.numbers.find("sm.count");
  const auto bits = device.numbers.find("memory.bus_bits");
  std::optional<Gpu> nearest;
  std::pair<double, double> distance;
  for (const std::string& id : database.ids()) {
    auto gpu = database.load(id);
    if (!gpu || gpu->cc != device.cc) continue;
    const auto away = [&](auto found, double theirs) {
      return found == device.numbers.end() ? 0.0 : std::abs(found->second - theirs);
    };
    const std::pair there(away(count, gpu->sms), away(bits, gpu->number("memory.bus_bits")));
    if (nearest && distance <= there) continue;
    distance = there;
    nearest = *std::move(gpu);
  }
  if (nearest) return *std::move(nearest);
  return Diagnostic{"--like", "no board of capability " + device.cc.text() + " is known",
                    "a board of a near generation", "name one: --like ID"};
}

/// The list of numbers that belongs to the program: beside the data folder.
std::string numbers_file(const HardwareDatabase& database, const std::string& asked) {
  if (!asked.empty()) return asked;
  return (database.directory().parent_path() / "bench" / "numbers.toml").string();
}

Expected<Characterisation> characterise_folder(const CharacteriseOptions& options,
                                               const HardwareDatabase& database, Gpu& like) {
  const std::string device_file = (fs::path(options.folder) / "device.json").string();
  const std::string samples_file = (fs::path(options.folder) / "samples.tsv").string();
  const std::string list_file = numbers_file(database, options.numbers);
  const auto device_text = read_file(device_file);
  if (!device_text) return device_text.error();
  const auto device = parse_device(*device_text, device_file);
  if (!device) return device.error();
  const auto samples_bytes = read_file(samples_file);
  if (!samples_bytes) return samples_bytes.error();
  const auto samples = parse_samples(*samples_bytes, samples_file);
  if (!samples) return samples.error();
  const auto list_text = read_file(list_file);
  if (!list_text) return list_text.error();
  const auto numbers = parse_numbers(*list_text, list_file);
  if (!numbers) return numbers.error();
  auto board =
      options.like.empty() ? nearest_board(database, *device) : database.load(options.like);
  if (!board) return std::move(board).error();
  like = *std::move(board);
  auto found = characterise_samples(*device, *samples, *numbers, like, options.name);
  if (found && options.like.empty()) {
    found->notes.push_back("what neither the driver nor a test says is taken from " + like.id +
                           ", the nearest board of its capability: --like ID names another");
  }
  return found;
}

/// What `gpu check` says of the file that was written; faults end with exit code 1.
int checked(const HardwareDatabase& database, const std::string& file) {
  int code = 0;
  for (const DataFinding& finding : database.check(file)) {
    if (finding.error) code = 1;
    fmt::print(stderr, "forewarp: {}: {}\n", finding.error ? "error" : "remark",
               finding.diagnostic.line());
  }
  return code;
}

Expected<int> run_characterise(const CharacteriseOptions& options) {
  const auto database = HardwareDatabase::locate();
  if (!database) return database.error();
  Gpu like;
  const auto found = characterise_folder(options, *database, like);
  if (!found) return found.error();
  if (!options.mwp.empty()) {
    const std::string text = mwp_text(mwp_parameters(*found, like), *found);
    if (auto written = write_file(options.mwp, text); !written) return written.error();
  }
  if (!options.compare.empty()) {
    auto board = database->load(options.compare);
    if (!board) return std::move(board).error();
    like = *std::move(board);
  }
  if (!options.output.empty()) {
    if (auto written = write_file(options.output, gpu_file_text(*found)); !written) {
      return written.error();
    }
  }
  const auto report =
      options.format == "json" ? characterisation_as_json : characterisation_as_text;
  fmt::print("{}", report(*found, like, options.threads));
  return options.output.empty() ? 0 : checked(*database, options.output);
}

}  // namespace

Command characterise_command() {
  auto options = std::make_shared<CharacteriseOptions>();
  Command command{"characterise", "a GPU file from what forewarp-bench measured"};
  command.flags = {
      {.names = "DIR",
       .target = &options->folder,
       .help = "samples: device.json and samples.tsv",
       .required = true},
      {"-o,--output", &options->output, "the GPU file; default: only the report"},
      {"--name", &options->name, "the name in the file; default: the device's"},
      {"--like", &options->like,
       "a board for what neither driver nor tests say; default: the nearest of its capability"},
      {"--compare", &options->compare, "a board to compare with; default: that of --like"},
      {"--numbers", &options->numbers,
       "which samples say which number; default: bench/numbers.toml"},
      {"--mwp", &options->mwp, "a file for the hardware parameters of the MWP-CWP models"},
      {"--threads", &options->threads,
       "each number also as it was measured with so many threads in the grid"},
      {"--format", &options->format, "text or json", {"text", "json"}}};
  command.action = [options] { return run_characterise(*options); };
  return command;
}

}  // namespace forewarp::cli
