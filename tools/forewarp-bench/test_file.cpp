// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "test_file.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>

#include "base/text.h"
#include "request/tables/field_reading.h"
#include "request/text/toml_value.h"

namespace forewarp::cli {
namespace {

using Kind = PlainValue::Kind;

const std::vector<std::string> test_keys{
    "id",       "about",   "file",   "kernel", "symbol",  "copy",   "memory", "check", "empty",
    "measures", "timing",  "caches", "blocks", "threads", "shared", "args",   "sweep", "repeats",
    "sms",      "not_for", "flags",  "expect", "cluster", "launch", "buffers"};
const std::vector<std::string> expectation_keys{"opcode", "count",  "window",
                                                "spills", "others", "beside"};

Expected<std::uint32_t> natural_of(const ValueCursor& cursor, std::uint32_t least) {
  const PlainValue& value = cursor.value();
  constexpr std::int64_t most = 1'000'000;
  if (value.kind != Kind::integer || value.integer < least || value.integer > most) {
    return cursor.wrong("a whole number from " + std::to_string(least) + " to 1000000");
  }
  return static_cast<std::uint32_t>(value.integer);
}

/// A list of texts (quantities, names), or one of them alone.
Expected<std::vector<std::string>> one_or_more(const ValueCursor& cursor) {
  std::vector<std::string> texts;
  if (cursor.value().kind != Kind::list) {
    auto text = text_of(cursor);
    if (!text) return std::move(text).error();
    texts.push_back(*std::move(text));
    return texts;
  }
  for (std::size_t i = 0; i < cursor.value().items.size(); ++i) {
    auto text = text_of(cursor.item(i));
    if (!text) return std::move(text).error();
    texts.push_back(*std::move(text));
  }
  if (texts.empty()) return cursor.refuse("'" + cursor.path() + "' is empty", "at least one value");
  return texts;
}

Expected<std::vector<std::uint32_t>> naturals_of(const ValueCursor& cursor) {
  if (cursor.value().kind != Kind::list) return cursor.wrong("a list of whole numbers");
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < cursor.value().items.size(); ++i) {
    const auto number = natural_of(cursor.item(i), 1);
    if (!number) return number.error();
    numbers.push_back(*number);
  }
  return numbers;
}

Expected<void> read_sweep(const ValueCursor& cursor, BenchTest& test) {
  struct Place {
    std::uint32_t line, column;
    std::string name;
    std::vector<std::string> values;
  };
  std::vector<Place> found;
  auto read = each_key(
      cursor,
      [&](const std::string& name, const ValueCursor& values, std::size_t) -> Expected<void> {
        auto texts = one_or_more(values);
        if (!texts) return std::move(texts).error();
        found.push_back({values.value().line, values.value().column, name, *std::move(texts)});
        return {};
      });
  if (!read) return read;
  // Keys come sorted by name; a configuration names them as they are written.
  std::ranges::stable_sort(found, {}, [](const Place& p) { return std::tuple(p.line, p.column); });
  for (Place& place : found) test.sweep.emplace_back(place.name, std::move(place.values));
  return {};
}

Expected<std::pair<std::uint32_t, std::uint32_t>> range_of(const ValueCursor& cursor) {
  const auto& items = cursor.value().items;
  if (cursor.value().kind != Kind::list) {
    const auto one = natural_of(cursor, 1);
    if (!one) return one.error();
    return std::pair(*one, *one);
  }
  if (items.size() != 2) return cursor.wrong("[FROM, TO]");
  const auto from = natural_of(cursor.item(0), 1), to = natural_of(cursor.item(1), 1);
  if (!from) return from.error();
  if (!to) return to.error();
  if (*from > *to) return cursor.refuse("'" + cursor.path() + "' is empty", "[FROM, TO]");
  return std::pair(*from, *to);
}

Expected<void> read_expectation(const ValueCursor& cursor, TestExpectation& expect) {
  return each_key(
      cursor,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (key == "opcode") return put(one_or_more(value), expect.opcodes);
        if (key == "beside") return put(texts_of(value), expect.beside);
        if (key == "count") return put(range_of(value), expect.count);
        if (key == "spills") return put(natural_of(value, 0), expect.spills);
        if (key == "window" || key == "others") {
          const auto number = natural_of(value, 0);
          if (!number) return number.error();
          (key == "window" ? expect.window : expect.others) = *number;
          return {};
        }
        return cursor.unknown_key(index, expectation_keys);
      });
}

Expected<bool> word_is(const ValueCursor& cursor, std::string_view yes, std::string_view no) {
  const auto word = text_of(cursor);
  if (!word) return word.error();
  if (*word != yes && *word != no) {
    return cursor.wrong(std::string(yes) + " or " + std::string(no));
  }
  return *word == yes;
}

Expected<void> read_timing(const ValueCursor& cursor, BenchTest& test) {
  const auto word = text_of(cursor);
  if (!word) return word.error();
  const auto timing = timing_named(*word);
  if (!timing) return cursor.wrong("device, event, stream, graph or host");
  test.timing = *timing;
  return {};
}

Expected<void> read_way(const ValueCursor& cursor, BenchTest& test) {
  constexpr std::pair<std::string_view, CopyTest::Way> ways[] = {{"h2d", CopyTest::Way::to_device},
                                                                 {"d2h", CopyTest::Way::to_host},
                                                                 {"d2d", CopyTest::Way::on_device},
                                                                 {"p2p", CopyTest::Way::to_peer}};
  const auto word = text_of(cursor);
  if (!word) return word.error();
  const auto way = std::ranges::find(ways, *word, [](const auto& one) { return one.first; });
  if (way == std::end(ways)) return cursor.wrong("h2d, d2h, d2d or p2p");
  if (!test.copy) test.copy.emplace();
  test.copy->way = way->second;
  return {};
}

Expected<void> read_memory(const ValueCursor& cursor, BenchTest& test) {
  const auto pinned = word_is(cursor, "pinned", "pageable");
  if (!pinned) return pinned.error();
  if (!test.copy) test.copy.emplace();
  test.copy->memory = *pinned ? HostMemory::pinned : HostMemory::pageable;
  return {};
}

Expected<void> read_check(const ValueCursor& cursor, ResultCheck& check) {
  const auto number = [](const ValueCursor& value, std::uint32_t least, std::size_t& into) {
    const auto found = natural_of(value, least);
    if (!found) return Expected<void>(found.error());
    into = *found;
    return Expected<void>();
  };
  return each_key(
      cursor,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (key == "argument") return number(value, 0, check.argument);
        if (key == "inputs") return number(value, 0, check.inputs);
        if (key == "stride") return number(value, 1, check.stride);
        if (key == "values") return put(one_or_more(value), check.values);
        return cursor.unknown_key(index, {"argument", "inputs", "stride", "values"});
      });
}

Expected<void> read_key(const std::string& key, const ValueCursor& value, BenchTest& test) {
  if (key == "id") return put(text_of(value), test.id);
  if (key == "about") return put(text_of(value), test.about);
  if (key == "file") return put(text_of(value), test.file);
  if (key == "kernel") return put(text_of(value), test.kernel);
  if (key == "copy") return read_way(value, test);
  if (key == "memory") return read_memory(value, test);
  if (key == "check") return read_check(value, test.check.emplace());
  if (key == "symbol") return put(text_of(value), test.symbol);
  if (key == "empty") return put(text_of(value), test.empty_kernel);
  if (key == "measures") return put(word_is(value, "window", "time"), test.window);
  if (key == "caches") return put(word_is(value, "warm", "cold"), test.warm);
  if (key == "timing") return read_timing(value, test);
  if (key == "blocks") return put(one_or_more(value), test.blocks);
  if (key == "threads") return put(one_or_more(value), test.threads);
  if (key == "shared") return put(text_of(value), test.shared);
  if (key == "cluster") return put(text_of(value), test.cluster);
  if (key == "launch") return put(word_is(value, "cooperative", "plain"), test.cooperative);
  if (key == "buffers") return put(word_is(value, "fresh", "kept"), test.fresh);
  if (key == "args") return put(one_or_more(value), test.arguments);
  if (key == "sweep") return read_sweep(value, test);
  if (key == "repeats") return put(natural_of(value, 1), test.repeats);
  if (key == "sms") return put(range_of(value), test.architectures);
  if (key == "not_for") return put(naturals_of(value), test.not_for);
  if (key == "flags") return put(texts_of(value), test.flags);
  return read_expectation(value, test.expect);
}

Expected<void> check_test(const ValueCursor& cursor, const BenchTest& test) {
  const bool word = !test.id.empty() && std::ranges::all_of(test.id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!word) return cursor.refuse("id '" + test.id + "'", "a word of a-z, 0-9 and _");
  if (test.copy && test.kernel.empty() && !test.window) return {};
  if (test.copy) return cursor.refuse("test '" + test.id + "' copies and has a kernel", "one");
  if (test.file.empty())
    return cursor.refuse("test '" + test.id + "' has no file", "file = \"X.cu\"");
  if (test.kernel.empty()) {
    return cursor.refuse("test '" + test.id + "' has no kernel", "kernel = \"NAME\"");
  }
  const bool many = test.timing == Timing::stream || test.timing == Timing::graph;
  if (test.fresh && many) {
    return cursor.refuse("test '" + test.id + "' times many launches by one, which share buffers",
                         "timing = \"event\" or \"host\" beside buffers = \"fresh\"");
  }
  if (!test.empty_kernel.empty() && !test.window) {
    return cursor.refuse("test '" + test.id + "' names an empty kernel but times the whole kernel",
                         "measures = \"window\"");
  }
  return {};
}

Expected<BenchTest> read_test(const ValueCursor& cursor) {
  BenchTest test;
  test.place = cursor.origin().file + ":" + std::to_string(cursor.value().line);
  auto read = each_key(
      cursor,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (std::ranges::find(test_keys, key) == test_keys.end()) {
          return cursor.unknown_key(index, test_keys);
        }
        return read_key(key, value, test);
      });
  if (!read) return read.error();
  if (auto fine = check_test(cursor, test); !fine) return fine.error();
  if (test.blocks.empty()) test.blocks = {"1"};
  if (test.threads.empty()) test.threads = {"32"};
  return test;
}

}  // namespace

Expected<std::vector<BenchTest>> read_tests(std::string_view text, const std::string& file) {
  const ValueOrigin origin{file, 0, {}};
  const auto document = parse_toml(text, origin, "a list of tests: [[test]]");
  if (!document) return document.error();
  std::vector<BenchTest> tests;
  std::set<std::string> ids;
  const ValueCursor root(*document, origin);
  auto read = each_key(
      root, [&](const std::string& key, const ValueCursor& list, std::size_t i) -> Expected<void> {
        if (key != "test") return root.unknown_key(i, {"test"});
        return each_item(list, [&](const ValueCursor& item) -> Expected<void> {
          auto test = read_test(item);
          if (!test) return std::move(test).error();
          if (!ids.insert(test->id).second) {
            return item.refuse("test '" + test->id + "' is there twice", "one test of each id");
          }
          tests.push_back(*std::move(test));
          return {};
        });
      });
  if (!read) return read.error();
  if (tests.empty()) return Diagnostic{file, "there is no test", "[[test]]", ""};
  return tests;
}

}  // namespace forewarp::cli
