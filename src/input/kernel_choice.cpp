// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/kernel_choice.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/text.h"
#include "input/builtin.h"
#include "input/kernel_matching.h"

namespace forewarp::input {
namespace {

constexpr std::size_t most_listed = 12;
constexpr std::size_t longest_listed = 80;  // characters; libraries have names of thousands

/// The plain name, with types where another kernel has it too.
std::string listed_name(const KernelSummary& kernel, const std::vector<KernelSummary>& kernels) {
  const bool overloaded = std::any_of(kernels.begin(), kernels.end(), [&](const auto& other) {
    return other.name == kernel.name && other.mangled != kernel.mangled;
  });
  std::string name = overloaded ? full_name(kernel.mangled) : kernel.name;
  if (name.size() > longest_listed) name = name.substr(0, longest_listed) + "..";
  return name;
}

std::string names_of(const std::vector<KernelSummary>& kernels) {
  std::vector<std::string> names;
  for (const KernelSummary& kernel : kernels) {
    if (names.size() == most_listed) {
      names.push_back("and " + std::to_string(kernels.size() - most_listed) + " more");
      break;
    }
    names.push_back(listed_name(kernel, kernels) + " (sm_" + std::to_string(kernel.sm) + ")");
  }
  return join(names, ", ");
}

KernelSummary summary_of(const Kernel& kernel) {
  return {kernel.name, kernel.mangled, kernel.sm, kernel.instructions.size(),
          kernel.resources.registers};
}

std::vector<std::string> plain_names(const std::vector<KernelSummary>& kernels) {
  std::vector<std::string> names;
  for (const KernelSummary& kernel : kernels) names.push_back(kernel.name);
  return names;
}

Diagnostic no_match(const InputSource& source, const KernelChoice& choice,
                    const std::vector<KernelSummary>& all) {
  const auto close = closest(choice.name, plain_names(all));
  return {source.file_name(), "has no kernel '" + choice.name + "'", "one of " + names_of(all),
          close ? "did you mean " + *close + "?" : ""};
}

Diagnostic several_match(const InputSource& source, const std::vector<KernelSummary>& fitting) {
  return {source.file_name(), "has " + std::to_string(fitting.size()) + " kernels that fit",
          "one of " + names_of(fitting), "name it with --kernel NAME"};
}

}  // namespace

Expected<std::unique_ptr<KernelStream>> open_kernels(const InputSource& source,
                                                     const ReadOptions& options) {
  const Registry<Reader> readers = builtin_readers();
  if (!options.format.empty()) {
    const auto reader = readers.find(options.format);
    if (!reader) return reader.error();
    return (*reader)->read(source, options);
  }
  for (const auto& reader : readers.entries()) {
    if (reader->looks_like(source.head(), source.file_name())) return reader->read(source, options);
  }
  // Nobody's: the listing reader says best what is wrong with it.
  return readers.entries().back()->read(source, options);
}

Expected<std::vector<KernelSummary>> list_kernels(const InputSource& source,
                                                  const ReadOptions& options) {
  auto stream = open_kernels(source, options);
  if (!stream) return std::move(stream).error();
  std::vector<KernelSummary> kernels;
  for (;;) {
    auto kernel = (*stream)->next();
    if (!kernel) return std::move(kernel).error();
    if (!*kernel) return kernels;
    kernels.push_back(summary_of(**kernel));
  }
}

Expected<Kernel> read_kernel(const InputSource& source, const KernelChoice& choice,
                             const ReadOptions& options) {
  auto stream = open_kernels(source, options);
  if (!stream) return std::move(stream).error();
  std::vector<KernelSummary> all;
  std::vector<KernelSummary> fitting;
  std::optional<Kernel> best;
  NameMatch best_match = NameMatch::none;
  for (;;) {
    auto next = (*stream)->next();
    if (!next) return std::move(next).error();
    if (!*next) break;
    Kernel& kernel = **next;
    all.push_back(summary_of(kernel));
    const NameMatch match = match_name(kernel, choice.name);
    if (match == NameMatch::none || match < best_match) continue;
    if (match > best_match) {
      fitting.clear();
      best.reset();
    }
    best_match = match;
    const Preference preference =
        best ? prefer(*best, kernel, choice.for_sm, options.assume_isa) : Preference::second;
    if (preference == Preference::first) continue;
    if (preference == Preference::second) fitting.clear();
    fitting.push_back(all.back());
    best = std::move(kernel);
  }
  if (fitting.empty()) return no_match(source, choice, all);
  if (fitting.size() > 1) return several_match(source, fitting);
  return std::move(*best);
}

}  // namespace forewarp::input
