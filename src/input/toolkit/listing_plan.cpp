// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/listing_plan.h"

#include <cstdlib>
#include <utility>

#include "base/text.h"
#include "input/binary/elf_file.h"
#include "input/binary/fat_binary.h"
#include "input/toolkit/source_content.h"

namespace forewarp::input {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Environment variables that compilers obey.
std::string compiler_environment() {
  std::string text;
  for (const char* name : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "CPATH",
                           "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
    text += environment(name) + '\0';
  }
  return text;
}

/// The options of the user and those that the environment adds.
std::vector<std::string> all_options(const std::vector<std::string>& own) {
  std::vector<std::string> options;
  const auto add_words = [&](const char* name) {
    const std::string text = environment(name);
    for (const std::string_view word : split(text, ' ')) {
      if (!word.empty()) options.emplace_back(word);
    }
  };
  add_words("NVCC_PREPEND_FLAGS");
  options.insert(options.end(), own.begin(), own.end());
  add_words("NVCC_APPEND_FLAGS");
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
    const std::string folders = environment(name);
    if (folders.empty()) continue;
    for (const std::string_view folder : split(folders, ':')) {
      options.push_back("-I" + std::string(folder.empty() ? "." : folder));
    }
  }
  return options;
}

Expected<AvailableCode> code_in(const ToolkitInput& input) {
  if (input.kind == ContentKind::cubin) {
    const auto elf = parse_elf(input.bytes);
    if (!elf) return elf.error();
    return AvailableCode{{elf->sm()}, {}};
  }
  if (input.kind == ContentKind::host_binary) {
    const auto elf = parse_elf(input.bytes);
    if (!elf) return elf.error();
    AvailableCode code;
    for (const ElfSection& section : elf->sections) {
      if (section.name != ".nv_fatbin" && section.name != "__nv_relfatbin") continue;
      const AvailableCode part = code_in_fat_binaries(section.bytes);
      code.machine.insert(code.machine.end(), part.machine.begin(), part.machine.end());
      code.ptx.insert(code.ptx.end(), part.ptx.begin(), part.ptx.end());
    }
    return code;
  }
  if (input.kind == ContentKind::fat_binary && !is_complete_fat_binary(input.bytes)) {
    return Diagnostic{"", "the fatbin is cut short", "a complete file", ""};
  }
  return code_in_fat_binaries(input.bytes);
}

Expected<ListingPlan> plan_for_binary(const ToolkitInput& input) {
  const auto code = code_in(input);
  if (!code) return code.error();
  if (code->machine.empty() && code->ptx.empty()) {
    return Diagnostic{"", std::string(name_of(input.kind)) + " without GPU code",
                      "a cubin, or a section .nv_fatbin with one", "compile it with nvcc"};
  }
  auto choice = choose_architecture(*code, input.sm, input.assume_isa);
  if (!choice) return choice.error();
  ListingPlan plan;
  plan.needs.ptx_compiler = choice->compile_ptx;
  plan.content = input.bytes;
  plan.choice = std::move(*choice);
  return plan;
}

// The architecture in ".target sm_80, texmode_independent" -> 80
std::uint32_t ptx_target(std::string_view ptx) {
  const std::size_t at = ptx.find(".target");
  const std::size_t number = at == std::string_view::npos ? at : ptx.find("sm_", at);
  if (number == std::string_view::npos) return 0;
  const std::string_view rest = ptx.substr(number + 3);
  const auto sm = parse_integer(rest.substr(0, rest.find_first_not_of("0123456789")));
  return sm ? static_cast<std::uint32_t>(*sm) : 0;
}

}  // namespace

Expected<ListingPlan> plan_listing(const ToolkitInput& input) {
  ListingPlan plan;
  switch (input.kind) {
    case ContentKind::cuda_source: {
      const fs::path folder = input.path.empty() ? fs::path(".") : input.path.parent_path();
      plan.needs.source_compiler = true;
      plan.content = source_with_includes(input.bytes, folder, all_options(input.compile_options)) +
                     compiler_environment();
      return plan;
    }
    case ContentKind::opencl_source: {
      auto compiler = find_opencl_compiler();
      if (!compiler) return std::move(compiler).error();
      const fs::path folder = input.path.empty() ? fs::path(".") : input.path.parent_path();
      plan.needs.ptx_compiler = true;
      plan.content = source_with_includes(input.bytes, folder, all_options(input.compile_options)) +
                     compiler_environment() + compiler->identity;
      plan.opencl = *std::move(compiler);
      return plan;
    }
    case ContentKind::ptx: {
      plan.needs.ptx_compiler = true;
      plan.content = input.bytes;
      const std::uint32_t target = ptx_target(input.bytes);
      if (input.sm && target > *input.sm) {
        auto choice = choose_architecture({{}, {target}}, input.sm, false);
        if (!choice) return choice.error();
      }
      return plan;
    }
    default:
      return plan_for_binary(input);
  }
}

}  // namespace forewarp::input
