// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/modifier.h"

#include <array>

#include "program/name_index.h"

namespace forewarp::program {
namespace {

constexpr auto modifier_names = std::to_array<std::string_view>({
    "",
#define MODIFIER(identifier, text) text,
#include "program/modifier_table.inc"
#undef MODIFIER
});
constexpr NameIndex<modifier_names.size(), 1024> modifier_index(modifier_names);

}  // namespace

Modifier find_modifier(std::string_view name) {
  return modifier_index.find(name);
}

std::string_view modifier_name(Modifier modifier) {
  return modifier_index.name(modifier);
}

}  // namespace forewarp::program
