// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::program_run {

/// Which launches are executed: all, none (each is predicted from a sample of its blocks), or all
/// up to a budget.
enum class Execute : std::uint8_t { automatic, all, sample };

/// Which launches of a program are looked at, as it is written: `kernel~PATTERN` (a regular
/// expression that is found in the kernel's name) or `kernel=NAME`; of those the first `skip` are
/// left out, and the next `launches` taken (0: all others).
struct SelectionText {
  std::string select;  ///< empty: every kernel
  std::uint64_t skip = 0, launches = 0;

  [[nodiscard]] bool selects_all() const { return select.empty() && skip == 0 && launches == 0; }
};

/// What `forewarp run` is asked for, as the program's process is told.
struct Settings {
  std::vector<std::string> gpus;  ///< ids; the program sees the first
  std::uint32_t devices = 1;      ///< boards of that kind that the program sees
  Execute execute = Execute::automatic;
  double budget_s = 600;      ///< of counted work on one core, for executing with `automatic`
  double limit_s = 0;         ///< the program is ended after so long; 0: never
  bool virtual_clock = true;  ///< the program's clocks follow the predicted time
  double host_factor = 1;     ///< of the time that the host needs between calls
  std::uint32_t threads = 1;  ///< that execute
  std::string host;           ///< id of a host (docs/hosts.md); empty: none is described
  std::string data;           ///< folder of the data files; empty: found as always
  std::string journal;        ///< file for the record of what happens; empty: none
  std::string toolkit;        ///< --cuda
  std::string record;         ///< folder that launches are kept in; empty: none
  bool again = false;         ///< executes also what would write the same as before
  bool assume_isa = false;    ///< code of another architecture runs as if it were the board's
  SelectionText selection;    ///< the launches that are predicted; the others are executed only
};

/// The environment variable in which the process finds them.
inline constexpr const char* settings_variable = "FOREWARP_RUN";

[[nodiscard]] std::string settings_text(const Settings& settings);
Expected<Settings> parse_settings(std::string_view text);

}  // namespace forewarp::program_run
