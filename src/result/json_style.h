// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace forewarp::result {

/// How a result is written. The large parts can be left out where speed or size matters.
struct JsonStyle {
  bool pretty = false;
  bool listing = true;     ///< the annotated listing, lists of a simulation
  bool provenance = true;  ///< the hardware numbers with their sources

  [[nodiscard]] static JsonStyle compact() { return {}; }
  [[nodiscard]] static JsonStyle indented() { return {.pretty = true}; }
  /// One line per case of a long run.
  [[nodiscard]] static JsonStyle lean() { return {.listing = false, .provenance = false}; }
};

}  // namespace forewarp::result
