// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/cubin_linking.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "input/binary/byte_fields.h"
#include "input/binary/elf_file.h"

namespace forewarp::input {
namespace {

constexpr std::string_view code_prefix = ".text.";
constexpr std::uint8_t kernel_mark = 0x10;      // STO_CUDA_ENTRY in st_other
constexpr std::size_t section_alignment = 128;  // of sections in the file
constexpr std::size_t bundle = 32;  // of instructions before sm_70: code is aligned to it
constexpr std::size_t most_added = std::size_t{256} << 20U;    // bytes of code that is repeated
constexpr unsigned registers_shift = 24, barriers_shift = 20;  // in sh_info and sh_flags

/// Where an instruction holds an address: `count` bits of it, from its bit `shift` on, and `others`
/// from the next bit on at another place.
struct AddressField {
  unsigned first = 0, count = 32, shift = 0;
  unsigned others_first = 0, others = 0;

  /// The bit of the instruction that holds the field's bit `i`.
  [[nodiscard]] unsigned place(unsigned i) const {
    return i < count ? first + i : others_first + i - count;
  }
  [[nodiscard]] unsigned end() const { return std::max(first + count, others_first + others); }
};
constexpr unsigned high_half = 32;

/// By the number of the relocation; its name says the bits: R_CUDA_ABS32_LO_20 is 43.
std::optional<AddressField> field_of(std::uint32_t type) {
  switch (type) {
    case 5:
    case 10:
      return AddressField{26};
    case 11:
      return AddressField{26, 32, high_half};
    case 12:
    case 13:
      return AddressField{23};
    case 14:
      return AddressField{23, 32, high_half};
    case 42:
    case 43:
      return AddressField{20};
    case 44:
      return AddressField{20, 32, high_half};
    case 55:
    case 56:
      return AddressField{32};
    case 57:
      return AddressField{32, 32, high_half};
    case 58:
      return AddressField{34, 46, 2};  // R_CUDA_ABS47_34: the target of a call
    case 75:
      return AddressField{16, 8, 2, 34, 47};  // R_CUDA_ABS55_16_34: the same from sm_90 on
    default:
      return std::nullopt;
  }
}

/// Calls take a function's address whole, at any place of it; what takes the halves keeps it.
bool keeps_address(std::uint32_t type) {
  const auto field = field_of(type);
  return field &&
         (field->shift == high_half || type == 10 || type == 13 || type == 43 || type == 56);
}

/// Bytes of an address in data: R_CUDA_32 and R_CUDA_64. 0: of another kind.
std::size_t address_bytes(std::uint32_t type) {
  return type == 1 ? 4 : type == 2 ? 8 : 0;
}

bool bit_at(std::string_view bytes, std::uint64_t bit) {
  return (static_cast<unsigned char>(bytes[bit / 8]) >> (bit % 8) & 1U) != 0;
}

void put_bit(std::string& bytes, std::uint64_t bit, bool value) {
  const auto mask = static_cast<unsigned char>(1U << (bit % 8));
  const auto byte = static_cast<unsigned char>(bytes[bit / 8]);
  bytes[bit / 8] = static_cast<char>(value ? byte | mask : byte & ~mask);
}

template <typename T>
void put(std::string& bytes, std::uint64_t offset, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    if (offset + i < bytes.size()) bytes[offset + i] = static_cast<char>(value >> (8 * i) & 0xffU);
  }
}

std::string packed(const ElfRelocation& row) {
  std::string bytes(row.has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel), '\0');
  put(bytes, 0, row.offset);
  put(bytes, 8, std::uint64_t{row.symbol} << 32U | row.type);
  if (row.has_addend) put(bytes, 16, static_cast<std::uint64_t>(row.addend));
  return bytes;
}

/// One kernel with the functions that it needs.
struct LinkedKernel {
  std::string code;
  std::vector<ElfRelocation> left;  ///< by place from the kernel's start
  std::uint32_t registers = 0, barriers = 0;
  std::size_t functions = 0;  ///< besides the kernel
};

/// Functions whose addresses are kept in memory lie at the same place in every kernel: behind the
/// longest one, in their order in the file.
class Linker {
 public:
  Linker(const ElfFile& elf, const std::vector<ElfSymbol>& symbols) : elf_(elf), symbols_(symbols) {
    for (const ElfSymbol& symbol : symbols) {
      if ((symbol.other & kernel_mark) != 0 && is_code(symbol.section))
        kernels_.insert(symbol.section);
    }
    for (const ElfSection& section : elf_.sections) {
      if (!section.name.starts_with(".rel") || section.info >= elf_.sections.size()) continue;
      auto& rows = rows_[section.info];
      for (const ElfRelocation& row : elf_.relocations(section)) {
        rows.push_back(row);
        note(row, section.info);
      }
    }
    for (const std::uint32_t kernel : kernels_)
      kept_begin_ = std::max(kept_begin_, bundles(elf_.sections[kernel].bytes.size()));
  }

  [[nodiscard]] LinkedKernel link(std::uint32_t kernel) const {
    LinkedKernel made;
    std::vector<Placed> parts;
    place(kernel, made, parts);
    if (!kept_.empty()) fill(made.code, kept_begin_);
    for (const std::uint32_t function : kept_) {
      if (made.code.size() <= most_added) place(function, made, parts);
    }
    for (std::size_t i = 0; i < parts.size() && made.code.size() <= most_added; ++i) {
      const Placed part = parts[i];
      const auto rows = rows_.find(part.section);
      if (rows == rows_.end()) continue;
      for (const ElfRelocation& row : rows->second) relocate(row, part, made, parts);
    }
    made.functions = parts.size() - 1;
    return made;
  }

  /// What data holds for the address that a relocation names; nullopt: it names no function whose
  /// address is kept.
  [[nodiscard]] std::optional<std::uint64_t> kept_address(const ElfRelocation& row) const {
    if (row.symbol >= symbols_.size()) return std::nullopt;
    const ElfSymbol& symbol = symbols_[row.symbol];
    std::uint64_t begin = kept_begin_;
    for (const std::uint32_t function : kept_) {
      if (function == symbol.section) return begin + symbol.value;
      begin += bundles(elf_.sections[function].bytes.size());
    }
    return std::nullopt;
  }

 private:
  struct Placed {
    std::uint32_t section = 0;
    std::uint64_t begin = 0;
  };

  [[nodiscard]] bool is_code(std::uint32_t section) const {
    if (section == 0 || section >= elf_.sections.size()) return false;
    return elf_.sections[section].name.starts_with(code_prefix);
  }

  [[nodiscard]] static std::size_t bundles(std::size_t bytes) {
    return (bytes + bundle - 1) / bundle * bundle;
  }

  void note(const ElfRelocation& row, std::uint32_t changed) {
    if (row.symbol >= symbols_.size()) return;
    const std::uint32_t named = symbols_[row.symbol].section;
    const bool keeps = is_code(changed) ? keeps_address(row.type)
                                        : is_data(changed) && address_bytes(row.type) > 0;
    if (keeps && named != changed && is_code(named) && !kernels_.contains(named))
      kept_.insert(named);
  }

  [[nodiscard]] bool is_data(std::uint32_t section) const {
    const std::string_view name = elf_.sections[section].name;
    return name.starts_with(".nv.global") || name.starts_with(".nv.constant");
  }

  /// Repeats the last instructions, which are behind the code's end, up to `size`.
  static void fill(std::string& code, std::size_t size) {
    code.resize(bundles(code.size()));
    if (code.size() < bundle) return;
    const std::string last = code.substr(code.size() - bundle);
    while (code.size() < size) code += last;
  }

  std::uint64_t place(std::uint32_t number, LinkedKernel& made, std::vector<Placed>& parts) const {
    for (const Placed& part : parts) {
      if (part.section == number) return part.begin;
    }
    const ElfSection& section = elf_.sections[number];
    made.code.resize(bundles(made.code.size()));
    parts.push_back({number, made.code.size()});
    made.code += section.bytes;
    made.registers = std::max(made.registers, section.info >> registers_shift);
    made.barriers =
        std::max(made.barriers, static_cast<std::uint32_t>(section.flags >> barriers_shift));
    return parts.back().begin;
  }

  void relocate(const ElfRelocation& row, const Placed& part, LinkedKernel& made,
                std::vector<Placed>& parts) const {
    const std::size_t size = elf_.sections[part.section].bytes.size();
    const auto field = field_of(row.type);
    if (row.offset >= size || row.symbol >= symbols_.size()) return;
    const ElfSymbol& symbol = symbols_[row.symbol];
    const bool inside = field && 8 * (size - row.offset) >= field->end();
    ElfRelocation moved = row;
    moved.offset += part.begin;
    if (!inside || !is_code(symbol.section) ||
        symbol.value >= elf_.sections[symbol.section].bytes.size()) {
      made.left.push_back(moved);
      return;
    }
    const std::uint64_t begin = 8 * moved.offset;
    const unsigned bits = field->count + field->others;
    auto address = static_cast<std::uint64_t>(row.addend);
    if (!row.has_addend) {
      address = 0;
      for (unsigned i = 0; i < bits; ++i)
        address |= std::uint64_t{bit_at(made.code, begin + field->place(i))} << i;
      if (field->shift != high_half) address <<= field->shift;
    }
    address += place(symbol.section, made, parts) + symbol.value;
    address >>= field->shift;
    for (unsigned i = 0; i < bits; ++i)
      put_bit(made.code, begin + field->place(i), (address >> i & 1U) != 0);
  }

  const ElfFile& elf_;
  const std::vector<ElfSymbol>& symbols_;
  std::map<std::uint32_t, std::vector<ElfRelocation>> rows_;  ///< by the section that they change
  std::set<std::uint32_t> kernels_, kept_;  ///< sections: of kernels, of functions kept by address
  std::size_t kept_begin_ = 0;
};

/// Writes linked kernels behind the file and lets its tables refer to them.
class Rewriter {
 public:
  Rewriter(std::string_view bytes, const ElfFile& elf)
      : file_(bytes),
        elf_(elf),
        table_(field<std::uint64_t>(bytes, offsetof(Elf64_Ehdr, e_shoff))),
        origin_(bytes.data()) {}

  /// False: some relocation has no section to be in; nothing is changed.
  bool put_kernel(std::uint32_t number, std::string_view name, const LinkedKernel& kernel) {
    std::string plain, with_addend;
    for (const ElfRelocation& row : kernel.left)
      (row.has_addend ? with_addend : plain) += packed(row);
    const auto plain_at = relocations_of(number, SHT_REL);
    const auto addend_at = relocations_of(number, SHT_RELA);
    if ((!plain.empty() && !plain_at) || (!with_addend.empty() && !addend_at)) return false;
    if (plain_at) put_section(*plain_at, plain);
    if (addend_at) put_section(*addend_at, with_addend);
    put_section(number, kernel.code);
    const ElfSection& section = elf_.sections[number];
    const std::uint32_t low = section.info & ((1U << registers_shift) - 1);
    put(file_, header(number) + offsetof(Elf64_Shdr, sh_info),
        kernel.registers << registers_shift | low);
    const std::uint64_t kept = section.flags & ((1U << barriers_shift) - 1);
    put(file_, header(number) + offsetof(Elf64_Shdr, sh_flags),
        std::uint64_t{kernel.barriers} << barriers_shift | kept);
    put_size(name, kernel.code.size());
    return true;
  }

  /// Writes the addresses of functions into data, whose relocations then are gone.
  void put_addresses(const Linker& linker) {
    for (std::uint32_t i = 0; i < elf_.sections.size(); ++i) {
      const ElfSection& rows = elf_.sections[i];
      const bool of_data = rows.name.starts_with(".rel.nv.") || rows.name.starts_with(".rela.nv.");
      if (!of_data || rows.info >= elf_.sections.size()) continue;
      const ElfSection& data = elf_.sections[rows.info];
      std::string left;
      for (const ElfRelocation& row : elf_.relocations(rows)) {
        const std::size_t bytes = address_bytes(row.type);
        auto address = linker.kept_address(row);
        const bool inside =
            bytes > 0 && data.bytes.size() >= bytes && row.offset <= data.bytes.size() - bytes;
        if (!address || !inside) {
          left += packed(row);
          continue;
        }
        const auto begin = static_cast<std::uint64_t>(data.bytes.data() - origin_) + row.offset;
        std::uint64_t added = 0;
        std::memcpy(&added, data.bytes.data() + row.offset, bytes);
        *address += row.has_addend ? static_cast<std::uint64_t>(row.addend) : added;
        if (bytes == 4) put(file_, begin, static_cast<std::uint32_t>(*address));
        if (bytes == 8) put(file_, begin, *address);
      }
      put_section(i, left);
    }
  }

  [[nodiscard]] std::size_t size() const { return file_.size(); }
  std::string take() { return std::move(file_); }

 private:
  [[nodiscard]] std::uint64_t header(std::uint32_t section) const {
    return table_ + std::uint64_t{section} * sizeof(Elf64_Shdr);
  }

  [[nodiscard]] std::optional<std::uint32_t> relocations_of(std::uint32_t number,
                                                            std::uint32_t type) const {
    for (std::uint32_t i = 0; i < elf_.sections.size(); ++i) {
      const ElfSection& section = elf_.sections[i];
      if (section.type == type && section.info == number && section.name.starts_with(".rel"))
        return i;
    }
    return std::nullopt;
  }

  void put_section(std::uint32_t number, const std::string& content) {
    file_.resize((file_.size() + section_alignment - 1) / section_alignment * section_alignment);
    put(file_, header(number) + offsetof(Elf64_Shdr, sh_offset), std::uint64_t{file_.size()});
    put(file_, header(number) + offsetof(Elf64_Shdr, sh_size), std::uint64_t{content.size()});
    file_ += content;
  }

  /// The symbol's, which a disassembler goes by.
  void put_size(std::string_view name, std::uint64_t size) {
    const auto symbols = elf_.symbols();
    for (const ElfSection& section : elf_.sections) {
      if (section.type != SHT_SYMTAB || section.bytes.empty()) continue;
      // The views are into the bytes that the file began with.
      const auto begin = static_cast<std::uint64_t>(section.bytes.data() - origin_);
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (symbols[i].name != name) continue;
        put(file_, begin + i * sizeof(Elf64_Sym) + offsetof(Elf64_Sym, st_size), size);
      }
      return;
    }
  }

  std::string file_;
  const ElfFile& elf_;
  std::uint64_t table_ = 0;  ///< of section headers
  const char* origin_;       ///< where the views of elf_ begin
};

}  // namespace

std::string link_cubin(std::string_view bytes) {
  const auto elf = parse_elf(bytes);
  if (!elf) return {};
  const std::vector<ElfSymbol> symbols = elf->symbols();
  const Linker linker(*elf, symbols);
  Rewriter file(bytes, *elf);
  bool any = false;
  for (const ElfSymbol& symbol : symbols) {
    if ((symbol.other & kernel_mark) == 0 || symbol.section >= elf->sections.size()) continue;
    const std::string_view section = elf->sections[symbol.section].name;
    if (!section.starts_with(code_prefix) || section.substr(code_prefix.size()) != symbol.name)
      continue;
    const LinkedKernel kernel = linker.link(symbol.section);
    if (kernel.functions == 0) continue;
    if (file.size() + kernel.code.size() > bytes.size() + most_added) break;
    any |= file.put_kernel(symbol.section, symbol.name, kernel);
  }
  if (any) file.put_addresses(linker);
  return any ? file.take() : std::string();
}

}  // namespace forewarp::input
