// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/database.h"
#include "hardware/link.h"

namespace forewarp::hardware {

/// The data folder links/: one file per generation, with a link for each of its widths.
class LinkDatabase {
 public:
  explicit LinkDatabase(std::filesystem::path data_directory);

  /// `name`: an id (pcie-3-x16), a generation (pcie-3: its widest), either with @SET for a named
  /// parameter set, the words in a board's file ("PCIe 3.0 x16"; text after a comma is ignored), or
  /// a path to a .toml file (its widest). Fails with the closest ids.
  Expected<Link> load(std::string_view name, const std::vector<FactOverride>& overrides = {}) const;

  /// Ids of all widths of all files, in the order of file names.
  [[nodiscard]] std::vector<std::string> ids() const;

  /// Errors of a file, its widths and its sets; remarks name what was never measured.
  std::vector<DataFinding> check(const std::filesystem::path& link_file) const;

 private:
  [[nodiscard]] std::optional<std::filesystem::path> find_file(const std::string& stem) const;

  std::filesystem::path directory_;
};

/// The link of one width from a file's text, without the files that its `like` names.
Expected<Link> parse_link(std::string_view toml, std::string_view name);

}  // namespace forewarp::hardware
