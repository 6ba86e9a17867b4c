// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/storage/tensor_map_bytes.h"
#include "kernel_run.h"
#include "program/tensor_map.h"

namespace forewarp::tests {

/// A map as a parameter, at the next multiple of 64 of the constant bank, where parameters begin at
/// 0x210.
inline void pass_map(KernelRun& run, const TensorMap& map) {
  auto& parameters = run.input().parameters;
  constexpr std::size_t begin = 0x210, alignment = 64;
  parameters.resize((begin + parameters.size() + alignment - 1) / alignment * alignment - begin);
  run.input().tensor_maps.push_back(map);
  for (const std::uint8_t byte :
       tensor_map_bytes(static_cast<std::uint32_t>(run.input().tensor_maps.size() - 1)))
    parameters.push_back(byte);
}

inline TensorMap map_over(std::uint64_t address, std::uint32_t columns, std::uint32_t rows,
                          std::uint32_t swizzle) {
  TensorMap map;
  map.address = address;
  map.rank = 2;
  map.element_bytes = 2;
  map.size = {columns, rows};
  map.stride = {2, std::uint64_t{2} * columns};
  map.box = {64, 16};
  map.swizzle = swizzle;
  return map;
}

}  // namespace forewarp::tests
