// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/disassembler.h"

#include <algorithm>
#include <array>

#include "input/toolkit/compiler.h"
#include "input/toolkit/process.h"

namespace forewarp {
namespace {

namespace fs = std::filesystem;

// Parameters, frame sizes and branch targets; jump tables; what `__constant__` starts with.
constexpr std::array<std::string_view, 3> telling_sections = {".nv.info", ".nv.constant2",
                                                              ".nv.constant3"};

bool tells(std::string_view line) {
  for (const std::string_view section : telling_sections) {
    if (line.starts_with(section)) return true;
  }
  return false;
}

}  // namespace

std::string without_idle_sections(std::string_view dump) {
  std::string kept;
  kept.reserve(dump.size() / 2);
  bool in_sections = false;
  bool keep = true;
  while (!dump.empty()) {
    const std::size_t end = std::min(dump.find('\n'), dump.size() - 1) + 1;
    const std::string_view line = dump.substr(0, end);
    dump.remove_prefix(end);
    if (line.find("bit elf: type=") != std::string_view::npos) {
      in_sections = true;
      keep = false;
    } else if (line.starts_with("\tcode for ") || line.starts_with("Resource usage:") ||
               line.starts_with("Fatbin ")) {
      in_sections = false;
      keep = true;
    } else if (in_sections && line.front() == '.') {
      keep = tells(line);
    }
    if (keep) kept += line;
  }
  return kept;
}

Expected<std::string> disassemble(const Toolkit& toolkit, const fs::path& binary,
                                  std::optional<std::uint32_t> sm) {
  Command command{toolkit.cuobjdump, {"-sass", "-res-usage", "-elf"}, {}};
  if (sm) {
    command.arguments.emplace_back("-arch");
    command.arguments.push_back("sm_" + std::to_string(*sm));
  }
  command.arguments.push_back(binary.string());
  auto done = run_command(command);
  if (!done) return done.error();
  if (done->exit_code != 0) {
    return first_error("cuobjdump", done->errors, "");
  }
  return without_idle_sections(done->output);
}

Expected<std::vector<fs::path>> extract_ptx(const Toolkit& toolkit, const fs::path& binary,
                                            std::uint32_t sm, const fs::path& folder) {
  const std::string ending = ".sm_" + std::to_string(sm) + ".ptx";
  const auto done =
      run_command({toolkit.cuobjdump, {"-xptx", ending, fs::absolute(binary).string()}, folder});
  if (!done) return done.error();
  std::vector<fs::path> files;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().filename().string().ends_with(ending)) files.push_back(entry.path());
  }
  if (done->exit_code != 0 || files.empty()) {
    return first_error("cuobjdump", done->errors, "");
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace forewarp
