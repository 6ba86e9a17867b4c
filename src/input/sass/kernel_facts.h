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

/// "// param 2 x float*": one line at the head of a listing.
struct StatedParameter {
  std::string name;
  std::string type;
  std::optional<std::uint32_t> size;   ///< bytes, when the line gives them
  std::vector<Parameter> fields = {};  ///< of a structure: offsets from its first byte
};

struct ParameterPlace {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

/// What a listing's text says about one kernel outside of its code.
struct KernelFacts {
  Resources resources;
  std::optional<std::uint32_t> counted_shared;      ///< static, as tools count it: with the reserve
  std::map<std::uint32_t, StatedParameter> stated;  ///< by index
  std::map<std::uint32_t, ParameterPlace> places;   ///< by ordinal, from .nv.info
  std::optional<std::uint32_t> parameter_bytes;     ///< all of them, from .nv.info
  std::optional<std::uint32_t> parameter_base;      ///< of bank 0, from .nv.info

  /// Takes over what this one lacks, and what `other` states on a header line.
  void merge(const KernelFacts& other);
};

/// Facts by kernel name and architecture; 0 where the text does not say which.
class FactStore {
 public:
  KernelFacts& of(std::uint32_t sm, std::string_view name);
  /// All that is known of a kernel by either of its names.
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
