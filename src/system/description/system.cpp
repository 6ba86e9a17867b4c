// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/description/system.h"

#include <algorithm>
#include <array>

namespace forewarp::system {
namespace {

constexpr std::array<std::string_view, 4> kinds = {"cpu", "gpu", "switch", "disk"};

}  // namespace

std::string_view kind_name(ComponentKind kind) {
  return kinds[static_cast<std::size_t>(kind)];
}

std::optional<ComponentKind> kind_named(std::string_view name) {
  const auto found = std::find(kinds.begin(), kinds.end(), name);
  if (found == kinds.end()) return std::nullopt;
  return static_cast<ComponentKind>(found - kinds.begin());
}

}  // namespace forewarp::system
