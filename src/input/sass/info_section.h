// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "input/sass/kernel_facts.h"

namespace forewarp::input {

/// Reads attributes of .nv.info (registers, frame, parameters, launch bounds) in both printed
/// forms, the readable dump of cuobjdump -elf and nvdisasm's data directives, and rows of the
/// section table.
class InfoSection {
 public:
  explicit InfoSection(FactStore& store) : store_(store) {}

  void set_architecture(std::uint32_t sm) { sm_ = sm; }
  /// ".nv.info.NAME": the following attributes belong to NAME. Other sections: to no kernel.
  void enter(std::string_view section);
  /// "Attribute: EIATTR_REGCOUNT", "Value: ..".
  void read_dump(std::string_view line);
  /// "//----- nvinfo : EIATTR_REGCOUNT".
  void read_heading(std::string_view line);
  /// "/*0004*/ .word index@(NAME)".
  void read_data(std::string_view line);
  /// Reads a section table's row for .text.NAME (registers, barriers) or .nv.shared.NAME (size).
  void read_section_row(std::string_view line);

 private:
  void read_value(std::string_view value);
  void take_payload();
  void set_number(std::string_view function, std::uint32_t value);
  void set_block(const std::array<std::uint32_t, 3>& threads);

  FactStore& store_;
  std::uint32_t sm_ = 0;
  std::string kernel_;                 ///< to which the section belongs
  std::string attribute_;              ///< without EIATTR_
  std::string function_;               ///< index@(NAME) in the payload
  std::vector<std::uint8_t> payload_;  ///< bytes of the attribute so far, including its header
  bool in_info_ = false;
};

}  // namespace forewarp::input
