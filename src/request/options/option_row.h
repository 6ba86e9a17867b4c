// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "request/case.h"
#include "request/predict_options.h"
#include "request/text/value_cursor.h"

namespace forewarp::request {

/// What a command line says about launch files, many cases and the report, besides the prediction.
struct Delivery {
  std::string launch;               ///< --launch: file of a launch; empty: none
  std::string cases;                ///< --cases: file of cases, - is standard input
  std::vector<std::string> sweeps;  ///< --sweep, --sweep, as written
  std::string format, output;       ///< empty: text, standard output
  std::vector<std::string> views;   ///< empty: empty: the usual ones
  unsigned jobs = 0;                ///< threads; 0: one per core
  bool quiet = false;
  bool progress = false;  ///< --progress: also where standard error is no terminal
  std::string store;      ///< --store: file that keeps the points; empty: none
  bool again = false;     ///< --again: points that it has are computed anew
};

/// Everything that a user asks of a prediction.
struct Asked {
  Case request;
  PredictOptions options;
  Delivery delivery;
};

/// Where an option's value is stored; OptionSource is where it is read from.
struct OptionTarget {
  Case& request;
  PredictOptions& options;
  Delivery& delivery;
};
struct OptionSource {
  const Case& request;
  const PredictOptions& options;
  const Delivery& delivery;
};

/// How a value is written.
enum class OptionKind : std::uint8_t {
  flag,      ///< true if it is given
  text,      ///< a word, a path
  sizes,     ///< X[,Y[,Z]]; in a sweep XxYxZ
  natural,   ///< a whole number
  positive,  ///< a number above 0
  list,      ///< a,b,c
  repeated,  ///< a text, any number of times
  pairs,     ///< NAME=VALUE, any number of times
};

enum class OptionGroup : std::uint8_t { launch, many, model, timing, execution, report, measured };

/// The first step of a prediction that an option changes.
enum class OptionEffect : std::uint8_t {
  nothing,    ///< nothing in the result: only when, where or how it is shown
  code,       ///< which kernel is read
  launch,     ///< the launch of that kernel
  binding,    ///< the GPU's numbers or the code's registers
  execution,  ///< which part of the launch is executed
  model,      ///< the model that predicts
  timing,     ///< what the time includes
  copies,     ///< copies between host and device, part of a host's time only
};

/// Where an option may be given.
enum OptionPlace : std::uint8_t {
  on_command_line = 1,
  in_case = 2,
  in_launch_file = 4,
  in_sweep = 8,
  in_comparison = 16,  ///< as KEY=VALUE of one side
};

/// What the command line's value means with a file of cases.
enum class BesideCases : std::uint8_t { wins, stands_in, holds, refused };

struct OptionRow {
  std::string_view name{};        ///< name of the flag, without dashes
  std::string_view key{};         ///< key in cases and launch files; empty: none
  std::string_view short_name{};  ///< one letter, or empty
  OptionKind kind = OptionKind::text;
  OptionGroup group = OptionGroup::launch;
  OptionEffect changes = OptionEffect::nothing;
  std::uint8_t places = 0;  ///< bits of OptionPlace
  BesideCases beside = BesideCases::holds;
  std::string_view unit{};          ///< empty: none
  std::string_view values{};        ///< accepted values, for messages and docs/options.md
  std::string_view default_text{};  ///< empty: there is no default
  std::string_view help{};
  std::string_view shown{};        ///< key of the result that shows it; empty: none does
  bool always_shown = false;       ///< even if it was not given
  double least = 0, most = 0;      ///< range of a natural number
  std::string_view example{};      ///< a value as text, other than the default
  std::string_view key_example{};  ///< the same as JSON
  /// Reads a text into the record; a refusal has `place`, what was found and `values`.
  Expected<void> (*set)(const OptionRow&, std::string_view text, std::string_view place,
                        const OptionTarget&) = nullptr;
  /// Reads the key's value; null: the option has no key.
  Expected<void> (*read)(const ValueCursor&, Case&) = nullptr;
  /// The values in effect as texts that set() reads; empty: not given.
  std::vector<std::string> (*get)(const OptionSource&) = nullptr;

  [[nodiscard]] bool may_stand(OptionPlace place) const { return (places & place) != 0; }
};

}  // namespace forewarp::request
