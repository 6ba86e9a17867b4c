// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/expected.h"
#include "base/file.h"

namespace forewarp::input {

/// The bytes of one input and its name for messages. Copies share the bytes.
class InputSource {
 public:
  /// Maps a file; "-" reads standard input to its end.
  static Expected<InputSource> open(const std::string& path);
  /// Text that is already in memory, such as a disassembler's output.
  static InputSource of_text(std::string file_name, std::string text);

  [[nodiscard]] std::string_view bytes() const;
  /// The same as a text where it lies in memory; null: in a mapped file.
  [[nodiscard]] const std::shared_ptr<const std::string>& text() const { return text_; }
  [[nodiscard]] const std::string& file_name() const { return file_name_; }
  /// The first bytes, which suffice to tell formats apart.
  [[nodiscard]] std::string_view head() const { return bytes().substr(0, 65536); }
  /// Declares bytes before `offset` as no longer needed, to keep long inputs out of memory.
  void release_before(std::size_t offset) const;

 private:
  std::string file_name_;
  std::shared_ptr<MappedFile> mapping_;
  std::shared_ptr<const std::string> text_;
};

}  // namespace forewarp::input
