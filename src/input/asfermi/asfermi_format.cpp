// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/asfermi/asfermi_format.h"

#include <memory>

#include "input/asfermi/asfermi_reader.h"
#include "input/sass/line_cursor.h"

namespace forewarp::input {

bool AsfermiFormat::looks_like(std::string_view head, std::string_view file_name) const {
  if (head.find('\0') != std::string_view::npos) return false;
  LineCursor lines(head);
  for (std::string_view line; lines.next(line);) {
    if (skip_blanks(line).starts_with("!Kernel")) return true;
  }
  return file_name.ends_with(".asfermi");
}

Expected<std::unique_ptr<KernelStream>> AsfermiFormat::read(const InputSource& source,
                                                            const ReadOptions& options) const {
  (void)options;
  std::unique_ptr<KernelStream> stream = std::make_unique<AsfermiReader>(source);
  return stream;
}

}  // namespace forewarp::input
