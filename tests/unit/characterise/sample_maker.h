// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/text.h"
#include "characterise/samples/record.h"
#include "characterise/statistics/pipeline.h"

namespace forewarp::tests {

/// "a=1,b=2" as a configuration.
inline std::vector<std::pair<std::string, std::string>> config_of(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> config;
  for (const std::string_view pair : split(text, ',')) {
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos)
      config.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return config;
}

inline Record record_of(const std::string& test, const std::string& config,
                        const std::string& quantity, Histogram samples,
                        std::optional<double> mhz = {}) {
  Record record;
  record.test = test;
  record.config = config_of(config);
  record.quantity = quantity;
  record.unit = quantity == "time" ? "us" : quantity.starts_with("count/") ? "1" : "cycles";
  record.clock_mhz = mhz;
  record.samples = std::move(samples);
  return record;
}

/// Five repeats of a time in us, with noise of this share.
inline Record time_of(const std::string& test, const std::string& config, double us, double mhz,
                      double noise = 0, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> scatter(0, noise);
  std::vector<double> values;
  for (int i = 0; i < 5; ++i) values.push_back(us * (1 + (noise > 0 ? scatter(random) : 0)));
  return record_of(test, config, "time", frequencies(values), mhz);
}

}  // namespace forewarp::tests
