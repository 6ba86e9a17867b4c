// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/toolkit.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>
#include <utility>

#include "base/command.h"
#include "base/text.h"
#include "input/toolkit/code_release.h"

namespace forewarp::input {
namespace {

namespace fs = std::filesystem;

constexpr const char* how_to_get =
    "install Debian's package nvidia-cuda-toolkit (component non-free), or name a toolkit with "
    "--cuda or CUDA_HOME";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

fs::path program_in(const fs::path& folder, const char* name) {
  fs::path path = folder / name;
  std::error_code ignored;
  const bool runs = fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
  return runs ? path : fs::path();
}

std::string identity_of(const Toolkit& toolkit) {
  std::string identity;
  for (const fs::path* program :
       {&toolkit.nvcc, &toolkit.ptxas, &toolkit.cuobjdump, &toolkit.nvdisasm})
    identity += program_identity(*program);
  return identity;
}

Toolkit toolkit_in(const fs::path& folder, const std::string& named_by) {
  Toolkit toolkit;
  toolkit.folder = folder;
  toolkit.named_by = named_by;
  toolkit.nvcc = program_in(folder, "nvcc");
  toolkit.ptxas = program_in(folder, "ptxas");
  toolkit.cuobjdump = program_in(folder, "cuobjdump");
  toolkit.nvdisasm = program_in(folder, "nvdisasm");
  toolkit.identity = identity_of(toolkit);
  return toolkit;
}

std::vector<std::string> missing(const Toolkit& toolkit, const ToolkitNeeds& needs) {
  std::vector<std::string> names;
  if (needs.source_compiler && toolkit.nvcc.empty()) names.emplace_back("nvcc");
  if (needs.ptx_compiler && toolkit.ptxas.empty()) names.emplace_back("ptxas");
  if (needs.disassembler && toolkit.cuobjdump.empty()) names.emplace_back("cuobjdump");
  if (needs.disassembler && toolkit.nvdisasm.empty()) names.emplace_back("nvdisasm");
  return names;
}

bool has_any(const Toolkit& toolkit) {
  return !toolkit.identity.empty();
}

Diagnostic no_toolkit(const ToolkitSearch& search, const ToolkitNeeds& needs) {
  const std::string all = join(missing(Toolkit{}, needs), ", ");
  std::vector<std::string> where;
  for (const ToolkitSearch::Place& place : search.places) {
    if (where.empty() || where.back() != place.named_by) where.push_back(place.named_by);
  }
  const bool named = search.places.size() == 1;
  return {"CUDA toolkit",
          named ? "there is none in " + search.places.front().folder.string()
                : "there is none in " + join(where, ", "),
          all, how_to_get};
}

}  // namespace

ToolkitSearch ToolkitSearch::from_environment(const std::string& named) {
  ToolkitSearch search;
  if (!named.empty()) {
    search.places.push_back({named, "--cuda"});
    return search;
  }
  if (const std::string home = environment("CUDA_HOME"); !home.empty()) {
    search.places.push_back({home, "CUDA_HOME"});
  }
  const std::string path = environment("PATH");
  for (const std::string_view folder : split(path, ':')) {
    if (!folder.empty()) search.places.push_back({folder, "PATH"});
  }
  search.places.push_back({"/usr/local/cuda", "the usual places"});
  search.places.push_back({"/usr/lib/nvidia-cuda-toolkit", "the usual places"});
  return search;
}

Expected<Toolkit> find_toolkit(const ToolkitSearch& search, const ToolkitNeeds& needs) {
  Toolkit incomplete;
  for (const ToolkitSearch::Place& place : search.places) {
    for (const fs::path& folder : {place.folder / "bin", place.folder}) {
      Toolkit toolkit = toolkit_in(folder, place.named_by);
      if (!has_any(toolkit)) continue;
      if (missing(toolkit, needs).empty()) return toolkit;
      const bool lacks_less = missing(toolkit, needs).size() < missing(incomplete, needs).size();
      if (!has_any(incomplete) || lacks_less) incomplete = std::move(toolkit);
    }
  }
  if (!has_any(incomplete)) return no_toolkit(search, needs);
  return Diagnostic{"CUDA toolkit in " + incomplete.folder.string(),
                    "has no " + join(missing(incomplete, needs), ", no "),
                    join(missing(Toolkit{}, needs), ", "), how_to_get};
}

Expected<CommandOutput> answer_of(const fs::path& program, const std::string& question) {
  Command command{program, {question}, {}};
  command.limits.time = std::chrono::minutes(1);
  return run_command(command);
}

std::string version_of(const fs::path& program) {
  const auto said = answer_of(program, "--version");
  std::string release = said ? release_in(said->output) : std::string();
  return release.empty() ? "unknown version" : release;
}

std::vector<std::uint32_t> architectures_of(const Toolkit& toolkit, const ToolkitNeeds& needs) {
  const auto said = needs.source_compiler ? answer_of(toolkit.nvcc, "--list-gpu-code")
                                          : answer_of(toolkit.ptxas, "--help");
  std::vector<std::uint32_t> numbers;
  if (!said) return numbers;
  const std::string_view text = said->output;
  for (std::size_t at = text.find("sm_"); at != std::string_view::npos; at = text.find("sm_", at)) {
    at += 3;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    // sm_90a and the like are specific to one architecture and no general targets.
    const bool plain = end == text.size() || (text[end] != 'a' && text[end] != 'f');
    if (const auto sm = parse_integer(text.substr(at, end - at)); sm && plain) {
      numbers.push_back(static_cast<std::uint32_t>(*sm));
    }
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace forewarp::input
