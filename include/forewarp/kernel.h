// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
/// @file
/// Compiled code, and one kernel of it.
#pragma once

#include <cstdint>
#include <forewarp/export.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::FOREWARP_INLINE api {

/// A parameter of a kernel.
struct Parameter {
  std::string name;        ///< empty: the code does not tell
  std::string type;        ///< "int", "float*"; empty: the code does not tell
  std::uint32_t size = 0;  ///< bytes
  bool pointer = false;    ///< it takes a buffer
};

/// What the code says of one of its kernels.
struct KernelFacts {
  std::string name;                            ///< plain: "axpy"
  std::string full_name;                       ///< with types: "axpy(int, float*)"
  std::string mangled;                         ///< "_Z4axpyiPf"
  std::uint32_t sm = 0;                        ///< architecture: 52 for sm_52
  std::uint64_t instructions = 0;              ///< in the listing
  std::optional<std::uint32_t> registers;      ///< per thread; nothing: the code does not tell
  std::optional<std::uint32_t> static_shared;  ///< bytes per block; nothing: it does not tell
  std::vector<Parameter> parameters;           ///< in order
};

/// Code and the name of a kernel in it; made by Session::kernel(). The code is read when it is
/// first used and kept by the session. Copies share it; any number of threads may use one.
class Kernel {
 public:
  struct State;  ///< what it holds; the library's own

  /// No code: for a launch that is copies between host and device alone.
  FOREWARP_EXPORT Kernel();

  /// The file, or the name that code in memory was given.
  [[nodiscard]] FOREWARP_EXPORT const std::string& input() const;
  /// The name that was asked for; empty: the only kernel.
  [[nodiscard]] FOREWARP_EXPORT const std::string& name() const;
  /// Another kernel of the same code, by its plain, C++ or mangled name, or "#N", from 1.
  [[nodiscard]] FOREWARP_EXPORT Kernel named(std::string name) const;
  /// Options for the compiler of source code: "-DTILE=16".
  [[nodiscard]] FOREWARP_EXPORT const std::vector<std::string>& compile_options() const;

 private:
  friend struct Access;
  explicit Kernel(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace forewarp::FOREWARP_INLINEapi
