// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace forewarp::cli {

/// How far a run is: how many are done, how fast, how long the rest will take. From the second
/// second on, on a terminal as a bar that is drawn over; elsewhere as a line every half minute,
/// where it is asked for every few seconds.
class Progress {
 public:
  enum class Wanted { usual, always, never };
  struct Screen {
    bool terminal = false;
    std::function<double()> seconds;  ///< a clock
    std::function<void(const std::string& text)> write;
  };

  /// On standard error.
  explicit Progress(Wanted wanted);
  Progress(Wanted wanted, Screen screen);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of `all` of what has this name; another name or another number begins anew. `all` 0:
  /// nobody knows how many there are.
  void operator()(const std::string& name, std::size_t done, std::size_t all);

 private:
  void end_line();

  Wanted wanted_;
  Screen screen_;
  std::string name_;
  std::size_t all_ = 0;
  double begun_ = 0, drawn_ = 0;
  bool begins_ = true, open_ = false;  ///< nothing was said yet; a bar stands there
};

/// Of --quiet and --progress.
[[nodiscard]] Progress::Wanted progress_wanted(bool quiet, bool progress);

/// "3.4/s, 1:52 left"; empty before anything can be said.
[[nodiscard]] std::string pace_text(std::size_t done, std::size_t all, double seconds);

}  // namespace forewarp::cli
