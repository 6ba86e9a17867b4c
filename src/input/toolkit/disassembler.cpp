// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/disassembler.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/command.h"
#include "base/file.h"
#include "input/toolkit/code_release.h"
#include "input/toolkit/compiler.h"

namespace forewarp::input {
namespace {

namespace fs = std::filesystem;

// Sections with parameters, frame sizes and branch targets; jump tables and constants; variables
// and references to them. Bank 0 is filled by the launch.
constexpr std::array<std::string_view, 4> telling_sections = {".nv.info", ".nv.constant",
                                                              ".nv.global", ".symtab"};
constexpr std::array<std::string_view, 3> telling_relocations = {".nv.constant", ".nv.global",
                                                                 ".text."};

bool is_one_of(std::span<const std::string_view> prefixes, std::string_view name) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// Whether a section is relevant: ".nv.info", ".section .symtab", ".section .rela.text.NAME\tRELA".
bool tells(std::string_view line) {
  constexpr std::string_view section = ".section ";
  if (line.starts_with(section)) line.remove_prefix(section.size());
  for (const std::string_view relocations : {".rela", ".rel"}) {
    if (!line.starts_with(relocations)) continue;
    return is_one_of(telling_relocations, line.substr(relocations.size()));
  }
  return is_one_of(telling_sections, line) && !line.starts_with(".nv.constant0");
}

// Whether to keep a row of the section table; symbols refer to sections by their index in it.
bool row_tells(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  const std::string_view name = line.substr(line.find_last_of(" \t") + 1);
  return line.starts_with("Index ") || name.starts_with(".text.") ||
         is_one_of(telling_sections, name);
}

// Code of a newer toolkit: cuobjdump then says something misleading, or nothing.
std::optional<Diagnostic> newer_than(const Toolkit& toolkit, const fs::path& binary,
                                     std::optional<std::uint32_t> sm) {
  constexpr const char* way_out =
      "name it with --cuda or CUDA_HOME, or give the listing that its 'cuobjdump -sass' prints";
  const auto bytes = read_file(binary);
  if (!bytes) return {};
  const auto code = newest_code(*bytes, sm);
  if (!code && !sm) return {};
  const std::string own = version_of(toolkit.cuobjdump);
  const std::string name = "sm_" + std::to_string(code ? code->sm : *sm);
  const std::string at_hand = ", which CUDA " + own + " in " + toolkit.folder.string();
  if (code && newer_release(code->release, own)) {
    return Diagnostic{"", name + " code of CUDA " + code->release + at_hand + " cannot read",
                      "a toolkit of CUDA " + code->release + " or newer", way_out};
  }
  const auto help = answer_of(toolkit.cuobjdump, "--help");
  const bool lists = help && help->output.find("'sm_") != std::string::npos;
  if (!lists || help->output.find('\'' + name + '\'') != std::string::npos) return {};
  return Diagnostic{"", name + " code" + at_hand + " does not know", "a toolkit that knows " + name,
                    way_out};
}

bool shows_code(std::string_view listing) {
  return listing.find("Function :") != std::string_view::npos;
}

}  // namespace

std::string without_idle_sections(std::string_view dump) {
  std::string kept;
  kept.reserve(dump.size() / 2);
  enum class Part : std::uint8_t { plain, table, section };
  Part part = Part::plain;
  bool keep = true;
  while (!dump.empty()) {
    const std::size_t end = std::min(dump.find('\n'), dump.size() - 1) + 1;
    const std::string_view line = dump.substr(0, end);
    dump.remove_prefix(end);
    if (line.find("bit elf: type=") != std::string_view::npos) {
      part = Part::table;
      keep = true;
    } else if (line.starts_with("\tcode for ") || line.starts_with("Resource usage:") ||
               line.starts_with("Fatbin ")) {
      part = Part::plain;
      keep = true;
    } else if (part != Part::plain && line.front() == '.') {
      part = Part::section;
      keep = tells(line);
    } else if (part == Part::table) {
      keep = row_tells(line);
    }
    if (keep) kept += line;
  }
  return kept;
}

Expected<std::string> disassemble(const Toolkit& toolkit, const fs::path& binary,
                                  std::optional<std::uint32_t> sm, const fs::path& folder) {
  Command command{toolkit.cuobjdump, {"-sass", "-res-usage", "-elf"}, {}};
  command.temporary = folder;
  if (sm) {
    command.arguments.emplace_back("-arch");
    command.arguments.push_back("sm_" + std::to_string(*sm));
  }
  command.arguments.push_back(binary.string());
  auto done = run_command(command);
  if (!done) return done.error();
  if (done->exit_code != 0 || !shows_code(done->output)) {
    if (auto newer = newer_than(toolkit, binary, sm)) return *std::move(newer);
    if (done->exit_code != 0) return first_error("cuobjdump", done->errors, "");
  }
  return without_idle_sections(done->output);
}

std::string line_dump(const Toolkit& toolkit, const fs::path& cubin) {
  const auto done = run_command({toolkit.nvdisasm, {"-gi", "-c", cubin.string()}, {}});
  return done && done->exit_code == 0 ? done->output : std::string();
}

Expected<std::vector<fs::path>> extract_ptx(const Toolkit& toolkit, const fs::path& binary,
                                            std::uint32_t sm, const fs::path& folder) {
  const std::string ending = ".sm_" + std::to_string(sm) + ".ptx";
  Command command{toolkit.cuobjdump, {"-xptx", ending, fs::absolute(binary).string()}, folder};
  command.temporary = folder;
  const auto done = run_command(command);
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

}  // namespace forewarp::input
