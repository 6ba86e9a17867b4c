// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/sweep_axis.h"

#include <utility>

#include "base/text.h"
#include "request/argument_text.h"
#include "request/option_text.h"
#include "request/text/refusal.h"

namespace forewarp::sweep {

namespace {

using Kind = SweepAxis::Kind;

constexpr std::string_view place = "--sweep";
constexpr std::string_view forms = "NAME=FROM:TO:STEP, NAME=FROM:TO:*FACTOR or NAME=a,b,c";
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

/// As an option reads it: a whole number without an exponent.
std::string number_text(const Argument& number) {
  return number.kind == Argument::Kind::integer ? std::to_string(number.integer)
                                                : exact_text(as_number(number));
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
  row_ = option_named(name);
  if (row_ != nullptr && row_->may_stand(in_sweep)) {
    kind_ = Kind::option;
    return {};
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
  if (kind_ != Kind::option) return {};
  const auto leaves = [&](const std::string& values) {
    return refusal(place, option, "leaves the values that " + name_ + " can have", values);
  };
  const bool natural = row_->most > 0;
  if (!natural) {
    if (!(range_->lowest() > 0)) return leaves(std::string(row_->unit) + " above 0");
    for (const double end : {range_->lowest(), range_->highest()}) {
      if (auto read = read_option(exact_text(end)); !read) return leaves(read.error().expected);
    }
    return {};
  }
  if (range_->whole() && range_->lowest() >= row_->least && range_->highest() <= row_->most) {
    return {};
  }
  return leaves("whole numbers from " + significant(row_->least) + " to " +
                significant(row_->most, 10));
}

Expected<SweepAxis::Value> SweepAxis::read_value(std::string_view text) const {
  if (kind_ == Kind::option) return read_option(text);
  if (kind_ != Kind::argument) return read_fact(text);
  auto argument = parse_argument_value(text, place);
  if (!argument) return argument.error();
  Value value;
  value.argument = std::move(*argument);
  value.numeric = is_number(value.argument);
  return value;
}

Expected<SweepAxis::Value> SweepAxis::read_option(std::string_view text) const {
  if (row_->kind == OptionKind::sizes) return read_sizes(text);
  Case request;
  PredictOptions options;
  Delivery delivery;
  if (auto done = row_->set(*row_, text, place, {request, options, delivery}); !done) {
    return done.error();
  }
  Value value;
  if (const auto whole = parse_natural(text)) {
    value.argument = number_argument(static_cast<std::int64_t>(*whole));
    return value;
  }
  const auto number = parse_number(text);
  value.argument = number_argument(number.value_or(0));
  value.numeric = number.has_value();
  if (!value.numeric) value.text = text;
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

Expected<SweepAxis::Value> SweepAxis::read_sizes(std::string_view text) {
  Value value;
  const auto sizes = parse_extent(text, place, 'x');
  if (!sizes) return sizes.error();
  value.argument = number_argument(std::int64_t{(*sizes)[0]});
  value.numeric = (*sizes)[1] == 1 && (*sizes)[2] == 1;
  if (!value.numeric) value.text = text;
  return value;
}

SweepAxis::Value SweepAxis::value(std::uint64_t index) const {
  if (!range_) return listed_[index];
  Value value;
  value.argument =
      std::visit([](auto number) { return number_argument(number); }, range_->at(index));
  return value;
}

std::string SweepAxis::text(std::uint64_t index) const {
  const Value current = value(index);
  if (!current.text.empty()) return current.text;
  if (kind_ == Kind::argument) return text_of(current.argument);
  if (kind_ == Kind::option) return number_text(current.argument);
  return exact_text(as_number(current.argument));
}

bool SweepAxis::changes_binding() const {
  return kind_ == Kind::hardware || kind_ == Kind::model_option ||
         (kind_ == Kind::option && row_->changes == OptionEffect::binding);
}

double SweepAxis::number(std::uint64_t index) const {
  return as_number(value(index).argument);
}

void SweepAxis::apply(std::uint64_t index, Case& request, PredictOptions& options) const {
  switch (kind_) {
    case Kind::argument:
      return set_argument(request.launch.arguments, target_, value(index).argument);
    case Kind::option: {
      Delivery delivery;  // no option of a sweep is one of it
      const auto done = row_->set(*row_, text(index), place, {request, options, delivery});
      static_cast<void>(done);  // it was read before
      return;
    }
    case Kind::hardware:
      return set_override(options.overrides, name_.substr(3), text(index));
    case Kind::model_option:
      return set_model_option(options.model_options, name_.substr(7), text(index));
  }
}

}  // namespace forewarp::sweep
