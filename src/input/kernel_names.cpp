// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/kernel_names.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

#include "base/text.h"
#include "input/scan.h"

namespace forewarp::input {
namespace {

struct FreeMemory {
  void operator()(char* memory) const { std::free(memory); }  // NOLINT: the ABI allocates it
};

std::string demangled(const std::string& mangled) {
  if (!mangled.starts_with("_Z")) return {};
  int status = 0;
  const std::unique_ptr<char, FreeMemory> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status));
  return status == 0 && text ? std::string(text.get()) : std::string();
}

int depth_change(char c) {
  if (c == '<' || c == '(' || c == '[' || c == '{') return 1;
  if (c == '>' || c == ')' || c == ']' || c == '}') return -1;
  return 0;
}

/// Position of the parenthesis that opens the parameter list, which the last one closes.
std::size_t parameter_list(std::string_view text) {
  std::size_t i = text.rfind(')');
  if (i == std::string_view::npos) return std::string_view::npos;
  for (int depth = 0;; --i) {
    depth += text[i] == ')' ? 1 : text[i] == '(' ? -1 : 0;
    if (depth == 0) return i;
    if (i == 0) return std::string_view::npos;
  }
}

std::vector<std::string> split_types(std::string_view list) {
  std::vector<std::string> types;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size()) depth += depth_change(list[i]);
    if (i < list.size() && (list[i] != ',' || depth != 0)) continue;
    const std::string_view type = trim(list.substr(begin, i - begin));
    if (!type.empty() && type != "void") types.emplace_back(type);
    begin = i + 1;
  }
  return types;
}

/// Demangled templates begin with the return type ("void scale<float>"): the name follows the last
/// blank outside brackets.
std::string_view without_return_type(std::string_view text) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += depth_change(text[i]);
    if (text[i] == ' ' && depth == 0) begin = i + 1;
  }
  return text.substr(begin);
}

/// Users do not type the anonymous namespace, nor the tags that Numba puts behind its functions.
std::string as_typed(std::string text) {
  constexpr std::string_view anonymous = "(anonymous namespace)::", tag = "[abi:";
  for (std::size_t at = text.find(anonymous); at != std::string::npos; at = text.find(anonymous)) {
    text.erase(at, anonymous.size());
  }
  for (std::size_t at = text.find(tag); at != std::string::npos; at = text.find(tag)) {
    const std::size_t end = text.find(']', at);
    text.erase(at, end == std::string::npos ? end : end + 1 - at);
  }
  return text;
}

struct NamedLayout {
  std::string_view name;
  std::uint32_t size;
};
constexpr auto scalar_types = std::to_array<NamedLayout>({
    {"bool", 1},
    {"char", 1},
    {"signed char", 1},
    {"unsigned char", 1},
    {"short", 2},
    {"unsigned short", 2},
    {"int", 4},
    {"unsigned int", 4},
    {"unsigned", 4},
    {"long", 8},
    {"unsigned long", 8},
    {"long long", 8},
    {"unsigned long long", 8},
    {"float", 4},
    {"double", 8},
    {"__half", 2},
    {"half", 2},
    {"__nv_bfloat16", 2},
    {"__half2", 4},
    {"__nv_bfloat162", 4},
    {"int8_t", 1},
    {"uint8_t", 1},
    {"int16_t", 2},
    {"uint16_t", 2},
    {"int32_t", 4},
    {"uint32_t", 4},
    {"int64_t", 8},
    {"uint64_t", 8},
    {"size_t", 8},
    {"wchar_t", 4},
});
constexpr auto vector_elements = std::to_array<NamedLayout>({
    {"char", 1},
    {"uchar", 1},
    {"short", 2},
    {"ushort", 2},
    {"int", 4},
    {"uint", 4},
    {"float", 4},
    {"long", 8},
    {"ulong", 8},
    {"longlong", 8},
    {"ulonglong", 8},
    {"double", 8},
});

/// float4 and the like: three elements are aligned like one, others by their size, up to 16 bytes.
std::optional<TypeLayout> vector_layout(std::string_view type) {
  if (type == "dim3") return TypeLayout{12, 4, false};
  if (type.empty() || type.back() < '1' || type.back() > '4') return std::nullopt;
  const auto count = static_cast<std::uint32_t>(type.back() - '0');
  type.remove_suffix(1);
  for (const NamedLayout& element : vector_elements) {
    if (element.name != type) continue;
    const std::uint32_t size = element.size * count;
    const std::uint32_t alignment = count == 3 ? element.size : size;
    return TypeLayout{size, alignment < 16 ? alignment : 16, false};
  }
  return std::nullopt;
}

}  // namespace

KernelSignature kernel_signature(const std::string& mangled) {
  const std::string text = as_typed(demangled(mangled));
  if (text.empty()) return {mangled, {}, false};
  const std::size_t list = parameter_list(text);
  if (list == std::string::npos || list == 0) return {text, {}, false};
  const std::string_view whole = text;
  const std::string_view parameters = whole.substr(list + 1, whole.rfind(')') - list - 1);
  return {std::string(without_return_type(whole.substr(0, list))), split_types(parameters), true};
}

std::string plain_symbol_name(const std::string& mangled) {
  std::string_view rest = mangled;
  std::size_t hidden = 0;  // __nv_static_LENGTH_FILE_NAME: LENGTH is the length of _FILE
  if (take(rest, "__nv_static_") && take_number(rest, hidden) && hidden < rest.size() &&
      rest[0] == '_' && rest.size() - hidden > 2 && rest[hidden + 1] == '_') {
    return plain_symbol_name(std::string(rest.substr(hidden + 2)));
  }
  std::string name = as_typed(demangled(mangled));
  if (name.empty()) return mangled;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = name.find("::", at);
    const std::string_view part = std::string_view(name).substr(at);
    if (end == std::string::npos) break;
    const bool hides = part.starts_with("_INTERNAL_") || part.starts_with("_GLOBAL__N_");
    if (hides) {
      name.erase(at, end + 2 - at);
    } else {
      at = end + 2;
    }
  }
  return name;
}

std::string_view base_name(std::string_view name) {
  name = name.substr(0, name.find('<'));
  const std::size_t colon = name.rfind("::");
  return colon == std::string_view::npos ? name : name.substr(colon + 2);
}

std::optional<TypeLayout> type_layout(std::string_view type) {
  type = trim(type);
  for (std::string_view qualifier : {" const", " volatile", " __restrict__", " restrict"}) {
    while (type.ends_with(qualifier)) type.remove_suffix(qualifier.size());
  }
  if (type.ends_with('*') || type.ends_with('&')) return TypeLayout{8, 8, true};
  while (take(type, "const ") || take(type, "volatile ")) type = trim(type);
  for (const NamedLayout& scalar : scalar_types) {
    if (scalar.name == type) return TypeLayout{scalar.size, scalar.size, false};
  }
  return vector_layout(type);
}

}  // namespace forewarp::input
