// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/arguments/symbol_value.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "execution/storage/buffer_content.h"
#include "program/scalar_type.h"
#include "request/argument_text.h"

namespace forewarp::prediction {
namespace {

std::string place_of(const std::string& name) {
  return "constant '" + name + "'";
}

std::string size_text(const ModuleSymbol& symbol) {
  return symbol.size == ModuleSymbol::unknown_size ? "unknown size"
                                                   : std::to_string(symbol.size) + " bytes";
}

/// Textures that code names have a handle, and no content that could be given.
bool is_texture(const ModuleSymbol& symbol) {
  return symbol.space == MemorySpace::texture;
}

/// "d_filter (constant, 36 bytes), counter (global, 4 bytes)".
std::string symbol_list(const Kernel& kernel) {
  std::vector<std::string> texts;
  for (const ModuleSymbol& symbol : kernel.symbols) {
    if (is_texture(symbol)) continue;
    const bool constant = symbol.space == MemorySpace::constant;
    texts.push_back(symbol.name + " (" + (constant ? "constant, " : "global, ") +
                    size_text(symbol) + ")");
  }
  return join(texts, ", ");
}

/// "table" of "ns::table".
std::string_view last_part(std::string_view name) {
  const std::size_t at = name.rfind("::");
  return at == std::string_view::npos ? name : name.substr(at + 2);
}

Diagnostic unknown_symbol(const Kernel& kernel, const NamedArgument& constant) {
  Diagnostic failure{place_of(constant.name),
                     "the module of kernel '" + kernel.name + "' has no variable of that name",
                     symbol_list(kernel), ""};
  std::vector<std::string> names;
  for (const ModuleSymbol& symbol : kernel.symbols) {
    if (!is_texture(symbol)) names.emplace_back(last_part(symbol.name));
  }
  if (const auto nearest = closest(constant.name, names)) {
    failure.way_out = "did you mean '" + *nearest + "'?";
  }
  if (!names.empty()) return failure;
  failure.found = "the listing of kernel '" + kernel.name + "' names no variables";
  failure.expected = "a line '// symbol " + constant.name + " constant BANK OFFSET BYTES'";
  failure.way_out = "add one, or give the .cu or the cubin";
  return failure;
}

Diagnostic does_not_fit(const ModuleSymbol& symbol, const Argument& value) {
  return {place_of(symbol.name), text_of(value) + " does not fit", size_text(symbol), ""};
}

std::optional<ScalarType> number_type(const ModuleSymbol& symbol, const Argument& value) {
  using Kind = ScalarType::Kind;
  if (const auto stated = short_scalar_type(value.type); stated && !beyond_signed(value)) {
    const bool fits = stated->bytes == symbol.size || symbol.size == ModuleSymbol::unknown_size;
    return fits ? stated : std::nullopt;
  }
  const bool is_scalar =
      symbol.size > 0 && symbol.size <= 8 && (symbol.size & (symbol.size - 1)) == 0;
  if (!is_scalar) return std::nullopt;
  const auto bytes = static_cast<std::uint8_t>(symbol.size);
  if (value.kind == Argument::Kind::floating) {
    if (bytes < 2) return std::nullopt;
    return ScalarType{Kind::floating, bytes};
  }
  const bool negative = !beyond_signed(value) && value.integer < 0;
  return ScalarType{negative ? Kind::signed_integer : Kind::unsigned_integer, bytes};
}

Expected<SymbolContent> number_content(const ModuleSymbol& symbol, const Argument& value) {
  const auto type = number_type(symbol, value);
  const auto bits = type ? scalar_bits(value, *type) : std::nullopt;
  if (!bits) return does_not_fit(symbol, value);
  SymbolContent content;
  for (std::uint32_t i = 0; i < type->bytes; ++i) {
    content.bytes.push_back(static_cast<std::uint8_t>(*bits >> (8 * i)));
  }
  content.known.assign(content.bytes.size(), 1);
  return content;
}

Expected<std::vector<std::uint8_t>> file_bytes(const Argument& value) {
  if (value.content.kind != BufferContent::Kind::file) return std::vector<std::uint8_t>();
  auto text = read_file(value.content.path);
  if (!text) return std::move(text).error();
  const auto size = std::min<std::uint64_t>(text->size(), value.buffer_bytes);
  return std::vector<std::uint8_t>(text->begin(),
                                   text->begin() + static_cast<std::ptrdiff_t>(size));
}

}  // namespace

Expected<std::uint32_t> chosen_symbol(const Kernel& kernel, const NamedArgument& constant) {
  if (constant.index) {
    return Diagnostic{place_of(std::to_string(*constant.index)),
                      "variables of a module have no order", "a name",
                      kernel.symbols.empty() ? "" : "one of " + symbol_list(kernel)};
  }
  std::uint32_t by_last_part = 0;
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < kernel.symbols.size(); ++i) {
    const ModuleSymbol& symbol = kernel.symbols[i];
    if (is_texture(symbol)) continue;
    if (symbol.name == constant.name || symbol.mangled == constant.name) return i;
    if (last_part(symbol.name) != constant.name) continue;
    by_last_part = i;
    ++found;
  }
  if (found == 1) return by_last_part;
  return unknown_symbol(kernel, constant);
}

Expected<ExecutionBuffer> symbol_buffer(const ModuleSymbol& symbol, const Argument& value) {
  auto data = file_bytes(value);
  if (!data) return std::move(data).error();
  ExecutionBuffer buffer;
  buffer.bytes = value.buffer_bytes;
  buffer.content = value.content;
  buffer.data = std::move(*data);
  buffer.name = symbol.name;
  return buffer;
}

Expected<SymbolContent> symbol_content(const ModuleSymbol& symbol, const Argument& value) {
  const bool sized = symbol.size != ModuleSymbol::unknown_size;
  if (value.kind == Argument::Kind::bytes) {
    if (sized && value.bytes.size() > symbol.size) return does_not_fit(symbol, value);
    return SymbolContent{value.bytes, std::vector<std::uint8_t>(value.bytes.size(), 1)};
  }
  if (value.kind == Argument::Kind::same_buffer) {
    return Diagnostic{place_of(symbol.name), "it shares the buffer of an argument",
                      "a number, hex bytes or a buffer", ""};
  }
  if (value.kind != Argument::Kind::buffer) return number_content(symbol, value);
  if (sized && value.buffer_bytes > symbol.size) return does_not_fit(symbol, value);
  auto buffer = symbol_buffer(symbol, value);
  if (!buffer) return std::move(buffer).error();
  SymbolContent content;
  content.bytes.resize(value.buffer_bytes);
  const bool known = value.content.kind != BufferContent::Kind::unknown;
  content.known.assign(content.bytes.size(), known ? 1 : 0);
  if (known) buffer_content(*buffer, 0, content.bytes);
  return content;
}

}  // namespace forewarp::prediction
