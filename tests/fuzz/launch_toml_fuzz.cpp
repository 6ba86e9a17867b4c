// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a launch file: a launch or one line of text.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "request/files/launch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto launch = forewarp::tests::parse_launch(text, "launch.toml");
  if (launch) return 0;
  const std::string line = launch.error().line();
  if (line.find("launch.toml") != 0 || line.find('\n') != std::string::npos) std::abort();
  return 0;
}
