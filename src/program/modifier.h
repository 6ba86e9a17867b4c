// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/opcode.h"

namespace forewarp::program::modifier {

/// The known modifiers, as in `instruction.has(modifier::wide)`. Names that begin with a digit get
/// an n (n64 for ".64"), keywords a trailing underscore.
enum Known : Modifier {
  unknown = unknown_modifier,
#define MODIFIER(identifier, text) identifier,
#include "program/modifier_table.inc"
#undef MODIFIER
};

}  // namespace forewarp::program::modifier
