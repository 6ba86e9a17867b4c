// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu_new.h"

#include <cstdio>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "characterise/files/gpu_file_text.h"
#include "characterise/files/mt4g.h"
#include "characterise/files/nvidia_smi.h"
#include "hardware/starting_file.h"

namespace forewarp::cli {
namespace {

namespace fs = std::filesystem;

/// The device that the file shows; of several the first, and that is said.
Expected<QueriedDevice> queried_device(const std::string& file) {
  const auto text = read_file(file);
  if (!text) return text.error();
  auto devices = parse_device_query(*text, file);
  if (!devices) return std::move(devices).error();
  if (devices->size() > 1) {
    std::fprintf(stderr, "forewarp: %s: shows %zu devices: the first is taken, %s\n", file.c_str(),
                 devices->size(), devices->front().name.c_str());
  }
  return devices->front();
}

/// What nvidia-smi or MT4G says of the device; of several the first, and that is said.
Expected<MeasuredDevice> imported_device(const NewGpuOptions& options) {
  const std::string& file = options.mt4g.empty() ? options.smi : options.mt4g;
  const auto text = read_file(file);
  if (!text) return text.error();
  if (!options.mt4g.empty()) return parse_mt4g(*text, file);
  auto devices = parse_nvidia_smi(*text, file);
  if (!devices) return std::move(devices).error();
  if (devices->size() > 1) {
    std::fprintf(stderr, "forewarp: %s: shows %zu devices: the first is taken, %s\n", file.c_str(),
                 devices->size(), devices->front().name.c_str());
  }
  return devices->front();
}

/// The file of a device that another program described; the rest is that of `like`.
Expected<std::string> imported_text(const NewGpuOptions& options, const Gpu& like) {
  auto device = imported_device(options);
  if (!device) return std::move(device).error();
  if (device->cc.major == 0) {
    device->cc = like.cc;  // nvidia-smi does not tell it
  } else if (device->cc != like.cc) {
    std::fprintf(stderr, "forewarp: %s is of compute capability %s, %s of %s: is it like it?\n",
                 device->name.c_str(), device->cc.text().c_str(), like.id.c_str(),
                 like.cc.text().c_str());
  }
  const auto found = characterise_samples(*device, {}, {}, like, "");
  if (!found) return found.error();
  return gpu_file_text(*found);
}

/// NAME is a word that stands in commands, and the file's name.
Expected<void> check_name(const std::string& name) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789-_.";
  const bool fine = !name.empty() && name.front() != '-' && name.front() != '.' &&
                    name.find_first_not_of(allowed) == std::string::npos;
  if (fine) return {};
  return Diagnostic{"NAME", "'" + name + "'", "an id of small letters, digits, - _ and .", ""};
}

}  // namespace

std::vector<Flag> new_gpu_flags(NewGpuOptions& options) {
  return {{.names = "NAME",
           .target = &options.name,
           .help = "the id of the new board",
           .required = true},
          {.names = "--like",
           .target = &options.like,
           .help = "a board to begin with: its memory, its generation",
           .required = true},
          {"--from-device-query", &options.query, "what CUDA's sample deviceQuery printed"},
          {.names = "--from-nvidia-smi",
           .target = &options.smi,
           .help = "what nvidia-smi -q printed",
           .excludes = "--from-device-query"},
          {.names = "--from-mt4g",
           .target = &options.mt4g,
           .help = "the JSON file that MT4G wrote",
           .excludes = "--from-device-query"},
          {"-o,--output", &options.output, "the file; default: NAME.toml"}};
}

Expected<int> write_new_gpu(const HardwareDatabase& database, const NewGpuOptions& options) {
  if (auto fine = check_name(options.name); !fine) return fine.error();
  const auto like = database.load(options.like);
  if (!like) return like.error();
  const fs::path file = options.output.empty() ? options.name + ".toml" : options.output;
  std::error_code ignored;
  if (fs::exists(file, ignored)) {
    return Diagnostic{file.string(), "is there already", "a file to be made",
                      "name another with -o"};
  }
  std::string text;
  if (!options.smi.empty() && !options.mt4g.empty()) {
    return Diagnostic{"--from-mt4g", "goes with no other --from-", "one of them", ""};
  }
  if (!options.smi.empty() || !options.mt4g.empty()) {
    auto made = imported_text(options, *like);
    if (!made) return std::move(made).error();
    text = *std::move(made);
  } else if (options.query.empty()) {
    text = starting_file(options.name, *like, nullptr);
  } else {
    const auto device = queried_device(options.query);
    if (!device) return device.error();
    if (device->cc != like->cc) {
      std::fprintf(stderr, "forewarp: %s is of compute capability %s, %s of %s: is it like it?\n",
                   device->name.c_str(), device->cc.text().c_str(), like->id.c_str(),
                   like->cc.text().c_str());
    }
    text = starting_file(options.name, *like, &*device);
  }
  if (auto written = write_file(file, text); !written) return written.error();
  fmt::print("{}: edit it, then 'forewarp gpu check {}'\n", file.string(), file.string());
  return 0;
}

}  // namespace forewarp::cli
