// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/text/json_value.h"

#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

namespace forewarp::request {

namespace {

using Json = nlohmann::json;

/// "[json.exception.parse_error.101] parse error at line 1, column 8: syntax error while parsing
/// value - unexpected end" becomes "unexpected end": the place is told by the diagnostic.
std::string reason(std::string_view message) {
  for (const std::string_view end_of_prefix : {": ", " - "}) {
    const std::size_t at = message.find(end_of_prefix);
    if (at != std::string_view::npos) message.remove_prefix(at + end_of_prefix.size());
  }
  return std::string(message);
}

/// Builds the value while the library reads. Its functions are the library's SAX interface; each
/// returns whether to go on.
class ValueBuilder {
 public:
  explicit ValueBuilder(const ValueOrigin& origin) : origin_(origin) {}

  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;

  bool null() { return place({}); }

  bool boolean(bool truth) {
    PlainValue value;
    value.kind = PlainValue::Kind::boolean;
    value.boolean = truth;
    return place(std::move(value));
  }

  bool number_integer(number_integer_t number) {
    PlainValue value;
    value.kind = PlainValue::Kind::integer;
    value.integer = number;
    return place(std::move(value));
  }

  bool number_unsigned(number_unsigned_t number) {
    PlainValue value;
    value.kind = PlainValue::Kind::integer;
    value.integer = static_cast<std::int64_t>(number);
    value.beyond_signed = value.integer < 0;
    return place(std::move(value));
  }

  bool number_float(number_float_t number, const string_t& /*digits*/) {
    PlainValue value;
    value.kind = PlainValue::Kind::floating;
    value.floating = number;
    return place(std::move(value));
  }

  bool string(string_t& text) {
    if (text.find('\0') != string_t::npos) {  // a null character would end a path early
      return stop({"", "a text holds the character \\u0000", "a text without it", ""});
    }
    PlainValue value;
    value.kind = PlainValue::Kind::text;
    value.text = std::move(text);
    return place(std::move(value));
  }

  bool binary(Json::binary_t& /*bytes*/) { return false; }  // text never has it

  bool start_object(std::size_t /*size*/) { return open(PlainValue::Kind::table); }
  bool start_array(std::size_t /*size*/) { return open(PlainValue::Kind::list); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    PlainValue& table = open_.back();
    if (table.find(name) != nullptr) {
      return stop({"", "key '" + name + "' stands twice in one object", "each key once", ""});
    }
    table.keys.push_back(std::move(name));
    table.items.emplace_back();  // a place for its value: keys and items stay parallel
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& failure) {
    Diagnostic diagnostic{"", reason(failure.what()), "one JSON object", ""};
    diagnostic.place = place_in_file(origin_.file, origin_.line, position);
    failure_ = std::move(diagnostic);
    return false;
  }

  Expected<PlainValue> take() && {
    if (failure_) return std::move(*failure_);
    return std::move(root_);
  }

 private:
  static constexpr std::size_t deepest = 16;

  bool stop(Diagnostic diagnostic) {
    diagnostic.place = place_in_file(origin_.file, origin_.line);
    failure_ = std::move(diagnostic);
    return false;
  }

  bool open(PlainValue::Kind kind) {
    if (open_.size() == deepest) {
      return stop({"", "the object is nested deeper than " + std::to_string(deepest) + " levels",
                   "the keys of a case", ""});
    }
    open_.emplace_back().kind = kind;
    return true;
  }

  bool close() {
    PlainValue value = std::move(open_.back());
    open_.pop_back();
    return place(std::move(value));
  }

  bool place(PlainValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().kind == PlainValue::Kind::table) {
      open_.back().items.back() = std::move(value);
    } else {
      open_.back().items.push_back(std::move(value));
    }
    return true;
  }

  const ValueOrigin& origin_;
  std::vector<PlainValue> open_;  // lists and tables still open, outermost first
  PlainValue root_;
  std::optional<Diagnostic> failure_;
};

}  // namespace

Expected<PlainValue> parse_json(std::string_view text, const ValueOrigin& origin) {
  ValueBuilder builder(origin);
  Json::sax_parse(text, &builder);
  return std::move(builder).take();
}

}  // namespace forewarp::request
