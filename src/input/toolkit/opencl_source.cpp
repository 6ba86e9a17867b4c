// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/opencl_source.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "input/toolkit/source_words.h"

namespace forewarp::input {
namespace {

constexpr std::string_view local_space = "__local ";
constexpr std::string_view work_group = "reqd_work_group_size";

/// Words of OpenCL C in C++ with CUDA's keywords; an empty one goes.
constexpr auto translations =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"__kernel", "__global__"},
                                                                  {"kernel", "__global__"},
                                                                  {"__global", ""},
                                                                  {"global", ""},
                                                                  {"__constant", ""},
                                                                  {"constant", ""},
                                                                  {"__private", ""},
                                                                  {"private", ""},
                                                                  {"__read_only", ""},
                                                                  {"read_only", ""},
                                                                  {"__write_only", ""},
                                                                  {"write_only", ""},
                                                                  {"restrict", ""},
                                                                  {"local", "__local"},
                                                                  {"uchar", "unsigned char"},
                                                                  {"ushort", "unsigned short"},
                                                                  {"uint", "unsigned int"},
                                                                  {"ulong", "unsigned long"}});

std::string translated(std::string_view declarations) {
  std::string text;
  for (std::size_t at = 0; at < declarations.size();) {
    std::size_t end = at;
    while (end < declarations.size() && is_word(declarations[end])) ++end;
    const std::string_view word = declarations.substr(at, end - at);
    const auto known =
        std::ranges::find(translations, word, &decltype(translations)::value_type::first);
    text += known == translations.end() ? word : known->second;
    if (end < declarations.size()) text += declarations[end];
    at = end + 1;
  }
  return text;
}

/// "16, 16, 1" of the attribute before a kernel's name; empty where it has none.
std::string required_size(std::string_view declarations, std::string_view kernel) {
  for (std::size_t at = declarations.find(work_group); at != std::string_view::npos;
       at = declarations.find(work_group, at + 1)) {
    const std::size_t open = declarations.find('(', at), close = declarations.find(')', at);
    if (open == std::string_view::npos || close == std::string_view::npos || open > close)
      return {};
    const std::string_view behind = declarations.substr(close);
    const std::size_t name = behind.find(kernel), body = behind.find_first_of("{;");
    if (name < body) return std::string(trim(declarations.substr(open + 1, close - open - 1)));
  }
  return {};
}

std::string remark_on(const SourceSignature& signature, const std::vector<std::string>& local,
                      const std::string& size) {
  std::vector<std::string> parts;
  if (!local.empty())
    parts.push_back(join(local, ", ") + (local.size() == 1 ? " is" : " are") +
                    " __local: the value is the byte at which it begins in the block's dynamic "
                    "shared memory (0 for the first), whose size is --smem");
  if (!size.empty()) parts.push_back("it requires work groups of (" + size + ")");
  return parts.empty() ? "" : signature.kernel + ": " + join(parts, "; ");
}

}  // namespace

bool looks_like_opencl(std::string_view text) {
  if (text.find("__global__") != std::string_view::npos) return false;
  return text.find("__kernel ") != std::string_view::npos ||
         text.find("__kernel\n") != std::string_view::npos ||
         text.find("kernel void ") != std::string_view::npos;
}

OpenClKernels opencl_kernels_in(std::string_view source) {
  const std::string text = translated(declarations_of(source, Conditional::kept));
  OpenClKernels found;
  found.signatures = signatures_in(text);
  for (SourceSignature& signature : found.signatures) {
    std::vector<std::string> local;
    for (SourceSignature::Parameter& parameter : signature.parameters) {
      if (!parameter.type.starts_with(local_space)) continue;
      local.push_back(parameter.name);
      parameter.type = "unsigned long";
    }
    std::string remark = remark_on(signature, local, required_size(text, signature.kernel));
    if (!remark.empty()) found.remarks.push_back(std::move(remark));
  }
  return found;
}

}  // namespace forewarp::input
