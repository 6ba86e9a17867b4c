// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/host.h"

namespace forewarp::hardware {

/// The hosts of data/hosts, and files of the same form elsewhere.
class HostDatabase {
 public:
  explicit HostDatabase(std::filesystem::path data_directory);

  [[nodiscard]] std::vector<std::string> ids() const;
  /// A host by id or by the path of its file, with what data/host_rules.toml fills in.
  [[nodiscard]] Expected<Host> load(std::string_view name) const;
  /// A host of which nothing is known but what the rules assume.
  [[nodiscard]] Expected<Host> undescribed() const;

 private:
  std::filesystem::path directory_;
};

/// A host's file that states every number it needs itself; `name` is the file's in messages.
Expected<Host> parse_host(std::string_view toml, std::string_view name);

/// The unit of a path of a host's file; empty: there is none of this name.
[[nodiscard]] std::string_view unit_of_host_path(std::string_view path);

}  // namespace forewarp::hardware
