// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/cubin.h"

#include <algorithm>
#include <string>
#include <utility>

#include "input/binary/byte_fields.h"
#include "input/binary/elf_file.h"

namespace forewarp::input {
namespace {

constexpr std::string_view code_prefix = ".text.";
constexpr std::string_view info_prefix = ".nv.info";
constexpr std::string_view constant_prefix = ".nv.constant";
constexpr std::string_view parameter_prefix = ".nv.constant0.";
constexpr std::uint8_t kernel_mark = 0x10;  // STO_CUDA_ENTRY in st_other
constexpr std::uint32_t most_block = 1U << 16U;

// Attributes of .nv.info: a format, a number, and a value of two bytes or the size of a longer one.
constexpr std::uint8_t long_value = 4;
enum Attribute : std::uint8_t {
  max_threads = 0x05,
  param_cbank = 0x0a,
  required_threads = 0x10,
  frame_size = 0x11,
  kernel_parameter = 0x17,
  parameter_size = 0x19,
  register_count = 0x2f,
  cluster_size = 0x3d,
};

// Numbers of the relocations that write an address or half of it; the others are left out.
std::optional<SymbolAddress::Part> part_of(std::uint32_t type) {
  using Part = SymbolAddress::Part;
  switch (type) {
    case 2:   // R_CUDA_64
    case 4:   // R_CUDA_G64
    case 58:  // R_CUDA_ABS47_34: the target of a call
    case 75:  // R_CUDA_ABS55_16_34: the same from sm_90 on
      return Part::whole;
    case 11:  // R_CUDA_ABS32_HI_26, and for other places in a word
    case 14:
    case 44:
    case 57:
    case 72:  // R_CUDA_32_HI
      return Part::high;
    case 1:  // R_CUDA_32
    case 3:  // R_CUDA_G32
    case 5:  // R_CUDA_ABS32_26, .._23, .._20, .._32 and their low halves
    case 10:
    case 12:
    case 13:
    case 42:
    case 43:
    case 55:
    case 56:
    case 71:  // R_CUDA_32_LO
      return Part::low;
    default:
      return {};
  }
}

bool holds_data(std::string_view name) {
  if (name == ".nv.global" || name == ".nv.global.init") return true;
  return name.starts_with(constant_prefix) && name.size() > constant_prefix.size() &&
         name[constant_prefix.size()] != '0';
}

class CubinReader {
 public:
  explicit CubinReader(const ElfFile& elf) : elf_(elf), symbols_(elf.symbols()) {}

  Expected<Cubin> read() {
    cubin_.sm = elf_.sm();
    for (const ElfSection& section : elf_.sections) read_section(section);
    for (const ElfSymbol& symbol : symbols_) read_symbol(symbol);
    for (const ElfSection& section : elf_.sections) {
      if (section.name.starts_with(info_prefix)) read_info(section);
      read_relocations(section);
      read_size(section);
    }
    if (!fault_.empty()) return Diagnostic{"", fault_, "a complete cubin", ""};
    return std::move(cubin_);
  }

 private:
  void read_section(const ElfSection& section) {
    if (section.name.starts_with(code_prefix)) {
      CubinKernel kernel;
      kernel.name = section.name.substr(code_prefix.size());
      kernel.code = section.bytes;
      kernel.barriers = static_cast<std::uint32_t>(section.flags >> 20U);
      if (section.info >> 24U != 0) kernel.registers = section.info >> 24U;
      if (section.bytes.size() != section.size) {
        fault_ = "the cubin is cut short: the code of " + std::string(kernel.name) +
                 " lies outside of it";
      }
      by_name_[kernel.name] = cubin_.kernels.size();
      cubin_.kernels.push_back(std::move(kernel));
    } else if (holds_data(section.name)) {
      cubin_.data.push_back({section.name, section.bytes, section.size});
    }
  }

  void read_symbol(const ElfSymbol& symbol) {
    const bool here = symbol.section > 0 && symbol.section < elf_.sections.size();
    const std::string_view section = here ? elf_.sections[symbol.section].name : std::string_view();
    if (symbol.name.empty() || symbol.name.front() == '.') return;
    cubin_.symbols.push_back({symbol.name, section, symbol.value, symbol.size});
    CubinKernel* kernel = find(symbol.name);
    if (kernel != nullptr) kernel->entry |= (symbol.other & kernel_mark) != 0;
  }

  [[nodiscard]] CubinKernel* find(std::string_view name) {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &cubin_.kernels[found->second];
  }

  void read_size(const ElfSection& section) {
    constexpr std::string_view shared = ".nv.shared.";
    constexpr std::string_view bank0 = ".nv.constant0.";
    const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(section.size, ~0U));
    if (section.name.starts_with(shared)) {
      if (auto* kernel = find(section.name.substr(shared.size()))) kernel->shared_bytes = size;
    } else if (section.name.starts_with(bank0)) {
      if (auto* kernel = find(section.name.substr(bank0.size()))) kernel->bank0_bytes = size;
    }
  }

  void read_relocations(const ElfSection& section) {
    if (!section.name.starts_with(".rel") || section.info >= elf_.sections.size()) return;
    const std::string_view holder = elf_.sections[section.info].name;
    if (holder.starts_with(parameter_prefix)) return read_textures(section, holder);
    if (!holds_data(holder) && !holder.starts_with(code_prefix)) return;
    for (const ElfRelocation& row : elf_.relocations(section)) {
      const auto part = part_of(row.type);
      if (!part || row.symbol >= symbols_.size()) continue;
      cubin_.relocations.push_back({holder, row.offset, symbols_[row.symbol].name, *part,
                                    row.has_addend ? std::optional(row.addend) : std::nullopt});
    }
  }

  /// Handles of textures and surfaces that code names lie behind the parameters.
  void read_textures(const ElfSection& section, std::string_view holder) {
    constexpr std::uint32_t texture_handle = 6;   // R_CUDA_TEX_HEADER_INDEX
    constexpr std::uint32_t surface_handle = 52;  // the same of a surface
    for (const ElfRelocation& row : elf_.relocations(section)) {
      const bool handle = row.type == texture_handle || row.type == surface_handle;
      if (!handle || row.symbol >= symbols_.size()) continue;
      cubin_.relocations.push_back(
          {holder, row.offset, symbols_[row.symbol].name, SymbolAddress::Part::low, std::nullopt});
    }
  }

  void read_info(const ElfSection& section) {
    std::string_view rest = section.bytes;
    std::string_view name = section.name.substr(info_prefix.size());
    if (!name.empty()) name.remove_prefix(1);
    CubinKernel* kernel = find(name);
    while (rest.size() >= 4) {
      const auto format = field<std::uint8_t>(rest, 0);
      const auto attribute = field<std::uint8_t>(rest, 1);
      const auto value = field<std::uint16_t>(rest, 2);
      const std::string_view payload = rest.substr(4).substr(0, format == long_value ? value : 0);
      if (format == long_value && payload.size() < value) {
        fault_ = "the section " + std::string(section.name) + " ends inside an attribute";
        return;
      }
      read_attribute(attribute, value, payload, kernel);
      rest.remove_prefix(4 + payload.size());
    }
  }

  void read_attribute(std::uint8_t attribute, std::uint16_t value, std::string_view payload,
                      CubinKernel* kernel) {
    if ((attribute == register_count || attribute == frame_size) && payload.size() >= 8) {
      const auto index = field<std::uint32_t>(payload, 0);
      if (index >= symbols_.size()) return;
      CubinKernel* of = find(symbols_[index].name);
      if (of == nullptr) return;
      const auto number = field<std::uint32_t>(payload, 4);
      attribute == register_count ? of->registers = number : of->frame_bytes = number;
      return;
    }
    if (kernel == nullptr) return;
    if (attribute == kernel_parameter && payload.size() >= 12) {
      const auto ordinal = field<std::uint16_t>(payload, 4);
      kernel->parameters[ordinal] = {field<std::uint16_t>(payload, 6),
                                     field<std::uint32_t>(payload, 8) >> 18U};
    } else if (attribute == param_cbank && payload.size() >= 8) {
      kernel->parameter_base = field<std::uint16_t>(payload, 4);
    } else if (attribute == parameter_size) {
      kernel->parameter_bytes = value;
    } else if (attribute == cluster_size && payload.size() >= 12) {
      kernel->cluster = {field<std::uint32_t>(payload, 0), field<std::uint32_t>(payload, 4),
                         field<std::uint32_t>(payload, 8)};
    } else if ((attribute == max_threads || attribute == required_threads) &&
               payload.size() >= 12) {
      const std::array<std::uint32_t, 3> threads = {field<std::uint32_t>(payload, 0),
                                                    field<std::uint32_t>(payload, 4),
                                                    field<std::uint32_t>(payload, 8)};
      std::uint64_t all = 1;
      for (const std::uint32_t along : threads) all *= std::min(along, most_block + 1);
      if (all == 0 || all > most_block) return;
      if (attribute == max_threads) kernel->most_threads = static_cast<std::uint32_t>(all);
      if (attribute == required_threads) kernel->required_block = threads;
    }
  }

  const ElfFile& elf_;
  std::vector<ElfSymbol> symbols_;
  Cubin cubin_;
  std::map<std::string_view, std::size_t> by_name_;
  std::string fault_;
};

}  // namespace

Expected<Cubin> read_cubin(std::string_view bytes) {
  const auto elf = parse_elf(bytes);
  if (!elf) return elf.error();
  if (!elf_is_gpu_code(bytes)) {
    return Diagnostic{"", "an ELF file of another machine", "a cubin (machine 190)", ""};
  }
  return CubinReader(*elf).read();
}

}  // namespace forewarp::input
