// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/sass/module_facts.h"
#include "program/kernel.h"

namespace forewarp::input {

/// A line at the head of a listing: "// param 2 x float*".
struct StatedParameter {
  std::string name;
  std::string type;
  std::optional<std::uint32_t> size;   ///< bytes, if stated
  std::vector<Parameter> fields = {};  ///< of a structure: offsets from its first byte
};

struct ParameterPlace {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

/// What a listing's text says about one kernel besides its code.
struct KernelFacts {
  Resources resources;
  /// Static shared memory as tools count it, including the reserve.
  std::optional<std::uint32_t> counted_shared;
  std::map<std::uint32_t, StatedParameter> stated;  ///< by parameter index
  std::map<std::uint32_t, ParameterPlace> places;   ///< by ordinal, from .nv.info
  std::optional<std::uint32_t> parameter_bytes;     ///< of all parameters, from .nv.info
  std::optional<std::uint32_t> parameter_base;      ///< offset in bank 0, from .nv.info

  /// Takes over what this one lacks, and all that header lines state in `other`.
  void merge(const KernelFacts& other);
};

/// Facts by kernel name and architecture; architecture 0 if the text does not state it.
class FactStore {
 public:
  KernelFacts& of(std::uint32_t sm, std::string_view name);
  /// All facts of a kernel under either of its names.
  [[nodiscard]] KernelFacts find(std::uint32_t sm, std::string_view mangled,
                                 std::string_view plain) const;
  void forget(std::uint32_t sm, std::string_view mangled);

  [[nodiscard]] ModuleStore& modules() { return modules_; }
  [[nodiscard]] const ModuleStore& modules() const { return modules_; }

 private:
  ModuleStore modules_;
  std::map<std::pair<std::uint32_t, std::string>, KernelFacts> facts_;
};

}  // namespace forewarp::input
