// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/tuners/tuned_points.h"

#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "measured/exports/export_values.h"
#include "measured/tuners/edited_source.h"
#include "measured/tuners/source_names.h"
#include "measured/tuners/tuned_launch.h"

namespace forewarp::measured {

namespace {

namespace fs = std::filesystem;

bool is_name(std::string_view word) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return !word.empty() && word.find_first_not_of(letters) == std::string_view::npos &&
         (word[0] < '0' || word[0] > '9');
}

/// Every parameter that any configuration has, in the order of the first.
CsvTable table_of(const TuningResults& results) {
  CsvTable table;
  for (const TunedConfiguration& configuration : results.configurations) {
    for (const auto& [name, word] : configuration.parameters) {
      if (!table.column(name)) table.columns.push_back(name);
    }
  }
  for (const TunedConfiguration& configuration : results.configurations) {
    auto& row = table.rows.emplace_back(table.columns.size());
    for (const auto& [name, word] : configuration.parameters) row[*table.column(name)] = word;
  }
  return table;
}

class TunedPoints {
 public:
  TunedPoints(const TuningResults& results, const TuningProblem* problem,
              const MeasuredOptions& options)
      : results_(results),
        problem_(problem),
        options_(options),
        table_(table_of(results)),
        scope_(table_,
               problem != nullptr && !problem->problem_size.empty() ? problem->problem_size
                                                                    : results.problem_size,
               problem != nullptr ? problem->numbers : std::map<std::string, double>()) {}

  Expected<MeasuredSet> build() {
    if (auto found = find_source(); !found) return found.error();
    if (auto named = name_gpu(); !named) return named.error();
    if (auto read = read_names(); !read) return read.error();
    MeasuredSet set;
    set.name = fs::path(results_.origin.file).stem().string();
    set.title =
        (problem_ != nullptr && !problem_->name.empty() ? problem_->name : kernel()) + ", " + gpu_;
    set.notes = notes();
    for (std::size_t i = 0; i < results_.configurations.size(); ++i) {
      MeasuredPoint point;
      point.id = set.name + "/" + std::to_string(i + 1);
      if (auto done = fill(i, point); !done) {
        point.fault = done.error();
        point.fault->place = results_.origin.file + " configuration " + std::to_string(i + 1) +
                             (done.error().place.empty() ? "" : ": " + done.error().place);
      }
      set.points.push_back(std::move(point));
    }
    return set;
  }

 private:
  [[nodiscard]] std::string kernel() const {
    if (problem_ != nullptr) return problem_->kernel;
    return results_.kernel.empty() ? options_.defaults.kernel : results_.kernel;
  }

  /// --code, else the description's source beside it or in a folder of --sources.
  Expected<void> find_source() {
    source_ = options_.defaults.input;
    if (!source_.empty()) return {};
    if (problem_ == nullptr || problem_->source.empty()) {
      return Diagnostic{results_.origin.file, "says what was tuned but not its code",
                        "the description that goes with it, or the source",
                        "--t1 FILE or --code FILE"};
    }
    std::vector<fs::path> places{problem_->origin.directory / problem_->source};
    for (const std::string& folder : options_.source_folders) {
      places.push_back(fs::path(folder) / problem_->source);
      places.push_back(fs::path(folder) / fs::path(problem_->source).filename());
    }
    std::error_code ignored;
    for (const fs::path& place : places) {
      if (!fs::is_regular_file(place, ignored)) continue;
      source_ = place.string();
      return {};
    }
    return Diagnostic{problem_->origin.file,
                      "the source '" + problem_->source + "' is neither beside it nor in --sources",
                      "the kernel's source", "--sources DIR or --code FILE"};
  }

  /// Macros that nothing names change no code: without them configurations share what is compiled.
  /// A source that pastes names together, or includes from other folders, may name any.
  Expected<void> read_names() {
    if (!options_.named_macros_only) return {};
    std::vector<std::string> given = options_.defaults.compile_options;
    if (problem_ != nullptr) {
      given.insert(given.end(), problem_->compile_options.begin(), problem_->compile_options.end());
    }
    auto names = read_source_names(source_, kernel(), given);
    if (!names) return names.error();
    names_ = *std::move(names);
    return {};
  }

  [[nodiscard]] bool matters(const std::string& macro) const {
    return !options_.named_macros_only || names_.may_name(macro);
  }

  Expected<void> name_gpu() {
    gpu_ = options_.defaults.gpu;
    if (gpu_.empty()) gpu_ = results_.device;
    if (gpu_.empty() && problem_ != nullptr) gpu_ = problem_->device;
    if (!gpu_.empty()) return {};
    return Diagnostic{results_.origin.file, "does not say which GPU was measured", "its name",
                      "--gpu ID"};
  }

  [[nodiscard]] std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (problem_ != nullptr) {
      notes.push_back("kernel, sizes and arguments are those of " + problem_->origin.file);
    }
    notes.push_back(grid_rule(problem_, scope_));
    notes.emplace_back(
        "a time is the median of a configuration's runs, its spread their coefficient of "
        "variation");
    if (results_.failed > 0) {
      notes.push_back(std::to_string(results_.failed) + " failed configurations are left out");
    }
    return notes;
  }

  Expected<void> fill(std::size_t index, MeasuredPoint& point) {
    const TunedConfiguration& configuration = results_.configurations[index];
    Case& request = point.request;
    request.kernel = kernel();
    request.gpu = gpu_;
    request.measured_ms = configuration.median_ms;
    if (configuration.runs > 1) request.spread = configuration.spread;
    // Tuners time a row of launches between events.
    request.timing = options_.defaults.timing.value_or(Timing::event);
    request.repeat = options_.defaults.repeat.value_or(Repeat::warm);
    for (const auto& [name, word] : configuration.parameters) {
      if (const auto number = parse_number(word)) point.numbers[name] = *number;
    }
    if (auto done = scope_.load(index); !done) return done;
    if (problem_ == nullptr) request.launch.grid = options_.defaults.launch.grid;
    if (auto done = set_tuned_sizes(problem_, scope_, request); !done) return done;
    if (problem_ != nullptr) {
      if (auto done = set_tuned_arguments(*problem_, scope_, request); !done) return done;
    }
    return add_code(configuration, request);
  }

  /// Macros as Kernel Tuner makes them: the parameters, the sizes of block and grid.
  Expected<void> add_code(const TunedConfiguration& configuration, Case& request) {
    if (problem_ != nullptr) request.compile_options = problem_->compile_options;
    const auto define = [&](const std::string& name, const std::string& word) {
      if (is_name(name) && matters(name))
        request.compile_options.push_back("-D" + name + "=" + word);
    };
    for (const auto& [name, word] : configuration.parameters) define(name, word);
    define("kernel_tuner", "1");
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string letter(1, static_cast<char>('x' + axis));
      if (!scope_.has("grid_size_" + letter)) {
        define("grid_size_" + letter, std::to_string(request.launch.grid[axis]));
      }
      if (!scope_.has("block_size_" + letter)) {
        define("block_size_" + letter, std::to_string(request.launch.block[axis]));
      }
    }
    request.input = source_;
    return edit_source(configuration, request);
  }

  /// A macro is no number in an unroll pragma: there the parameter's value stands in a copy. A
  /// kernel's template is only compiled where something names its instance.
  Expected<void> edit_source(const TunedConfiguration& configuration, Case& request) const {
    const auto text = read_file(source_);
    if (!text) return text.error();
    Replacements replacements;
    for (const auto& [name, word] : configuration.parameters) {
      const std::string pragma = "#pragma unroll " + name;
      if (!has_whole(*text, pragma)) continue;
      // Kernel Tuner leaves the pragma out for an unroll factor of 0.
      replacements.emplace_back(pragma, word == "0" ? "" : "#pragma unroll " + word);
    }
    std::string instance;
    const bool is_source = fs::path(source_).extension() == ".cu";
    if (is_source && kernel().find('<') != std::string::npos) {
      instance = "\nstatic auto* const forewarp_instance = &" + kernel() + ";\n";
      request.kernel = exported_kernel_name(kernel());
    }
    if (replacements.empty() && instance.empty()) return {};
    auto copy = edited_source(source_, replacements, instance);
    if (!copy) return copy.error();
    request.input = std::move(*copy);
    request.compile_options.push_back("-I" + fs::absolute(source_).parent_path().string());
    return {};
  }

  const TuningResults& results_;
  const TuningProblem* problem_;
  const MeasuredOptions& options_;
  CsvTable table_;
  TunedScope scope_;
  std::string source_, gpu_;
  SourceNames names_;
};

/// Descriptions beside the results; a JSON file that is none is passed over.
std::vector<TuningProblem> problems_beside(const fs::path& file) {
  std::vector<fs::path> files;
  std::error_code ignored;
  const fs::path folder = file.parent_path().empty() ? "." : file.parent_path();
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    constexpr std::uintmax_t largest_description = 1 << 20;
    const bool small =
        entry.is_regular_file(ignored) && entry.file_size(ignored) <= largest_description;
    if (small && entry.path().extension() == ".json" &&
        entry.path().filename() != file.filename()) {
      files.push_back(file.parent_path() / entry.path().filename());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<TuningProblem> problems;
  for (const fs::path& candidate : files) {
    const auto text = read_file(candidate);
    if (!text || text->find("\"KernelSpecification\"") == std::string::npos) continue;
    auto problem = parse_tuning_problem(*text, candidate);
    if (problem) problems.push_back(std::move(*problem));
  }
  return problems;
}

/// How well a description fits the results; 0: not at all.
int fit(const TuningProblem& problem, const TuningResults& results) {
  if (!results.kernel.empty()) return problem.kernel == results.kernel ? 4 : 0;
  const std::string stem = lower(fs::path(results.origin.file).stem().string());
  const std::string file = lower(fs::path(problem.origin.file).stem().string());
  if (!problem.name.empty() && stem.find(lower(problem.name)) != std::string::npos) return 3;
  return file == "t1" ? 2 : 1;
}

/// Nothing where none fits; refused where several fit equally well.
Expected<std::optional<TuningProblem>> find_problem(const TuningResults& results) {
  std::optional<TuningProblem> best;
  int best_fit = 0;
  bool several = false;
  for (TuningProblem& problem : problems_beside(results.origin.file)) {
    const int fits = fit(problem, results);
    if (fits == 0 || fits < best_fit) continue;
    several = fits == best_fit;
    best_fit = fits;
    best = std::move(problem);
  }
  if (!several) return best;
  return Diagnostic{results.origin.file, "several descriptions of kernels lie beside it",
                    "the one that was measured", "--t1 FILE"};
}

}  // namespace

Expected<MeasuredSet> tuned_points(const TuningResults& results, const TuningProblem* problem,
                                   const MeasuredOptions& options) {
  return TunedPoints(results, problem, options).build();
}

Expected<MeasuredSet> read_tuning_results(const std::string& file, std::string_view json,
                                          const MeasuredOptions& options) {
  const auto results = parse_tuning_results(json, file);
  if (!results) return results.error();
  std::optional<TuningProblem> problem;
  if (!options.tuning_problem.empty()) {
    const auto text = read_file(options.tuning_problem);
    if (!text) return text.error();
    auto stated = parse_tuning_problem(*text, options.tuning_problem);
    if (!stated) return std::move(stated).error();
    problem = std::move(*stated);
  } else {
    auto found = find_problem(*results);
    if (!found) return std::move(found).error();
    problem = std::move(*found);
  }
  if (!problem && !results->cache_file) {
    return Diagnostic{file,
                      "says how long configurations took, but no description of their kernel "
                      "lies beside it",
                      "the file with its KernelSpecification", "--t1 FILE"};
  }
  return tuned_points(*results, problem ? &*problem : nullptr, options);
}

}  // namespace forewarp::measured
