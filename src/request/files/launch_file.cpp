// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/files/launch_file.h"

#include "base/file.h"
#include "request/files/case_fields.h"
#include "request/text/toml_value.h"

namespace forewarp::request {

Expected<Case> parse_launch(std::string_view toml, const std::filesystem::path& file) {
  const ValueOrigin origin{file.string(), 0, file.parent_path()};
  const auto table = parse_toml(toml, origin, "a launch file in TOML");
  if (!table) return table.error();
  return read_case(*table, origin, CaseScope::launch);
}

Expected<Case> read_launch_file(const std::filesystem::path& path) {
  const auto text = read_file(path);
  if (!text) return text.error();
  return parse_launch(*text, path);
}

}  // namespace forewarp::request
