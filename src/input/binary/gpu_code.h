// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "input/binary/code_part.h"

namespace forewarp::input {

/// The GPU code in a cubin, fatbin, executable, object, shared library or archive, in the file's
/// order, each code of one architecture once per fat binary. Reads headers alone. Fails where the
/// file is cut short; without GPU code the list is empty.
Expected<std::vector<CodePart>> code_parts(std::string_view file);

/// A part's bytes, decompressed where they are stored compressed: an ELF file or PTX text. Fails
/// for damaged data and for more than 1 GiB.
Expected<std::string> payload_of(const CodePart& part);

}  // namespace forewarp::input
