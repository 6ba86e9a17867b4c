// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a system's file: a system whose links join different units that are there, or one
// line of text.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "system/description/expansion.h"
#include "system/description/system_reader.h"

namespace {

using namespace forewarp::system;

void check_line(const forewarp::base::Diagnostic& refused) {
  const std::string line = refused.line();
  if (line.empty() || line.find('\n') != std::string::npos) std::abort();
}

void check(const System& system) {
  const std::size_t units = system.components.size();
  if (units == 0 || units > most_units) std::abort();
  if (system.connections.size() > most_connections) std::abort();
  for (const Connection& link : system.connections) {
    if (link.from >= units || link.to >= units || link.from == link.to) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text =
      parse_system(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.toml");
  if (!text) {
    check_line(text.error());
    return 0;
  }
  const auto system = expanded(*text);
  if (system) {
    check(*system);
  } else {
    check_line(system.error());
  }
  return 0;
}
