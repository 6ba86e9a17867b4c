// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <forewarp/session.h>
#include <map>
#include <mutex>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>

#include "asked.h"

namespace forewarp::python {

/// The data of one folder and everything that was read and bound with them, with the code that is
/// known by name. May be used by many threads at once.
class PythonSession {
 public:
  /// `data`: the folder with gpus/; empty: as the command line finds it. Throws Failure.
  explicit PythonSession(const std::string& data);

  [[nodiscard]] const Session& session() const { return session_; }

  /// Code in memory; the first of a name stays.
  void give_input(const std::string& name, const std::string& bytes);
  /// The file may have changed.
  void forget_input(const std::string& name);
  /// The code of a name that was given, else of the file of that name. Throws Failure.
  [[nodiscard]] Kernel kernel(const std::string& input);
  /// The code, board and options of a launch. Throws Failure.
  [[nodiscard]] Query query(const std::string& input, const std::string& gpu,
                            const OptionTexts& options);

 private:
  Session session_;
  std::mutex mutex_;
  std::map<std::string, Kernel> kernels_;
};

/// A launch on a GPU: the name of the code, of the board, and the options.
struct Side {
  std::string input, gpu;
  OptionTexts options;
};

using SessionClass = pybind11::class_<PythonSession>;
using ReleaseLock = pybind11::call_guard<pybind11::gil_scoped_release>;

// What Python sees of each concept.
void add_predictions(SessionClass& session);
void add_sweeps(SessionClass& session);
void add_boards(SessionClass& session);
void add_occupancy(SessionClass& session);
void add_tables(pybind11::module_& module);  ///< options, models, kernels of a file

}  // namespace forewarp::python
