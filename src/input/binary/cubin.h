// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "program/module_data.h"

namespace forewarp::input {

/// What a cubin says about one function, from .text.NAME, .nv.info and the section headers.
struct CubinKernel {
  struct Parameter {
    std::uint32_t offset = 0, size = 0;  ///< bytes, from the first parameter
  };
  std::string_view name;  ///< mangled
  std::string_view code;
  bool entry = false;  ///< a kernel, not a function that kernels call
  std::uint32_t barriers = 0;
  std::optional<std::uint32_t> registers;
  std::uint32_t frame_bytes = 0;                  ///< per thread, in local memory
  std::uint32_t shared_bytes = 0;                 ///< static, with the reserve of sm_90
  std::uint32_t bank0_bytes = 0;                  ///< of constant bank 0
  std::map<std::uint32_t, Parameter> parameters;  ///< by ordinal
  std::optional<std::uint32_t> parameter_base;    ///< offset of the first one in bank 0
  std::optional<std::uint32_t> parameter_bytes;   ///< of all
  std::optional<std::uint32_t> most_threads;      ///< per block
  std::optional<std::array<std::uint32_t, 3>> required_block;
  std::optional<std::array<std::uint32_t, 3>> cluster;
};

/// A section that holds constants or variables: .nv.constant3, .nv.constant2.NAME, .nv.global,
/// .nv.global.init.
struct CubinData {
  std::string_view section;
  std::string_view bytes;  ///< initial; empty: zeros
  std::uint64_t size = 0;
};

/// A variable or function: `section` names where it lies; empty: elsewhere (extern).
struct CubinSymbol {
  std::string_view name, section;
  std::uint64_t offset = 0, size = 0;
};

/// A place that takes the address of a symbol, or half of it. Others, such as references to
/// textures, are left out.
struct CubinRelocation {
  std::string_view section;  ///< that holds the place
  std::uint64_t offset = 0;
  std::string_view symbol;
  SymbolAddress::Part part = SymbolAddress::Part::whole;
  std::optional<std::int64_t> addend;  ///< none: it stands at the place
};

/// A cubin as data. Views into its bytes.
struct Cubin {
  std::uint32_t sm = 0;
  std::vector<CubinKernel> kernels;  ///< by section
  std::vector<CubinData> data;
  std::vector<CubinSymbol> symbols;
  std::vector<CubinRelocation> relocations;
};

/// Reads everything but code. Every offset and count is checked: fails for damaged files.
Expected<Cubin> read_cubin(std::string_view bytes);

}  // namespace forewarp::input
