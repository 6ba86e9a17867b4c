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

/// The folder links/ of the data: one file per generation, every width of it a link.
class LinkDatabase {
 public:
  explicit LinkDatabase(std::filesystem::path data_directory);

  /// `name`: an id (pcie-3-x16), a generation (pcie-3: its widest), either with @SET for a named
  /// parameter set, the words of a board's file ("PCIe 3.0 x16", what follows a comma is passed
  /// over), or a path to a .toml file (its widest). Fails with the closest ids.
  Expected<Link> load(std::string_view name, const std::vector<FactOverride>& overrides = {}) const;

  /// Of every width of every file, in the order of the file names.
  [[nodiscard]] std::vector<std::string> ids() const;

  /// Faults of a file, its widths and its sets; a remark says what nobody measured.
  std::vector<DataFinding> check(const std::filesystem::path& link_file) const;

 private:
  [[nodiscard]] std::optional<std::filesystem::path> find_file(const std::string& stem) const;

  std::filesystem::path directory_;
};

/// The link of one width that a file's text describes, without the files that it names with `like`.
Expected<Link> parse_link(std::string_view toml, std::string_view name);

}  // namespace forewarp::hardware
