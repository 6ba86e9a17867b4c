// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace forewarp::program_run {

/// Whether memory of this process can be read, or written, without a signal that would end it: the
/// system is asked for one byte of each page. Where it does not answer, all memory counts as good.
class HostPages {
 public:
  enum class Use : std::uint8_t { read, written };
  explicit HostPages(Use use) : use_(use) {}

  /// Also these bytes. False: some memory that was added so far is not reachable; so may be memory
  /// for which it is true, until finish().
  bool add(std::uint64_t address, std::uint64_t bytes);
  /// Whether all of it is reachable.
  [[nodiscard]] bool finish();

 private:
  void ask();

  Use use_;
  std::vector<std::uint64_t> places_;  ///< not yet asked for
  std::uint64_t last_page_ = 0;        ///< number of the last page that was added
  bool good_ = true;
};

}  // namespace forewarp::program_run
