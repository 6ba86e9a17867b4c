// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "configuration.h"

#include <cstdint>
#include <limits>
#include <set>
#include <utility>

#include "base/text.h"

namespace forewarp::cli {
namespace {

constexpr std::size_t most_launches = 100'000;

Expected<std::uint32_t> launch_number(const std::string& text, const Quantities& known,
                                      const std::string& place) {
  const auto value = whole_quantity(text, known, place);
  if (!value) return value.error();
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (*value > most) {
    return Diagnostic{place, "'" + text + "' is " + std::to_string(*value),
                      "at most " + std::to_string(most), ""};
  }
  return static_cast<std::uint32_t>(*value);
}

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

Expected<std::string> argument_text(const std::string& text, const Quantities& known,
                                    const std::string& place) {
  if (!text.starts_with("buffer")) {
    const auto colon = text.find(':');  // f32:1.5 as it is
    if (colon != std::string::npos) return text;
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

Expected<Configuration> configuration(const BenchTest& test, const std::vector<Swept>& lists,
                                      const std::vector<std::size_t>& chosen,
                                      const Quantities& device) {
  Configuration made;
  Quantities known = device;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const auto value = whole_quantity((*lists[i].values)[chosen[i]], known, test.place);
    if (!value) return value.error();
    known[lists[i].name] = static_cast<double>(*value);
    made.name += (i == 0 ? "" : ",") + lists[i].name + "=" + std::to_string(*value);
  }
  const std::pair<const char*, std::uint32_t*> numbers[] = {
      {"blocks", &made.blocks}, {"threads", &made.threads}, {test.shared.c_str(), &made.shared}};
  for (const auto& [text, into] : numbers) {
    const auto value = launch_number(text, known, test.place);
    if (!value) return value.error();
    *into = *value;
  }
  for (const std::string& text : test.arguments) {
    auto argument = argument_text(text, known, test.place);
    if (!argument) return std::move(argument).error();
    made.arguments.push_back(*std::move(argument));
  }
  if (made.blocks == 0 || made.threads == 0) {
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

}  // namespace forewarp::cli
