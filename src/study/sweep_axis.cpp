// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "study/sweep_axis.h"

#include <array>
#include <limits>
#include <utility>

#include "base/text.h"
#include "request/argument_text.h"
#include "request/option_text.h"
#include "request/text/refusal.h"

namespace forewarp::study {

namespace {

using Kind = SweepAxis::Kind;

constexpr std::string_view place = "--sweep";
constexpr std::string_view forms = "NAME=FROM:TO:STEP, NAME=FROM:TO:*FACTOR or NAME=a,b,c";
constexpr double largest_natural = 4294967295.0;

struct ReservedName {
  std::string_view name;
  Kind kind;
};

constexpr std::array<ReservedName, 5> reserved{{{"block", Kind::block},
                                                {"grid", Kind::grid},
                                                {"smem", Kind::dynamic_shared},
                                                {"regs", Kind::registers},
                                                {"clock", Kind::clock}}};

Argument number_argument(std::int64_t value) {
  Argument argument;
  argument.integer = value;
  return argument;
}

Argument number_argument(double value) {
  Argument argument;
  argument.kind = Argument::Kind::floating;
  argument.floating = value;
  return argument;
}

bool is_number(const Argument& argument) {
  return argument.kind == Argument::Kind::integer || argument.kind == Argument::Kind::floating;
}

double as_number(const Argument& argument) {
  return is_number(argument) ? with_type(argument, "f64").floating : 0;
}

std::string extent_text(const Extent& extent) {
  std::string text = std::to_string(extent[0]);
  if (extent[1] != 1 || extent[2] != 1) text += "x" + std::to_string(extent[1]);
  if (extent[2] != 1) text += "x" + std::to_string(extent[2]);
  return text;
}

void set_argument(std::vector<NamedArgument>& arguments, const NamedArgument& target,
                  const Argument& value) {
  for (std::size_t i = arguments.size(); i-- > 0;) {
    if (arguments[i].name == target.name && arguments[i].index == target.index) {
      arguments[i].value = value;
      // A later one for the same parameter under its other name would win over this one.
      if (i + 1 != arguments.size()) std::swap(arguments[i], arguments.back());
      return;
    }
  }
  arguments.push_back({target.name, target.index, value});
}

void set_override(std::vector<FactOverride>& overrides, const std::string& path,
                  const std::string& value) {
  for (FactOverride& entry : overrides) {
    if (entry.path == path) {
      entry.value = value;
      return;
    }
  }
  overrides.push_back({path, value});
}

void set_model_option(std::vector<std::pair<std::string, std::string>>& options,
                      const std::string& name, const std::string& value) {
  for (auto& [known, text] : options) {
    if (known == name) {
      text = value;
      return;
    }
  }
  options.emplace_back(name, value);
}

}  // namespace

Expected<SweepAxis> SweepAxis::parse(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return refusal(place, text, "has no '='", forms);
  SweepAxis axis;
  if (auto done = axis.read_name(trim(text.substr(0, equals))); !done) return done.error();
  if (auto done = axis.read_values(trim(text.substr(equals + 1)), text); !done) {
    return done.error();
  }
  return axis;
}

Expected<void> SweepAxis::read_name(std::string_view name) {
  name_ = name;
  for (const ReservedName& entry : reserved) {
    if (entry.name == name) {
      kind_ = entry.kind;
      return {};
    }
  }
  if (name.starts_with("hw.") && name.size() > 3) {
    kind_ = Kind::hardware;
    return {};
  }
  if (name.starts_with("option.") && name.size() > 7) {
    kind_ = Kind::model_option;
    return {};
  }
  auto target = parse_argument_name(name, place);
  if (!target) return target.error();
  target_ = std::move(*target);
  return {};
}

Expected<void> SweepAxis::read_values(std::string_view values, std::string_view option) {
  const std::size_t colon = values.find(':');
  const bool is_range = colon != std::string_view::npos &&
                        values.find(',') == std::string_view::npos &&
                        parse_number(trim(values.substr(0, colon))).has_value();
  if (is_range) {
    auto range = SweepRange::parse(values, option);
    if (!range) return range.error();
    range_ = *range;
    count_ = range_->count();
    return check_range(option);
  }
  for (const std::string_view part : split(values, ',')) {
    auto value = read_value(trim(part));
    if (!value) return value.error();
    numeric_ = numeric_ && value->numeric;
    listed_.push_back(std::move(*value));
  }
  count_ = listed_.size();
  return {};
}

Expected<void> SweepAxis::check_range(std::string_view option) const {
  const bool naturals = kind_ == Kind::block || kind_ == Kind::grid ||
                        kind_ == Kind::dynamic_shared || kind_ == Kind::registers;
  const double least = kind_ == Kind::dynamic_shared ? 0 : 1;
  if (naturals &&
      (!range_->whole() || range_->lowest() < least || range_->highest() > largest_natural)) {
    return refusal(place, option, "leaves the values that " + name_ + " can have",
                   "whole numbers from " + significant(least) + " to 4294967295");
  }
  if (kind_ == Kind::clock && !(range_->lowest() > 0)) {
    return refusal(place, option, "leaves the values that clock can have", "MHz above 0");
  }
  return {};
}

Expected<SweepAxis::Value> SweepAxis::read_value(std::string_view text) const {
  switch (kind_) {
    case Kind::block:
    case Kind::grid:
      return read_extent(text);
    case Kind::clock:
      return read_clock(text);
    case Kind::hardware:
    case Kind::model_option:
      return read_fact(text);
    case Kind::dynamic_shared:
    case Kind::registers:
      return read_natural(text);
    case Kind::argument:
      break;
  }
  auto argument = parse_argument_value(text, place);
  if (!argument) return argument.error();
  Value value;
  value.argument = std::move(*argument);
  value.numeric = is_number(value.argument);
  return value;
}

Expected<SweepAxis::Value> SweepAxis::read_extent(std::string_view text) const {
  const auto extent = parse_extent(text, place, 'x');
  if (!extent) return extent.error();
  Value value;
  value.extent = *extent;
  value.argument = number_argument(std::int64_t{(*extent)[0]});
  value.numeric = (*extent)[1] == 1 && (*extent)[2] == 1;
  return value;
}

Expected<SweepAxis::Value> SweepAxis::read_clock(std::string_view text) const {
  const auto clock = parse_clock(text, place);
  if (!clock) return clock.error();
  Value value;
  value.clock = *clock;
  value.argument = number_argument(clock->megahertz);
  value.numeric = clock->kind == ClockChoice::Kind::stated;
  value.text = value.numeric ? "" : text;
  return value;
}

Expected<SweepAxis::Value> SweepAxis::read_fact(std::string_view text) const {
  if (text.empty()) return refusal(place, name_, "has an empty value", forms);
  const auto number = parse_number(text);
  Value value;
  value.argument = number_argument(number.value_or(0));
  value.numeric = number.has_value();
  value.text = text;
  return value;
}

Expected<SweepAxis::Value> SweepAxis::read_natural(std::string_view text) const {
  const std::uint64_t least = kind_ == Kind::registers ? 1 : 0;
  const auto size = parse_natural(text);
  if (!size || *size < least || *size > std::numeric_limits<std::uint32_t>::max()) {
    return refusal(place, text, "is no value of " + name_,
                   "a whole number from " + std::to_string(least) + " to 4294967295");
  }
  Value value;
  value.argument = number_argument(static_cast<std::int64_t>(*size));
  return value;
}

SweepAxis::Value SweepAxis::value(std::uint64_t index) const {
  if (!range_) return listed_[index];
  Value value;
  value.argument =
      std::visit([](auto number) { return number_argument(number); }, range_->at(index));
  const double number = as_number(value.argument);
  if (kind_ == Kind::block || kind_ == Kind::grid) {
    value.extent[0] = static_cast<std::uint32_t>(number);
  }
  value.clock = {ClockChoice::Kind::stated, number};
  return value;
}

std::string SweepAxis::text(std::uint64_t index) const {
  const Value current = value(index);
  if (!current.text.empty()) return current.text;
  if (kind_ == Kind::block || kind_ == Kind::grid) return extent_text(current.extent);
  if (kind_ == Kind::argument) return text_of(current.argument);
  return exact_text(as_number(current.argument));
}

double SweepAxis::number(std::uint64_t index) const {
  return as_number(value(index).argument);
}

void SweepAxis::apply(std::uint64_t index, Case& request, PredictOptions& options) const {
  const Value current = value(index);
  switch (kind_) {
    case Kind::argument:
      return set_argument(request.launch.arguments, target_, current.argument);
    case Kind::block:
      request.launch.block = current.extent;
      return;
    case Kind::grid:
      request.launch.grid = current.extent;
      return;
    case Kind::dynamic_shared:
      request.launch.dynamic_shared = static_cast<std::uint32_t>(as_number(current.argument));
      request.has_dynamic_shared = true;
      return;
    case Kind::registers:
      options.registers = static_cast<std::uint32_t>(as_number(current.argument));
      return;
    case Kind::clock:
      options.clock = current.clock;
      return;
    case Kind::hardware:
      return set_override(options.overrides, name_.substr(3), text(index));
    case Kind::model_option:
      return set_model_option(options.model_options, name_.substr(7), text(index));
  }
}

}  // namespace forewarp::study
