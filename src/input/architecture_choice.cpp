// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/architecture_choice.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace forewarp::input {
namespace {

using Numbers = std::vector<std::uint32_t>;

// Architecture numbers are major * 10 + minor, also for two-digit majors: sm_103 is 10.3.
constexpr std::uint32_t minors_per_major = 10;

std::string sm_name(std::uint32_t sm) {
  return "sm_" + std::to_string(sm);
}

template <typename Accept>
std::optional<std::uint32_t> newest(const Numbers& numbers, Accept accept) {
  std::optional<std::uint32_t> best;
  for (const std::uint32_t sm : numbers) {
    if (accept(sm) && (!best || sm > *best)) best = sm;
  }
  return best;
}

std::optional<std::uint32_t> oldest(const Numbers& numbers) {
  const auto found = std::min_element(numbers.begin(), numbers.end());
  return found == numbers.end() ? std::nullopt : std::optional(*found);
}

ArchitectureChoice machine_code(std::uint32_t sm, std::string assumption = "") {
  return {sm, false, std::move(assumption)};
}

Expected<ArchitectureChoice> newest_of_all(const AvailableCode& available) {
  const auto any = [](std::uint32_t) { return true; };
  const auto sm = newest(available.machine, any);
  if (sm && sm == oldest(available.machine)) return machine_code(*sm);
  if (sm) {
    return machine_code(*sm, "no GPU was named: the newest code of the file, " + sm_name(*sm) +
                                 ", was taken from " + architecture_names(available));
  }
  if (const auto ptx = newest(available.ptx, any)) return ArchitectureChoice{*ptx, true, ""};
  return Diagnostic{"", "no GPU code in the file", "code for at least one architecture", ""};
}

// The architecture for a deliberate what-if. Older code is preferred: an old program is more likely
// to have an equal on the wanted architecture.
std::optional<std::uint32_t> nearest(const Numbers& machine, std::uint32_t wanted) {
  const auto older = newest(machine, [&](std::uint32_t sm) { return sm <= wanted; });
  return older ? older : oldest(machine);
}

Diagnostic refusal(const AvailableCode& available, std::uint32_t wanted) {
  const std::string major = std::to_string(wanted / minors_per_major);
  std::string expected = "code for " + sm_name(wanted);
  if (wanted % minors_per_major != 0) {
    expected += ", or an older sm_" + major + "x";
  }
  return {"",
          "the file has code for " + architecture_names(available) + ", which does not run on " +
              sm_name(wanted),
          std::move(expected),
          "compile it for that GPU, or add --assume-isa to predict this code as if it ran there"};
}

}  // namespace

bool runs_on(std::uint32_t code_sm, std::uint32_t wanted_sm) {
  return code_sm / minors_per_major == wanted_sm / minors_per_major && code_sm <= wanted_sm;
}

std::string architecture_names(const AvailableCode& available) {
  Numbers machine = available.machine;
  Numbers ptx = available.ptx;
  std::vector<std::string> names;
  for (Numbers* numbers : {&machine, &ptx}) {
    std::sort(numbers->begin(), numbers->end());
    numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
    for (const std::uint32_t sm : *numbers) {
      names.push_back((numbers == &machine ? "sm_" : "compute_") + std::to_string(sm));
    }
  }
  return names.empty() ? "no architecture" : join(names, ", ");
}

Expected<ArchitectureChoice> choose_architecture(const AvailableCode& available,
                                                 std::optional<std::uint32_t> wanted_sm,
                                                 bool assume_isa) {
  if (!wanted_sm) return newest_of_all(available);
  const std::uint32_t wanted = *wanted_sm;
  if (const auto sm =
          newest(available.machine, [&](std::uint32_t code) { return runs_on(code, wanted); })) {
    return machine_code(*sm);
  }
  if (const auto ptx = newest(available.ptx, [&](std::uint32_t code) { return code <= wanted; })) {
    return ArchitectureChoice{*ptx, true,
                              "no machine code of the file runs on " + sm_name(wanted) +
                                  ": its PTX for compute_" + std::to_string(*ptx) +
                                  " is compiled, by this toolkit and not by the driver"};
  }
  if (const auto sm = nearest(available.machine, wanted); assume_isa && sm) {
    return machine_code(*sm);
  }
  return refusal(available, wanted);
}

}  // namespace forewarp::input
