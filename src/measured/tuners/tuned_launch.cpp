// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/tuners/tuned_launch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "measured/tuners/python_expression.h"

namespace forewarp::measured {

namespace {

constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};

std::string parameter_name(std::string_view prefix, std::size_t axis) {
  return std::string(prefix) + std::string(axes[axis]);
}

Expected<std::uint32_t> size_of(double value, const std::string& what) {
  const double whole = std::rint(value);
  constexpr double room = 1e-9;  // quotients of whole numbers may miss by rounding
  if (!(whole >= 1) || whole > std::numeric_limits<std::uint32_t>::max() ||
      std::fabs(value - whole) > room * whole) {
    const bool quotient = value >= 1;
    return Diagnostic{"", what + " is " + significant(value), "a whole number from 1",
                      quotient ? "ceil(A / B) and A // B are whole" : ""};
  }
  return static_cast<std::uint32_t>(whole);
}

/// Product of the values of a list of expressions.
Expected<double> product(const std::vector<std::string>& factors, TunedScope& scope) {
  double all = 1;
  for (const std::string& factor : factors) {
    const auto value = scope.value(factor);
    if (!value) return value.error();
    all *= *value;
  }
  return all;
}

/// Kernel Tuner's block where nothing says otherwise.
Expected<double> block_size(const TuningProblem* problem, TunedScope& scope, std::size_t axis) {
  if (problem != nullptr && !problem->local[axis].empty()) return scope.value(problem->local[axis]);
  const std::string name = parameter_name("block_size_", axis);
  if (scope.has(name)) return scope.value(name);
  constexpr double kernel_tuners_default = 256;
  return axis == 0 ? kernel_tuners_default : 1;
}

Expected<double> grid_divisor(const TuningProblem* problem, TunedScope& scope, std::size_t axis) {
  if (problem != nullptr && problem->grid_divisors[axis]) {
    return product(*problem->grid_divisors[axis], scope);
  }
  auto divisor = block_size(problem, scope, axis);
  const std::string more = parameter_name("grid_div_", axis);
  if (!divisor || problem != nullptr || !scope.has(more)) return divisor;
  const auto factor = scope.value(more);
  if (!factor) return factor;
  return *divisor * *factor;
}

/// Whether the problem size and its divisors say the grid, rather than the global size.
bool divides_problem(const TuningProblem* problem, const TunedScope& scope) {
  if (scope.problem_size().empty()) return false;
  if (problem == nullptr || problem->global[0].empty()) return true;
  const auto& divisors = problem->grid_divisors;
  return std::any_of(divisors.begin(), divisors.end(), [](const auto& d) { return d.has_value(); });
}

Expected<double> grid_size(const TuningProblem* problem, TunedScope& scope, std::size_t axis) {
  if (divides_problem(problem, scope)) {
    if (axis >= scope.problem_size().size()) return 1.0;
    const auto size = scope.value(scope.problem_size()[axis]);
    if (!size) return size;
    const auto divisor = grid_divisor(problem, scope, axis);
    if (!divisor) return divisor;
    return std::ceil(*size / *divisor);
  }
  if (problem == nullptr || problem->global[0].empty()) {
    return Diagnostic{"", "neither a problem size nor a global size", "the number of blocks",
                      "--launch FILE with grid"};
  }
  if (problem->global[axis].empty()) return 1.0;
  const auto size = scope.value(problem->global[axis]);
  if (!size || problem->global_counts_blocks) return size;
  const auto block = block_size(problem, scope, axis);
  if (!block) return block;
  return std::ceil(*size / *block);
}

}  // namespace

TunedScope::TunedScope(const CsvTable& table, std::vector<std::string> problem_size,
                       std::map<std::string, double> numbers)
    : table_(table),
      row_(table),
      problem_size_(std::move(problem_size)),
      numbers_(std::move(numbers)) {
  // Formulas see the names that exist when they are first compiled.
  for (std::size_t i = 0; i < problem_size_.size(); ++i) {
    row_.set_number("ProblemSize_" + std::to_string(i), 0);
  }
  for (const auto& [name, number] : numbers_) row_.set_number(name, number);
}

Expected<void> TunedScope::load(std::size_t row) {
  row_.load(row);
  for (const auto& [name, number] : numbers_) row_.set_number(name, number);
  for (std::size_t i = 0; i < problem_size_.size(); ++i) {
    const auto size = value(problem_size_[i]);
    if (!size) return size.error();
    row_.set_number("ProblemSize_" + std::to_string(i), *size);
  }
  return {};
}

bool TunedScope::has(std::string_view parameter) const {
  return table_.column(parameter).has_value();
}

std::optional<double> TunedScope::bound(std::string_view name, bool largest) const {
  const auto column = table_.column(name);
  std::optional<double> best;
  for (const auto& row : table_.rows) {
    if (!column) break;
    const auto number = parse_number(row[*column]);
    if (!number) continue;
    if (!best || (largest ? *number > *best : *number < *best)) best = number;
  }
  return best;
}

Expected<double> TunedScope::value(const std::string& python) {
  const auto found = formulas_.find(python);
  if (found != formulas_.end()) return row_.value(found->second);
  auto formula = formula_of(
      python, [this](std::string_view name, bool largest) { return bound(name, largest); });
  if (!formula) return std::move(formula).error();
  return row_.value(formulas_.emplace(python, std::move(*formula)).first->second);
}

std::string grid_rule(const TuningProblem* problem, const TunedScope& scope) {
  if (problem == nullptr) {
    return "without a description of the kernel (--t1) the grid is problem size / (block_size_* "
           "times grid_div_*)";
  }
  if (divides_problem(problem, scope)) return "the grid is ProblemSize / GridDiv, rounded up";
  return problem->global_counts_blocks ? "GlobalSize counts blocks, as its type says"
                                       : "the grid is GlobalSize / LocalSize, rounded up";
}

Expected<void> set_tuned_sizes(const TuningProblem* problem, TunedScope& scope, Case& request) {
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const auto block = block_size(problem, scope, axis);
    if (!block) return block.error();
    const auto threads = size_of(*block, "the block in " + std::string(axes[axis]));
    if (!threads) return threads.error();
    request.launch.block[axis] = *threads;
  }
  if (request.has_grid()) return {};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const auto grid = grid_size(problem, scope, axis);
    if (!grid) return grid.error();
    const auto blocks = size_of(*grid, "the grid in " + std::string(axes[axis]));
    if (!blocks) return blocks.error();
    request.launch.grid[axis] = *blocks;
  }
  return {};
}

}  // namespace forewarp::measured
