// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "configuration.h"

#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "base/text.h"
#include "request/argument_text.h"

namespace forewarp::cli {
namespace {

constexpr std::size_t most_launches = 100'000;

/// A number of a launch, which `name` would stand for.
Expected<std::uint32_t> launch_number(const std::string& text, const Quantities& known,
                                      const std::string& place, const std::string& name) {
  const auto value = whole_quantity(text, known, place);
  if (!value) return value.error();
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (*value > most) {
    return Diagnostic{place, name + " = '" + text + "' is " + std::to_string(*value),
                      "at most " + std::to_string(most), ""};
  }
  return static_cast<std::uint32_t>(*value);
}

constexpr std::size_t shape_lists = 2;  // blocks and threads, before what is swept

/// One list of the sweep.
struct Swept {
  std::string name;
  const std::vector<std::string>* values;
};

std::vector<Swept> swept_lists(const BenchTest& test) {
  std::vector<Swept> lists{{"blocks", &test.blocks}, {"threads", &test.threads}};
  for (const auto& [name, values] : test.sweep) lists.push_back({name, &values});
  return lists;
}

/// The text with the value of each {QUANTITY}: "tensor:f16:{n}x{n}".
Expected<std::string> filled_text(const std::string& text, const Quantities& known,
                                  const std::string& place) {
  std::string filled;
  std::size_t from = 0;
  while (true) {
    const std::size_t open = text.find('{', from), close = text.find('}', open);
    filled += text.substr(from, open == std::string::npos ? open : open - from);
    if (open == std::string::npos) return filled;
    if (close == std::string::npos) {
      return Diagnostic{place, "'" + text + "' does not end its '{'", "{QUANTITY}", ""};
    }
    const auto value = whole_quantity(text.substr(open + 1, close - open - 1), known, place);
    if (!value) return value.error();
    filled += std::to_string(*value);
    from = close + 1;
  }
}

Expected<std::string> argument_text(const std::string& text, const Quantities& known,
                                    const std::string& place) {
  if (!text.starts_with("buffer")) {
    if (text.find(':') != std::string::npos) return filled_text(text, known, place);
    const auto value = whole_quantity(text, known, place);
    if (!value) return value.error();
    return std::to_string(*value);
  }
  const auto from = text.find(':');
  if (from == std::string::npos) {
    return Diagnostic{place, "'" + text + "' has no size", "buffer:BYTES or buffer:BYTES:CONTENT",
                      ""};
  }
  const auto to = text.find(':', from + 1);
  const auto bytes = whole_quantity(text.substr(from + 1, to - from - 1), known, place);
  if (!bytes) return bytes.error();
  return text.substr(0, from + 1) + std::to_string(*bytes) +
         (to == std::string::npos ? "" : text.substr(to));
}

/// "X" or "X,Y" as an extent, whose parts and product other texts know by `name`.
Expected<Extent> extent_of(const std::string& text, const std::string& name, Quantities& known,
                           const std::string& place) {
  Extent extent{1, 1, 1};
  const auto parts = split(text, ',');
  constexpr const char* ends[] = {"_x", "_y"};
  if (parts.size() > std::size(ends)) {
    return Diagnostic{place, "'" + text + "' has " + std::to_string(parts.size()) + " parts",
                      name + " = \"X\" or \"X,Y\"", ""};
  }
  double product = 1;
  for (std::size_t i = 0; i < std::size(ends); ++i) {
    if (i < parts.size()) {
      const auto value = launch_number(std::string(trim(parts[i])), known, place, name);
      if (!value) return value.error();
      extent[i] = *value;
    }
    product *= extent[i];
  }
  for (std::size_t i = 0; i < std::size(ends); ++i) known[name + ends[i]] = extent[i];
  known[name] = product;
  return extent;
}

std::string extent_text(const Extent& extent) {
  return std::to_string(extent[0]) + (extent[1] == 1 ? "" : "x" + std::to_string(extent[1]));
}

Expected<Configuration> configuration(const BenchTest& test, const std::vector<Swept>& lists,
                                      const std::vector<std::size_t>& chosen,
                                      const Quantities& device) {
  Configuration made;
  Quantities known = device;
  std::vector<std::string> values(lists.size());
  for (std::size_t turn = 0; turn < lists.size(); ++turn) {
    // What is swept first, then threads, then blocks, which may depend on all others.
    const std::size_t swept = lists.size() - shape_lists;
    const std::size_t i = turn < swept ? turn + shape_lists : lists.size() - 1 - turn;
    const std::string& text = (*lists[i].values)[chosen[i]];
    if (i < shape_lists) {
      const auto extent = extent_of(text, lists[i].name, known, test.place);
      if (!extent) return extent.error();
      (i == 0 ? made.grid : made.block) = *extent;
      values[i] = extent_text(*extent);
    } else {
      const auto value = whole_quantity(text, known, test.place);
      if (!value) return value.error();
      known[lists[i].name] = static_cast<double>(*value);
      values[i] = std::to_string(*value);
    }
  }
  for (std::size_t i = 0; i < lists.size(); ++i) {
    made.swept.emplace_back(lists[i].name, values[i]);
    made.name += (i == 0 ? "" : ",") + lists[i].name + "=" + values[i];
  }
  const auto shared = launch_number(test.shared, known, test.place, "shared");
  if (!shared) return shared.error();
  made.shared = *shared;
  made.cooperative = test.cooperative;
  if (!test.cluster.empty()) {
    const auto cluster = extent_of(test.cluster, "cluster", known, test.place);
    if (!cluster) return cluster.error();
    made.cluster = *cluster;
  }
  for (const std::string& text : test.arguments) {
    auto argument = argument_text(text, known, test.place);
    if (!argument) return std::move(argument).error();
    made.arguments.push_back(*std::move(argument));
  }
  if (known["blocks"] == 0 || known["threads"] == 0) {
    return Diagnostic{test.place, "test '" + test.id + "' has a launch " + made.name,
                      "at least one block of one thread", ""};
  }
  return made;
}

}  // namespace

Expected<std::vector<Configuration>> configurations(const BenchTest& test,
                                                    const Quantities& device) {
  const std::vector<Swept> lists = swept_lists(test);
  std::size_t launches = 1;
  for (const Swept& list : lists) {
    launches *= list.values->size();
    if (launches > most_launches) {
      return Diagnostic{test.place, "test '" + test.id + "' has more than 100000 launches",
                        "shorter lists", ""};
    }
  }
  std::vector<Configuration> all;
  std::set<std::string> names;
  std::vector<std::size_t> chosen(lists.size(), 0);
  for (std::size_t number = 0; number < launches; ++number) {
    std::size_t rest = number;
    for (std::size_t i = lists.size(); i-- > 0;) {
      chosen[i] = rest % lists[i].values->size();
      rest /= lists[i].values->size();
    }
    auto made = configuration(test, lists, chosen, device);
    if (!made) return std::move(made).error();
    if (names.insert(made->name).second) all.push_back(*std::move(made));
  }
  return all;
}

Expected<LaunchConfig> launch_of(const BenchTest& test, const Configuration& launch) {
  LaunchConfig made;
  made.grid = launch.grid;
  made.block = launch.block;
  made.cluster = launch.cluster;
  made.dynamic_shared = launch.shared;
  for (std::uint32_t i = 0; i < launch.arguments.size(); ++i) {
    auto value = parse_argument_value(launch.arguments[i], test.place);
    if (!value) return std::move(value).error();
    made.arguments.push_back({"", i, *std::move(value)});
  }
  return made;
}

Expected<std::uint64_t> copied_bytes(const BenchTest& test, const Configuration& launch) {
  for (const auto& [name, value] : launch.swept) {
    if (name == "bytes") return whole_quantity(value, {}, test.place);
  }
  return Diagnostic{test.place, "test '" + test.id + "' copies no bytes", "sweep.bytes = [..]", ""};
}

}  // namespace forewarp::cli
