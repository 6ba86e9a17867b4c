// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "suite.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cache/content_key.h"
#include "base/command.h"
#include "base/file.h"
#include "base/parts.h"
#include "base/text.h"
#include "forewarp/prediction_options.h"
#include "forewarp/progress.h"
#include "forewarp/signals.h"
#include "kept_points.h"
#include "simulation_queue.h"
#include "store/columns.h"
#include "suite_points.h"
#include "suite_table.h"

namespace forewarp::cli {
namespace {

namespace fs = std::filesystem;

Expected<fs::path> simulator() {
  std::error_code failure;
  const fs::path beside = fs::read_symlink("/proc/self/exe", failure).parent_path();
  const fs::path file = beside / "forewarp-system";
  if (failure || !fs::exists(file, failure)) {
    return Diagnostic{file.string(), "was not built", "the program that simulates applications",
                      build_all_parts};
  }
  return file;
}

/// What the run answers, or the line that refuses it.
std::string computed_here(const fs::path& program, const std::vector<std::string>& words) {
  base::Command run{program, words, {}};
  run.limits.time = std::chrono::hours(24);  // a simulation has limits of its own
  const auto ran = run_command(run);
  if (!ran) return ran.error().line();
  return ran->exit_code == 0 ? ran->output : ran->errors;
}

/// Files beside the system and the application count by size and time of change: what a system or
/// a kernel refers to is among them.
std::string content_key_of(const SimulateAsked& asked) {
  std::string text;
  for (const std::string& file : {asked.system, asked.application}) {
    const auto content = read_file(file);
    text += content ? *content : "";
    std::vector<std::string> beside;
    std::error_code ignored;
    const fs::path folder = fs::path(file).parent_path();
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored)) {
      constexpr std::array<std::string_view, 8> kinds = {".lua", ".toml",  ".sass", ".cu",
                                                         ".ptx", ".cubin", ".json", ".jsonl"};
      const std::string kind = entry.path().extension().string();
      if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) {
        beside.push_back(program_identity(entry.path()));
      }
    }
    std::sort(beside.begin(), beside.end());
    text += join(beside, "\n");
  }
  return text;
}

/// The runs of a suite on their way into the store.
class RunsIntoStore {
 public:
  RunsIntoStore(const SuitePoints& points, std::string prefix, const SimulateAsked& asked,
                RunWriter& writer)
      : points_(points),
        prefix_(std::move(prefix)),
        subject_{asked.application, asked.application, "", asked.system, asked.system},
        writer_(writer) {}

  std::optional<std::string> known(std::uint64_t number) {
    if (writer_.is_new()) return std::nullopt;
    return writer_.adopt_detail(number, key_of(number), axes_of(number));
  }

  bool take(std::uint64_t number, std::string_view bytes) {
    const SuiteRun run = suite_run(bytes);
    TableRow figures(point_columns().size());
    constexpr double milli = 1e3;
    if (run.error.empty()) {
      const auto at = column_positions({"time_ms", "model", "limited_by"});
      figures[at[0]] = run.time_s * milli;
      figures[at[1]] = std::string("simulation");
      figures[at[2]] = run.limited_by;
    } else {
      figures.back() = run.error;
    }
    return writer_.add(number, key_of(number), axes_of(number), figures, subject_, bytes);
  }

 private:
  [[nodiscard]] std::string key_of(std::uint64_t number) const {
    return content_key(prefix_ + join(points_.words(number), "\n"));
  }
  [[nodiscard]] TableRow axes_of(std::uint64_t number) const {
    TableRow row;
    for (const std::string& value : points_.values(number)) {
      const auto parsed = parse_number(value);
      row.push_back(parsed ? TableCell(*parsed) : TableCell(value));
    }
    return row;
  }

  const SuitePoints& points_;
  std::string prefix_;
  Subject subject_;
  RunWriter& writer_;
};

/// All answers, in the order of the points; those of an ended run are missing.
class Suite {
 public:
  Suite(const SimulateAsked& asked, const RunStart& begun, SuitePoints points, fs::path program)
      : asked_(asked),
        begun_(begun),
        points_(std::move(points)),
        program_(std::move(program)),
        answers_(points_.count()) {}

  Expected<int> run(PointRunner& runner) {
    if (auto opened = open_queue(runner); !opened) return opened.error();
    PointJob job;
    job.count = points_.count();
    job.compute = [this](std::uint64_t number, unsigned) { return compute(number); };
    if (!runner.keeps()) {
      if (auto ran = runner.run(job); !ran) return ran.error();
      return 0;
    }
    std::unique_ptr<RunWriter> writer;
    std::optional<RunsIntoStore> store;
    if (auto opened = open_store(writer); !opened) return opened.error();
    if (writer) store.emplace(points_, begun_.program + content_key_of(asked_), asked_, *writer);
    Progress progress(progress_wanted(asked_.quiet, false));
    std::size_t done = 0;
    job.known = [&](std::uint64_t number) { return store ? store->known(number) : std::nullopt; };
    job.take = [&](std::uint64_t number, std::string_view bytes, bool computed) {
      progress("suite", ++done, job.count);
      answers_[number] = bytes;
      return !computed || !store || store->take(number, bytes);
    };
    stop_at_interrupt();
    job.stop = [] { return interrupted(); };
    if (auto ran = runner.run(job); !ran) return ran.error();
    if (writer) {
      if (auto kept = writer->finish(); !kept) return kept.error();
    }
    return deliver_table(done);
  }

 private:
  Expected<void> open_queue(const PointRunner& runner) {
    if (asked_.queue.empty()) return {};
    if (begun_.processes > 1) {
      return Diagnostic{"--queue", "is asked by one process of " + std::to_string(begun_.processes),
                        "a queue, or ranks of MPI", ""};
    }
    auto queue = SimulationQueue::open(asked_.queue);
    if (!queue) return queue.error();
    queue_ = *std::move(queue);
    if (queue_->workers() == 0 && runner.keeps()) {
      std::fprintf(stderr,
                   "forewarp: warning: the queue '%s' has no worker: its runs wait until one "
                   "begins with forewarp queue work %s\n",
                   asked_.queue.c_str(), asked_.queue.c_str());
    }
    return {};
  }

  Expected<void> open_store(std::unique_ptr<RunWriter>& writer) {
    if (asked_.store.empty()) return {};
    RunStart start = begun_;
    start.points = points_.count();
    start.axes = points_.axes();
    auto begun = RunWriter::begin(asked_.store, start);
    if (!begun) return std::move(begun).error();
    writer = *std::move(begun);
    return {};
  }

  std::string compute(std::uint64_t number) {
    if (!queue_) return computed_here(program_, points_.words(number));
    return queue_->answer(points_.words(number), [] { return interrupted(); }).value_or("");
  }

  Expected<int> deliver_table(std::size_t done) {
    std::vector<std::vector<std::string>> values;
    std::vector<SuiteRun> runs;
    for (std::uint64_t i = 0; i < points_.count(); ++i) {
      if (done < points_.count() && answers_[i].empty()) continue;
      values.push_back(points_.values(i));
      runs.push_back(suite_run(answers_[i]));
    }
    mark_best(runs);
    const ResultsTable table = suite_table(points_.axes(), values, runs);
    if (auto written = deliver(suite_text(table, asked_.format), asked_.output); !written) {
      return written.error();
    }
    if (done < points_.count()) {
      std::fprintf(stderr, "forewarp: ended after %zu of %llu runs\n", done,
                   static_cast<unsigned long long>(points_.count()));
    }
    const bool failed = std::any_of(runs.begin(), runs.end(),
                                    [](const SuiteRun& run) { return !run.error.empty(); });
    return failed || done < points_.count() ? 1 : 0;
  }

  const SimulateAsked& asked_;
  const RunStart& begun_;
  SuitePoints points_;
  fs::path program_;
  std::optional<SimulationQueue> queue_;
  std::vector<std::string> answers_;
};

}  // namespace

Expected<int> run_suite(const SimulateAsked& asked, const RunStart& begun, PointRunner& runner) {
  for (const auto& [option, value] : {std::pair("--trace", &asked.trace), {"--lua", &asked.lua}}) {
    if (value->empty()) continue;
    return Diagnostic{option, "is of one run", "no --sweep beside it", ""};
  }
  auto points = SuitePoints::parse(asked);
  if (!points) return points.error();
  const auto program = simulator();
  if (!program) return program.error();
  return Suite(asked, begun, *std::move(points), *program).run(runner);
}

Expected<int> work_queue(const QueueAsked& asked) {
  const auto queue = SimulationQueue::open(asked.name);
  if (!queue) return queue.error();
  if (asked.what == "list") {
    std::printf("%s: %zu waiting, %zu workers\n", asked.name.c_str(), queue->waiting(),
                queue->workers());
    return 0;
  }
  const auto program = simulator();
  if (!program) return program.error();
  stop_at_interrupt();
  const auto count = queue->work(
      [&](const std::vector<std::string>& words) { return computed_here(*program, words); },
      asked.idle_s, [] { return interrupted(); });
  if (!count) return count.error();
  std::fprintf(stderr, "forewarp: %zu runs of the queue '%s'\n", *count, asked.name.c_str());
  return 0;
}

}  // namespace forewarp::cli
