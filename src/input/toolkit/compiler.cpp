// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/compiler.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/command.h"
#include "base/text.h"

namespace forewarp::input {
namespace {

namespace fs = std::filesystem;

constexpr int oldest_host_compiler = 5;  // no supported toolkit's headers compile with older ones

// "gcc versions later than 11 are not supported!" -> 11
std::optional<int> newest_accepted(std::string_view messages) {
  const std::string_view sentence = "gcc versions later than ";
  const std::size_t at = messages.find(sentence);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = messages.substr(at + sentence.size());
  const auto number = parse_integer(rest.substr(0, rest.find_first_not_of("0123456789")));
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

fs::path host_compiler_up_to(int newest) {
  for (int version = newest; version >= oldest_host_compiler; --version) {
    fs::path compiler = program_on_path("g++-" + std::to_string(version));
    if (!compiler.empty()) return compiler;
  }
  return {};
}

// A virtual architecture among the user's options is combined with code for the GPU: what a driver
// generates from PTX of that architecture.
std::string architecture_option(const CompileJob& job) {
  const bool own = std::any_of(job.options.begin(), job.options.end(), [](const std::string& text) {
    return text.starts_with("-arch=compute_");
  });
  return (own ? "-code=sm_" : "-arch=sm_") + std::to_string(job.sm);
}

std::string shown(const CompileJob& job) {
  return job.shown_as.empty() ? job.source.string() : job.shown_as;
}

Command nvcc_command(const Toolkit& toolkit, const CompileJob& job, const fs::path& source,
                     const fs::path& host) {
  Command command{toolkit.nvcc, {"-cubin", "-w", "-lineinfo", architecture_option(job)}, {}};
  command.limits.time = std::chrono::minutes(20);  // templates of large libraries
  command.temporary = job.cubin.parent_path();
  if (!host.empty()) {
    command.arguments.emplace_back("-ccbin");
    command.arguments.push_back(host.string());
  }
  if (!job.rule.empty()) {
    command.arguments.insert(command.arguments.end(), {"-MD", "-MF", job.rule.string()});
  }
  command.arguments.insert(command.arguments.end(), job.options.begin(), job.options.end());
  for (const char* part : {"-x", "cu", "-o"}) command.arguments.emplace_back(part);
  command.arguments.push_back(job.cubin.string());
  command.arguments.push_back(source.string());
  return command;
}

/// Whether a word is safe in a shell: nvcc passes its words on to one, in double quotes at best.
bool safe_for_shell(std::string_view word) {
  return word.find_first_of("$`\"\\\n;&|<>(){}*?!'") == std::string_view::npos;
}

/// The source under a name that is safe in a shell; its own folder is then searched for headers.
Expected<fs::path> plainly_named(const CompileJob& job, CompileJob& changed) {
  fs::path source = fs::absolute(job.source);
  if (safe_for_shell(source.string())) return source;
  const fs::path folder = job.cubin.parent_path() / "sources",
                 plain = job.cubin.parent_path() / "input.cu";
  std::error_code failure;
  fs::create_directory_symlink(source.parent_path(), folder, failure);
  if (!failure) fs::copy_file(source, plain, failure);
  if (failure) return Diagnostic{shown(job), "cannot be copied: " + failure.message(), "", ""};
  changed.options.push_back("-I" + folder.string());
  return plain;
}

Expected<void> check_options(const CompileJob& job) {
  for (const std::string& option : job.options) {
    const bool quoted_by_nvcc =
        option.starts_with("-D") || option.starts_with("-U") || option.starts_with("-I");
    const bool safe = quoted_by_nvcc ? option.find_first_of("$`\n;&|<>") == std::string::npos
                                     : safe_for_shell(option);
    if (safe) continue;
    return Diagnostic{shown(job), "the compile option '" + option + "' is for a shell",
                      "an option without characters that a shell reads", ""};
  }
  return {};
}

// "name.cl:3:10: error: text" -> "3"
std::string line_before_column(std::string_view line) {
  const auto digits_at_end = [](std::string_view& text) {
    const std::size_t last = text.find_last_not_of("0123456789");
    if (last == std::string_view::npos || text[last] != ':') return std::string_view();
    const std::string_view digits = text.substr(last + 1);
    text = text.substr(0, last);
    return digits;
  };
  std::string_view before = line.substr(0, std::min(line.find(": error"), line.find(": fatal")));
  if (before.size() == line.size() || digits_at_end(before).empty()) return "";
  return std::string(digits_at_end(before));
}

// "name.cu(3): error: text" and "ptxas name.ptx, line 3; error : text"
std::string line_number_in(std::string_view line) {
  if (std::string number = line_before_column(line); !number.empty()) return number;
  for (const std::string_view opening : {std::string_view("("), std::string_view(", line ")}) {
    const std::size_t at = line.find(opening);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = line.substr(at + opening.size());
    const std::string_view digits = rest.substr(0, rest.find_first_not_of("0123456789"));
    if (!digits.empty() && digits.size() < rest.size()) return std::string(digits);
  }
  return "";
}

}  // namespace

Diagnostic first_error(std::string_view program, std::string_view messages,
                       std::string_view shown_as) {
  std::string_view first;
  std::string_view fallback;
  for (const std::string_view line : split(messages, '\n')) {
    if (trim(line).empty()) continue;
    if (fallback.empty()) fallback = trim(line);
    const bool is_error = lower(line).find("error") != std::string::npos ||
                          line.find("fatal") != std::string_view::npos;
    if (first.empty() && is_error) first = trim(line);
  }
  if (first.empty())
    first = fallback.empty() ? std::string_view("failed without a message") : fallback;
  std::string place(shown_as);
  std::string_view text = first;
  if (const std::string number = line_number_in(first); !number.empty()) {
    place += ':' + number;
    const std::size_t message = first.find("error");
    const std::size_t colon = first.find(':', message);
    if (colon != std::string_view::npos) text = trim(first.substr(colon + 1));
  }
  return {place, std::string(program) + " says: " + std::string(text), "", ""};
}

Expected<void> compile_source(const Toolkit& toolkit, const CompileJob& wanted) {
  if (auto fine = check_options(wanted); !fine) return fine.error();
  CompileJob job = wanted;
  const auto source = plainly_named(wanted, job);
  if (!source) return source.error();
  auto done = run_command(nvcc_command(toolkit, job, *source, {}));
  if (!done) return done.error();
  if (done->exit_code == 0) return {};
  const auto newest = newest_accepted(done->errors + done->output);
  if (newest) {
    const fs::path host = host_compiler_up_to(*newest);
    if (host.empty()) {
      const std::string name = "g++-" + std::to_string(*newest);
      return Diagnostic{toolkit.nvcc.string(), "does not take the C++ compiler of this machine",
                        name + " or older", "install the package " + name};
    }
    done = run_command(nvcc_command(toolkit, job, *source, host));
    if (!done) return done.error();
    if (done->exit_code == 0) return {};
  }
  return first_error("nvcc", done->errors + done->output, shown(job));
}

Expected<void> compile_ptx(const Toolkit& toolkit, const CompileJob& job) {
  Command command{toolkit.ptxas,
                  {"-arch=sm_" + std::to_string(job.sm), "-o", job.cubin.string(),
                   fs::absolute(job.source).string()},
                  {}};
  command.temporary = job.cubin.parent_path();
  if (job.keeps_lines) command.arguments.emplace_back("-lineinfo");
  const auto done = run_command(command);
  if (!done) return done.error();
  if (done->exit_code == 0) return {};
  return first_error("ptxas", done->errors + done->output, shown(job));
}

}  // namespace forewarp::input
