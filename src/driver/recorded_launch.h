// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "execution/storage/device_image.h"
#include "execution/storage/texture.h"
#include "request/case.h"

namespace forewarp::driver {

/// A launch that `forewarp run --record` kept: as a request, and the memory before it.
struct RecordedLaunch {
  request::Case request;  ///< its input is the module's file
  std::string gpu;        ///< that it was predicted for
  std::shared_ptr<const execution::DeviceImage> image;
};

/// A line of launches.jsonl, as written. Contents are names of files beside it.
struct RecordedLine {
  struct Buffer {
    std::uint64_t address = 0, bytes = 0;
    std::string content;
  };
  std::uint64_t launch = 0, same_as = 0;  ///< same_as: 0 where it has contents of its own
  std::string gpu, module, kernel;
  Extent grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamic_shared = 0;
  std::vector<std::vector<std::uint8_t>> parameters;  ///< bytes of each
  std::uint64_t module_address = 0;
  execution::PlacesApart apart;              ///< variables that do not lie there
  std::vector<std::uint8_t> parameter_area;  ///< with handles behind the parameters; may be empty
  std::vector<Buffer> buffers;
  std::vector<std::pair<std::uint32_t, execution::Texture>> textures;  ///< by handle
  std::vector<execution::ConstantBank> banks;
};

[[nodiscard]] bool is_recording(const std::filesystem::path& folder);

Expected<RecordedLine> parse_recorded_line(std::string_view line);

/// The launch with this number, from 1 on, in the order of the program.
Expected<RecordedLaunch> read_recorded_launch(const std::filesystem::path& folder,
                                              std::uint64_t number);

}  // namespace forewarp::driver
