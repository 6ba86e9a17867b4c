// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a link's data file: a link whose copies take a time, or one line of text.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "hardware/link_database.h"
#include "model/transfer/copy_time.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forewarp::tests;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto link = parse_link(text, "link.toml");
  if (!link) {
    const std::string line = link.error().line();
    if (line.empty() || line.find('\n') != std::string::npos) std::abort();
    return 0;
  }
  for (const HostMemory memory : {HostMemory::pageable, HostMemory::pinned}) {
    const CopyTime time = copy_time(*link, CopyDirection::to_device, memory, 4096);
    if (!(time.us > 0)) std::abort();
  }
  return 0;
}
