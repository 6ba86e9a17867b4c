// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "host_program.h"

#include <cstdlib>
#include <elf.h>

#include "base/command.h"
#include "base/file.h"
#include "child.h"
#include "input/binary/byte_fields.h"
#include "input/binary/elf_file.h"

namespace forewarp::cli {
namespace {

namespace fs = std::filesystem;

std::string_view section(const input::ElfFile& file, std::string_view name) {
  for (const input::ElfSection& one : file.sections) {
    if (one.name == name) return one.bytes;
  }
  return {};
}

/// Whether the dynamic section has an entry of this tag.
bool has_entry(std::string_view dynamic, std::uint64_t tag) {
  for (; dynamic.size() >= sizeof(Elf64_Dyn); dynamic.remove_prefix(sizeof(Elf64_Dyn))) {
    if (input::field<std::uint64_t>(dynamic, 0) == tag) return true;
  }
  return false;
}

/// The runtime inside a program has device code to launch and brings its own messages along.
bool carries_runtime(const input::ElfFile& file) {
  const bool device_code = !section(file, ".nv_fatbin").empty();
  const bool loads_runtime =
      section(file, ".dynstr").find("libcudart.so") != std::string_view::npos;
  const bool loads_driver = section(file, ".dynstr").find("libcuda.so") != std::string_view::npos;
  if (!device_code || loads_runtime || loads_driver) return false;
  return section(file, ".rodata").find("cudaErrorInvalidValue") != std::string_view::npos ||
         section(file, ".strtab").find("cudart") != std::string_view::npos;
}

}  // namespace

Expected<HostProgram> host_program(const std::string& name) {
  HostProgram program;
  program.path = name.find('/') != std::string::npos ? fs::path(name) : program_on_path(name);
  std::error_code failed;
  if (program.path.empty() || !fs::is_regular_file(program.path, failed)) {
    return Diagnostic{name, "there is no such program", "a path, or a name on PATH", ""};
  }
  auto text = MappedFile::open(program.path.string());
  if (!text) return text.error();
  const std::string_view bytes = text->bytes();
  if (!input::starts_as_elf(bytes)) return program;  // a script: what it starts is not known
  const auto file = input::parse_elf(bytes);
  if (!file) return program;
  const std::string_view dynamic = section(*file, ".dynamic");
  program.fixed_path = has_entry(dynamic, DT_RPATH) && !has_entry(dynamic, DT_RUNPATH);
  if (carries_runtime(*file)) {
    return Diagnostic{name,
                      "CUDA's runtime is linked into the program, and speaks to a driver only",
                      "a program that loads libcudart.so",
                      "link it again: NVCC_APPEND_FLAGS='-cudart shared' make, with CMake "
                      "-DCMAKE_CUDA_RUNTIME_LIBRARY=Shared, or forewarp run --build 'make'"};
  }
  return program;
}

Substitutes substitutes_beside(const fs::path& program) {
  Substitutes found;
  found.folder = program.parent_path() / "run";
  std::error_code failed;
  if (!fs::exists(found.folder, failed))
    found.folder = program.parent_path().parent_path() / "lib" / "forewarp" / "run";
  found.clock = found.folder / "libforewarp-clock.so";
  found.loading = found.folder / "libforewarp-loading.so";
  for (const char* name :
       {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13", "libcuda.so.1",
        "libcublas.so.11", "libcublas.so.12", "libcublasLt.so.11", "libcublasLt.so.12",
        "libcufft.so.10", "libcufft.so.11", "libcurand.so.10"}) {
    if (fs::exists(found.folder / name, failed)) found.libraries.push_back(found.folder / name);
  }
  return found;
}

Environment environment_of(const program_run::Settings& settings, const Substitutes& substitutes,
                           const HostProgram& program) {
  const auto with = [](const char* name, std::string first, char separator) {
    const char* const before = std::getenv(name);
    if (before != nullptr && *before != '\0') first += separator + std::string(before);
    return std::pair<std::string, std::string>{name, std::move(first)};
  };
  Environment set;
  set.emplace_back(program_run::settings_variable, program_run::settings_text(settings));
  set.push_back(with("LD_LIBRARY_PATH", substitutes.folder.string(), ':'));
  std::string preloaded = substitutes.loading.string();
  if (settings.virtual_clock) preloaded += ' ' + substitutes.clock.string();
  if (program.fixed_path) {
    for (const fs::path& library : substitutes.libraries) preloaded += ' ' + library.string();
  }
  set.push_back(with("LD_PRELOAD", std::move(preloaded), ' '));
  return set;
}

Expected<void> build_program(const std::string& command) {
  ChildOrder order;
  order.program = "/bin/sh";
  order.arguments = {"sh", "-c", command};
  const char* const flags = std::getenv("NVCC_APPEND_FLAGS");
  order.environment = {
      {"NVCC_APPEND_FLAGS", std::string(flags != nullptr ? flags : "") + " -cudart shared"}};
  auto ended = run_child(order);
  if (!ended) return ended.error();
  if (ended->exit_code == 0) return {};
  return Diagnostic{"--build", "'" + command + "' ended with " + std::to_string(ended->exit_code),
                    "", ""};
}

}  // namespace forewarp::cli
