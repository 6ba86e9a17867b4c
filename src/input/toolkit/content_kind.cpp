// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/content_kind.h"

#include <algorithm>

#include "base/text.h"
#include "input/binary/elf_file.h"
#include "input/binary/fat_binary.h"
#include "input/toolkit/opencl_source.h"

namespace forewarp::input {
namespace {

// The part in which the first lines identify a file; longer comments at its head are skipped.
constexpr std::size_t head_size = 64 * 1024;

bool has_word(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// The next line that is neither empty nor a comment; moves `text` past it.
std::string_view next_statement(std::string_view& text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view line = trim(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
    if (!line.empty() && !line.starts_with("//")) return line;
  }
  return {};
}

bool looks_like_ptx(std::string_view head) {
  const std::string_view first = next_statement(head);
  return first.starts_with(".version") && next_statement(head).starts_with(".target");
}

bool looks_like_listing(std::string_view head) {
  return has_word(head, "Function : ") || has_word(head, ".headerflags") ||
         has_word(head, "code for sm_") || has_word(head, ".section\t.text.") ||
         has_word(head, "/*0000*/") || has_word(head, "/*0008*/");
}

bool looks_like_source(std::string_view text) {
  return has_word(text, "__global__") || has_word(text, "#include");
}

ContentKind kind_of_text(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, head_size);
  if (looks_like_ptx(head)) return ContentKind::ptx;
  if (looks_like_listing(head)) return ContentKind::other_text;
  // A source names its kernels anywhere, so the whole text counts; a listing of 100 MB stopped
  // above.
  if (looks_like_opencl(bytes)) return ContentKind::opencl_source;
  return looks_like_source(bytes) ? ContentKind::cuda_source : ContentKind::other_text;
}

}  // namespace

ContentKind content_kind(std::string_view bytes) {
  if (bytes.empty()) return ContentKind::empty;
  if (starts_as_elf(bytes)) {
    return elf_is_gpu_code(bytes) ? ContentKind::cubin : ContentKind::host_binary;
  }
  if (starts_as_fat_binary(bytes)) return ContentKind::fat_binary;
  if (bytes.starts_with("!<arch>\n")) return ContentKind::library;
  if (bytes.substr(0, head_size).find('\0') != std::string_view::npos)
    return ContentKind::other_binary;
  return kind_of_text(bytes);
}

std::string_view name_of(ContentKind kind) {
  switch (kind) {
    case ContentKind::empty:
      return "an empty file";
    case ContentKind::cubin:
      return "a cubin";
    case ContentKind::fat_binary:
      return "a fatbin";
    case ContentKind::host_binary:
      return "an executable or object";
    case ContentKind::library:
      return "a library";
    case ContentKind::ptx:
      return "PTX";
    case ContentKind::cuda_source:
      return "CUDA source";
    case ContentKind::opencl_source:
      return "OpenCL source";
    case ContentKind::other_text:
      return "text";
    case ContentKind::other_binary:
      return "binary data";
  }
  return "";
}

}  // namespace forewarp::input
