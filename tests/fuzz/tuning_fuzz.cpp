// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a tuning space of every form: a tuner's description (T1), a space in TOML, a list of
// values as Python or a command line writes it, and times of configurations. Each is a space or one
// line of text. Nothing is compiled: spaces are only enumerated.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tuning/measured_configurations.h"
#include "tuning/parameter_space.h"
#include "tuning/parameter_values.h"
#include "tuning/tuning_task.h"

namespace {

using namespace forewarp::tests;

template <typename T>
bool sound(const Expected<T>& read) {
  if (read) return true;
  const std::string line = read.error().line();
  if (line.empty() || line.find('\n') != std::string::npos) std::abort();
  return false;
}

/// A space that takes long to walk through is no fault.
bool small(const ParameterSpace& space) {
  constexpr double most = 5000;
  double all = 1;
  for (const ParameterAxis& axis : space.axes) all *= static_cast<double>(axis.values.size());
  return all <= most;
}

void enumerate(const ParameterSpace& space) {
  if (!small(space)) return;
  const auto found = configurations_of(space);
  if (!sound(found)) return;
  for (const auto& row : found->table.rows) {
    if (row.size() != found->table.columns.size()) std::abort();
  }
}

/// A tuning of two parameters for times to be about.
Tuning tuned() {
  Tuning tuning;
  tuning.parameters = {"A", "B"};
  for (const char* a : {"1", "2"}) {
    TunedPoint point;
    point.words = {a, "x"};
    tuning.points.push_back(point);
  }
  return tuning;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto t1 = parse_t1_space(text, "t1.json");
  if (sound(t1)) enumerate(*t1);
  if (text.find("base") == std::string_view::npos) {  // names another file
    const auto space = parse_space_file(text, "s.toml");
    if (sound(space) && !space->space.axes.empty()) enumerate(space->space);
  }
  sound(python_words(text));
  ParameterSpace written;
  const auto axis = parse_axis(text, "--param");
  if (sound(axis) && sound(written.add(*axis))) enumerate(written);
  sound(parse_measured(text, "m.csv", tuned()));
  return 0;
}
