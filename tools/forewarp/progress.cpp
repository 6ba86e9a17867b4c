// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <unistd.h>

#include "base/text.h"

namespace forewarp::cli {

Progress::Progress(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

void Progress::operator()(const std::string& name, std::size_t done, std::size_t all) {
  if (!shown_) return;
  const Clock::time_point now = Clock::now();
  if (name != name_ || all != all_) {
    name_ = name;
    all_ = all;
    begun_ = now;
    drawn_ = {};
  }
  constexpr std::chrono::milliseconds between_lines(100);
  if (done != all && now - drawn_ < between_lines) return;
  drawn_ = now;
  constexpr std::size_t width = 40;
  const std::string bar(all == 0 ? width : width * done / all, '#');
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  std::fprintf(stderr, "\r%-20s [%-40s] %zu of %zu  %-24s", name.c_str(), bar.c_str(), done, all,
               pace_text(done, all, seconds).c_str());
  if (done == all) std::fputc('\n', stderr);
}

std::string pace_text(std::size_t done, std::size_t all, double seconds) {
  constexpr double too_early = 1;  // second
  if (seconds < too_early || done < 2) return "";
  const double rate = static_cast<double>(done) / seconds;
  std::string text = significant(rate, 2) + "/s";
  if (done >= all) return text;
  const auto left = static_cast<std::uint64_t>(std::ceil(static_cast<double>(all - done) / rate));
  constexpr std::uint64_t minute = 60;
  char clock[32];
  std::snprintf(clock, sizeof clock, ", %llu:%02llu left",
                static_cast<unsigned long long>(left / minute),
                static_cast<unsigned long long>(left % minute));
  return text + clock;
}

}  // namespace forewarp::cli
