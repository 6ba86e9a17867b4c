// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "tuning/parameter_space.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "measured/points/row_scope.h"
#include "measured/tuners/edited_source.h"
#include "measured/tuners/python_expression.h"
#include "tuning/parameter_values.h"

namespace forewarp::tuning {

namespace {

constexpr std::size_t most_configurations = 100'000;
constexpr std::size_t most_looked_at = 20'000'000;  // choices on the way to them

bool is_identifier(std::string_view name) {
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), in_name);
}

/// Walks the tree of choices; a restriction is asked as soon as its last parameter is chosen.
class Enumeration {
 public:
  explicit Enumeration(const ParameterSpace& space) : space_(space), scope_(none_) {
    due_.resize(space.axes.size());
    found_.table.columns = space.names();
    row_.resize(found_.table.columns.size());
  }

  Expected<Configurations> run() {
    if (space_.axes.empty()) return Diagnostic{"", "no parameter is given", "one at least", ""};
    found_.whole = 1;
    for (const ParameterAxis& axis : space_.axes) {
      found_.whole *= static_cast<double>(axis.values.size());
    }
    if (auto done = prepare(); !done) return done.error();
    if (auto done = choose(0, 0); !done) return done.error();
    if (found_.table.rows.empty()) {
      return Diagnostic{"", "no configuration meets every restriction", "one at least",
                        "of " + significant(found_.whole) + " without restrictions"};
    }
    return std::move(found_);
  }

 private:
  /// Largest or least of the values that a parameter may have.
  [[nodiscard]] std::optional<double> bound(std::string_view name, bool largest) const {
    std::optional<double> best;
    for (const ParameterAxis& axis : space_.axes) {
      for (std::size_t k = 0; k < axis.names.size(); ++k) {
        for (const auto& value : axis.values) {
          const auto number = axis.names[k] == name ? parse_number(value[k]) : std::nullopt;
          if (number && (!best || (largest ? *number > *best : *number < *best))) best = number;
        }
      }
    }
    return best;
  }

  Expected<void> prepare() {
    for (const auto& [name, number] : space_.numbers) scope_.set_number(name, number);
    for (const ParameterAxis& axis : space_.axes) {
      for (std::size_t k = 0; k < axis.names.size(); ++k) {
        scope_.set_word(axis.names[k], axis.values.front()[k]);
      }
    }
    for (const std::string& restriction : space_.restrictions) {
      auto formula =
          formula_of(restriction, [this](std::string_view n, bool most) { return bound(n, most); });
      if (!formula) return std::move(formula).error();
      if (auto sound = scope_.check(*formula); !sound) {
        return Diagnostic{"", "the restriction " + sound.error().found,
                          "an expression of " + join(space_.names(), ", "), ""};
      }
      std::size_t last = 0;
      for (std::size_t i = 0; i < space_.axes.size(); ++i) {
        const auto& names = space_.axes[i].names;
        const bool named = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
          return has_whole(restriction, name);
        });
        if (named) last = i;
      }
      due_[last].push_back({restriction, std::move(*formula)});
    }
    return {};
  }

  Expected<void> choose(std::size_t axis, std::size_t column) {
    if (axis == space_.axes.size()) {
      found_.table.rows.push_back(row_);
      if (found_.table.rows.size() <= most_configurations) return {};
      return Diagnostic{"", "more than " + std::to_string(most_configurations) + " configurations",
                        "fewer", "add restrictions"};
    }
    const ParameterAxis& own = space_.axes[axis];
    for (const auto& value : own.values) {
      if (++looked_at_ > most_looked_at) {
        return Diagnostic{"",
                          "the restrictions leave out too little: more than " +
                              std::to_string(most_looked_at) + " choices were looked at",
                          "fewer values", ""};
      }
      for (std::size_t k = 0; k < own.names.size(); ++k) {
        row_[column + k] = value[k];
        scope_.set_word(own.names[k], value[k]);
      }
      const auto held = holds(axis);
      if (!held) return held.error();
      if (!*held) continue;
      if (auto done = choose(axis + 1, column + own.names.size()); !done) return done;
    }
    return {};
  }

  Expected<bool> holds(std::size_t axis) {
    for (const Restriction& restriction : due_[axis]) {
      const auto value = scope_.value(restriction.formula);
      if (!value) {
        return Diagnostic{"",
                          "the restriction '" + restriction.text + "' has no value where " +
                              space_.axes[axis].names.front() + " is " + row_at(axis),
                          "numbers", ""};
      }
      if (*value == 0) return false;
    }
    return true;
  }

  [[nodiscard]] std::string row_at(std::size_t axis) const {
    std::size_t column = 0;
    for (std::size_t i = 0; i < axis; ++i) column += space_.axes[i].names.size();
    return row_[column];
  }

  struct Restriction {
    std::string text, formula;
  };

  const ParameterSpace& space_;
  const CsvTable none_;
  RowScope scope_;
  std::vector<std::vector<Restriction>> due_;  // by the axis that is chosen last
  std::vector<std::string> row_;
  Configurations found_;
  std::size_t looked_at_ = 0;
};

}  // namespace

std::vector<std::string> ParameterSpace::names() const {
  std::vector<std::string> all;
  for (const ParameterAxis& axis : axes)
    all.insert(all.end(), axis.names.begin(), axis.names.end());
  return all;
}

Expected<void> ParameterSpace::add(ParameterAxis axis) {
  const std::vector<std::string> known = names();
  for (const std::string& name : axis.names) {
    if (!is_identifier(name)) {
      return Diagnostic{"", "the parameter '" + name + "' is no identifier", "a macro's name", ""};
    }
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      return Diagnostic{"", "the parameter '" + name + "' stands twice", "once", ""};
    }
  }
  axes.push_back(std::move(axis));
  return {};
}

Expected<ParameterAxis> make_axis(const std::string& name, std::string_view values,
                                  std::string_view place) {
  ParameterAxis axis;
  if (name == "block") {
    auto shapes = block_shapes(values, place);
    if (!shapes) return std::move(shapes).error();
    axis.values = std::move(*shapes);
    constexpr const char* names[] = {"block_size_x", "block_size_y", "block_size_z"};
    for (std::size_t i = 0; i < axis.values[0].size(); ++i) axis.names.emplace_back(names[i]);
    return axis;
  }
  auto words = parameter_words(values, place);
  if (!words) return std::move(words).error();
  axis.names = {name};
  for (std::string& word : *words) axis.values.push_back({std::move(word)});
  return axis;
}

Expected<ParameterAxis> parse_axis(std::string_view text, std::string_view place) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return Diagnostic{std::string(place), "'" + std::string(text) + "' names no parameter",
                      "NAME=VALUES: TILE=8,16,32 or block=32x4:256x8", ""};
  }
  return make_axis(std::string(trim(text.substr(0, equals))), trim(text.substr(equals + 1)), place);
}

Expected<Configurations> configurations_of(const ParameterSpace& space) {
  return Enumeration(space).run();
}

}  // namespace forewarp::tuning
