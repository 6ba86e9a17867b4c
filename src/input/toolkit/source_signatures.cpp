// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_signatures.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "input/kernel_names.h"
#include "input/toolkit/source_structures.h"
#include "input/toolkit/source_words.h"
#include "program/scalar_type.h"

namespace forewarp::input {
namespace {

// "const float *x[]" -> name x, type float**.
SourceSignature::Parameter parse_parameter(std::string_view text) {
  text = trim(text.substr(0, text.find('=')));
  std::string stars;
  if (const std::size_t array = text.find('['); array != std::string_view::npos) {
    text = trim(text.substr(0, array));
    stars = "*";
  }
  const std::string_view name = word_before(text);
  text.remove_suffix(name.size());
  return {std::string(name), bare_type(text) + stars};
}

constexpr std::size_t longest_declaration = 8192;  // characters; no kernel's declaration is longer
constexpr std::size_t most_signatures = 4096;

// Reads the declaration that begins after `__global__`.
std::optional<SourceSignature> parse_declaration(std::string_view text) {
  for (std::size_t open = text.find('('); open != std::string_view::npos;) {
    const std::size_t end = behind_closing(text, open);
    if (end == std::string_view::npos) return {};
    const std::string_view name = word_before(text.substr(0, open));
    if (name.starts_with("__")) {  // __launch_bounds__(256), __attribute__((..))
      text.remove_prefix(end);
      open = text.find('(');
      continue;
    }
    SourceSignature signature;
    signature.kernel = name;
    for (const std::string_view part :
         split_outside_brackets(text.substr(open + 1, end - open - 2))) {
      signature.parameters.push_back(parse_parameter(part));
    }
    return name.empty() ? std::nullopt : std::optional(std::move(signature));
  }
  return {};
}

// Whether `template <..>` precedes `__global__`, possibly with other words in between.
bool follows_template(std::string_view before) {
  const std::size_t statement = before.find_last_of(";}");
  if (statement != std::string_view::npos) before.remove_prefix(statement + 1);
  return before.find("template") != std::string_view::npos;
}

bool same_type(std::string_view declared, std::string_view compiled) {
  const std::string a = bare_type(declared), b = bare_type(compiled);
  if (a == b) return true;  // "unsigned" and "unsigned int" are the same, also in pointer types
  const std::size_t star_a = std::min(a.find('*'), a.size()),
                    star_b = std::min(b.find('*'), b.size());
  const auto scalar_a = scalar_type(a.substr(0, star_a)),
             scalar_b = scalar_type(b.substr(0, star_b));
  return scalar_a && scalar_b && *scalar_a == *scalar_b && a.substr(star_a) == b.substr(star_b);
}

bool same_types(const SourceSignature& declared, const KernelSignature& compiled) {
  return std::equal(declared.parameters.begin(), declared.parameters.end(), compiled.types.begin(),
                    compiled.types.end(), [](const auto& parameter, const std::string& type) {
                      return same_type(parameter.type, type);
                    });
}

bool same_names(const SourceSignature& a, const SourceSignature& b) {
  return std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(),
                    b.parameters.end(),
                    [](const auto& x, const auto& y) { return x.name == y.name; });
}

// The declaration for a symbol's kernel. Overloads are told apart by the number of parameters, then
// by their types; repeated declarations count as one.
const SourceSignature* only_match(const std::vector<SourceSignature>& signatures,
                                  const KernelSignature& compiled, const std::size_t* count) {
  std::vector<const SourceSignature*> fitting;
  for (const SourceSignature& signature : signatures) {
    const bool fits = signature.kernel == base_name(compiled.name) &&
                      (count == nullptr || signature.parameters.size() == *count) &&
                      (!compiled.has_types || signature.parameters.size() == compiled.types.size());
    if (fits) fitting.push_back(&signature);
  }
  const auto differs = [&](const SourceSignature* other) {
    return !same_names(*fitting.front(), *other);
  };
  if (std::any_of(fitting.begin(), fitting.end(), differs)) {
    std::erase_if(fitting, [&](const auto* one) { return !same_types(*one, compiled); });
    if (std::any_of(fitting.begin(), fitting.end(), differs)) return nullptr;
  }
  return fitting.empty() ? nullptr : fitting.front();
}

// What a listing's sections say of one kernel's parameters.
struct CompiledSizes {
  std::size_t count = 0;
  std::map<std::size_t, std::uint32_t> bytes;  // by ordinal

  // "Value:  Index : 0x0  Ordinal : 0x1  Offset  : 0x20  Size    : 0x4"
  void read(std::string_view line) {
    const auto number = [line](std::string_view word) -> std::optional<std::uint64_t> {
      const std::size_t at = line.find(word), colon = line.find(':', at);
      if (at == line.npos || colon == line.npos) return std::nullopt;
      const std::string_view rest = trim(line.substr(colon + 1));
      return parse_natural(rest.substr(0, rest.find_first_of(" \t")));
    };
    const auto ordinal = number("Ordinal :"), size = number("Size ");
    if (line.find("Ordinal :") == line.npos) return;
    ++count;
    if (ordinal && size && *size <= 0xffffU) bytes[*ordinal] = static_cast<std::uint32_t>(*size);
  }
};

// The structure that a parameter is. The mangled name knows best: a template's parameter may have
// the same name as a structure, and a structure's template is known only with its arguments.
std::optional<SourceStructure> structure_of(const std::string& type,
                                            const SourceStructures& structures) {
  if (auto vector = vector_structure(type)) return vector;
  return structures.find(type);
}

std::string field_lines(std::size_t index, const SourceStructure& structure, std::uint32_t size) {
  std::string lines;
  for (const SourceStructure::Field& field : structure.fields) {
    lines += "// field " + std::to_string(index) + ' ' + field.name + ' ' + field.type + ' ' +
             std::to_string(field.offset);
    const bool rest = !structure.complete && &field == &structure.fields.back();
    if (!field.plain) lines += ' ' + std::to_string(rest ? size - field.offset : field.size);
    lines += '\n';
  }
  return lines;
}

std::string parameter_lines(const SourceSignature& signature, const KernelSignature& compiled,
                            const CompiledSizes* sizes, const SourceStructures& structures) {
  std::string lines;
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    const auto& parameter = signature.parameters[i];
    // Only the mangled name knows the types of a template's parameters.
    lines += "// param " + std::to_string(i) + ' ' + parameter.name;
    const bool known = compiled.has_types && i < compiled.types.size();
    const std::string type = known ? compiled.types[i] : parameter.type;
    auto structure = structure_of(type, structures);
    std::uint32_t size = structure ? structure->size : 0;
    if (structure && !structure->complete) {
      const bool stated = sizes != nullptr && sizes->bytes.contains(i);
      size = stated ? sizes->bytes.at(i) : 0;
      if (size <= structure->size) structure.reset();
    }
    if (!signature.is_template) {
      lines += ' ' + parameter.type;
    } else if (structure) {
      lines += ' ' + type;
    }
    if (structure) lines += ' ' + std::to_string(size);
    lines += '\n';
    if (structure) lines += field_lines(i, *structure, size);
  }
  return lines;
}

}  // namespace

std::vector<SourceSignature> signatures_in(std::string_view source) {
  const std::string text = declarations_of(source, Conditional::kept);
  const std::string_view all = text;
  const std::string_view keyword = "__global__";
  std::vector<SourceSignature> signatures;
  for (std::size_t at = all.find(keyword); at != std::string_view::npos;
       at = all.find(keyword, at + keyword.size())) {
    if (signatures.size() >= most_signatures) break;
    auto signature = parse_declaration(all.substr(at + keyword.size(), longest_declaration));
    if (!signature) continue;
    signature->is_template = follows_template(all.substr(0, at));
    signatures.push_back(std::move(*signature));
  }
  return signatures;
}

std::string with_parameter_lines(std::string_view listing,
                                 const std::vector<SourceSignature>& signatures,
                                 const SourceStructures& structures) {
  if (signatures.empty()) return std::string(listing);
  std::map<std::string_view, CompiledSizes> compiled_sizes;  // by .nv.info
  CompiledSizes* sizes = nullptr;
  std::string result;
  for (const std::string_view line : split(listing, '\n')) {
    const std::string_view info = ".nv.info.";
    if (line.starts_with('.')) sizes = nullptr;
    if (line.starts_with(info)) sizes = &compiled_sizes[line.substr(info.size())];
    if (sizes != nullptr) sizes->read(line);
    if (line.starts_with(function_heading)) {
      const std::string_view symbol = line.substr(function_heading.size());
      const auto known = compiled_sizes.find(symbol);
      const CompiledSizes* own = known == compiled_sizes.end() ? nullptr : &known->second;
      const KernelSignature compiled = kernel_signature(std::string(symbol));
      const SourceSignature* match =
          only_match(signatures, compiled, own == nullptr ? nullptr : &own->count);
      if (match != nullptr) result += parameter_lines(*match, compiled, own, structures);
    }
    (result += line) += '\n';
  }
  if (!result.empty()) result.pop_back();
  return result;
}

}  // namespace forewarp::input
