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

/// What a command line says of many launches and of the report, beside the prediction itself.
struct Delivery {
  std::string launch;               ///< --launch: file of a launch; empty: none
  std::string cases;                ///< --cases: file of cases, - is standard input
  std::vector<std::string> sweeps;  ///< --sweep, as written
  std::string format, output;       ///< empty: text, standard output
  std::vector<std::string> views;   ///< empty: the usual ones
  unsigned jobs = 0;                ///< threads; 0: one per core
  bool quiet = false;
  bool progress = false;  ///< --progress: also where standard error is no terminal
  std::string store;      ///< --store: file that keeps the points; empty: none
  bool again = false;     ///< --again: points that it has are computed anew
};

/// Everything that is asked of a prediction.
struct Asked {
  Case request;
  PredictOptions options;
  Delivery delivery;
};

/// Where an option's value goes to, and where it is read from.
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
  flag,      ///< true by its name alone
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
  nothing,    ///< of the result: only when, where or how it is shown
  code,       ///< which kernel is read
  launch,     ///< what of it is launched
  binding,    ///< the GPU's numbers or the code's registers
  execution,  ///< what is executed of it
  model,      ///< who predicts from that
  timing,     ///< what the time means
  copies,     ///< between host and device, in a time of the host alone
};

/// Where an option may stand.
enum OptionPlace : std::uint8_t {
  on_command_line = 1,
  in_case = 2,
  in_launch_file = 4,
  in_sweep = 8,
  in_comparison = 16,  ///< as KEY=VALUE of one side
};

/// What the command line's value is beside a file of cases.
enum class BesideCases : std::uint8_t { wins, stands_in, holds, refused };

struct OptionRow {
  std::string_view name{};        ///< of the flag, without its dashes
  std::string_view key{};         ///< in cases and launch files; empty: none
  std::string_view short_name{};  ///< one letter, or empty
  OptionKind kind = OptionKind::text;
  OptionGroup group = OptionGroup::launch;
  OptionEffect changes = OptionEffect::nothing;
  std::uint8_t places = 0;  ///< of OptionPlace
  BesideCases beside = BesideCases::holds;
  std::string_view unit{};          ///< empty: none
  std::string_view values{};        ///< those that are accepted, for messages and the page
  std::string_view default_text{};  ///< empty: nothing is taken
  std::string_view help{};
  std::string_view shown{};        ///< key of the result that tells it; empty: none does
  bool always_shown = false;       ///< also where it was not given
  double least = 0, most = 0;      ///< of a natural number
  std::string_view example{};      ///< a value as text, other than the default
  std::string_view key_example{};  ///< the same as JSON
  /// Reads a text into the record; refused with `place`, what was found and `values`.
  Expected<void> (*set)(const OptionRow&, std::string_view text, std::string_view place,
                        const OptionTarget&) = nullptr;
  /// Reads the key's value; null where there is no key.
  Expected<void> (*read)(const ValueCursor&, Case&) = nullptr;
  /// The values in effect as texts that set() reads; none: not given.
  std::vector<std::string> (*get)(const OptionSource&) = nullptr;

  [[nodiscard]] bool may_stand(OptionPlace place) const { return (places & place) != 0; }
};

}  // namespace forewarp::request
