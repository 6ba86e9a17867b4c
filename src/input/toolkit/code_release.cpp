// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/code_release.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "input/binary/elf_file.h"

namespace forewarp::input {
namespace {

constexpr std::string_view elf_magic =
    "\x7f"
    "ELF";
constexpr std::string_view tool_note = ".note.nv.tkinfo";  // written from CUDA 12 on
constexpr const char* first_of_new_form = "13";            // the release that changed the header

std::optional<std::pair<std::int64_t, std::int64_t>> numbers_of(std::string_view release) {
  const std::size_t dot = std::min(release.find('.'), release.size());
  const auto major = parse_integer(release.substr(0, dot));
  if (!major) return {};
  const auto minor = parse_integer(release.substr(std::min(dot + 1, release.size())));
  return std::pair(*major, minor.value_or(0));
}

CodeRelease release_of(const ElfFile& cubin) {
  CodeRelease code{cubin.sm(), ""};
  for (const ElfSection& section : cubin.sections) {
    if (section.name == tool_note) code.release = release_in(section.bytes);
  }
  if (code.release.empty() && cubin.has_new_header()) code.release = first_of_new_form;
  return code;
}

}  // namespace

std::string release_in(std::string_view text) {
  constexpr std::string_view word = "release ";
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = text.substr(at + word.size());
  return std::string(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

bool newer_release(std::string_view a, std::string_view b) {
  const auto first = numbers_of(a), second = numbers_of(b);
  return first && second && *first > *second;
}

std::optional<CodeRelease> newest_code(std::string_view bytes, std::optional<std::uint32_t> sm) {
  std::optional<CodeRelease> newest;
  for (std::size_t at = bytes.find(elf_magic); at != std::string_view::npos;
       at = bytes.find(elf_magic, at + 1)) {
    const std::string_view here = bytes.substr(at);
    if (!elf_is_gpu_code(here)) continue;
    const auto elf = parse_elf(here);
    if (!elf) continue;
    CodeRelease code = release_of(*elf);
    if (sm && code.sm != *sm) continue;
    if (!newest || newer_release(code.release, newest->release) || newest->release.empty()) {
      newest = std::move(code);
    }
  }
  return newest;
}

}  // namespace forewarp::input
