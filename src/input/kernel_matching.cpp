// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/kernel_matching.h"

#include <string>

#include "base/text.h"
#include "input/architecture_choice.h"
#include "input/kernel_names.h"

namespace forewarp::input {

namespace {

/// Users place blanks freely: "scale<float,4>(int, float *)".
std::string without_blanks(std::string_view name) {
  std::string text(name);
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  return text;
}

/// "const" may precede or follow the type, and mangled names do not know size_t.
std::string without_const(std::string text) {
  constexpr std::string_view alias = "size_t", meant = "unsignedlong";
  for (std::size_t at = text.find(alias); at != std::string::npos; at = text.find(alias)) {
    text.replace(at, alias.size(), meant);
  }
  for (std::size_t at = text.find("const"); at != std::string::npos; at = text.find("const")) {
    text.erase(at, 5);
  }
  return text;
}

}  // namespace

std::string full_name(const std::string& mangled) {
  const KernelSignature signature = kernel_signature(mangled);
  return signature.has_types ? signature.name + '(' + join(signature.types, ", ") + ')'
                             : signature.name;
}

NameMatch match_name(const Kernel& kernel, std::string_view wanted) {
  if (wanted.empty() || kernel.mangled == wanted) return NameMatch::mangled;
  const std::string asked = without_blanks(wanted);
  if (asked.find('(') != std::string::npos) {
    const std::string full = without_const(without_blanks(full_name(kernel.mangled)));
    const std::string part = without_const(asked);
    return full == part || full.ends_with("::" + part) ? NameMatch::plain : NameMatch::none;
  }
  const std::string plain = without_blanks(kernel.name);
  if (plain == asked) return NameMatch::plain;
  const bool last = plain.ends_with("::" + asked) && asked.find('<') != std::string::npos;
  return last || base_name(plain) == asked ? NameMatch::base : NameMatch::none;
}

Preference prefer(const Kernel& first, const Kernel& second, std::uint32_t for_sm,
                  bool assume_isa) {
  if (for_sm == 0 || first.mangled != second.mangled || first.sm == second.sm) {
    return Preference::equal;
  }
  const bool first_runs = runs_on(first.sm, for_sm);
  const bool second_runs = runs_on(second.sm, for_sm);
  if (first_runs != second_runs) return first_runs ? Preference::first : Preference::second;
  if (!first_runs && !assume_isa) return Preference::equal;
  if (!first_runs) {  // as choose_architecture(): the newest older code, or the oldest newer
    const bool first_older = first.sm <= for_sm, second_older = second.sm <= for_sm;
    if (first_older != second_older) return first_older ? Preference::first : Preference::second;
    return (first.sm > second.sm) == first_older ? Preference::first : Preference::second;
  }
  return first.sm > second.sm ? Preference::first : Preference::second;
}

}  // namespace forewarp::input
