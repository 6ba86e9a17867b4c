// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_signatures.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "input/kernel_names.h"
#include "program/scalar_type.h"

namespace forewarp::input {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Comments become blanks; strings stay, since a declaration has none.
std::string without_comments(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  while (!source.empty()) {
    std::size_t skip = 0;
    if (source.starts_with("//")) skip = std::min(source.find('\n'), source.size());
    if (source.starts_with("/*")) skip = std::min(source.find("*/", 2), source.size() - 2) + 2;
    text += skip > 0 ? ' ' : source.front();
    source.remove_prefix(std::max<std::size_t>(skip, 1));
  }
  return text;
}

// Index behind the bracket that closes the one at `open`; npos when none does.
std::size_t behind_closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

std::string_view word_before(std::string_view text) {
  text = trim(text);
  std::size_t begin = text.size();
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return text.substr(begin);
}

// Commas inside <>, () and [] do not separate.
std::vector<std::string_view> split_parameters(std::string_view list) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '<' || c == '(' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == ']') --depth;
    if (c != ',' || (depth > 0 && i < list.size())) continue;
    parts.push_back(trim(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (parts.size() == 1 && (parts[0].empty() || parts[0] == "void")) parts.clear();
  return parts;
}

bool is_qualifier(std::string_view word) {
  return word == "const" || word == "volatile" || word == "__restrict__" || word == "__restrict" ||
         word == "struct" || word == "__grid_constant__";
}

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
  std::string type;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    if (!word.empty() && !is_qualifier(word)) {
      if (!type.empty() && is_word(type.back())) type += ' ';
      type += word;
    }
    if (end < text.size() && text[end] != ' ' && text[end] != '\t' && text[end] != '\n') {
      type += text[end];
    }
    i = std::max(end, i) + 1;
  }
  return {std::string(name), type + stars};
}

// Reads the declaration whose first text stands behind `__global__`.
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
    for (const std::string_view part : split_parameters(text.substr(open + 1, end - open - 2))) {
      signature.parameters.push_back(parse_parameter(part));
    }
    return name.empty() ? std::nullopt : std::optional(std::move(signature));
  }
  return {};
}

// `template <..> ` directly before `__global__`, other words between them allowed.
bool follows_template(std::string_view before) {
  const std::size_t statement = before.find_last_of(";}");
  if (statement != std::string_view::npos) before.remove_prefix(statement + 1);
  return before.find("template") != std::string_view::npos;
}

// "float const*" and "const float *" are one type to who looks for an overload.
std::string bare_type(std::string_view type) {
  std::string bare;
  for (std::size_t i = 0; i < type.size();) {
    std::size_t end = i;
    while (end < type.size() && is_word(type[end])) ++end;
    const std::string_view word = type.substr(i, end - i);
    if (!is_qualifier(word)) {
      if (!bare.empty() && !word.empty() && is_word(bare.back())) bare += ' ';
      bare += word;
    }
    if (end < type.size() && type[end] != ' ') bare += type[end];
    i = std::max(end, i) + 1;
  }
  return bare;
}

bool same_type(std::string_view declared, std::string_view compiled) {
  const std::string a = bare_type(declared), b = bare_type(compiled);
  if (a == b) return true;  // "unsigned" and "unsigned int" are one, behind stars too
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

// The declaration of a symbol's kernel. Overloads are told apart by how many parameters there are,
// then by their types; what is declared again says the same.
const SourceSignature* only_match(const std::vector<SourceSignature>& signatures,
                                  std::string_view symbol, const std::size_t* count) {
  const KernelSignature compiled = kernel_signature(std::string(symbol));
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

std::string parameter_lines(const SourceSignature& signature) {
  std::string lines;
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    const auto& parameter = signature.parameters[i];
    // The types of a template's parameters are known to the mangled name only.
    lines += "// param " + std::to_string(i) + ' ' + parameter.name;
    if (!signature.is_template) lines += ' ' + parameter.type;
    lines += '\n';
  }
  return lines;
}

}  // namespace

std::vector<SourceSignature> signatures_in(std::string_view source) {
  const std::string text = without_comments(source);
  const std::string_view all = text;
  const std::string_view keyword = "__global__";
  std::vector<SourceSignature> signatures;
  for (std::size_t at = all.find(keyword); at != std::string_view::npos;
       at = all.find(keyword, at + keyword.size())) {
    auto signature = parse_declaration(all.substr(at + keyword.size()));
    if (!signature) continue;
    signature->is_template = follows_template(all.substr(0, at));
    signatures.push_back(std::move(*signature));
  }
  return signatures;
}

std::string with_parameter_lines(std::string_view listing,
                                 const std::vector<SourceSignature>& signatures) {
  if (signatures.empty()) return std::string(listing);
  std::map<std::string_view, std::size_t> counted;  // parameters by .nv.info
  std::size_t* count = nullptr;
  std::string result;
  for (const std::string_view line : split(listing, '\n')) {
    const std::string_view info = ".nv.info.";
    const std::string_view function = "\t\tFunction : ";
    if (line.starts_with('.')) count = nullptr;
    if (line.starts_with(info)) count = &counted[line.substr(info.size())];
    if (count != nullptr && line.find("Ordinal :") != std::string_view::npos) ++*count;
    if (line.starts_with(function)) {
      const std::string_view symbol = line.substr(function.size());
      const auto known = counted.find(symbol);
      const SourceSignature* match =
          only_match(signatures, symbol, known == counted.end() ? nullptr : &known->second);
      if (match != nullptr) result += parameter_lines(*match);
    }
    (result += line) += '\n';
  }
  if (!result.empty()) result.pop_back();
  return result;
}

}  // namespace forewarp::input
