// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

#include "base/file.h"
#include "child.h"
#include "hardware/database.h"
#include "host_program.h"
#include "program_run/journal.h"
#include "program_run/launch_selection.h"
#include "program_run/run_report.h"
#include "program_run/settings.h"
#include "run_page.h"
#include "run_progress.h"

namespace forewarp::cli {
namespace {

namespace fs = std::filesystem;
using program_run::Settings;

Expected<double> number_of(const std::string& text, const char* name, double otherwise) {
  if (text.empty()) return otherwise;
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed == std::errc() && end == text.data() + text.size() && value >= 0) return value;
  return Diagnostic{name, "'" + text + "' is not a number from 0 on", "such as 1.5", ""};
}

Expected<Settings> settings_of(const RunAsked& asked) {
  auto database = HardwareDatabase::locate();
  if (!database) return database.error();
  Settings settings;
  settings.data = database->directory();
  for (const std::string& gpu : asked.gpus) {
    auto board = database->load(gpu);
    if (!board) return board.error();
    settings.gpus.push_back(fs::exists(gpu) ? fs::absolute(gpu).string() : board->id);
  }
  if (asked.execute == "all") settings.execute = program_run::Execute::all;
  if (asked.execute == "sample") settings.execute = program_run::Execute::sample;
  settings.virtual_clock = asked.clock != "real";
  auto factor = number_of(asked.host_factor, "--host-factor", settings.host_factor);
  if (!factor) return factor.error();
  settings.host_factor = *factor;
  auto budget = number_of(asked.budget, "--budget", settings.budget_s);
  if (!budget) return budget.error();
  settings.budget_s = *budget;
  // Without a budget of its own, execution takes half of the time at most, so that the program
  // ends.
  settings.limit_s = asked.limit_s;
  if (asked.budget.empty() && asked.limit_s != 0)
    settings.budget_s = std::min(settings.budget_s, 0.5 * asked.limit_s);
  settings.devices = std::max(1U, asked.devices);
  settings.threads =
      asked.jobs != 0 ? asked.jobs : std::max(1U, std::thread::hardware_concurrency());
  settings.host = asked.host;
  settings.toolkit = asked.toolkit.empty() ? "" : fs::absolute(asked.toolkit).string();
  settings.again = asked.again;
  settings.assume_isa = asked.assume_isa;
  settings.selection = {asked.select, asked.skip, asked.launches};
  if (auto selection = program_run::LaunchSelection::of(settings.selection); !selection)
    return selection.error();
  settings.record = asked.record.empty() ? "" : fs::absolute(asked.record).string();
  return settings;
}

/// Characters of a kernel's name that the table has room for.
std::size_t name_room(const RunAsked& asked) {
  constexpr std::size_t beside = 58, otherwise = 72;  // the other columns; without a terminal
  winsize size{};
  const bool terminal = asked.output.empty() && ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;
  if (!terminal || size.ws_col == 0) return otherwise;
  return size.ws_col > beside ? size.ws_col - beside : 0;
}

Expected<void> write_report(const RunAsked& asked, const std::string& text, const ChildEnd& ended) {
  const auto journals = program_run::read_journal(text);
  std::vector<program_run::RunSummary> summaries;
  for (const auto& journal : journals) {
    summaries.push_back(program_run::summary_of(journal));
    summaries.back().at_limit = ended.timed_out;
  }
  // Of programs that a process was, one after the other, the last one was ended.
  const auto last = std::find_if(summaries.rbegin(), summaries.rend(), [&](const auto& summary) {
    return summary.process.process == ended.process;
  });
  if (last != summaries.rend()) last->signal = ended.signal;
  if (!asked.timeline.empty()) {
    auto done = write_file(asked.timeline, program_run::timeline_json(journals));
    if (!done) return done;
  }
  std::string report;
  if (asked.format == "json") {
    report = program_run::report_json(summaries);
  } else if (asked.format == "html") {
    report = run_page(journals, summaries);
  } else {
    for (const auto& summary : summaries)
      report += program_run::report_text(summary, name_room(asked));
  }
  if (journals.empty() && asked.format != "json" && asked.format != "html")
    report =
        "forewarp: the program made no call of CUDA's runtime: name the program that launches the "
        "kernels, with the arguments that make it do so, behind --\n";
  if (!asked.output.empty()) return write_file(asked.output, report);
  if (!asked.quiet) std::fputs(report.c_str(), stderr);
  return {};
}

}  // namespace

Expected<int> run_asked(const RunAsked& asked) {
  if (asked.program.empty()) {
    return Diagnostic{"PROGRAM", "no program is given", "a program and its arguments behind --",
                      "forewarp run --gpu rtx4090 -- ./app"};
  }
  auto settings = settings_of(asked);
  if (!settings) return settings.error();
  if (!asked.build.empty()) {
    if (auto built = build_program(asked.build); !built) return built.error();
  }
  auto program = host_program(asked.program.front());
  if (!program) return program.error();
  const Substitutes substitutes = substitutes_beside(fs::read_symlink("/proc/self/exe"));
  auto journal = JournalFile::make();
  if (!journal) return journal.error();
  settings->journal = journal->path();
  ChildOrder order;
  order.program = program->path;
  order.arguments = asked.program;
  order.limit_s = asked.limit_s;
  order.environment = environment_of(*settings, substitutes, *program);
  std::optional<RunProgress> progress;
  if (!asked.quiet && ::isatty(STDERR_FILENO) == 1) {
    progress.emplace(*journal);
    order.meanwhile = [&] { progress->look(); };
  }
  auto ended = run_child(order);
  progress.reset();
  if (!ended) return ended.error();
  if (ended->timed_out && !asked.quiet) {
    std::fprintf(stderr, "forewarp: the program was ended after %u s (--limit)\n", asked.limit_s);
  }
  if (auto done = write_report(asked, journal->text(), *ended); !done) return done.error();
  return ended->exit_code;
}

}  // namespace forewarp::cli
