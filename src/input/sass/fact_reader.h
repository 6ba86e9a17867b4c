// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "input/sass/info_section.h"
#include "input/sass/kernel_facts.h"
#include "input/sass/module_section.h"

namespace forewarp::input {

/// Reads the lines around the code: header lines ("// param 0 n int", docs/listing.md), the output
/// of cuobjdump -res-usage and ptxas -v, .sectioninfo, .nv.info as printed by cuobjdump -elf or
/// nvdisasm, and the module's variables and constants. Ignores all other lines.
class FactReader {
 public:
  explicit FactReader(FactStore& store) : store_(store), info_(store), module_(store.modules()) {}

  /// Reads one line, without its leading blanks.
  void read(std::string_view line);
  /// Reads all lines of a text and keeps the facts of all its modules.
  void read_all(std::string_view text);

  /// The last architecture that a line named; 0 if none did.
  [[nodiscard]] std::uint32_t sm() const { return sm_; }

  /// Name and facts from the header lines since the last call; the name is empty if there was no
  /// "// kernel NAME" among them.
  struct Header {
    std::string kernel;
    KernelFacts facts;
  };
  [[nodiscard]] Header take_header();
  /// A header line since the last call with an unreadable number; else empty.
  [[nodiscard]] std::string take_wrong();
  [[nodiscard]] bool has_named_header() const { return !header_.kernel.empty(); }

 private:
  void read_comment(std::string_view line);
  void read_header_number(std::string_view key, std::string_view rest);
  void read_parameter(std::string_view rest);
  void read_field(std::string_view rest);
  void read_usage(std::string_view line);
  void read_compiler_message(std::string_view line);
  void read_compiler_usage(std::string_view line);
  void read_directive(std::string_view line);
  void read_architecture(std::string_view line);
  void begin_shared(std::string_view section);
  void add_shared(std::string_view count);

  FactStore& store_;
  InfoSection info_;
  ModuleSection module_;
  std::uint32_t sm_ = 0;
  std::uint32_t member_sm_ = 0;  ///< of the fatbin member that the lines belong to
  Header header_;
  std::string wrong_;
  std::string usage_of_;       ///< res-usage: Function NAME:
  std::string entry_;          ///< ptxas: Compiling entry function 'NAME'
  std::string properties_of_;  ///< ptxas: Function properties for NAME
  std::string shared_of_;      ///< nvdisasm: .section .nv.shared.NAME
  std::string section_of_;     ///< nvdisasm: .section .text.NAME
};

}  // namespace forewarp::input
