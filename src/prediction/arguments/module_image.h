// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/expected.h"
#include "execution/storage/device_image.h"
#include "execution/storage/execution_input.h"
#include "program/kernel.h"
#include "program/launch.h"

namespace forewarp::prediction {

/// An operand of the kernel that holds half of a variable's address, with the value that the loader
/// writes into it.
struct AddressOperand {
  std::uint32_t operand = 0;  ///< index into Kernel::operands
  std::uint32_t value = 0;
};

/// A kernel's module at the start of the launch: constant banks other than 0, and the `__device__`
/// variables that the kernel uses, as buffers at the addresses that code and banks point to.
struct ModuleImage {
  std::vector<ConstantBank> banks;
  std::vector<ExecutionBuffer> buffers;
  std::vector<AddressOperand> operands;
  std::uint64_t end = 0;  ///< first address behind the module and the buffers of its pointers
  /// Variables that the kernel uses, but neither the file nor the launch initialises: zero, as in a
  /// module just loaded.
  std::vector<std::string> zeroed;
  /// Variables that the kernel uses and whose size is not known: their content is unknown.
  std::vector<std::string> unsized;
};

/// The module of `kernel`, with the content that the launch's constants give. A constant is a
/// number, hex bytes or a buffer no larger than the variable; an 8-byte variable that is given a
/// larger buffer is a pointer to it. Refuses a name that no variable has (with those that exist), a
/// value that does not fit, and a file that cannot be read. Addresses are assigned from
/// `first_free_address` on; variables that lie `apart` have the ones given there.
Expected<ModuleImage> module_image(const Kernel& kernel, const LaunchConfig& launch,
                                   std::uint64_t first_free_address,
                                   const execution::PlacesApart& apart = {});

/// Writes the image's addresses into the kernel's operands, so that lower_kernel() sees immediates.
void put_addresses(Kernel& kernel, const ModuleImage& image);

}  // namespace forewarp::prediction
