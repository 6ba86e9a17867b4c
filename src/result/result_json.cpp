// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result/result_json.h"

#include <algorithm>
#include <utility>

#include "result/json_reader.h"
#include "result/json_writer.h"

namespace forewarp::result {
namespace {

using Json = JsonReader::Json;
constexpr std::string_view schema = "forewarp.result/1";

Diagnostic not_json(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const auto line = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const std::size_t start = before.rfind('\n');
  const std::size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return {place_in_file("result", line, column), "not JSON",
          "an object of schema " + std::string(schema), ""};
}

Expected<Json> parse(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    return not_json(text, error.byte);
  }
}

Expected<Result> read_result(const Json& document) {
  if (!document.is_object()) {
    return Diagnostic{"result", "found " + std::string(document.type_name()), "an object", ""};
  }
  const auto found = document.find("schema");
  if (found == document.end() || *found != schema) {
    return Diagnostic{"/schema", found == document.end() ? "missing" : "found " + found->dump(),
                      '"' + std::string(schema) + '"', ""};
  }
  Result result;
  JsonReader reader(document);
  result_fields::fields(reader, result);
  if (reader.failure()) return *reader.failure();
  result.profile_only =
      !result.error && document.contains("execution") && !document.contains("model");
  return result;
}

Expected<std::vector<Result>> read_array(const Json& documents) {
  std::vector<Result> results;
  for (const Json& document : documents) {
    Expected<Result> result = read_result(document);
    if (!result) {
      Diagnostic failure = result.error();
      failure.place = "result " + std::to_string(results.size() + 1) + " " + failure.place;
      return failure;
    }
    results.push_back(std::move(*result));
  }
  return results;
}

/// JSON lines: an array of what stands on each line that is not empty.
Expected<Json> parse_lines(std::string_view text) {
  Json documents = Json::array();
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Expected<Json> document = parse(line);
    if (!document) {
      Diagnostic failure = document.error();
      failure.place = place_in_file("result", number);
      return failure;
    }
    documents.push_back(std::move(*document));
  }
  return documents;
}

}  // namespace

std::string to_json(const Result& result, const JsonStyle& style) {
  std::string out;
  out.reserve(4096 + (style.listing ? 400 * result.listing.size() : 0));
  JsonWriter writer(out, style);
  writer.open('{');
  writer("schema", std::string(schema));
  result_fields::fields(writer, result);
  writer.close('}');
  return out;
}

Expected<Result> from_json(std::string_view text) {
  const Expected<Json> document = parse(text);
  if (!document) return document.error();
  return read_result(*document);
}

Expected<std::vector<Result>> results_from_json(std::string_view text) {
  Expected<Json> document = parse(text);
  if (!document) {
    Expected<Json> lines = parse_lines(text);
    // Several lines that are no objects each: one document with a fault, whose place is better.
    if (!lines)
      return text.find("}\n{") == std::string_view::npos ? document.error() : lines.error();
    return read_array(*lines);
  }
  if (document->is_array()) return read_array(*document);
  return read_array(Json::array({std::move(*document)}));
}

}  // namespace forewarp::result
