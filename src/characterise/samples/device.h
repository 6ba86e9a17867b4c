// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/expected.h"
#include "hardware/capability.h"

namespace forewarp::characterise {

/// The device that was measured, as its driver tells it.
struct MeasuredDevice {
  std::string backend;  ///< "cuda", "forewarp:ID", "synthetic:FILE"
  std::string name;
  Capability cc;
  std::string date;                            ///< of the run, as written
  std::string driver, runtime, toolkit;        ///< versions; empty: not told
  std::string flags;                           ///< of the compiler
  std::map<std::string, std::uint64_t> asked;  ///< records that each test asked for
  std::map<std::string, double> numbers;       ///< told, by path of a GPU file
  std::map<std::string, std::string> words;    ///< alike, of facts that are words
  std::string source;                          ///< who told them
  /// What another program measured, by path, with its deviation where it says one.
  std::map<std::string, std::pair<double, std::optional<double>>> measured;
  std::string measured_source;
};

/// Reads device.json. Fails, with the file, for text that is no JSON object, a missing name or
/// capability, and facts that are neither numbers nor texts.
Expected<MeasuredDevice> parse_device(std::string_view text, std::string_view file);

}  // namespace forewarp::characterise
