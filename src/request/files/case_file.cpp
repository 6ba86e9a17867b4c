// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/files/case_file.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "request/files/case_fields.h"
#include "request/text/json_value.h"

namespace forewarp::request {

namespace {

constexpr std::size_t read_bytes = std::size_t{1} << 16U;

std::string readable_id(const PlainValue& table) {
  const PlainValue* id = table.find("id");
  if (id == nullptr) return {};
  if (id->kind == PlainValue::Kind::integer) return std::to_string(id->integer);
  return id->text;
}

}  // namespace

Expected<std::unique_ptr<std::istream>> open_cases(const std::filesystem::path& file) {
  auto input = FileStream::open(file);
  if (input) return input;
  Diagnostic fault = std::move(input).error();
  fault.expected = "a file with one JSON object per line";
  return fault;
}

bool CaseLines::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + read_bytes);
  input_.read(buffer_.data() + kept, static_cast<std::streamsize>(read_bytes));
  buffer_.resize(kept + static_cast<std::size_t>(input_.gcount()));
  return buffer_.size() > kept;
}

bool CaseLines::next_raw(CaseText& line) {
  line = {};
  if (ended_) return false;
  std::size_t looked_at = 0;  // bytes already searched for a line end
  std::size_t skipped = 0;    // bytes skipped of a line that is too long
  for (;;) {
    const std::size_t end = buffer_.find('\n', begin_ + looked_at);
    if (end != std::string::npos) {
      if (!line.too_long) line.text.assign(buffer_, begin_, end - begin_);
      begin_ = end + 1;
      break;
    }
    looked_at = buffer_.size() - begin_;
    if (looked_at > longest || line.too_long) {
      line.too_long = true;
      begin_ = buffer_.size();
      line.endless = (skipped += looked_at) > longest_skipped;
      looked_at = 0;
    }
    if (line.endless) {
      ended_ = true;
      break;
    }
    if (!fill()) {
      if (looked_at == 0 && !line.too_long) return false;
      line.text.assign(buffer_, begin_);
      begin_ = buffer_.size();
      break;
    }
  }
  line.line = ++line_;
  return true;
}

bool CaseLines::next(CaseText& line) {
  while (next_raw(line)) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (line.line == 1 && line.text.starts_with(byte_order_mark)) line.text.erase(0, 3);
    if (line.too_long || !trim(line.text).empty()) return true;
  }
  return false;
}

CaseLine parse_case(const CaseText& text, const std::filesystem::path& file) {
  const ValueOrigin origin{file.string(), text.line, file.parent_path()};
  if (text.endless) {
    return {text.line, "",
            Diagnostic{place_in_file(origin.file, text.line), "the line does not end",
                       "at most " + std::to_string(CaseLines::longest) + " bytes",
                       "the rest of the file is not read"}};
  }
  if (text.too_long) {
    return {text.line, "",
            Diagnostic{place_in_file(origin.file, text.line), "the line is too long",
                       "at most " + std::to_string(CaseLines::longest) + " bytes", ""}};
  }
  const auto table = parse_json(text.text, origin);
  if (!table) return {text.line, "", table.error()};
  return {text.line, readable_id(*table), read_case(*table, origin, CaseScope::full_case)};
}

}  // namespace forewarp::request
