// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "command_line.h"
#include "report/documents/report.h"
#include "request/options/option_table.h"

namespace forewarp::cli {

/// Options of the table as they were written on a command line; the texts are parsed on request,
/// so that every refusal is one line of the same form.
class PredictionOptions {
 public:
  /// The flag of an option. `help` and `names` replace the table's, for commands with a narrower
  /// meaning. The flag refers to this object.
  [[nodiscard]] Flag flag(std::string_view name, std::string help = {}, std::string names = {});
  /// The flags of every option that a command line may have, except `left_out`.
  [[nodiscard]] std::vector<Flag> flags(std::initializer_list<std::string_view> left_out = {});

  /// An option's texts as written; empty: not given.
  [[nodiscard]] const std::vector<std::string>& texts(std::string_view name) const;
  [[nodiscard]] bool given(std::string_view name) const { return !texts(name).empty(); }
  /// Replaces what was written.
  void give(const OptionRow& row, std::vector<std::string> texts);
  /// Adds a text to an option that may be given several times.
  void add(const OptionRow& row, std::string text);

  /// What the command line asks for; its options override its launch file. Refuses a launch
  /// together with --cases.
  [[nodiscard]] Expected<Asked> asked() const;
  /// The same; options override what `base` asks for.
  [[nodiscard]] Expected<Asked> asked_over(Asked base) const;

  /// Everything given that changes a result, as text.
  [[nodiscard]] std::string key() const;

 private:
  [[nodiscard]] Expected<Asked> asked_of_recording(std::uint64_t number) const;
  std::map<const OptionRow*, std::vector<std::string>> texts_;
};

/// Colour and width of the terminal, if standard output is one.
[[nodiscard]] TextStyle terminal_style();

/// Writes to standard output, or to the file of -o.
Expected<void> deliver(const std::string& text, const std::string& output);

}  // namespace forewarp::cli
