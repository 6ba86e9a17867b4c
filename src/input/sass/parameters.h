// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "input/kernel_names.h"
#include "input/sass/kernel_facts.h"
#include "program/kernel.h"

namespace forewarp::input {

/// Sets Kernel::parameters, their source and the parameter base from the best of: header lines,
/// .nv.info, the mangled name, the code's use of the constant bank. Offsets in .nv.info take
/// precedence over natural alignment; names and types come from wherever they are known.
void resolve_parameters(Kernel& kernel, const KernelFacts& facts, const KernelSignature& signature);

/// Infers parameters from the code's use of constant bank 0, from the parameter base on: a 64-bit
/// address pair is a pointer, eight bytes read at once are one value, all else is four bytes; what
/// only floating arithmetic reads is a float or a double.
/// Parameters that are never read are inferred from gaps: eight aligned bytes are one parameter,
/// four bytes before an eight-byte parameter are padding.
[[nodiscard]] std::vector<Parameter> infer_parameters(const Kernel& kernel);

}  // namespace forewarp::input
