// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/tables/calibration_file.h"

#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "base/toml_text.h"
#include "request/tables/calibration_checks.h"
#include "request/tables/field_reading.h"
#include "request/text/toml_value.h"

namespace forewarp::request {
namespace {

constexpr std::string_view schema = "forewarp.calibration/1";

const std::vector<std::string> origin_keys{"source",       "sha256",      "points", "spread",
                                           "error_before", "error_after", "used"};

/// Reads a key of the origin; false: the key does not belong to it.
Expected<bool> read_origin(const std::string& key, const ValueCursor& value,
                           CalibrationOrigin& into) {
  Expected<void> done;
  if (key == "source") {
    done = put(text_of(value), into.source);
  } else if (key == "sha256") {
    done = put(text_of(value), into.sha256);
  } else if (key == "points") {
    done = put(number_of(value), into.points);
  } else if (key == "spread") {
    done = put(number_of(value), into.spread);
  } else if (key == "error_before") {
    done = put(number_of(value), into.error_before);
  } else if (key == "error_after") {
    done = put(number_of(value), into.error_after);
  } else if (key == "used") {
    done = put(texts_of(value), into.used);
  } else {
    return false;
  }
  if (!done) return done.error();
  return true;
}

/// Reads one table with its named texts and its value; all other keys belong to the origin.
Expected<void> read_entry(const ValueCursor& cursor,
                          const std::vector<std::pair<std::string, std::string*>>& texts,
                          double& value_into, CalibrationOrigin& origin) {
  return each_key(
      cursor,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        for (const auto& [name, text] : texts) {
          if (key == name) return put(text_of(value), *text);
        }
        if (key == "value") return put(number_of(value), value_into);
        const auto known = read_origin(key, value, origin);
        if (!known) return known.error();
        if (*known) return {};
        std::vector<std::string> names = origin_keys;
        for (const auto& [name, text] : texts) names.push_back(name);
        names.emplace_back("value");
        return cursor.unknown_key(index, names);
      });
}

Expected<void> read_factor(const ValueCursor& cursor, Calibration& into) {
  CalibratedFactor factor;
  factor.value = 0;
  auto done = read_entry(cursor,
                         {{"model", &factor.model},
                          {"option", &factor.option},
                          {"kernel", &factor.kernel},
                          {"gpu", &factor.gpu},
                          {"cc", &factor.cc}},
                         factor.value, factor.origin);
  if (!done) return done.error();
  done = check_factor(cursor, factor, into);
  if (done) into.factors.push_back(std::move(factor));
  return done;
}

Expected<void> read_number(const ValueCursor& cursor, Calibration& into) {
  CalibratedNumber number;
  auto done =
      read_entry(cursor, {{"gpu", &number.gpu}, {"path", &number.path}, {"unit", &number.unit}},
                 number.value, number.origin);
  if (!done) return done.error();
  done = check_number(cursor, number, into);
  if (done) into.numbers.push_back(std::move(number));
  return done;
}

void add_text(std::string& text, std::string_view key, std::string_view value) {
  if (!value.empty()) text += std::string(key) + " = " + toml_quoted(value) + '\n';
}

void add_number(std::string& text, std::string_view key, double value,
                int precision = calibration_digits) {
  text += std::string(key) + " = " + significant(value, precision) + '\n';
}

void add_origin(std::string& text, const CalibrationOrigin& origin) {
  add_text(text, "source", origin.source);
  add_text(text, "sha256", origin.sha256);
  add_number(text, "points", origin.points);
  add_number(text, "spread", origin.spread, 4);
  add_number(text, "error_before", origin.error_before, 4);
  add_number(text, "error_after", origin.error_after, 4);
  text += "used = [";
  for (std::size_t i = 0; i < origin.used.size(); ++i) {
    text += (i > 0 ? ", " : "") + toml_quoted(origin.used[i]);
  }
  text += "]\n";
}

}  // namespace

Expected<Calibration> parse_calibration(std::string_view toml, std::string_view file) {
  const ValueOrigin origin{std::string(file), 0, {}};
  auto table = parse_toml(toml, origin, "a calibration in TOML");
  if (!table) return std::move(table).error();
  const ValueCursor root(*table, origin);
  Calibration calibration;
  calibration.file = file;
  std::string found_schema;
  auto done = each_key(
      root,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (key == "schema") return put(text_of(value), found_schema);
        if (key == "forewarp") return put(text_of(value), calibration.forewarp);
        if (key == "factor") {
          return each_item(value,
                           [&](const ValueCursor& item) { return read_factor(item, calibration); });
        }
        if (key == "number") {
          return each_item(value,
                           [&](const ValueCursor& item) { return read_number(item, calibration); });
        }
        return root.unknown_key(index, {"schema", "forewarp", "factor", "number"});
      });
  if (!done) return done.error();
  if (found_schema != schema) {
    return root.refuse("the key 'schema' is '" + found_schema + "'",
                       "'" + std::string(schema) + "'", "`forewarp calibrate` writes such a file");
  }
  return calibration;
}

Expected<std::shared_ptr<const Calibration>> read_calibration(const std::string& file) {
  const auto text = read_file(file);
  if (!text) return text.error();
  auto read = parse_calibration(*text, file);
  if (!read) return std::move(read).error();
  return std::make_shared<const Calibration>(std::move(*read));
}

std::string calibration_text(const Calibration& calibration) {
  std::string text = "schema = " + toml_quoted(schema) + '\n';
  add_text(text, "forewarp", calibration.forewarp);
  for (const CalibratedFactor& factor : calibration.factors) {
    text += "\n[[factor]]\n";
    add_text(text, "model", factor.model);
    add_text(text, "option", factor.option);
    add_text(text, "kernel", factor.kernel);
    add_text(text, "gpu", factor.gpu);
    add_text(text, "cc", factor.cc);
    add_number(text, "value", factor.value);
    add_origin(text, factor.origin);
  }
  for (const CalibratedNumber& number : calibration.numbers) {
    text += "\n[[number]]\n";
    add_text(text, "gpu", number.gpu);
    add_text(text, "path", number.path);
    add_number(text, "value", number.value);
    add_text(text, "unit", number.unit);
    add_origin(text, number.origin);
  }
  return text;
}

}  // namespace forewarp::request
