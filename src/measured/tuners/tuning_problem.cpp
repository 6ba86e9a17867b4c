// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/tuners/tuning_problem.h"

#include "base/text.h"
#include "request/tables/field_reading.h"
#include "request/text/json_value.h"

namespace forewarp::measured {

namespace {

using Kind = PlainValue::Kind;

/// A text or a number as text; null and a key that is not there leave `into` as it is.
Expected<void> take(const ValueCursor& table, std::string_view key, std::string& into) {
  const PlainValue& value = table.value();
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    if (value.keys[i] != key || value.items[i].kind == Kind::null) continue;
    return put(text_of(table.item(i)), into);
  }
  return {};
}

/// A list of texts and numbers, or one of them.
Expected<void> take_list(const ValueCursor& table, std::string_view key,
                         std::vector<std::string>& into) {
  const PlainValue& value = table.value();
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    if (value.keys[i] != key || value.items[i].kind == Kind::null) continue;
    if (value.items[i].kind == Kind::list) return put(texts_of(table.item(i)), into);
    into.emplace_back();
    return put(text_of(table.item(i)), into.back());
  }
  return {};
}

template <typename Use>
Expected<void> use_key(const ValueCursor& table, std::string_view key, Use use) {
  const PlainValue& value = table.value();
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    if (value.keys[i] == key && value.items[i].kind != Kind::null) return use(table.item(i));
  }
  return {};
}

Expected<void> read_sizes(const ValueCursor& spec, std::string_view key,
                          std::array<std::string, 3>& into) {
  return use_key(spec, key, [&](const ValueCursor& sizes) -> Expected<void> {
    if (sizes.value().kind != Kind::table) return sizes.wrong("{\"X\": .., \"Y\": .., \"Z\": ..}");
    constexpr std::array<std::string_view, 3> axes{"X", "Y", "Z"};
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (auto done = take(sizes, axes[i], into[i]); !done) return done;
    }
    return {};
  });
}

Expected<void> read_divisors(const ValueCursor& spec, TuningProblem& problem) {
  constexpr std::array<std::string_view, 3> keys{"GridDivX", "GridDivY", "GridDivZ"};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const PlainValue* given = spec.value().find(keys[i]);
    if (given == nullptr || given->kind == Kind::null) continue;
    std::vector<std::string> divisors;
    if (auto done = take_list(spec, keys[i], divisors); !done) return done;
    problem.grid_divisors[i] = std::move(divisors);
  }
  return {};
}

Expected<TunedArgument::Memory> memory_of(const ValueCursor& cursor, const std::string& name) {
  using Memory = TunedArgument::Memory;
  if (name == "Scalar") return Memory::scalar;
  if (name == "Vector") return Memory::vector;
  if (name == "Symbol") return Memory::symbol;
  if (name == "Local") return Memory::local;
  return cursor.refuse("the memory type '" + name + "' is unknown",
                       "Scalar, Vector, Symbol, Local");
}

Expected<TunedArgument> read_argument(const ValueCursor& cursor) {
  if (cursor.value().kind != Kind::table) return cursor.wrong("an argument");
  TunedArgument argument;
  std::string memory, placed, seed;
  for (const auto& [key, into] : std::initializer_list<std::pair<const char*, std::string*>>{
           {"Name", &argument.name},
           {"Type", &argument.type},
           {"MemoryType", &memory},
           {"MemType", &placed},
           {"Size", &argument.count},
           {"TypeSize", &argument.type_bytes},
           {"FillType", &argument.fill},
           {"FillValue", &argument.value},
           {"DataSource", &argument.source},
           {"RandomSeed", &seed}}) {
    if (auto done = take(cursor, key, *into); !done) return done.error();
  }
  auto kind = memory_of(cursor, memory);
  if (!kind) return std::move(kind).error();
  argument.memory = *kind;
  argument.constant_too = placed == "Constant";
  if (!seed.empty()) argument.seed = parse_natural(seed).value_or(1);
  return argument;
}

Expected<void> read_arguments(const ValueCursor& spec, TuningProblem& problem) {
  return use_key(spec, "Arguments", [&](const ValueCursor& list) {
    return each_item(list, [&](const ValueCursor& item) {
      return put(read_argument(item), problem.arguments.emplace_back());
    });
  });
}

Expected<void> check_language(const ValueCursor& spec, const TuningProblem& problem) {
  if (problem.language.empty() || lower(problem.language) == "cuda") return {};
  return spec.refuse("the kernel is written in " + problem.language, "CUDA");
}

Expected<void> read_specification(const ValueCursor& spec, TuningProblem& problem) {
  if (spec.value().kind != Kind::table) return spec.wrong("the description of a kernel");
  std::string size_type;
  for (const auto& [key, into] : std::initializer_list<std::pair<const char*, std::string*>>{
           {"KernelName", &problem.kernel},
           {"KernelFile", &problem.source},
           {"Language", &problem.language},
           {"GlobalSizeType", &size_type},
           {"SharedMemory", &problem.dynamic_shared}}) {
    if (auto done = take(spec, key, *into); !done) return done;
  }
  if (problem.name.empty()) {
    if (auto done = take(spec, "BenchmarkName", problem.name); !done) return done;
  }
  problem.global_counts_blocks = lower(size_type) == "cuda";
  if (auto done = check_language(spec, problem); !done) return done;
  if (auto done = take_list(spec, "CompilerOptions", problem.compile_options); !done) return done;
  if (auto done = take_list(spec, "ProblemSize", problem.problem_size); !done) return done;
  if (auto done = read_sizes(spec, "LocalSize", problem.local); !done) return done;
  if (auto done = read_sizes(spec, "GlobalSize", problem.global); !done) return done;
  if (auto done = read_divisors(spec, problem); !done) return done;
  auto device = use_key(spec, "Device", [&](const ValueCursor& item) -> Expected<void> {
    return item.value().kind == Kind::table ? take(item, "Name", problem.device) : Expected<void>{};
  });
  if (!device) return device;
  return read_arguments(spec, problem);
}

}  // namespace

Expected<TuningProblem> parse_tuning_problem(std::string_view json,
                                             const std::filesystem::path& file) {
  TuningProblem problem;
  problem.origin = {file.string(), 0, file.parent_path()};
  const auto value = parse_json(json, problem.origin);
  if (!value) return value.error();
  const ValueCursor root(*value, problem.origin);
  if (value->find("KernelSpecification") == nullptr) {
    return root.refuse("it has no 'KernelSpecification'", "the description of a tuned kernel");
  }
  auto general = use_key(root, "General", [&](const ValueCursor& item) -> Expected<void> {
    return take(item, "BenchmarkName", problem.name);
  });
  if (!general) return general.error();
  auto read = use_key(root, "KernelSpecification",
                      [&](const ValueCursor& spec) { return read_specification(spec, problem); });
  if (!read) return read.error();
  if (problem.kernel.empty()) return root.refuse("it names no kernel", "KernelName");
  return problem;
}

}  // namespace forewarp::measured
