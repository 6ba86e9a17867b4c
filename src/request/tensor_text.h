// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "program/launch.h"
#include "program/tensor_map.h"

namespace forewarp::request {

/// A tensor map and the buffer that it looks at; an empty name: a buffer of its own.
struct TensorArgument {
  TensorMap map;  ///< without its address
  std::string buffer;
  std::vector<std::uint8_t> then;  ///< what follows the map in the structure that holds it
};

/// Reads
/// TYPE:SIZExSIZE..[:box=SIZExSIZE..][:stride=BYTESxBYTES..][:swizzle=32B|64B|128B][:fill=nan]
/// [:then=HEX][:BUFFER], dimensions innermost first, strides of the second dimension on. Columns of
/// pixels (im2col): pixels=NUMBER, then box=CHANNELS and for all dimensions but channels and images
/// [lower=A[xB..]][upper=A[xB..]][step=A[xB..]]. Refuses what the driver refuses: more than five
/// dimensions, boxes over 256 elements along one, rows of a box or strides that are no multiples of
/// 16 bytes, rows longer than the swizzle, more than 1024 pixels.
Expected<TensorArgument> parse_tensor(std::string_view text, std::string_view place);

/// The same as an argument, whose type holds the text: "tensor:f16:64x64:A".
Expected<Argument> parse_tensor_argument(std::string_view text, std::string_view place);
[[nodiscard]] bool is_tensor(const Argument& argument);
/// Of an argument that is_tensor(): what follows "tensor:".
[[nodiscard]] std::string_view tensor_text(const Argument& argument);

}  // namespace forewarp::request
