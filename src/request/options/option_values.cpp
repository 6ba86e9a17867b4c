// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/options/option_values.h"

#include <utility>

#include "base/text.h"
#include "request/argument_text.h"
#include "request/copy_request.h"
#include "request/option_text.h"
#include "request/options/option_access.h"
#include "request/options/precedence.h"
#include "request/tables/calibration_file.h"
#include "request/text/count_text.h"
#include "request/text/refusal.h"

namespace forewarp::request {

namespace {

using Texts = std::vector<std::string>;

/// Stores what a parser made of the text, or returns its refusal.
template <typename Value, typename Store>
Expected<void> store(Expected<Value> parsed, Store keep) {
  if (!parsed) return std::move(parsed).error();
  keep(*std::move(parsed));
  return {};
}

Texts at_addresses(const std::map<std::uint32_t, double>& values) {
  Texts texts;
  for (const auto& [address, value] : values) {
    texts.push_back(hex(address, 4) + '=' + exact_text(value));
  }
  return texts;
}

}  // namespace

Diagnostic no_value(const OptionRow& row, std::string_view text, std::string_view place) {
  return refusal(place, text,
                 "is no value of " + std::string(row.name.empty() ? row.key : row.name),
                 row.values);
}

Texts get_gpu(const OptionSource& from) {
  if (!from.options.gpus.empty()) return {join(from.options.gpus, ",")};
  return texts_of(from.request.gpu);
}

Expected<void> set_shared(const OptionRow& row, std::string_view text, std::string_view place,
                          const OptionTarget& into) {
  const auto bytes = parse_count(trim(text));
  if (!bytes || static_cast<double>(*bytes) > row.most) return no_value(row, text, place);
  into.request.launch.dynamic_shared = static_cast<std::uint32_t>(*bytes);
  into.request.has_dynamic_shared = true;
  return {};
}

Texts get_shared(const OptionSource& from) {
  const Case& request = from.request;
  if (!request.has_dynamic_shared && request.launch.dynamic_shared == 0) return {};
  return {std::to_string(request.launch.dynamic_shared)};
}

Expected<void> set_copy(const OptionRow& /*row*/, std::string_view text, std::string_view place,
                        const OptionTarget& into) {
  return store(parse_copy(text, place),
               [&](CopyRequest copy) { into.request.copies.push_back(std::move(copy)); });
}

Texts get_copies(const OptionSource& from) {
  Texts texts;
  for (const CopyRequest& copy : from.request.copies) texts.push_back(copy_text(copy));
  return texts;
}

Texts get_link(const OptionSource& from) {
  return texts_of(link_of(from.request, from.options).value);
}

Expected<void> set_model_option(const OptionRow& /*row*/, std::string_view text,
                                std::string_view place, const OptionTarget& into) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return Diagnostic{std::string(place), "'" + std::string(text) + "'", "MODEL.NAME=VALUE",
                      "see 'forewarp model show'"};
  }
  into.options.model_options.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  return {};
}

Texts get_model_options(const OptionSource& from) {
  Texts texts;
  for (const auto& [name, value] : from.options.model_options) texts.push_back(name + '=' + value);
  return texts;
}

/// Reads hw.PATH=VALUE or link.PATH=VALUE; refuses anything else and shows the form of the first.
Expected<void> set_override(const OptionRow& /*row*/, std::string_view text, std::string_view place,
                            const OptionTarget& into) {
  const bool of_link = text.starts_with("link.");
  auto& changes = of_link ? into.options.link_overrides : into.options.overrides;
  return store(of_link ? parse_link_override(text, place) : parse_override(text, place),
               [&](FactOverride change) { changes.push_back(std::move(change)); });
}

Texts get_overrides(const OptionSource& from) {
  Texts texts;
  for (const FactOverride& fact : from.options.overrides) {
    texts.push_back("hw." + fact.path + '=' + fact.value);
  }
  for (const FactOverride& fact : from.options.link_overrides) {
    texts.push_back("link." + fact.path + '=' + fact.value);
  }
  return texts;
}

Expected<void> set_calibration(const OptionRow& /*row*/, std::string_view text,
                               std::string_view /*place*/, const OptionTarget& into) {
  return store(read_calibration(std::string(text)), [&](std::shared_ptr<const Calibration> read) {
    into.options.calibration = std::move(read);
  });
}

Texts get_calibration(const OptionSource& from) {
  if (from.options.calibration == nullptr) return {};
  return {from.options.calibration->file};
}

Expected<void> set_clock(const OptionRow& /*row*/, std::string_view text, std::string_view place,
                         const OptionTarget& into) {
  return store(parse_clock(text, place), [&](ClockChoice clock) { into.options.clock = clock; });
}

Texts get_clock(const OptionSource& from) {
  const Given<ClockChoice> clock = clock_of(from.request, from.options);
  if (clock.origin == Origin::fallback) return {};
  return {clock_text(clock.value)};
}

Expected<void> set_timing(const OptionRow& /*row*/, std::string_view text, std::string_view place,
                          const OptionTarget& into) {
  return store(parse_timing(text, place), [&](Timing timing) { into.options.timing = timing; });
}

Texts get_timing(const OptionSource& from) {
  const Given<Timing> timing = timing_of(from.request, from.options);
  if (timing.origin == Origin::fallback) return {};
  return {std::string(timing_name(timing.value))};
}

Expected<void> set_repeat(const OptionRow& row, std::string_view text, std::string_view place,
                          const OptionTarget& into) {
  const auto repeat = repeat_named(text);
  if (!repeat) return no_value(row, text, place);
  into.options.repeat = repeat;
  return {};
}

Texts get_repeat(const OptionSource& from) {
  return {std::string(repeat_name(repeat_of(from.request, from.options).value))};
}

Expected<void> set_trip(const OptionRow& /*row*/, std::string_view text, std::string_view place,
                        const OptionTarget& into) {
  return store(parse_trip(text, place), [&](const auto& trip) {
    into.options.trips.insert_or_assign(trip.first, trip.second);  // the last one counts
  });
}

Texts get_trips(const OptionSource& from) {
  return at_addresses(from.options.trips);
}

Expected<void> set_branch(const OptionRow& /*row*/, std::string_view text, std::string_view place,
                          const OptionTarget& into) {
  return store(parse_branch_probability(text, place), [&](const auto& share) {
    into.options.branch_probabilities.insert_or_assign(share.first, share.second);
  });
}

Texts get_branches(const OptionSource& from) {
  return at_addresses(from.options.branch_probabilities);
}

Expected<void> set_sample(const OptionRow& /*row*/, std::string_view text, std::string_view place,
                          const OptionTarget& into) {
  return store(parse_sample(text, place),
               [&](SampleChoice sample) { into.options.sample = sample; });
}

Texts get_sample(const OptionSource& from) {
  switch (from.options.sample.mode) {
    case SampleChoice::Mode::all:
      return {"all"};
    case SampleChoice::Mode::count:
      return {std::to_string(from.options.sample.count)};
    default:
      return {};
  }
}

/// Appends one compiler option or several: a new one begins at a blank followed by a dash and a
/// non-blank. They come behind earlier ones, as the compiler lets a later option win.
Expected<void> set_compile_options(const OptionRow& /*row*/, std::string_view text,
                                   std::string_view /*place*/, const OptionTarget& into) {
  text = trim(text);
  while (!text.empty()) {
    std::size_t end = text.find(" -");
    while (end != text.npos && end + 2 < text.size() && text[end + 2] == ' ') {
      end = text.find(" -", end + 1);
    }
    into.request.compile_options.emplace_back(trim(text.substr(0, end)));
    text = end == text.npos ? std::string_view() : trim(text.substr(end));
  }
  return {};
}

Texts get_compile_options(const OptionSource& from) {
  return texts_of(join(from.request.compile_options, " "));
}

Texts get_overhead(const OptionSource& from) {
  const Given<std::optional<double>> overhead = overhead_of(from.request, from.options);
  if (!overhead.value) return {};
  return {exact_text(*overhead.value)};
}

}  // namespace forewarp::request
