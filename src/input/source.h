// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/expected.h"
#include "base/file.h"

namespace forewarp::input {

/// The bytes of one input and the name that messages call it. Copies share the bytes.
class InputSource {
 public:
  /// A file, mapped; "-" is standard input, read to its end.
  static Expected<InputSource> open(const std::string& path);
  /// Text that is in memory already, e.g. what a disassembler printed.
  static InputSource of_text(std::string file_name, std::string text);

  [[nodiscard]] std::string_view bytes() const;
  [[nodiscard]] const std::string& file_name() const { return file_name_; }
  /// The first bytes: enough to tell formats apart.
  [[nodiscard]] std::string_view head() const { return bytes().substr(0, 65536); }
  /// Bytes before `offset` will not be read again; keeps long inputs from staying in memory.
  void release_before(std::size_t offset) const;

 private:
  std::string file_name_;
  std::shared_ptr<MappedFile> mapping_;
  std::shared_ptr<const std::string> text_;
};

}  // namespace forewarp::input
