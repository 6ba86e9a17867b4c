// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/launch_selection.h"

#include <utility>

namespace forewarp::program_run {

Expected<LaunchSelection> LaunchSelection::of(const SelectionText& text) {
  constexpr std::string_view field = "kernel";
  LaunchSelection made;
  made.text_ = text;
  if (text.select.empty()) return made;
  const auto refuse = [&](const std::string& found) {
    return Diagnostic{"--select", found, "kernel~PATTERN or kernel=NAME", "--select 'kernel~gemm'"};
  };
  const bool pattern = text.select.starts_with("kernel~");
  if (!pattern && !text.select.starts_with("kernel="))
    return refuse("'" + text.select + "' does not say which kernels");
  made.name_ = text.select.substr(field.size() + 1);
  if (made.name_.empty()) return refuse("'" + text.select + "' has nothing behind the field");
  if (!pattern) return made;
  try {
    made.pattern_.emplace(made.name_, std::regex::optimize);
  } catch (const std::regex_error&) {
    return refuse("'" + made.name_ + "' is no regular expression");
  }
  return made;
}

bool LaunchSelection::names(const std::string& kernel) {
  if (text_.select.empty()) return true;
  const auto [at, added] = known_.try_emplace(kernel, false);
  if (added) at->second = pattern_ ? std::regex_search(kernel, *pattern_) : kernel == name_;
  return at->second;
}

bool LaunchSelection::takes(const std::string& kernel) {
  if (text_.selects_all()) return true;
  if (!names(kernel)) return false;
  ++seen_;
  if (seen_ <= text_.skip) return false;
  return text_.launches == 0 || seen_ - text_.skip <= text_.launches;
}

}  // namespace forewarp::program_run
