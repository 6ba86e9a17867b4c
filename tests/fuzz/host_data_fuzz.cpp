// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a data file of a host, or of the vendor's libraries: a host whose copies
// take a time, or one line of text.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "hardware/host_database.h"
#include "hardware/library_tables.h"
#include "hardware/link_database.h"
#include "model/transfer/host_copy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forewarp::tests;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto tables = parse_library_tables(text, "libraries.toml"); !tables) {
    const std::string line = tables.error().line();
    if (line.empty() || line.find('\n') != std::string::npos) std::abort();
  }
  const auto host = parse_host(text, "host.toml");
  if (!host) {
    const std::string line = host.error().line();
    if (line.empty() || line.find('\n') != std::string::npos) std::abort();
    return 0;
  }
  static const auto link = LinkDatabase(FOREWARP_DATA_DIR).load("pcie-3-x16");
  for (const HostSide side : {HostSide::pageable, HostSide::pinned, HostSide::untouched}) {
    if (!(copy_time(*link, *host, {CopyDirection::to_host, side, 4096}).us > 0)) std::abort();
  }
  return 0;
}
