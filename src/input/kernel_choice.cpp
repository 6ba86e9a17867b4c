// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/kernel_choice.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "input/builtin.h"
#include "input/kernel_matching.h"
#include "input/kernel_names.h"

namespace forewarp::input {
namespace {

constexpr std::size_t most_listed = 12;
constexpr std::size_t longest_listed = 80;  // characters; names in libraries may have thousands

using Counts = std::map<std::string, std::size_t, std::less<>>;

/// For each plain name, how many kernels with different mangled names have it.
Counts counts_of(const std::vector<KernelSummary>& kernels) {
  std::set<std::pair<std::string, std::string>> different;
  for (const KernelSummary& kernel : kernels) different.emplace(kernel.name, kernel.mangled);
  Counts counts;
  for (const auto& [name, mangled] : different) ++counts[name];
  return counts;
}

/// "DeviceReduceKernel (4), DeviceScanKernel": instances are grouped by template name.
std::string templates_of(const std::vector<KernelSummary>& kernels) {
  Counts counts;
  std::vector<std::string> order;
  for (const KernelSummary& kernel : kernels) {
    const std::string name(base_name(kernel.name));
    if (++counts[name] == 1) order.push_back(name);
  }
  std::vector<std::string> texts;
  for (const std::string& name : order) {
    if (texts.size() == most_listed) break;
    const std::size_t count = counts[name];
    texts.push_back(name + (count > 1 ? " (" + std::to_string(count) + ")" : ""));
  }
  if (order.size() > texts.size()) {
    texts.push_back("and " + std::to_string(order.size() - texts.size()) + " more");
  }
  return join(texts, ", ");
}

/// The plain names; with parameter types if several kernels have the same name.
std::string names_of(const std::vector<KernelSummary>& kernels) {
  const Counts counts = counts_of(kernels);
  std::vector<std::string> names;
  for (const KernelSummary& kernel : kernels) {
    if (names.size() == most_listed) {
      names.push_back("and " + std::to_string(kernels.size() - most_listed) + " more");
      break;
    }
    const std::string name =
        counts.find(kernel.name)->second > 1 ? full_name(kernel.mangled) : kernel.name;
    if (name.size() > longest_listed) return templates_of(kernels);
    names.push_back(name + " (sm_" + std::to_string(kernel.sm) + ")");
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
                    std::vector<KernelSummary> all) {
  for (KernelSummary& kernel : all) {
    if (kernel.name.empty()) kernel.name = kernel_signature(kernel.mangled).name;
  }
  if (all.empty()) return {source.file_name(), "holds no kernel", "", ""};
  const bool number =
      !choice.name.empty() && choice.name.find_first_not_of("0123456789") == std::string::npos;
  const auto close =
      number ? std::optional("#" + choice.name) : closest(choice.name, plain_names(all));
  return {source.file_name(), "has no kernel '" + choice.name + "'", "one of " + names_of(all),
          close ? "did you mean " + *close + "?" : ""};
}

Diagnostic several_match(const InputSource& source, const std::vector<KernelSummary>& fitting) {
  const bool of_library = std::all_of(fitting.begin(), fitting.end(), [](const auto& kernel) {
    return kernel.name.starts_with("cub::") || kernel.name.starts_with("thrust::");
  });
  std::string found = "has " + std::to_string(fitting.size()) + " kernels that fit";
  if (of_library) found += ", all of Thrust and CUB: one call launches several of them";
  return {
      source.file_name(), std::move(found), "one of " + names_of(fitting),
      "name it with --kernel NAME, or --kernel '#N' by its number in 'forewarp analyze --list " +
          source.file_name() + "'"};
}

/// Tells by name and number alone which kernels may be the chosen one.
KernelFilter filter_of(const KernelChoice& choice) {
  return [name = choice.name, wanted = kernel_number(choice.name)](std::size_t number,
                                                                   const std::string& mangled) {
    if (wanted) return number == *wanted;
    if (name.empty() || mangled == name) return true;
    if (name.starts_with("_Z")) return false;  // as good as any: plain names take time to find
    Kernel kernel;
    kernel.mangled = mangled;
    kernel.name = kernel_signature(mangled).name;
    return match_name(kernel, name) != NameMatch::none;
  };
}

}  // namespace

std::optional<std::uint64_t> kernel_number(std::string_view name) {
  return name.starts_with('#') ? parse_natural(name.substr(1)) : std::nullopt;
}

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
  // No reader accepted the input: the listing reader gives the best error message.
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
  ReadOptions reading = options;
  const KernelFilter wanted = reading.wanted = filter_of(choice);
  auto stream = open_kernels(source, reading);
  if (!stream) return std::move(stream).error();
  std::vector<KernelSummary> all;
  std::vector<KernelSummary> fitting;
  std::optional<Kernel> best;
  NameMatch best_match = NameMatch::none;
  const auto numbered = kernel_number(choice.name);
  for (;;) {
    auto next = (*stream)->next();
    if (!next) return std::move(next).error();
    if (!*next) break;
    Kernel& kernel = **next;
    all.push_back(summary_of(kernel));
    if (!wanted(all.size(), kernel.mangled)) continue;
    if (numbered) return std::move(kernel);
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
