// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/files/case_fields.h"

#include <string>
#include <vector>

#include "base/text.h"
#include "request/options/option_table.h"

namespace forewarp::request {

namespace {

OptionPlace place_of(CaseScope scope) {
  return scope == CaseScope::launch ? in_launch_file : in_case;
}

std::vector<std::string> valid_keys(CaseScope scope) {
  std::vector<std::string> names;
  for (const OptionRow& row : option_rows()) {
    if (row.may_stand(place_of(scope))) names.emplace_back(row.key);
  }
  return names;
}

Diagnostic not_in_launch_file(const ValueCursor& cursor) {
  return cursor.refuse("'" + cursor.path() + "' belongs to a case, not to a launch file",
                       join(valid_keys(CaseScope::launch), ", "),
                       "give it on the command line, or as a line of --cases");
}

}  // namespace

Expected<Case> read_case(const PlainValue& table, const ValueOrigin& origin, CaseScope scope) {
  const ValueCursor root(table, origin);
  if (table.kind != PlainValue::Kind::table) return root.wrong("an object with the keys of a case");
  Case result;
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    const ValueCursor cursor = root.item(i);
    const OptionRow* row = option_with_key(table.keys[i]);
    if (row == nullptr) return root.unknown_key(i, valid_keys(scope));
    if (!row->may_stand(place_of(scope))) return not_in_launch_file(cursor);
    if (cursor.value().kind == PlainValue::Kind::null) continue;  // as if left out
    if (auto done = row->read(cursor, result); !done) {
      Diagnostic refused = done.error();
      if (refused.expected.empty()) refused.expected = row->values;
      return refused;
    }
  }
  return result;
}

}  // namespace forewarp::request
