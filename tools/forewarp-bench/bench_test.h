// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "request/case.h"

namespace forewarp::cli {

/// What the code of a test has to be: otherwise something else would be measured.
struct TestExpectation {
  /// Base mnemonics of the measured instruction, as generations call it: FFMA; empty: not checked.
  std::vector<std::string> opcodes;
  /// How many of it the timed region holds, at least and at most: a compiler may use it for the
  /// loop, too.
  std::pair<std::uint32_t, std::uint32_t> count{0, 0};
  std::optional<std::uint32_t> window;  ///< all instructions between the readings of the clock
  std::uint32_t spills = 0;             ///< accesses of local memory in the timed region, at most
  /// Instructions of the loop beside the measured ones, at most; nullopt: any number.
  std::optional<std::uint32_t> others;
  std::vector<std::string> beside;  ///< base mnemonics that belong to the measured operation
};

/// A copy that is timed instead of a kernel; its size is the swept argument `bytes`.
struct CopyTest {
  enum class Way : std::uint8_t { to_device, to_host, on_device, to_peer };
  Way way = Way::to_device;
  HostMemory memory = HostMemory::pageable;
};

/// What a kernel has to leave in a buffer of floats.
struct ResultCheck {
  std::size_t argument = 0, inputs = 0;  ///< the buffers of results, and of what they are made of
  std::size_t stride = 1;                ///< floats of a thread
  std::vector<std::string> values;       ///< of its first ones: texts that calculate with in0, ..
};

/// One test of bench/tests.toml: a kernel, its sweep, and what is timed. Texts are quantities.
struct BenchTest {
  std::string id, file, kernel;
  std::string symbol;        ///< its name in compiled code; empty: `kernel`
  std::string empty_kernel;  ///< window: the same without the measured operation; empty: none
  std::string about;         ///< one sentence
  bool window = false;       ///< the kernel times itself; else the whole kernel is timed
  /// How a launch is timed; nullopt: as the device can best, for tests that lose it in a slope.
  std::optional<Timing> timing;
  bool warm = false;  ///< caches hold what an earlier launch of the same left
  std::vector<std::string> blocks, threads;  ///< each "X" or "X,Y"
  std::string shared = "0";                  ///< dynamic shared memory, bytes
  std::string cluster;                       ///< "X" or "X,Y": blocks that start together
  bool cooperative = false;                  ///< its blocks may wait for all others
  bool fresh = false;  ///< every launch finds its buffers as they were before the first
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::vector<std::string>>> sweep;  ///< in the file's order
  std::uint32_t repeats = 1;
  std::pair<std::uint32_t, std::uint32_t> architectures{0, 0xffffffff};  ///< from, to: 52, 90
  std::vector<std::uint32_t> not_for;  ///< those between that make another instruction of it
  std::vector<std::string> flags;      ///< of the compiler
  TestExpectation expect;
  std::optional<CopyTest> copy;
  std::optional<ResultCheck> check;
  std::string place;  ///< FILE:LINE, for messages

  [[nodiscard]] bool fits(std::uint32_t sm) const {
    return architectures.first <= sm && sm <= architectures.second &&
           std::ranges::find(not_for, sm) == not_for.end();
  }
};

}  // namespace forewarp::cli
