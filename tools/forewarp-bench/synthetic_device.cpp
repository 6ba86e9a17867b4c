// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "synthetic_device.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "characterise/samples/samples_file.h"
#include "hardware/capability.h"
#include "request/tables/field_reading.h"
#include "request/text/toml_value.h"

namespace forewarp::cli {

namespace {

Expected<void> read_facts(const ValueCursor& cursor, DeviceDescription& into) {
  return each_key(
      cursor,
      [&](const std::string& path, const ValueCursor& value, std::size_t) -> Expected<void> {
        const auto number = number_of(value);
        if (!number) return number.error();
        into.facts[path] = *number;
        return {};
      });
}

Expected<void> read_readings(const ValueCursor& cursor, std::map<std::string, Histogram>& into) {
  const std::vector<std::string> quantities{"time", "window", "empty", "operation"};
  return each_key(
      cursor,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (std::ranges::find(quantities, key) == quantities.end()) {
          return cursor.unknown_key(index, quantities);
        }
        const auto text = text_of(value);
        if (!text) return text.error();
        auto values = parse_histogram(*text, value.path());
        if (!values) return value.placed(std::move(values).error());
        into[key] = *std::move(values);
        return {};
      });
}

}  // namespace

Expected<std::unique_ptr<SyntheticDevice>> SyntheticDevice::read(std::string_view text,
                                                                 const std::string& file) {
  const ValueOrigin origin{file, 0, {}};
  const auto document = parse_toml(text, origin, "a device: name, cc, [facts], [readings.TEST]");
  if (!document) return document.error();
  auto made = std::make_unique<SyntheticDevice>();
  made->file_ = file;
  made->description_.backend = "synthetic";
  const ValueCursor root(*document, origin);
  auto read = each_key(
      root, [&](const std::string& key, const ValueCursor& value, std::size_t i) -> Expected<void> {
        if (key == "name") return put(text_of(value), made->description_.name);
        if (key == "cc") return put(text_of(value), made->description_.cc);
        if (key == "facts") return read_facts(value, made->description_);
        if (key != "readings") return root.unknown_key(i, {"name", "cc", "facts", "readings"});
        return each_key(value,
                        [&](const std::string& test, const ValueCursor& readings,
                            std::size_t) -> Expected<void> {
                          return read_readings(readings, made->readings_[test]);
                        });
      });
  if (!read) return read.error();
  const auto capability = parse_capability(made->description_.cc);
  if (!capability) {
    return Diagnostic{file, "cc is '" + made->description_.cc + "'", "X.Y, such as 7.0", ""};
  }
  made->description_.sm = static_cast<std::uint32_t>(capability->sm());
  return made;
}

Expected<Reading> SyntheticDevice::measure(const BenchTest& test, const std::string& kernel,
                                           const Configuration&) {
  const std::string quantity = !test.window                  ? "time"
                               : kernel == test.empty_kernel ? "empty"
                                                             : "window";
  const auto of_test = readings_.find(test.id);
  if (of_test != readings_.end()) {
    if (const auto values = of_test->second.find(quantity); values != of_test->second.end()) {
      return Reading{values->second, std::nullopt, std::nullopt};
    }
  }
  return Diagnostic{file_, "says no " + quantity + " of '" + test.id + "'",
                    "[readings." + test.id + "]", ""};
}

Expected<Histogram> SyntheticDevice::known(const BenchTest& test, const Configuration&) {
  const auto of_test = readings_.find(test.id);
  if (of_test != readings_.end()) {
    if (const auto values = of_test->second.find("operation"); values != of_test->second.end()) {
      return values->second;
    }
  }
  return Diagnostic{file_, "says no operation of '" + test.id + "'", "[readings." + test.id + "]",
                    ""};
}

}  // namespace forewarp::cli
