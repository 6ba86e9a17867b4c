// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <unistd.h>
#include <utility>

#include "base/text.h"

namespace forewarp::cli {
namespace {

constexpr double first_drawn = 2;  // seconds: what is done by then needs no word
constexpr double between_bars = 0.1, between_lines = 5;
constexpr double between_unasked = 30;  // lines in a log that nobody asked for

Progress::Screen standard_error() {
  using Clock = std::chrono::steady_clock;
  Progress::Screen screen;
  screen.terminal = ::isatty(STDERR_FILENO) == 1;
  screen.seconds = [] {
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  };
  screen.write = [](const std::string& text) { std::fputs(text.c_str(), stderr); };
  return screen;
}

std::string bar_text(const std::string& name, std::size_t done, std::size_t all,
                     const std::string& pace) {
  constexpr std::size_t width = 40;
  char text[200];
  if (all == 0) {
    std::snprintf(text, sizeof text, "\r%-20.20s %zu done  %-24s", name.c_str(), done,
                  pace.c_str());
  } else {
    const std::string bar(width * std::min(done, all) / all, '#');
    std::snprintf(text, sizeof text, "\r%-20.20s [%-40s] %zu of %zu  %-24s", name.c_str(),
                  bar.c_str(), done, all, pace.c_str());
  }
  return text;
}

std::string line_text(const std::string& name, std::size_t done, std::size_t all,
                      const std::string& pace) {
  std::string text = "forewarp: " + name + ": " + std::to_string(done);
  text += all == 0 ? " done" : " of " + std::to_string(all);
  return text + (pace.empty() ? "" : ", " + pace) + '\n';
}

}  // namespace

Progress::Progress(Wanted wanted) : Progress(wanted, standard_error()) {}

Progress::Progress(Wanted wanted, Screen screen) : wanted_(wanted), screen_(std::move(screen)) {}

Progress::~Progress() {
  end_line();
}

void Progress::end_line() {
  if (open_) screen_.write("\n");
  open_ = false;
}

void Progress::operator()(const std::string& name, std::size_t done, std::size_t all) {
  if (wanted_ == Wanted::never) return;
  const double now = screen_.seconds();
  if (begins_ || name != name_ || all != all_) {
    end_line();
    name_ = name;
    all_ = all;
    begun_ = drawn_ = now;
    begins_ = false;
  }
  if (now - begun_ < first_drawn) return;
  const bool last = all != 0 && done >= all;
  const bool asked = screen_.terminal || wanted_ == Wanted::always;
  const double between = screen_.terminal ? between_bars : asked ? between_lines : between_unasked;
  const bool shown = drawn_ > begun_;
  const double patience = asked && !shown ? std::min(between, first_drawn) : between;
  if (!(last && (asked || shown)) && now - drawn_ < patience) return;
  drawn_ = now;
  const std::string pace = pace_text(done, all, now - begun_);
  screen_.write(screen_.terminal ? bar_text(name, done, all, pace)
                                 : line_text(name, done, all, pace));
  open_ = screen_.terminal;
  if (last) end_line();
}

Progress::Wanted progress_wanted(bool quiet, bool progress) {
  if (quiet) return Progress::Wanted::never;
  return progress ? Progress::Wanted::always : Progress::Wanted::usual;
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
