// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/kernel_module.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "input/kernel_names.h"
#include "input/sass/line_cursor.h"
#include "input/scan.h"
#include "program/outside_function.h"

namespace forewarp::input {
namespace {

using Place = SymbolAddress::Place;
using Half = SymbolAddress::Part;

constexpr std::size_t most_constant_bytes = std::size_t{1} << 16U;
constexpr std::uint64_t section_alignment = 256;

/// The bank's number in ".nv.constant3" or ".nv.constant2.KERNEL", if it is this kernel's.
std::optional<std::uint32_t> bank_of(std::string_view section, std::string_view kernel) {
  std::uint32_t number = 0;
  if (!take(section, ".nv.constant") || !take_number(section, number)) return std::nullopt;
  if (section.empty() || (take(section, '.') && section == kernel)) return number;
  return std::nullopt;
}

std::uint32_t half_of(std::int64_t address, Half part) {
  const auto bits = static_cast<std::uint64_t>(address);
  return static_cast<std::uint32_t>(part == Half::high ? bits >> 32 : bits);
}

/// Builds what complete_module() adds to a kernel.
class ModuleBuilder {
 public:
  ModuleBuilder(Kernel& kernel, const ModuleStore& modules,
                std::span<const PlacedFunction> functions)
      : kernel_(kernel), stated_(modules.stated), facts_(modules.find(kernel.sm, kernel.mangled)) {
    begins_.emplace(kernel.mangled, 0);
    for (const PlacedFunction& function : functions) begins_.emplace(function.name, function.begin);
  }

  void build() {
    if (facts_ != nullptr) {
      take_contents();
      take_symbols();
    }
    take_stated();
    mark_read_constants();
    take_address_words();
    if (facts_ != nullptr) take_relocations();
  }

 private:
  void set_bank(std::uint32_t number, const std::vector<std::uint8_t>& bytes) {
    std::vector<ConstantData>& banks = kernel_.constant_banks;
    const auto at = std::lower_bound(
        banks.begin(), banks.end(), number,
        [](const ConstantData& bank, std::uint32_t wanted) { return bank.bank < wanted; });
    const auto size = static_cast<std::ptrdiff_t>(std::min(bytes.size(), most_constant_bytes));
    ConstantData data{number, {bytes.begin(), bytes.begin() + size}};
    if (at != banks.end() && at->bank == number) {
      *at = std::move(data);
    } else {
      banks.insert(at, std::move(data));
    }
  }

  [[nodiscard]] const std::vector<ModuleFacts::Relocation>& relocations_in(
      const std::string& section) const {
    static const std::vector<ModuleFacts::Relocation> none;
    const auto found = facts_->relocations.find(section);
    return found == facts_->relocations.end() ? none : found->second;
  }

  /// The addresses in a section from `offset` on, in their order there.
  [[nodiscard]] std::span<const ModuleFacts::Relocation* const> relocations_from(
      const std::string& section, std::uint64_t offset) const {
    const auto [known, added] = sorted_.try_emplace(section);
    std::vector<const ModuleFacts::Relocation*>& all = known->second;
    if (added) {
      for (const auto& relocation : relocations_in(section)) all.push_back(&relocation);
      std::ranges::stable_sort(all, {}, &ModuleFacts::Relocation::offset);
    }
    const auto first = std::ranges::lower_bound(all, offset, {}, &ModuleFacts::Relocation::offset);
    return {first, all.end()};
  }

  void take_contents() {
    for (const auto& [section, bytes] : facts_->contents) {
      if (const auto bank = bank_of(section, kernel_.mangled)) set_bank(*bank, bytes);
    }
  }

  /// In the address space, initialised variables come before others, as in the file.
  [[nodiscard]] std::uint64_t section_begin(std::string_view section) const {
    if (section != ".nv.global") return 0;
    const auto size = facts_->sizes.find(".nv.global.init");
    if (size == facts_->sizes.end()) return 0;
    return (size->second + section_alignment - 1) / section_alignment * section_alignment;
  }

  void take_symbols() {
    for (const ModuleFacts::Symbol& from : facts_->symbols) {
      const auto bank = bank_of(from.section, {});
      if ((!bank && !from.section.starts_with(".nv.global")) || from.size == 0) continue;
      if (bank && (from.offset > most_constant_bytes || from.size > most_constant_bytes)) continue;
      ModuleSymbol symbol;
      symbol.name = plain_symbol_name(from.name);
      symbol.mangled = from.name;
      symbol.space = bank ? MemorySpace::constant : MemorySpace::global;
      symbol.bank = bank.value_or(0);
      symbol.offset = section_begin(from.section) + from.offset;
      symbol.size = from.size;
      symbol.initialised =
          bank ? any_set(from.section, from.offset, from.size) : from.section == ".nv.global.init";
      // The host may read a variable that no code does.
      if (from.section == ".nv.global.init" && from.size <= most_constant_bytes)
        symbol.content = slice(from.section, from.offset, from.size);
      origins_.push_back(&from);
      by_name_.emplace(from.name, static_cast<std::uint32_t>(kernel_.symbols.size()));
      kernel_.symbols.push_back(std::move(symbol));
    }
  }

  /// Zeros in a constant bank may be a variable's content or missing content.
  [[nodiscard]] bool any_set(const std::string& section, std::uint64_t offset,
                             std::uint64_t size) const {
    const std::vector<std::uint8_t> bytes = slice(section, offset, size);
    const auto addresses = relocations_from(section, offset);
    const bool has_address = !addresses.empty() && addresses.front()->offset - offset < size;
    return has_address ||
           std::any_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte != 0; });
  }

  [[nodiscard]] std::vector<std::uint8_t> slice(const std::string& section, std::uint64_t offset,
                                                std::uint64_t size) const {
    const auto content = facts_->contents.find(section);
    if (content == facts_->contents.end() || offset >= content->second.size()) return {};
    const auto first = content->second.begin() + static_cast<std::ptrdiff_t>(offset);
    const auto count = std::min<std::uint64_t>(size, content->second.size() - offset);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }

  /// Header lines take precedence over the file, and those that name the kernel over general ones.
  void take_stated() {
    for (const auto& [key, bytes] : stated_.banks) {
      if (key.first.empty()) set_bank(key.second, bytes);
    }
    for (const auto& [key, bytes] : stated_.banks) {
      if (key.first.empty()) continue;
      if (key.first == kernel_.mangled || key.first == kernel_.name) set_bank(key.second, bytes);
    }
    for (const ModuleSymbol& symbol : stated_.symbols) {
      const auto [at, added] =
          by_name_.emplace(symbol.mangled, static_cast<std::uint32_t>(kernel_.symbols.size()));
      if (added) {
        kernel_.symbols.push_back(symbol);
        origins_.push_back(nullptr);
      } else {
        kernel_.symbols[at->second] = symbol;
        origins_[at->second] = nullptr;
      }
    }
  }

  /// Marks variables that operands read: the one at the operand's offset, else all of its bank.
  void mark_read_constants() {
    std::set<std::pair<std::uint32_t, std::uint64_t>> places;
    for (const Operand& operand : kernel_.operands) {
      if (operand.kind != OperandKind::constant || operand.index == 0) continue;
      read_banks_.insert(operand.index);
      places.emplace(operand.index, static_cast<std::uint64_t>(operand.value));
    }
    for (const auto& [bank, offset] : places) {
      const bool inside = mark_constants(bank, [&](const ModuleSymbol& symbol) {
        return offset >= symbol.offset && offset - symbol.offset < symbol.size;
      });
      if (!inside) mark_constants(bank, [](const ModuleSymbol&) { return true; });
    }
  }

  template <class Meant>
  bool mark_constants(std::uint32_t bank, Meant meant) {
    bool any = false;
    for (ModuleSymbol& symbol : kernel_.symbols) {
      if (symbol.space != MemorySpace::constant || symbol.bank != bank || !meant(symbol)) continue;
      symbol.used = true;
      any = true;
    }
    return any;
  }

  /// Finds or adds a symbol by name; one that only code mentions has nothing but a name.
  std::uint32_t symbol_named(std::string_view name) {
    const auto [at, added] =
        by_name_.emplace(std::string(name), static_cast<std::uint32_t>(kernel_.symbols.size()));
    if (added) {
      ModuleSymbol symbol;
      symbol.mangled = name;
      symbol.name = plain_symbol_name(symbol.mangled);
      symbol.space = MemorySpace::global;
      symbol.bank = 0;
      kernel_.symbols.push_back(std::move(symbol));
      origins_.push_back(nullptr);
    }
    return at->second;
  }

  void take_address_words() {
    for (std::size_t i = 0; i < kernel_.operands.size(); ++i) {
      if (kernel_.operands[i].kind != OperandKind::word) continue;
      const auto word = address_word(kernel_.text_of(kernel_.operands[i]));
      if (!word || !word->label.empty()) continue;
      const std::uint32_t symbol = symbol_named(word->symbol);
      add({Place::operand, word->part, symbol, word->addend, static_cast<std::uint32_t>(i), 0});
    }
  }

  /// Adds an address, and with it the variable's content and the addresses in that content.
  void add(const SymbolAddress& address) {
    kernel_.symbol_addresses.push_back(address);
    if (address.symbol != SymbolAddress::no_symbol) use(address.symbol);
  }

  void use(std::uint32_t index) {
    ModuleSymbol& symbol = kernel_.symbols[index];
    if (symbol.used) return;
    symbol.used = true;
    const ModuleFacts::Symbol* origin = origins_[index];
    if (origin == nullptr || origin->section != ".nv.global.init") return;
    symbol.content = slice(origin->section, origin->offset, origin->size);
    pending_.push_back(index);
  }

  void take_relocations() {
    for (const auto& [section, relocations] : facts_->relocations) {
      const auto bank = bank_of(section, kernel_.mangled);
      if (!bank || !read_banks_.contains(*bank)) continue;
      for (const auto& relocation : relocations) take_bank_address(section, relocation, *bank);
    }
    for (const auto& [function, begin] : begins_) {
      for (ModuleFacts::Relocation relocation : relocations_in(".text." + function)) {
        relocation.offset += begin;
        take_code(relocation);
      }
    }
    for (const auto& relocation : relocations_in(".nv.constant0." + kernel_.mangled))
      take_texture(relocation);
    while (!pending_.empty()) {
      const std::uint32_t holder = pending_.back();
      pending_.pop_back();
      take_addresses_in(holder);
    }
  }

  /// The target of the call at an address, if it is printed as a number; else null.
  [[nodiscard]] Operand* called_at(std::uint64_t address) {
    const std::size_t index = kernel_.index_at(static_cast<std::uint32_t>(address));
    if (index >= kernel_.instructions.size()) return nullptr;
    const Instruction& instruction = kernel_.instructions[index];
    if (instruction.address != address || instruction.operand_count == 0) return nullptr;
    if (instruction.instruction_class != InstructionClass::call) return nullptr;
    Operand& target = kernel_.operands[instruction.first_operand + instruction.operand_count - 1U];
    const bool number = target.kind == OperandKind::integer || target.kind == OperandKind::target;
    return number ? &target : nullptr;
  }

  /// The target of a call of a function that the driver has: its name is put behind the text.
  void take_outside_call(const ModuleFacts::Relocation& relocation) {
    Operand* called = called_at(relocation.offset);
    if (called == nullptr) return;
    Operand& target = *called;
    if (outside_function(relocation.symbol) == OutsideFunction::other && target.value != 0) return;
    target.kind = OperandKind::word;
    target.text_begin = static_cast<std::uint32_t>(kernel_.text.size());
    target.text_size = static_cast<decltype(target.text_size)>(relocation.symbol.size());
    kernel_.text += relocation.symbol;
  }

  void take_code(const ModuleFacts::Relocation& relocation) {
    if (outside_function(relocation.symbol) != OutsideFunction::other)
      return take_outside_call(relocation);
    const auto function = begins_.find(relocation.symbol);
    const bool placed = function != begins_.end();
    if (Operand* called = placed ? called_at(relocation.offset) : nullptr) {
      called->kind = OperandKind::target;
      called->value = function->second + (relocation.addend_in_place ? 0 : relocation.addend);
      return;
    }
    const auto operand = immediate_at(relocation.offset);
    if (!operand) return;
    Operand& immediate = kernel_.operands[*operand];
    const std::int64_t addend = relocation.addend_in_place ? immediate.value : relocation.addend;
    if (placed) {  // a return address, or a function's: counted from the kernel's start
      immediate.value = half_of(function->second + addend, relocation.part);
      return;
    }
    const auto symbol = by_name_.find(relocation.symbol);
    if (symbol == by_name_.end()) return take_outside_call(relocation);
    if (relocation.part == Half::whole) return;
    add({Place::operand, relocation.part, symbol->second, addend, *operand, 0});
  }

  /// A texture that code names has nothing but its name, and a place for its handle in bank 0.
  void take_texture(const ModuleFacts::Relocation& relocation) {
    if (relocation.offset + 4 > most_constant_bytes) return;
    const auto [at, added] =
        by_name_.emplace(relocation.symbol, static_cast<std::uint32_t>(kernel_.symbols.size()));
    if (added) {
      ModuleSymbol symbol;
      symbol.mangled = relocation.symbol;
      symbol.name = plain_symbol_name(symbol.mangled);
      symbol.space = MemorySpace::texture;
      symbol.bank = 0;
      symbol.used = true;
      kernel_.symbols.push_back(std::move(symbol));
      origins_.push_back(nullptr);
    }
    if (kernel_.symbols[at->second].space != MemorySpace::texture) return;
    kernel_.symbol_addresses.push_back(
        {Place::constant, Half::low, at->second, 0, 0, relocation.offset});
  }

  /// The last immediate operand of the instruction at `address`.
  [[nodiscard]] std::optional<std::uint32_t> immediate_at(std::uint64_t address) const {
    const std::size_t index = kernel_.index_at(static_cast<std::uint32_t>(address));
    if (index >= kernel_.instructions.size()) return std::nullopt;
    const Instruction& instruction = kernel_.instructions[index];
    if (instruction.address != address) return std::nullopt;
    for (std::uint32_t i = instruction.operand_count; i-- > 0;) {
      const std::uint32_t operand = instruction.first_operand + i;
      if (kernel_.operands[operand].kind == OperandKind::integer) return operand;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint32_t variable(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? SymbolAddress::no_symbol : found->second;
  }

  void take_bank_address(const std::string& section, const ModuleFacts::Relocation& relocation,
                         std::uint32_t bank) {
    if (relocation.offset + 8 > most_constant_bytes) return;
    if (const auto function = outside_function(relocation.symbol);
        function != OutsideFunction::other && relocation.part != Half::high) {
      const std::size_t bytes = relocation.part == Half::whole ? 8 : 4;
      return put_outside_address(outside_address(function), bytes, bank, relocation.offset);
    }
    if (const auto function = begins_.find(relocation.symbol); function != begins_.end()) {
      const bool whole = relocation.part == Half::whole;
      const std::int64_t address = function->second + addend_of(section, relocation);
      const std::uint64_t put =
          whole ? static_cast<std::uint64_t>(address) : half_of(address, relocation.part);
      return put_outside_address(put, whole ? 8 : 4, bank, relocation.offset);
    }
    add({Place::constant, relocation.part, variable(relocation.symbol),
         addend_of(section, relocation), bank, relocation.offset});
  }

  void put_outside_address(std::uint64_t address, std::size_t bytes, std::uint32_t bank,
                           std::uint64_t offset) {
    for (ConstantData& data : kernel_.constant_banks) {
      if (data.bank != bank) continue;
      data.bytes.resize(std::max<std::size_t>(data.bytes.size(), offset + bytes));
      for (std::size_t i = 0; i < bytes; ++i)
        data.bytes[offset + i] = static_cast<std::uint8_t>(address >> (8 * i));
    }
  }

  [[nodiscard]] std::int64_t addend_of(const std::string& section,
                                       const ModuleFacts::Relocation& relocation) const {
    if (!relocation.addend_in_place) return relocation.addend;
    const std::size_t size = relocation.part == Half::whole ? 8 : 4;
    const auto bytes = slice(section, relocation.offset, size);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
    return static_cast<std::int64_t>(value);
  }

  void take_addresses_in(std::uint32_t holder) {
    const ModuleFacts::Symbol& origin = *origins_[holder];
    for (const ModuleFacts::Relocation* found : relocations_from(origin.section, origin.offset)) {
      const ModuleFacts::Relocation& relocation = *found;
      const std::uint64_t offset = relocation.offset - origin.offset;
      const std::uint64_t size = relocation.part == Half::whole ? 8 : 4;
      if (offset >= kernel_.symbols[holder].content.size()) break;
      std::vector<std::uint8_t>& content = kernel_.symbols[holder].content;
      if (offset + size > content.size()) continue;
      if (const auto function = begins_.find(relocation.symbol); function != begins_.end()) {
        const std::int64_t address = function->second + addend_of(origin.section, relocation);
        const std::uint64_t put = relocation.part == Half::whole
                                      ? static_cast<std::uint64_t>(address)
                                      : half_of(address, relocation.part);
        for (std::uint64_t i = 0; i < size; ++i)
          content[offset + i] = static_cast<std::uint8_t>(put >> (8 * i));
        continue;
      }
      add({Place::global, relocation.part, variable(relocation.symbol),
           addend_of(origin.section, relocation), holder, offset});
    }
  }

  Kernel& kernel_;
  std::map<std::string, std::uint32_t, std::less<>> begins_;  // of functions in the code
  const StatedModule& stated_;
  const ModuleFacts* facts_;
  std::map<std::string, std::uint32_t, std::less<>> by_name_;
  std::set<std::uint32_t> read_banks_;
  mutable std::map<std::string, std::vector<const ModuleFacts::Relocation*>> sorted_;  // by section
  std::vector<const ModuleFacts::Symbol*> origins_;  // by symbol; null if the file has none
  std::vector<std::uint32_t> pending_;               // symbols whose content may hold addresses
};

}  // namespace

std::optional<AddressWord> address_word(std::string_view operand) {
  AddressWord word;
  if (take(operand, "32@hi(")) {
    word.part = Half::high;
  } else if (!take(operand, "32@lo(")) {
    return std::nullopt;
  }
  const bool sum = take(operand, '(');
  word.symbol = take_until(operand, " +)");
  if (word.symbol.empty()) return std::nullopt;
  if (!sum) return word;
  operand = skip_blanks(operand);
  if (!take(operand, '+')) return word;
  operand = skip_blanks(operand);
  std::uint64_t addend = 0;
  if (take_integer(operand, addend)) {
    word.addend = static_cast<std::int64_t>(addend);
  } else {
    word.label = take_until(operand, "@)");
  }
  return word;
}

void complete_module(Kernel& kernel, const ModuleStore& modules,
                     std::span<const PlacedFunction> functions) {
  ModuleBuilder(kernel, modules, functions).build();
}

std::vector<std::string> names_in_relocations(const ModuleFacts& facts, const std::string& function,
                                              bool by_address) {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<ModuleFacts::Relocation>& rows) {
    for (const ModuleFacts::Relocation& row : rows) {
      if (outside_function(row.symbol) == OutsideFunction::other) names.push_back(row.symbol);
    }
  };
  if (const auto code = facts.relocations.find(".text." + function);
      code != facts.relocations.end())
    add(code->second);
  for (const auto& [section, rows] : facts.relocations) {
    const bool data = section.starts_with(".nv.global") || section.starts_with(".nv.constant");
    if (by_address && data && !section.starts_with(".nv.constant0")) add(rows);
  }
  return names;
}

}  // namespace forewarp::input
