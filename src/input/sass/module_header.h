// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "input/sass/module_facts.h"

namespace forewarp::input {

/// Reads what follows "// constant": [KERNEL] BANK HEX. False for anything else.
bool read_stated_bank(std::string_view rest, StatedModule& stated);

/// Reads what follows "// symbol": NAME constant BANK OFFSET BYTES, or NAME global OFFSET BYTES
/// [HEX]. False for anything else.
bool read_stated_symbol(std::string_view rest, StatedModule& stated);

}  // namespace forewarp::input
