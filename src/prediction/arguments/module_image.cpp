// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/arguments/module_image.h"

#include <algorithm>
#include <utility>

#include "execution/storage/address_space.h"
#include "prediction/arguments/signature.h"
#include "prediction/arguments/symbol_value.h"

namespace forewarp::prediction {
namespace {

constexpr std::uint64_t address_alignment = 256;
constexpr std::uint32_t pointer_bytes = 8;
// Below it are the windows of a thread's address space.
constexpr std::uint64_t lowest_address = address_space::workspace + address_space::workspace_bytes;

std::uint64_t aligned(std::uint64_t address) {
  return (address + address_alignment - 1) / address_alignment * address_alignment;
}

std::uint32_t half_of(std::uint64_t address, SymbolAddress::Part part) {
  return static_cast<std::uint32_t>(part == SymbolAddress::Part::high ? address >> 32 : address);
}

/// Loads the module in the order of a program's start: the file's content, the addresses that the
/// loader writes into it, then what the host copies.
class ModuleLoader {
 public:
  ModuleLoader(const Kernel& kernel, std::uint64_t first, const execution::PlacesApart& apart)
      : kernel_(kernel),
        apart_(apart),
        given_(kernel.symbols.size(), nullptr),
        base_(aligned(std::max(first, lowest_address))) {
    image_.end = base_;
  }

  Expected<void> take(const NamedArgument& constant) {
    const auto symbol = chosen_symbol(kernel_, constant);
    if (!symbol) return symbol.error();
    given_[*symbol] = &constant.value;
    return {};
  }

  Expected<ModuleImage> load() && {
    for (const ConstantData& data : kernel_.constant_banks) {
      image_.banks.push_back({data.bank, data.bytes, std::vector(data.bytes.size(), known_byte)});
    }
    place_globals();
    for (const SymbolAddress& address : kernel_.symbol_addresses) write_address(address);
    for (std::uint32_t i = 0; i < kernel_.symbols.size(); ++i) {
      if (kernel_.symbols[i].space == MemorySpace::texture) continue;
      const bool global = kernel_.symbols[i].space == MemorySpace::global;
      if (auto done = global ? load_global(i) : load_constant(i); !done) return done.error();
    }
    return std::move(image_);
  }

 private:
  static constexpr std::uint8_t known_byte = 1;

  [[nodiscard]] static bool is_sized(const ModuleSymbol& symbol) {
    return symbol.size != ModuleSymbol::unknown_size;
  }

  /// Variables keep their offsets within the module; those whose size only the launch knows come
  /// behind.
  void place_globals() {
    addresses_.resize(kernel_.symbols.size());
    contents_.resize(kernel_.symbols.size());
    for (std::uint32_t i = 0; i < kernel_.symbols.size(); ++i) {
      const ModuleSymbol& symbol = kernel_.symbols[i];
      if (symbol.space != MemorySpace::global || !is_sized(symbol)) continue;
      const std::uint64_t place = base_ + symbol.offset;
      const auto apart = apart_.find(symbol.mangled);
      addresses_[i] = apart == apart_.end() ? place : apart->second;
      contents_[i] = symbol.content;
      image_.end = std::max(image_.end, place + symbol.size);
    }
    for (std::uint32_t i = 0; i < kernel_.symbols.size(); ++i) {
      const ModuleSymbol& symbol = kernel_.symbols[i];
      if (symbol.space != MemorySpace::global || is_sized(symbol)) continue;
      const bool buffer = given_[i] != nullptr && given_[i]->kind == Argument::Kind::buffer;
      addresses_[i] = take_room(buffer ? given_[i]->buffer_bytes : unsized_reserve);
    }
  }

  std::uint64_t take_room(std::uint64_t bytes) {
    const std::uint64_t address = aligned(image_.end);
    image_.end = address + std::max<std::uint64_t>(bytes, 1);
    return address;
  }

  ConstantBank& bank(std::uint32_t number, std::uint64_t end) {
    auto found = std::find_if(image_.banks.begin(), image_.banks.end(),
                              [&](const ConstantBank& other) { return other.bank == number; });
    if (found == image_.banks.end()) {
      found = image_.banks.insert(found, ConstantBank{number, {}, {}});
    }
    if (found->bytes.size() < end) {
      found->bytes.resize(end);
      found->known.resize(end, known_byte);
    }
    return *found;
  }

  void write_address(const SymbolAddress& address) {
    const bool known = address.symbol < addresses_.size();
    if (known && kernel_.symbols[address.symbol].space == MemorySpace::texture) return;
    const std::uint64_t value =
        known ? addresses_[address.symbol] + static_cast<std::uint64_t>(address.addend) : 0;
    if (address.place == SymbolAddress::Place::operand) {
      if (known) image_.operands.push_back({address.holder, half_of(value, address.part)});
      return;
    }
    const bool whole = address.part == SymbolAddress::Part::whole;
    const std::uint32_t size = whole ? pointer_bytes : pointer_bytes / 2;
    const std::uint64_t bits = whole ? value : half_of(value, address.part);
    const std::uint64_t end = address.offset + size;
    std::vector<std::uint8_t>* bytes = nullptr;
    if (address.place == SymbolAddress::Place::constant) {
      ConstantBank& to = bank(address.holder, end);
      bytes = &to.bytes;
      std::fill_n(to.known.begin() + static_cast<std::ptrdiff_t>(address.offset), size,
                  known ? known_byte : std::uint8_t{0});
    } else {
      bytes = &contents_[address.holder];
      bytes->resize(std::max<std::size_t>(bytes->size(), end));
    }
    for (std::uint32_t i = 0; i < size; ++i) {
      (*bytes)[address.offset + i] = static_cast<std::uint8_t>(bits >> (8 * i));
    }
  }

  Expected<void> load_constant(std::uint32_t index) {
    const ModuleSymbol& symbol = kernel_.symbols[index];
    ConstantBank& to = bank(symbol.bank, symbol.offset + symbol.size);
    if (given_[index] == nullptr) {
      if (symbol.used && !symbol.initialised) image_.zeroed.push_back(symbol.name);
      return {};
    }
    const auto content = content_of(index);
    if (!content) return content.error();
    const auto at = static_cast<std::ptrdiff_t>(symbol.offset);
    std::copy(content->bytes.begin(), content->bytes.end(), to.bytes.begin() + at);
    std::copy(content->known.begin(), content->known.end(), to.known.begin() + at);
    return {};
  }

  /// The content given for a symbol. A larger buffer for a pointer-sized variable is what it points
  /// to.
  Expected<SymbolContent> content_of(std::uint32_t index) {
    const ModuleSymbol& symbol = kernel_.symbols[index];
    const Argument& value = *given_[index];
    const bool points = value.kind == Argument::Kind::buffer && symbol.size == pointer_bytes &&
                        value.buffer_bytes > pointer_bytes;
    if (!points) return symbol_content(symbol, value);
    auto buffer = symbol_buffer(symbol, value);
    if (!buffer) return std::move(buffer).error();
    buffer->address = take_room(buffer->bytes);
    SymbolContent content;
    for (std::uint32_t i = 0; i < pointer_bytes; ++i) {
      content.bytes.push_back(static_cast<std::uint8_t>(buffer->address >> (8 * i)));
    }
    content.known.assign(pointer_bytes, known_byte);
    image_.buffers.push_back(std::move(*buffer));
    return content;
  }

  /// A buffer that fills its variable stays a description; only shorter contents are written out.
  Expected<void> load_global(std::uint32_t index) {
    const ModuleSymbol& symbol = kernel_.symbols[index];
    const Argument* value = given_[index];
    if (value == nullptr && !symbol.used) return {};
    const bool whole = value != nullptr && value->kind == Argument::Kind::buffer &&
                       (!is_sized(symbol) || value->buffer_bytes == symbol.size);
    if (whole) {
      auto buffer = symbol_buffer(symbol, *value);
      if (!buffer) return std::move(buffer).error();
      buffer->address = addresses_[index];
      image_.buffers.push_back(std::move(*buffer));
      return {};
    }
    ExecutionBuffer buffer;
    buffer.address = addresses_[index];
    buffer.bytes = is_sized(symbol) ? symbol.size : unsized_reserve;
    buffer.name = symbol.name;
    buffer.data = std::move(contents_[index]);
    buffer.content.kind = BufferContent::Kind::file;
    if (value != nullptr) {
      const auto content = content_of(index);
      if (!content) return content.error();
      lay_over(*content, buffer);
    } else if (!is_sized(symbol)) {
      buffer.content.kind = BufferContent::Kind::unknown;
      image_.unsized.push_back(symbol.name);
    } else if (!symbol.initialised) {
      image_.zeroed.push_back(symbol.name);
    }
    image_.buffers.push_back(std::move(buffer));
    return {};
  }

  /// Writes the given bytes over a buffer, which is known either as a whole or not at all.
  static void lay_over(const SymbolContent& content, ExecutionBuffer& buffer) {
    const bool known =
        std::find(content.known.begin(), content.known.end(), 0) == content.known.end();
    if (!known) buffer.content.kind = BufferContent::Kind::unknown;
    buffer.data.resize(std::max(buffer.data.size(), content.bytes.size()));
    std::copy(content.bytes.begin(), content.bytes.end(), buffer.data.begin());
  }

  const Kernel& kernel_;
  const execution::PlacesApart& apart_;
  std::vector<const Argument*> given_;               // by symbol; null: nothing was given
  std::vector<std::uint64_t> addresses_;             // by symbol; of global ones
  std::vector<std::vector<std::uint8_t>> contents_;  // by symbol; of global ones
  std::uint64_t base_;
  ModuleImage image_;
};

}  // namespace

Expected<ModuleImage> module_image(const Kernel& kernel, const LaunchConfig& launch,
                                   std::uint64_t first_free_address,
                                   const execution::PlacesApart& apart) {
  ModuleLoader loader(kernel, first_free_address, apart);
  for (const NamedArgument& constant : launch.constants) {
    if (auto done = loader.take(constant); !done) return done.error();
  }
  return std::move(loader).load();
}

void put_addresses(Kernel& kernel, const ModuleImage& image) {
  for (const AddressOperand& address : image.operands) {
    Operand& operand = kernel.operands[address.operand];
    operand.kind = OperandKind::integer;
    operand.value = address.value;
  }
}

}  // namespace forewarp::prediction
