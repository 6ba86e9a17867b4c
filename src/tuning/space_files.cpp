// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "request/tables/field_reading.h"
#include "request/text/json_value.h"
#include "request/text/toml_value.h"
#include "tuning/parameter_values.h"
#include "tuning/tuning_task.h"

namespace forewarp::tuning {

namespace {

using Kind = PlainValue::Kind;

ParameterAxis axis_of(std::string name, std::vector<std::string> words) {
  ParameterAxis axis{{std::move(name)}, {}};
  for (std::string& word : words) axis.values.push_back({std::move(word)});
  return axis;
}

/// Words of a list: numbers as they are written, true and false as 1 and 0.
Expected<std::vector<std::string>> listed_words(const ValueCursor& list) {
  std::vector<std::string> words;
  auto read = each_item(list, [&](const ValueCursor& item) -> Expected<void> {
    if (item.value().kind == Kind::boolean) {
      words.emplace_back(item.value().boolean ? "1" : "0");
      return {};
    }
    return put(text_of(item), words.emplace_back());
  });
  if (!read) return read.error();
  if (words.empty()) return list.refuse("a parameter has no value", "one at least");
  return words;
}

Expected<ParameterAxis> t1_axis(const ValueCursor& parameter) {
  std::string name;
  std::vector<std::string> words;
  auto read = each_key(
      parameter,
      [&](const std::string& key, const ValueCursor& value, std::size_t) -> Expected<void> {
        if (key == "Name") return put(text_of(value), name);
        if (key != "Values") return {};
        if (value.value().kind == Kind::list) return put(listed_words(value), words);
        std::string text;
        if (auto done = put(text_of(value), text); !done) return done;
        auto listed = python_words(text);
        if (!listed) return value.placed(listed.error());
        words = std::move(*listed);
        return {};
      });
  if (!read) return read.error();
  if (name.empty() || words.empty()) {
    return parameter.refuse("the parameter is incomplete", "Name and Values");
  }
  return axis_of(std::move(name), std::move(words));
}

Expected<void> add_axis(const ValueCursor& at, Expected<ParameterAxis> axis,
                        ParameterSpace& space) {
  if (!axis) return std::move(axis).error();
  if (auto added = space.add(std::move(*axis)); !added) return at.placed(added.error());
  return {};
}

Expected<void> read_conditions(const ValueCursor& list, ParameterSpace& space) {
  return each_item(list, [&](const ValueCursor& condition) -> Expected<void> {
    if (condition.value().kind == Kind::text) {
      return put(text_of(condition), space.restrictions.emplace_back());
    }
    return each_key(condition, [&](const std::string& key, const ValueCursor& value, std::size_t) {
      if (key != "Expression") return Expected<void>{};
      return put(text_of(value), space.restrictions.emplace_back());
    });
  });
}

/// In the order of the file: keys of TOML come sorted.
Expected<void> read_params(const ValueCursor& table, ParameterSpace& space) {
  std::vector<std::pair<std::uint64_t, ParameterAxis>> found;
  auto read = each_key(
      table, [&](const std::string& name, const ValueCursor& value, std::size_t) -> Expected<void> {
        Expected<ParameterAxis> axis = ParameterAxis{};
        if (value.value().kind == Kind::list && name != "block") {
          auto words = listed_words(value);
          if (!words) return std::move(words).error();
          axis = axis_of(name, std::move(*words));
        } else {
          std::string text;
          if (value.value().kind == Kind::list) {
            std::vector<std::string> shapes;
            if (auto done = put(texts_of(value), shapes); !done) return done;
            text = join(shapes, ",");
          } else if (auto done = put(text_of(value), text); !done) {
            return done;
          }
          axis = make_axis(name, text, "");
          if (!axis) return value.placed(axis.error());
        }
        const std::uint64_t place =
            (std::uint64_t{value.value().line} << 32U) + value.value().column;
        found.emplace_back(place, std::move(*axis));
        return {};
      });
  if (!read) return read;
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [place, axis] : found) {
    if (auto added = space.add(std::move(axis)); !added) return table.placed(added.error());
  }
  return {};
}

Expected<void> read_restrictions(const ValueCursor& value, ParameterSpace& space) {
  if (value.value().kind == Kind::list) return put(texts_of(value), space.restrictions);
  return put(text_of(value), space.restrictions.emplace_back());
}

/// A source that `input` names is compiled as [compile] would have it, with every parameter a
/// macro unless it is said which are.
void complete_code(SpaceFile& space) {
  SetDescription& about = space.about;
  auto& request = about.request;
  for (std::size_t i = 0; !about.code && i < request.keys.size(); ++i) {
    const PlainValue& value = request.items[i];
    if (request.keys[i] != "input" || !value.text.ends_with(".cu")) continue;
    about.code.emplace().files = {value.text};
    request.keys.erase(request.keys.begin() + static_cast<std::ptrdiff_t>(i));
    request.items.erase(request.items.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (about.code && about.code->defines.empty()) about.code->defines = space.space.names();
}

}  // namespace

Expected<ParameterSpace> parse_t1_space(std::string_view json, const std::filesystem::path& file) {
  const ValueOrigin origin{file.string(), 0, file.parent_path()};
  const auto value = parse_json(json, origin);
  if (!value) return value.error();
  const ValueCursor root(*value, origin);
  ParameterSpace space;
  const auto read_space = [&](const ValueCursor& table) {
    return each_key(table, [&](const std::string& key, const ValueCursor& list, std::size_t) {
      if (key == "Conditions" && list.value().kind != Kind::null) {
        return read_conditions(list, space);
      }
      if (key != "TuningParameters") return Expected<void>{};
      return each_item(
          list, [&](const ValueCursor& item) { return add_axis(item, t1_axis(item), space); });
    });
  };
  auto read = each_key(root, [&](const std::string& key, const ValueCursor& table, std::size_t) {
    return key == "ConfigurationSpace" ? read_space(table) : Expected<void>{};
  });
  if (!read) return read.error();
  if (space.axes.empty()) {
    return root.refuse("it has no parameters", "ConfigurationSpace with TuningParameters");
  }
  return space;
}

Expected<SpaceFile> parse_space_file(std::string_view toml, const std::filesystem::path& file) {
  auto about = parse_description(toml, file, DescriptionOf::configurations);
  if (!about) return std::move(about).error();
  SpaceFile space{std::move(*about), {}, {}};
  const auto value = parse_toml(toml, space.about.origin, "a space of configurations in TOML");
  if (!value) return value.error();
  const ValueCursor root(*value, space.about.origin);
  auto read = each_key(
      root, [&](const std::string& key, const ValueCursor& own, std::size_t) -> Expected<void> {
        if (key == "params") return read_params(own, space.space);
        if (key == "restrict") return read_restrictions(own, space.space);
        if (key == "configurations") return put(text_of(own), space.configurations);
        return {};
      });
  if (!read) return read.error();
  if (space.space.axes.empty() == space.configurations.empty()) {
    return root.refuse("it says no configurations, or twice",
                       "a table [params], or configurations = \"FILE.csv\"");
  }
  if (!space.configurations.empty() && !space.space.restrictions.empty()) {
    return root.refuse("'restrict' cannot be combined with 'configurations'",
                       "the rows that are meant", "leave such rows out");
  }
  complete_code(space);
  return space;
}

}  // namespace forewarp::tuning
