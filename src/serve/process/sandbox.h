// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/child.h"

namespace forewarp::serve {

/// What a confined process sees of this machine: these paths and nothing else, no network.
struct View {
  std::vector<std::string> shown;        ///< read-only, under the same names
  std::vector<std::string> environment;  ///< NAME=VALUE
  std::string written;                   ///< a folder that it works in and may write to
  std::uint64_t scratch_bytes = 0;       ///< of its /tmp, which is memory
};

/// Bubblewrap, where the system lets a process make namespaces of its own.
class Sandbox {
 public:
  /// Looks for bwrap on PATH and tries it once.
  static Sandbox find();

  [[nodiscard]] bool works() const { return why_not_.empty(); }
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

  /// The order of a process that sees just `view`; it has its own mounts, network, users and
  /// processes. The sandbox works.
  [[nodiscard]] ChildOptions confined(ChildOptions order, const View& view) const;

 private:
  std::string program_, why_not_;
};

/// What any program needs: the loader and the shared libraries.
[[nodiscard]] std::vector<std::string> library_paths();

/// What nvcc needs besides: its toolkit, the host compiler and the system's headers.
[[nodiscard]] std::vector<std::string> compiler_paths(const std::string& toolkit);

}  // namespace forewarp::serve
