// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/outcome/outcome_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "system/description/factors.h"

namespace forewarp::system {
namespace {

constexpr double percent = 100;
constexpr std::size_t most_rows = 16;

std::string milliseconds(double seconds) {
  return fmt::format("{:.6f}", seconds * milli);
}

void add_lines(std::string& out, const char* title, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) out += fmt::format("  {:<11} {}\n", title, line);
}

/// How all-reduces were simulated; empty: there were none.
std::string reduces_text(const ReduceOutcome& reduces) {
  const std::uint64_t all = reduces.closed + reduces.messages;
  if (all == 0) return {};
  std::string text = fmt::format("{} of {} by closed form", reduces.closed, all);
  if (reduces.disturbed > 0) {
    text += fmt::format(", {} of these slowed by others on their links", reduces.disturbed);
  }
  if (reduces.messages > 0) text += fmt::format(", {} as messages", reduces.messages);
  if (!reduces.reason.empty()) text += ": " + reduces.reason;
  return text;
}

std::string more(std::size_t all) {
  return all > most_rows ? fmt::format("  and {} more\n", all - most_rows) : "";
}

std::string answer_text(const AnswerOutcome& one, const Outcome& outcome) {
  std::string text = fmt::format("  {:<10}  {} {}", "answer", significant(one.value), one.name);
  if (outcome.interval) {
    text += fmt::format(" ({} to {})", significant(one.interval[0]), significant(one.interval[1]));
  }
  return text + "\n";
}

}  // namespace

std::string outcome_text(const Outcome& outcome) {
  std::string out = fmt::format("{} on {}\n", outcome.application, outcome.system);
  out += fmt::format("  {:<10}  {} ms\n", "time", milliseconds(outcome.overall_s));
  if (outcome.interval) {
    const auto [low, high] = outcome.interval->seconds;
    out += fmt::format("  {:<10}  {} to {} ms: {}\n", "interval", milliseconds(low),
                       milliseconds(high), outcome.interval->meaning);
  }
  for (const AnswerOutcome& one : outcome.answers) out += answer_text(one, outcome);
  if (!outcome.bottleneck.empty()) {
    out += fmt::format("  {:<10}  {}\n", "limited by", outcome.bottleneck);
  }
  out += fmt::format("  {:<10}  {} Ws\n", "energy", significant(outcome.energy_j, 6));
  out += fmt::format("  {:<10}  {}\n", "failure", significant(outcome.failure_chance));
  for (const FailureOutcome& one : outcome.failures) {
    out += fmt::format("  {:<10}  {} at {} s: the application began again\n", "failed", one.what,
                       significant(one.at_s, 6));
  }
  for (const auto& [name, value] : outcome.variables) {
    out += fmt::format("  {:<10}  {} = {}\n", "variable", name, value);
  }
  const std::string reduces = reduces_text(outcome.reduces);
  if (!reduces.empty()) add_lines(out, "all-reduces", {reduces});
  add_lines(out, "warning", outcome.warnings);
  out += fmt::format("\n  {:<16}  {:<24}  {:>16}  {:>12}\n", "process", "unit", "finish ms",
                     "energy Ws");
  for (std::size_t i = 0; i < std::min(outcome.processes.size(), most_rows); ++i) {
    const ProcessOutcome& one = outcome.processes[i];
    out += fmt::format("  {:<16}  {:<24}  {:>16}  {:>12}\n", one.name, one.unit,
                       milliseconds(one.finish_s), significant(one.energy_j, 6));
  }
  out += more(outcome.processes.size());
  if (!outcome.path.empty()) {
    out += fmt::format("\n  {:<44}  {:>16}  {:>6}\n", "critical path", "ms", "%");
    for (std::size_t i = 0; i < std::min(outcome.path.size(), most_rows); ++i) {
      const PathShare& share = outcome.path[i];
      out += fmt::format("  {:<44}  {:>16}  {:>6.1f}\n", share.what, milliseconds(share.seconds),
                         percent * share.seconds / outcome.overall_s);
    }
    out += more(outcome.path.size());
  }
  if (!outcome.assumptions.empty()) out += "\n";
  add_lines(out, "assumed", outcome.assumptions);
  return out;
}

}  // namespace forewarp::system
