// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/link.h"

namespace forewarp::hardware {

std::string_view direction_name(CopyDirection direction) {
  return direction == CopyDirection::to_device ? "h2d" : "d2h";
}

std::string_view memory_name(HostMemory memory) {
  return memory == HostMemory::pageable ? "pageable" : "pinned";
}

std::optional<CopyDirection> direction_named(std::string_view name) {
  if (name == "h2d") return CopyDirection::to_device;
  if (name == "d2h") return CopyDirection::to_host;
  return std::nullopt;
}

std::optional<HostMemory> memory_named(std::string_view name) {
  if (name == "pageable") return HostMemory::pageable;
  if (name == "pinned") return HostMemory::pinned;
  return std::nullopt;
}

}  // namespace forewarp::hardware
