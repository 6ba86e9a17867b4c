// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/sass_format.h"

#include <memory>

#include "input/sass/sass_reader.h"

namespace forewarp::input {

bool SassFormat::looks_like(std::string_view head, std::string_view file_name) const {
  if (head.find('\0') != std::string_view::npos) return false;
  for (const std::string_view mark :
       {"code for sm_", "Function : ", ".headerflags", "// arch sm_", "/*0000*/", "/*0008*/"}) {
    if (head.find(mark) != std::string_view::npos) return true;
  }
  return file_name.ends_with(".sass");
}

Expected<std::unique_ptr<KernelStream>> SassFormat::read(const InputSource& source,
                                                         const ReadOptions& options) const {
  std::unique_ptr<KernelStream> stream = std::make_unique<SassReader>(source, options.companion);
  return stream;
}

}  // namespace forewarp::input
