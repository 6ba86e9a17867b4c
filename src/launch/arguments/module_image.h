// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/expected.h"
#include "execution/storage/execution_input.h"
#include "program/kernel.h"
#include "program/launch.h"

namespace forewarp::launch {

/// An operand of the kernel that holds half of a variable's address, as the loader writes it.
struct AddressOperand {
  std::uint32_t operand = 0;  ///< index into Kernel::operands
  std::uint32_t value = 0;
};

/// A kernel's module when the launch begins: constant banks other than 0, and the `__device__`
/// variables that the kernel uses as buffers, at the addresses that code and banks point to.
struct ModuleImage {
  std::vector<ConstantBank> banks;
  std::vector<ExecutionBuffer> buffers;
  std::vector<AddressOperand> operands;
  std::uint64_t end = 0;  ///< first address behind the module and the buffers of its pointers
  /// Variables that the kernel uses, that the file does not initialise and that nobody gave: zero,
  /// as in a module just loaded.
  std::vector<std::string> zeroed;
  /// Variables that the kernel uses and nothing says the size of: of unknown content.
  std::vector<std::string> unsized;
};

/// The module of `kernel`, with the content that the launch's constants state. A constant is a
/// number, hex bytes or a buffer as large as the variable or smaller; a variable of eight bytes
/// that is given a larger buffer is a pointer to it. Refused: a name that no variable has (with
/// those that exist), a value that does not fit, a file that cannot be read. Addresses are given
/// from `first_free_address` on.
Expected<ModuleImage> module_image(const Kernel& kernel, const Launch& launch,
                                   std::uint64_t first_free_address);

/// Writes the addresses of the image into the kernel's code; lower_kernel() then finds immediates.
void put_addresses(Kernel& kernel, const ModuleImage& image);

}  // namespace forewarp::launch
