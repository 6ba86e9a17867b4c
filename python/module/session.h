// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>

#include "asked_options.h"
#include "driver/predictor.h"
#include "hardware/database.h"
#include "layers.h"

namespace forewarp::python {

/// The data of one folder and everything that was read and bound with them. May be used by many
/// threads at once.
class Session {
 public:
  /// `data`: the folder with gpus/; empty: as the command line finds it. Throws Failure.
  explicit Session(const std::string& data);

  [[nodiscard]] const HardwareDatabase& database() const { return database_; }
  [[nodiscard]] Predictor& predictor() { return predictor_; }

 private:
  HardwareDatabase database_;
  Predictor predictor_;
};

/// A launch on a GPU: the name of the code, of the board, and the options.
struct Side {
  std::string input, gpu;
  OptionTexts options;
};

using SessionClass = pybind11::class_<Session>;
using ReleaseLock = pybind11::call_guard<pybind11::gil_scoped_release>;

// What Python sees of each concept.
void add_predictions(SessionClass& session);
void add_sweeps(SessionClass& session);
void add_boards(SessionClass& session);
void add_occupancy(SessionClass& session);
void add_tables(pybind11::module_& module);  ///< options, models, kernels of a file

}  // namespace forewarp::python
