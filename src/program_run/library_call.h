// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/library/library_time.h"

namespace forewarp::program_run {

/// Memory that a call of a library reads or writes.
struct LibraryUse {
  std::string name;  ///< of the argument
  std::uint64_t address = 0, bytes = 0;
  bool written = false;
};

/// A call of a vendor's library that does work on the device. Its kernels are not there: it is
/// computed by the host, and its time is that of a model.
struct LibraryCall {
  std::string function;  ///< "cublasSgemm"
  std::string shape;     ///< "1024x1024x1024"
  std::vector<LibraryUse> uses;
  /// What else it uses by addresses that lie in `uses` when it is done; null: nothing.
  std::function<std::vector<LibraryUse>()> found;
  double operations = 0;  ///< of the host, against --budget
  std::function<void()> compute;
  std::function<model::LibraryTime(const Gpu& gpu, const hardware::LibraryTables& tables)> time;

  [[nodiscard]] std::string name() const {
    return shape.empty() ? function : function + " " + shape;
  }
};

}  // namespace forewarp::program_run
