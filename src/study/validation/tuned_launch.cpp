// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "study/validation/tuned_launch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "driver/argument_text.h"
#include "driver/scalar_type.h"
#include "study/validation/python_expression.h"

namespace forewarp {

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
    return Diagnostic{"", what + " is " + significant(value), "a whole number from 1", ""};
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

/// Short type and elements of "float4", "int32", "half".
struct ElementType {
  std::string_view name;
  std::uint64_t bytes = 0, elements = 1;
};

std::optional<ElementType> element_type(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, ElementType>, 21> types{{
      {"bool", {"u8", 1}},    {"int8", {"i8", 1}},    {"uint8", {"u8", 1}},
      {"char", {"i8", 1}},    {"uchar", {"u8", 1}},   {"int16", {"i16", 2}},
      {"uint16", {"u16", 2}}, {"short", {"i16", 2}},  {"ushort", {"u16", 2}},
      {"int32", {"i32", 4}},  {"uint32", {"u32", 4}}, {"int", {"i32", 4}},
      {"uint", {"u32", 4}},   {"int64", {"i64", 8}},  {"uint64", {"u64", 8}},
      {"long", {"i64", 8}},   {"ulong", {"u64", 8}},  {"float64", {"f64", 8}},
      {"half", {"f16", 2}},   {"float", {"f32", 4}},  {"double", {"f64", 8}},
  }};
  if (type == "float32") return ElementType{"f32", 4};  // numpy's, else a vector of 32
  for (const auto& [name, element] : types) {
    if (type == name) return element;
  }
  for (const auto& [name, element] : types) {
    if (!type.starts_with(name)) continue;
    const auto count = parse_natural(type.substr(name.size()));
    if (count && *count >= 2 && *count <= 16)
      return ElementType{element.name, element.bytes, *count};
  }
  return {};
}

BufferContent content_of(const TunedArgument& argument, double value,
                         const TuningProblem& problem) {
  using Kind = BufferContent::Kind;
  BufferContent content;
  if (argument.fill == "Constant") {
    content.kind = value == 0 ? Kind::zeros : Kind::fill;
    content.value = value;
  } else if (argument.fill == "Random") {
    content.kind = Kind::random;
    content.seed = argument.seed;
    content.low = std::min(0.0, value);
    content.high = value == 0 ? 1 : std::max(0.0, value);
  } else if (argument.fill == "BinaryRaw" && !argument.source.empty()) {
    content.kind = Kind::file;
    content.path = (problem.origin.directory / argument.source).string();
  }
  return content;
}

Expected<Argument> buffer_of(const TunedArgument& argument, const TuningProblem& problem,
                             TunedScope& scope) {
  const auto type = element_type(argument.type);
  double bytes = type ? static_cast<double>(type->bytes * type->elements) : 0;
  if (!type) {
    const auto own = scope.value(argument.type_bytes.empty() ? "0" : argument.type_bytes);
    if (!own) return own.error();
    bytes = *own;
  }
  const auto count = scope.value(argument.count.empty() ? "0" : argument.count);
  if (!count) return count.error();
  const auto value = scope.value(argument.value.empty() ? "0" : argument.value);
  if (!value) return value.error();
  const double all = *count * bytes;
  constexpr double most = 1e15;
  if (!(all >= 1 && all < most) || all != std::floor(all)) {
    return Diagnostic{"",
                      "argument '" + argument.name + "' of type '" + argument.type + "' has " +
                          significant(all) + " bytes",
                      "a known type or TypeSize, and Size", ""};
  }
  Argument buffer;
  buffer.kind = Argument::Kind::buffer;
  buffer.buffer_bytes = static_cast<std::uint64_t>(all);
  buffer.content = content_of(argument, *value, problem);
  if (type) buffer.content.type = type->name;
  return buffer;
}

Expected<Argument> scalar_of(const TunedArgument& argument, TunedScope& scope) {
  const auto type = element_type(argument.type);
  if (!type || type->elements != 1) {
    return Diagnostic{
        "", "argument '" + argument.name + "' is a scalar of type '" + argument.type + "'",
        "a number's type", ""};
  }
  const auto value = scope.value(argument.value);
  if (!value) return value.error();
  Argument number;
  number.kind = Argument::Kind::floating;
  number.floating = *value;
  const auto stated = short_scalar_type(type->name);
  if (!stated || !scalar_bits(number, *stated)) {
    return Diagnostic{"", "argument '" + argument.name + "' is " + exact_text(*value),
                      "a value of " + argument.type, ""};
  }
  return with_type(std::move(number), type->name);
}

}  // namespace

TunedScope::TunedScope(const CsvTable& table, std::vector<std::string> problem_size)
    : table_(table), row_(table), problem_size_(std::move(problem_size)) {
  // Formulas see the names that exist when they are first compiled.
  for (std::size_t i = 0; i < problem_size_.size(); ++i) {
    row_.set_number("ProblemSize_" + std::to_string(i), 0);
  }
}

Expected<void> TunedScope::load(std::size_t row) {
  row_.load(row);
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

Expected<void> set_tuned_arguments(const TuningProblem& problem, TunedScope& scope, Case& request) {
  using Memory = TunedArgument::Memory;
  double shared = 0;
  if (!problem.dynamic_shared.empty()) {
    const auto bytes = scope.value(problem.dynamic_shared);
    if (!bytes) return bytes.error();
    shared = *bytes;
  }
  std::uint32_t index = 0;
  for (const TunedArgument& argument : problem.arguments) {
    auto value = argument.memory == Memory::scalar ? scalar_of(argument, scope)
                                                   : buffer_of(argument, problem, scope);
    if (!value) return std::move(value).error();
    if (argument.memory == Memory::local) {
      shared += static_cast<double>(value->buffer_bytes);
      continue;
    }
    const bool constant = argument.memory == Memory::symbol || argument.constant_too;
    if (constant) request.launch.constants.push_back({argument.name, {}, *value});
    if (argument.memory != Memory::symbol)
      request.launch.arguments.push_back({"", index++, *value});
  }
  constexpr double most = 1 << 30;
  if (!(shared >= 0 && shared <= most)) {
    return Diagnostic{"", "shared memory of " + significant(shared) + " bytes", "a size", ""};
  }
  request.launch.dynamic_shared = static_cast<std::uint32_t>(shared);
  request.has_dynamic_shared = true;
  return {};
}

}  // namespace forewarp
