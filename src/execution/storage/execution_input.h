// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "execution/state/lanes.h"
#include "program/launch.h"
#include "program/tensor_map.h"

namespace forewarp::execution {

struct ProgramServices;

/// A region of global memory before the launch.
struct ExecutionBuffer {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  BufferContent content;           ///< its type determines what iota, random, ones and fill write
  std::vector<std::uint8_t> data;  ///< content of kind file: its bytes; the rest is zero
  std::string name;                ///< "x" or "2": as --arg takes it
  bool sized = true;               ///< false: its size was not given
  bool ordinary = false;  ///< unknown content that holds ordinary numbers, see ordinary_page()
  /// Where a running program keeps its bytes, which are then the content, whatever `content` says;
  /// null: nowhere.
  std::uint8_t* place = nullptr;
};

/// Bytes of a constant bank: module-scope constants (3), the compiler's own and jump tables (2).
struct ConstantBank {
  std::uint32_t bank = 0;
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t> known = {};  ///< one per byte; empty: all are
  std::uint64_t address = 0;             ///< where they lie in memory as well; 0: nowhere
};

/// The share of lanes with an unknown condition that take a branch.
struct BranchAssumption {
  std::uint32_t address = 0;
  double taken = 0;
};

/// A launch as the executor takes it. Addresses in `parameters` point into `buffers`.
struct ExecutionInput {
  Extent grid{1, 1, 1};
  Extent block{1, 1, 1};
  Extent cluster{1, 1, 1};          ///< blocks that start together
  std::uint32_t static_shared = 0;  ///< bytes, without the reserve of sm_90
  std::uint32_t dynamic_shared = 0;
  /// Of a thread, instead of the kernel's, where warps hand registers over; 0: the kernel's.
  std::uint32_t registers = 0;
  std::vector<std::uint8_t> parameters;        ///< from parameter 0 on
  std::vector<std::uint8_t> parameters_known;  ///< one per byte; empty: all are
  std::vector<ExecutionBuffer> buffers;
  std::vector<ConstantBank> banks;
  std::vector<TensorMap>
      tensor_maps;  ///< by the number that an argument holds, see tensor_map_bytes()
  std::vector<BranchAssumption> assumed_branches;
  bool ordinary_floats = true;  ///< of unknown floating buffers: see take_ordinary_values()
  /// Of a launch by a running program: its textures, and who prints what its kernels print.
  std::shared_ptr<ProgramServices> services;

  [[nodiscard]] std::uint64_t blocks() const { return volume(grid); }
  [[nodiscard]] std::uint32_t threads_per_block() const {
    return static_cast<std::uint32_t>(volume(block));
  }
  /// Includes the last warp, which may be partial.
  [[nodiscard]] std::uint32_t warps_per_block() const {
    return (threads_per_block() + lane_count - 1) / lane_count;
  }
};

}  // namespace forewarp::execution
