// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/work/prediction_request.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/text.h"
#include "request/files/case_fields.h"
#include "request/options/option_table.h"
#include "request/text/json_value.h"

namespace forewarp::serve {
namespace {

/// Keys of a case that a request says elsewhere, or that lead to files.
constexpr std::array<std::string_view, 2> not_in_case{"input", "gpu"};

Expected<void> refuse_files(const ValueCursor& cursor) {
  const PlainValue& value = cursor.value();
  if (value.kind == PlainValue::Kind::text && value.text.find("file:") != std::string::npos) {
    return cursor.refuse("'" + cursor.path() + "' is '" + value.text + "'",
                         "contents that are not in a file: zeros, iota, random:SEED",
                         "the server reads no file for a request");
  }
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    if (auto fine = refuse_files(cursor.item(i)); !fine) return fine;
  }
  return {};
}

Expected<void> check_link(const std::string& link) {
  if (link.find('/') == std::string::npos && !link.ends_with(".toml")) return {};
  return Diagnostic{"link", "is '" + link + "'", "an id of a link", "see 'forewarp link list'"};
}

Expected<void> read_gpu(const std::string& name, const HardwareDatabase& database,
                        PredictionRequest& asked) {
  const std::string id = name.substr(0, name.find('@'));
  const std::vector<std::string> ids = database.ids();
  const bool known = std::ranges::find(ids, id) != ids.end() && name.find('/') == std::string::npos;
  if (!known) {
    return Diagnostic{"gpu", "no GPU has the id '" + name + "'", "one of /api/v1/gpus", ""};
  }
  asked.request.gpu = name;
  asked.options.gpus = {name};
  return {};
}

Expected<void> read_case_part(const ValueCursor& cursor, PredictionRequest& asked) {
  if (auto fine = refuse_files(cursor); !fine) return fine;
  for (std::size_t i = 0; i < cursor.value().keys.size(); ++i) {
    const std::string& key = cursor.value().keys[i];
    if (std::ranges::find(not_in_case, key) == not_in_case.end()) continue;
    return cursor.refuse("'case." + key + "'", "'" + key + "' beside 'case'");
  }
  auto request = read_case(cursor.value(), cursor.origin(), CaseScope::full_case);
  if (!request) return std::move(request).error();
  for (const std::string& option : request->compile_options) {
    if (harmless_option(option)) continue;
    return cursor.refuse("the compiler's option '" + option + "'",
                         "-DNAME=V, -std=c++17, -use_fast_math, -maxrregcount=N, -O0 to -O3, "
                         "-lineinfo, -fmad=true");
  }
  if (auto fine = check_link(request->link); !fine) return fine;
  asked.request = *std::move(request);
  return {};
}

std::vector<std::string> texts_of(const PlainValue& value) {
  std::vector<std::string> texts;
  switch (value.kind) {
    case PlainValue::Kind::text:
      texts.push_back(value.text);
      break;
    case PlainValue::Kind::boolean:
      if (value.boolean) texts.emplace_back("true");
      break;
    case PlainValue::Kind::list:
      for (const PlainValue& item : value.items) {
        for (std::string& text : texts_of(item)) texts.push_back(std::move(text));
      }
      break;
    default:
      if (value.is_number()) texts.push_back(significant(value.number(), 17));
  }
  return texts;
}

Expected<void> read_options(const ValueCursor& cursor, PredictionRequest& asked) {
  if (cursor.value().kind != PlainValue::Kind::table) {
    return cursor.wrong("an object of options by name");
  }
  Delivery nowhere;
  const OptionTarget into{asked.request, asked.options, nowhere};
  for (std::size_t i = 0; i < cursor.value().keys.size(); ++i) {
    const std::string& name = cursor.value().keys[i];
    if (std::ranges::find(served_options(), name) == served_options().end()) {
      std::vector<std::string> names(served_options().begin(), served_options().end());
      return cursor.unknown_key(i, names);
    }
    const OptionRow& row = *option_named(name);
    const ValueCursor item = cursor.item(i);
    std::vector<std::string> texts = texts_of(item.value());
    if (row.kind == OptionKind::list && texts.size() > 1) texts = {join(texts, ",")};
    for (const std::string& text : texts) {
      if (auto done = row.set(row, text, name, into); !done) return done;
    }
  }
  return check_link(asked.options.link);
}

Expected<ResultDetail> detail_named(const std::string& name) {
  ResultDetail detail;
  detail.counterfactuals = WhatIfDepth::best;  // what limits is named by them
  if (name == "lean") {
    detail.stalls = false;
    return detail;
  }
  if (name != "full" && !name.empty()) {
    return Diagnostic{"detail", "is '" + name + "'", "full or lean", ""};
  }
  detail.listing = detail.provenance = detail.curve = detail.simulation = true;
  return detail;
}

Expected<void> read_key(const std::string& key, const ValueCursor& cursor,
                        const HardwareDatabase& database, std::string& input,
                        PredictionRequest& asked) {
  const bool text = cursor.value().kind == PlainValue::Kind::text;
  if (key == "case") return {};  // read before the others
  if (key == "options") return read_options(cursor, asked);
  if (!text) return cursor.wrong("a text");
  if (key == "input") {
    input = cursor.value().text;
    return {};
  }
  if (key == "gpu") return read_gpu(cursor.value().text, database, asked);
  auto detail = detail_named(cursor.value().text);
  if (!detail) return detail.error();
  asked.detail = *detail;
  return {};
}

}  // namespace

const std::vector<std::string_view>& served_options() {
  static const std::vector<std::string_view> names{
      "model",         "option",     "set",    "clock",   "timing", "cold",
      "warm",          "sample",     "budget", "fast",    "exact",  "trip",
      "assume-branch", "assume-isa", "regs",   "threads", "static", "wcet"};
  return names;
}

bool harmless_option(std::string_view option) {
  const auto word = [](std::string_view text, std::string_view more) {
    return std::ranges::all_of(text, [&](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || more.find(static_cast<char>(c)) != more.npos;
    });
  };
  constexpr std::string_view most_registers = "-maxrregcount=", standard = "-std=c++";
  if (option.starts_with("-D")) return option.size() > 2 && word(option.substr(2), "=+-*.()<> ");
  if (option.starts_with(most_registers)) {
    return parse_natural(option.substr(most_registers.size())).has_value();
  }
  if (option.starts_with(standard)) return word(option.substr(standard.size()), "");
  constexpr std::array<std::string_view, 10> plain{
      "-use_fast_math", "--use_fast_math", "-O0",         "-O1", "-O2", "-O3",
      "-lineinfo",      "-fmad=true",      "-fmad=false", "-G"};
  return std::ranges::find(plain, option) != plain.end();
}

Expected<PredictionRequest> read_prediction_request(std::string_view json,
                                                    const HardwareDatabase& database) {
  const ValueOrigin origin{"request", 0, "/"};
  const auto table = parse_json(json, origin);
  if (!table) return table.error();
  const ValueCursor root(*table, origin);
  if (table->kind != PlainValue::Kind::table) return root.wrong("an object");
  static const std::vector<std::string> keys{"input", "gpu", "case", "options", "detail"};
  PredictionRequest asked;
  asked.detail = *detail_named("full");
  std::string input;
  for (std::size_t i = 0; i < table->keys.size(); ++i) {
    if (std::ranges::find(keys, table->keys[i]) == keys.end()) return root.unknown_key(i, keys);
    if (table->keys[i] != "case") continue;
    if (auto done = read_case_part(root.item(i), asked); !done) return done.error();
  }
  for (std::size_t i = 0; i < table->keys.size(); ++i) {
    auto done = read_key(table->keys[i], root.item(i), database, input, asked);
    if (!done) return done.error();
  }
  asked.request.input = input;
  asked.options.jobs = 1;
  return asked;
}

}  // namespace forewarp::serve
