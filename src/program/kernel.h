// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "program/instruction.h"
#include "program/module_data.h"

namespace forewarp::program {

/// Where a fact about a kernel comes from, best first.
enum class FactSource : std::uint8_t { stated, header_line, section_info, mangled_name, inferred };

/// One kernel parameter.
struct Parameter {
  std::string name;          ///< empty if unknown
  std::string type;          ///< "int", "float*", "unsigned long long"; empty if unknown
  std::uint32_t offset = 0;  ///< bytes from the first parameter
  std::uint32_t size = 0;    ///< bytes
  bool pointer = false;
};

/// A structure parameter with known fields. The fields replace it in Kernel::parameters, each as a
/// parameter of its own such as "matrix.rows".
struct StructureParameter {
  std::string name, type;
  std::uint32_t ordinal = 0;           ///< the structure's position among the declared parameters
  std::uint32_t first = 0, count = 0;  ///< range of its fields in Kernel::parameters
  std::uint32_t offset = 0, size = 0;  ///< bytes, including padding
};

/// What a kernel needs of an SM; nullopt where no source states it.
struct Resources {
  std::optional<std::uint32_t> registers;       ///< per thread
  std::optional<std::uint32_t> static_shared;   ///< bytes per block, without the reserve of sm_90
  std::optional<std::uint32_t> local_bytes;     ///< per thread: stack frame
  std::optional<std::uint32_t> constant_bytes;  ///< of bank 0
  std::optional<std::uint32_t> barriers;        ///< named barriers that it uses
  std::optional<std::uint32_t> most_threads;    ///< per block: __launch_bounds__, .maxntid
  std::optional<std::array<std::uint32_t, 3>> required_block;  ///< .reqntid, threads along x, y, z
  std::optional<std::array<std::uint32_t, 3>> cluster;  ///< blocks along x, y, z: __cluster_dims__
  FactSource registers_source = FactSource::inferred;
};

/// One compiled kernel as plain data, exactly as the listing gives it.
struct Kernel {
  std::string name;                       ///< plain name: axpy
  std::string mangled;                    ///< as in the listing: _Z4axpyiiPfS_
  std::uint32_t sm = 0;                   ///< architecture number: 52 for sm_52
  std::string text;                       ///< instruction texts, back to back
  std::vector<Instruction> instructions;  ///< by address, including padding after the end
  std::vector<Operand> operands;
  std::vector<std::string> source_files;  ///< of Instruction::source_line, when known
  std::vector<Parameter> parameters;  ///< in order; known structures are replaced by their fields
  std::vector<StructureParameter> structures;
  FactSource parameters_source = FactSource::inferred;
  Resources resources;
  std::vector<ConstantData> constant_banks;     ///< by bank; without bank 0, which the launch fills
  std::vector<ModuleSymbol> symbols;            ///< in the file's order
  std::vector<SymbolAddress> symbol_addresses;  ///< of symbols that the kernel uses
  bool isa_assumed = false;  ///< code of another architecture than the GPU's, used on request
  std::vector<std::string> assumptions;  ///< made while obtaining this code, one sentence each
  std::uint32_t parameter_base = 0;      ///< byte offset of parameter 0 in constant bank 0
  bool has_control = false;              ///< the listing has control words
  std::uint32_t unknown_opcodes = 0;     ///< instructions whose mnemonic is not in the table
  std::uint32_t undecoded = 0;           ///< instructions printed as bare words

  [[nodiscard]] std::span<const Operand> operands_of(const Instruction& instruction) const {
    return {operands.data() + instruction.first_operand, instruction.operand_count};
  }
  /// As printed: "@P0 IADD3.X R7, RZ, R17, RZ, P0, !PT".
  [[nodiscard]] std::string_view text_of(const Instruction& instruction) const {
    return std::string_view(text).substr(instruction.text_begin, instruction.text_size);
  }
  [[nodiscard]] std::string_view text_of(const Operand& operand) const {
    return std::string_view(text).substr(operand.text_begin, operand.text_size);
  }
  /// Index of the instruction at `address`, or of the next one if a control word is there;
  /// instructions.size() if `address` is past the end.
  [[nodiscard]] std::size_t index_at(std::uint32_t address) const;
};

/// "0x01a0 'LDG.E R2, [R4.64]'", with source file and line if the listing has them.
[[nodiscard]] std::string instruction_text(const Kernel& kernel, std::uint32_t index);

}  // namespace forewarp::program
