// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "tuning/tuning_task.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "measured/measured_file.h"
#include "measured/tuners/tuned_points.h"
#include "tuning/named_parameters.h"
#include "tuning/parameter_values.h"

namespace forewarp::tuning {

namespace {

namespace fs = std::filesystem;

/// Each column's words, in the order in which they first stand.
std::vector<std::vector<std::string>> values_in(const std::vector<std::vector<std::string>>& rows,
                                                std::size_t columns) {
  std::vector<std::vector<std::string>> values(columns);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < columns; ++i) {
      auto& known = values[i];
      if (std::find(known.begin(), known.end(), row[i]) == known.end()) known.push_back(row[i]);
    }
  }
  return values;
}

Diagnostic at_file(const std::string& file, Diagnostic fault) {
  if (fault.place.empty()) fault.place = file;
  return fault;
}

TunedConfiguration configuration(const CsvTable& table, std::size_t row) {
  TunedConfiguration made;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    made.parameters.emplace_back(table.columns[i], table.rows[row][i]);
  }
  return made;
}

class TaskReader {
 public:
  explicit TaskReader(const TuningRequest& request) : request_(request) {}

  Expected<TuningTask> read() {
    const std::string& file = request_.file;
    const std::string extension = lower(fs::path(file).extension().string());
    Expected<TuningTask> task = Diagnostic{};
    if (extension == ".json" || extension == ".toml") {
      if (auto fine = check_alone(extension == ".json" ? "a T1 file" : "a space"); !fine) {
        return fine.error();
      }
      auto text = read_file(file);
      if (!text) return std::move(text).error();
      task = extension == ".json" ? from_t1(*text) : from_space(*text);
    } else {
      task = from_options();
    }
    if (!task) return at_file(file, std::move(task).error());
    finish(*task);
    return task;
  }

 private:
  /// Files say sizes by themselves.
  [[nodiscard]] Expected<void> check_alone(const std::string& what) const {
    const auto refuse = [&](const std::string& option) {
      return Diagnostic{option, "cannot be combined with " + what, "one of the two",
                        "the file says what is tuned"};
    };
    if (!request_.parameters.empty()) return refuse("--param");
    if (!request_.grid.empty()) return refuse("--grid");
    if (!request_.block.empty()) return refuse("--block");
    if (!request_.shared.empty()) return refuse("--smem");
    return {};
  }

  Expected<Configurations> enumerate(ParameterSpace& space) const {
    auto& all = space.restrictions;
    all.insert(all.end(), request_.restrictions.begin(), request_.restrictions.end());
    return configurations_of(space);
  }

  Expected<TuningTask> tuned(const TuningProblem& problem, ParameterSpace& space,
                             MeasuredOptions options) const {
    const auto found = enumerate(space);
    if (!found) return found.error();
    TuningResults results;
    results.origin = {request_.file, 0, fs::path(request_.file).parent_path()};
    for (std::size_t i = 0; i < found->table.rows.size(); ++i) {
      results.configurations.push_back(configuration(found->table, i));
    }
    options.named_macros_only = true;
    auto set = tuned_points(results, &problem, options);
    if (!set) return std::move(set).error();
    TuningTask task;
    task.parameters = found->table.columns;
    task.words = found->table.rows;
    task.whole = found->whole;
    task.set = std::move(*set);
    task.problem_size = problem.problem_size;
    // Nothing was measured yet.
    for (MeasuredPoint& point : task.set.points) point.request.measured_ms.reset();
    std::erase_if(task.set.notes,
                  [](const std::string& note) { return note.starts_with("a time is the median"); });
    return task;
  }

  Expected<TuningTask> from_t1(const std::string& text) const {
    const auto problem = parse_tuning_problem(text, request_.file);
    if (!problem) return problem.error();
    auto space = parse_t1_space(text, request_.file);
    if (!space) return std::move(space).error();
    return tuned(*problem, *space, request_.measured);
  }

  Expected<TuningTask> from_space(const std::string& text) const {
    auto file = parse_space_file(text, request_.file);
    if (!file) return std::move(file).error();
    MeasuredOptions options = request_.measured;
    options.source_folders.insert(options.source_folders.begin(),
                                  file->about.origin.directory.string());
    if (options.source_folders.front().empty()) options.source_folders.front() = ".";
    Configurations found;
    TuningTask task;
    if (file->configurations.empty()) {
      auto enumerated = enumerate(file->space);
      if (!enumerated) return std::move(enumerated).error();
      found = std::move(*enumerated);
      file->about.csv = request_.file;
      task.parameters = found.table.columns;
    } else {
      auto listed = listed_configurations(*file, options);
      if (!listed) return std::move(listed).error();
      found = std::move(*listed);
      task.parameters = found.table.columns;
      if (file->about.code && !file->about.code->defines.empty()) {
        task.parameters = file->about.code->defines;
      }
    }
    task.whole = found.whole;
    for (const auto& row : found.table.rows) {
      auto& words = task.words.emplace_back();
      for (const std::string& name : task.parameters) {
        const auto column = found.table.column(name);
        if (!column) return Diagnostic{"", "there is no column '" + name + "'", "", ""};
        words.push_back(row[*column]);
      }
    }
    file->about.where.clear();  // every configuration counts
    auto set = described_points(file->about, found.table, options);
    if (!set) return std::move(set).error();
    task.set = std::move(*set);
    return task;
  }

  [[nodiscard]] Expected<Configurations> listed_configurations(
      SpaceFile& file, const MeasuredOptions& options) const {
    if (!request_.restrictions.empty()) {
      return Diagnostic{"--restrict", "cannot be combined with a list of configurations",
                        "one of the two", "leave rows out"};
    }
    file.about.csv = file.configurations;
    const auto path = find_table(file.about, options);
    if (!path) return path.error();
    const auto text = read_file(*path);
    if (!text) return text.error();
    auto table = parse_csv(*text, *path);
    if (!table) return std::move(table).error();
    if (table->rows.empty()) return Diagnostic{*path, "has no row", "configurations", ""};
    Configurations found;
    found.whole = static_cast<double>(table->rows.size());
    found.table = std::move(*table);
    return found;
  }

  /// A source with everything else from the command line and its launch file.
  Expected<TuningTask> from_options() const {
    ParameterSpace space;
    for (const std::string& text : request_.parameters) {
      auto axis = parse_axis(text, "--param");
      if (!axis) return std::move(axis).error();
      if (auto added = space.add(std::move(*axis)); !added) {
        return at_file("--param", added.error());
      }
    }
    if (space.axes.empty()) {
      return Diagnostic{request_.file, "is a source, and no parameter is given",
                        "--param NAME=VALUES: TILE=8,16,32 or block=32x4:256x8",
                        "or a space in TOML, or a T1 file (docs/tune.md)"};
    }
    const Case& defaults = request_.measured.defaults;
    std::vector<std::string> expressions{request_.grid, request_.block, request_.shared};
    expressions.insert(expressions.end(), request_.restrictions.begin(),
                       request_.restrictions.end());
    auto named = check_named(request_.file, defaults, expressions, space.names());
    if (!named) return named.error();
    if (defaults.gpu.empty()) {
      return Diagnostic{"--gpu", "no board is named", "the one to tune for", "--gpu ID"};
    }
    TuningProblem problem;
    problem.origin = {request_.file, 0, fs::path(request_.file).parent_path()};
    problem.kernel = defaults.kernel;
    problem.global_counts_blocks = true;
    for (const NamedArgument& argument : defaults.launch.arguments) {
      const Argument& value = argument.value;
      if (argument.name.empty()) continue;
      if (value.kind == Argument::Kind::integer) {
        problem.numbers[argument.name] = static_cast<double>(value.integer);
      } else if (value.kind == Argument::Kind::floating) {
        problem.numbers[argument.name] = value.floating;
      }
    }
    for (const std::string& name : space.names()) problem.numbers.erase(name);
    space.numbers = problem.numbers;
    if (auto sized = set_sizes(space, problem); !sized) return sized.error();
    MeasuredOptions options = request_.measured;
    options.defaults.input = request_.file;
    options.defaults.launch.grid = {};
    options.defaults.launch.block = {};
    problem.compile_options = {};
    auto task = tuned(problem, space, options);
    if (!task) return task;
    task->set.title =
        defaults.kernel.empty() ? fs::path(request_.file).stem().string() : defaults.kernel;
    task->set.notes.clear();  // how files are read
    if (const std::string note = note_of_one_grid(task->set.points); !note.empty()) {
      task->set.notes.push_back(note);
    }
    return task;
  }

  Expected<void> set_sizes(const ParameterSpace& space, TuningProblem& problem) const {
    const LaunchConfig& launch = request_.measured.defaults.launch;
    if (auto done = sizes(request_.grid, "--grid", launch.grid, problem.global); !done) return done;
    if (auto done = sizes(request_.block, "--block", launch.block, problem.local); !done) {
      return done;
    }
    const std::vector<std::string> names = space.names();
    const bool by_parameter = std::find(names.begin(), names.end(), "block_size_x") != names.end();
    if (!request_.block.empty() && by_parameter) {
      return Diagnostic{"--block", "cannot be combined with a parameter of the block",
                        "one of the two", ""};
    }
    if (by_parameter) problem.local = {};
    if (!by_parameter && problem.local[0].empty()) {
      return Diagnostic{request_.file, "nothing says how many threads a block has",
                        "--param block=32x4:256x8, or --block with expressions of the parameters",
                        "--block TILE,TILE"};
    }
    if (problem.global[0].empty()) {
      return Diagnostic{request_.file, "nothing says how many blocks the grid has",
                        "--grid with expressions of parameters and named arguments",
                        "--grid 'ceil(n / block_size_x)'"};
    }
    problem.dynamic_shared = request_.shared;
    if (request_.shared.empty() && launch.dynamic_shared > 0) {
      problem.dynamic_shared = std::to_string(launch.dynamic_shared);
    }
    return {};
  }

  /// Expressions as written, else the launch's numbers; empty where neither says.
  static Expected<void> sizes(const std::string& text, const char* option, const Extent& stated,
                              std::array<std::string, 3>& into) {
    if (text.empty()) {
      for (std::size_t i = 0; stated[0] != 0 && i < into.size(); ++i) {
        into[i] = std::to_string(stated[i]);
      }
      return {};
    }
    const auto parts = split_list(text);
    if (parts.size() > into.size()) {
      return Diagnostic{std::string(option) + " " + text, "has more than three sizes",
                        "X[,Y[,Z]], expressions", ""};
    }
    for (std::size_t i = 0; i < parts.size(); ++i) into[i] = std::string(trim(parts[i]));
    return {};
  }

  /// What the files leave open; as tuners measure where nothing says otherwise.
  void finish(TuningTask& task) const {
    task.values = values_in(task.words, task.parameters.size());
    for (MeasuredPoint& point : task.set.points) {
      Case& request = point.request;
      add_defaults(request_.measured.defaults, request);
      if (!request.timing) request.timing = Timing::event;
      if (!request.repeat) request.repeat = Repeat::warm;
    }
  }

  const TuningRequest& request_;
};

}  // namespace

Expected<TuningTask> read_tuning_task(const TuningRequest& request) {
  return TaskReader(request).read();
}

void draw_configurations(TuningTask& task, std::size_t count, std::uint64_t seed) {
  if (count == 0 || count >= task.words.size()) return;
  task.set.notes.push_back(std::to_string(count) + " of " + std::to_string(task.words.size()) +
                           " configurations, drawn at random");
  std::vector<std::vector<std::string>> words;
  for (const std::size_t i : drawn_rows(task.words.size(), count, seed)) {
    words.push_back(std::move(task.words[i]));
  }
  task.words = std::move(words);
  draw_rows(task.set, count, seed);
}

}  // namespace forewarp::tuning
