// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/opencl_compiler.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/command.h"

namespace forewarp::input {
namespace {

namespace fs = std::filesystem;

constexpr int newest_clang = 40, oldest_clang = 13;  // of numbered programs that are looked for
constexpr std::uint32_t newest_target = 80;  // that all of them know; ptxas goes on from there

/// Library and compiler exchange code of one version of LLVM: the library of Debian is numbered by
/// its package alone, so that whichever is there is tried.
fs::path library_of_builtins() {
  for (const char* folder :
       {"/usr/lib/clc", "/usr/share/clc", "/usr/local/lib/clc", "/usr/local/share/clc"}) {
    fs::path library = fs::path(folder) / "nvptx64--nvidiacl.bc";
    std::error_code ignored;
    if (fs::exists(library, ignored)) return library;
  }
  return {};
}

fs::path clang_here() {
  if (const char* named = std::getenv("CLANG"); named != nullptr && *named != '\0') return named;
  for (int version = newest_clang; version >= oldest_clang; --version) {
    fs::path clang = program_on_path("clang-" + std::to_string(version));
    if (!clang.empty()) return clang;
  }
  return program_on_path("clang");
}

}  // namespace

Expected<OpenClCompiler> find_opencl_compiler() {
  OpenClCompiler compiler{clang_here(), library_of_builtins(), ""};
  if (compiler.clang.empty() || compiler.library.empty()) {
    return Diagnostic{
        "",
        std::string("OpenCL source needs clang with libclc: there is no ") +
            (compiler.clang.empty() ? "clang on PATH" : "nvptx64--nvidiacl.bc"),
        "both, of one version of LLVM",
        "install Debian's packages clang-16 and libclc-16, or name a clang with CLANG"};
  }
  compiler.identity = program_identity(compiler.clang) + program_identity(compiler.library);
  return compiler;
}

Expected<void> compile_opencl(const OpenClCompiler& compiler, const CompileJob& job) {
  Command command{compiler.clang, {}, {}};
  command.temporary = job.cubin.parent_path();
  const auto add = [&](std::string word) { command.arguments.push_back(std::move(word)); };
  // Line tables alone: ptxas takes no names of variables with dots, which other debug data hold.
  for (const char* word : {"--target=nvptx64-nvidia-nvcl", "-x", "cl", "-O3", "-w", "-gdwarf-2",
                           "-gline-directives-only"})
    add(word);
  add("-march=sm_" + std::to_string(std::min(job.sm, newest_target)));
  for (const char* word : {"-Xclang", "-target-feature", "-Xclang", "+ptx70", "-Xclang",
                           "-mlink-builtin-bitcode", "-Xclang"})
    add(word);
  add(compiler.library.string());
  const bool standard = std::ranges::any_of(
      job.options, [](const std::string& option) { return option.starts_with("-cl-std="); });
  if (!standard) add("-cl-std=CL1.2");
  if (!job.rule.empty()) {
    for (const std::string& word : {std::string("-MD"), std::string("-MF"), job.rule.string()})
      add(word);
  }
  for (const std::string& option : job.options) add(option);
  for (const std::string& word : {std::string("-S"), std::string("-o"), job.cubin.string(),
                                  fs::absolute(job.source).string()})
    add(word);
  const auto done = run_command(command);
  if (!done) return done.error();
  if (done->exit_code == 0) return {};
  return first_error("clang", done->errors + done->output,
                     job.shown_as.empty() ? job.source.string() : job.shown_as);
}

}  // namespace forewarp::input
