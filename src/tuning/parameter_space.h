// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "measured/points/csv_table.h"

namespace forewarp::tuning {

/// Parameters that change together: a single one, or the sizes of a block.
struct ParameterAxis {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> values;  ///< a word for each name
};

/// The space of configurations. Restrictions are Python expressions over the parameters and
/// `numbers`, which a configuration must all fulfil.
struct ParameterSpace {
  std::vector<ParameterAxis> axes;
  std::vector<std::string> restrictions;
  std::map<std::string, double> numbers;  ///< further names for expressions

  /// Refuses a name that is already there or is no identifier.
  Expected<void> add(ParameterAxis axis);
  [[nodiscard]] std::vector<std::string> names() const;
};

/// NAME=VALUES as parameter_words() reads them; block=SHAPES becomes block_size_x, _y and _z.
Expected<ParameterAxis> parse_axis(std::string_view text, std::string_view place);
/// The same from a name and its values.
Expected<ParameterAxis> make_axis(const std::string& name, std::string_view values,
                                  std::string_view place);

struct Configurations {
  CsvTable table;    ///< a column for each parameter, a row for each configuration
  double whole = 0;  ///< size of the cross product without restrictions
};

/// Configurations in which every restriction holds, the last parameter changing fastest. Refuses a
/// restriction that is no expression over the parameters, too many configurations, and none at all.
Expected<Configurations> configurations_of(const ParameterSpace& space);

}  // namespace forewarp::tuning
