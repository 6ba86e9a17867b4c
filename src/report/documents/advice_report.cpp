// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/advice_report.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "report/content.h"
#include "report/documents/document_format.h"
#include "report/phrases.h"
#include "report/quantity.h"
#include "report/sinks/csv_sink.h"

namespace forewarp::report {
namespace {

std::string place_of(const Advice::Edit& edit) {
  if (edit.line != 0) {
    const std::size_t slash = edit.file.rfind('/');
    return edit.file.substr(slash == std::string::npos ? 0 : slash + 1) + ":" +
           std::to_string(edit.line);
  }
  return edit.address ? hex(*edit.address) : "launch";
}

std::string factor_of(const Advice& advice, const Advice::Edit& edit) {
  return figure(advice.factor(edit), 3) + "x";
}

std::string counted(std::size_t count) {
  return count == 0   ? "no edit gains"
         : count == 1 ? "1 edit gains"
                      : std::to_string(count) + " edits gain";
}

Section head_of(const Advice& advice) {
  const Result& now = advice.now;
  Section section{now.kernel.name + " on " + gpu_label(now) + ": " + counted(advice.gains.size()),
                  now.kernel.input,
                  {}};
  section.add(Facts{{{"now", duration(now.time_ms), limit_phrase(now), Tone::strong}}});
  if (advice.gains.empty()) return section;
  Table table;
  table.columns = {{"", Align::right, ""},     {"gain", Align::right, ""},
                   {"then", Align::right, ""}, {"sure", Align::left, ""},
                   {"where", Align::left, ""}, {"edit", Align::text, ""}};
  for (std::size_t i = 0; i < advice.gains.size(); ++i) {
    const Advice::Edit& edit = advice.gains[i];
    const bool sure = edit.sure != "uncertain";
    table.rows.push_back({{std::to_string(i + 1), factor_of(advice, edit), duration(edit.time_ms),
                           edit.sure, place_of(edit), edit.text},
                          sure ? Tone::plain : Tone::faint,
                          {},
                          0});
  }
  section.add(std::move(table));
  return section;
}

std::string trimmed(const std::string& text) {
  return std::string(trim(text));
}

Section reasons_of(const Advice& advice) {
  Section section{"why", "", {}};
  for (std::size_t i = 0; i < advice.gains.size(); ++i) {
    const Advice::Edit& edit = advice.gains[i];
    Facts facts;
    facts.entries.push_back(
        {std::to_string(i + 1) + " " + edit.kind, edit.reason, "", Tone::plain});
    if (!edit.source.empty()) {
      facts.entries.push_back({"  " + place_of(edit), trimmed(edit.source), "", Tone::plain});
    }
    if (!edit.condition.empty()) facts.entries.push_back({"  if", edit.condition, "", Tone::plain});
    facts.entries.push_back(
        {"  predicted", duration_range(edit.interval_ms[0], edit.interval_ms[1]) + ": " + edit.how,
         "", Tone::plain});
    section.add(std::move(facts));
  }
  return section;
}

Section others_of(const Advice& advice) {
  Section section{"tried, and no gain", "", {}};
  Table table;
  table.columns = {{"kind", Align::left, ""},
                   {"then", Align::right, ""},
                   {"where", Align::left, ""},
                   {"edit", Align::text, ""}};
  for (const Advice::Edit& edit : advice.others) {
    table.rows.push_back(
        {{edit.kind, edit.time_ms > 0 ? duration(edit.time_ms) : "-", place_of(edit),
          edit.text + (edit.refused.empty() ? "" : ": " + edit.refused)},
         Tone::plain,
         {},
         0});
  }
  section.add(std::move(table));
  return section;
}

Section method_of(const Advice& advice, bool all) {
  Section section{"how", "", {}};
  section.add(
      Note{"each edit alone, against the prediction as it is; gains do not add up. clear: "
           "the 90 % intervals lie apart; likely: a time lies outside the other's; "
           "uncertain: neither",
           Tone::plain});
  if (!all && !advice.others.empty()) {
    section.add(Note{std::to_string(advice.others.size()) +
                         " more were tried and do not gain, or could not be tried: --list",
                     Tone::plain});
  }
  return section;
}

/// Advice, and whether what was tried without a gain is shown too.
struct ShownAdvice {
  const Advice& advice;
  bool all;
};

std::vector<Section> sections(const ShownAdvice& shown) {
  const Advice& advice = shown.advice;
  std::vector<Section> list{head_of(advice)};
  if (!advice.gains.empty()) list.push_back(reasons_of(advice));
  if (shown.all && !advice.others.empty()) list.push_back(others_of(advice));
  list.push_back(method_of(advice, shown.all));
  return list;
}

std::string write_text(const ShownAdvice& shown, const TextStyle& style) {
  return as_text(sections(shown), style);
}

std::string write_markdown(const ShownAdvice& shown, const TextStyle&) {
  return as_markdown(sections(shown));
}

std::string write_json(const ShownAdvice& shown, const TextStyle&) {
  return to_json(shown.advice);
}

std::string write_csv(const ShownAdvice& shown, const TextStyle&) {
  const Advice& advice = shown.advice;
  std::string out =
      "rank,kind,time_ms,interval_low_ms,interval_high_ms,factor,sure,file,line,address,edit,"
      "reason,"
      "condition,refused\n";
  const auto n = [](double value) { return value > 0 ? fmt::format("{}", value) : ""; };
  std::size_t rank = 0;
  const auto add = [&](const Advice::Edit& edit, bool gains) {
    const std::vector<std::string> fields{gains ? std::to_string(++rank) : "",
                                          edit.kind,
                                          n(edit.time_ms),
                                          n(edit.interval_ms[0]),
                                          n(edit.interval_ms[1]),
                                          edit.time_ms > 0 ? n(advice.factor(edit)) : "",
                                          edit.sure,
                                          edit.file,
                                          edit.line > 0 ? std::to_string(edit.line) : "",
                                          edit.address ? hex(*edit.address) : "",
                                          edit.text,
                                          edit.reason,
                                          edit.condition,
                                          edit.refused};
    out += csv_row(fields);
  };
  for (const Advice::Edit& edit : advice.gains) add(edit, true);
  for (const Advice::Edit& edit : advice.others) add(edit, false);
  return out;
}

constexpr std::array<DocumentFormat<ShownAdvice>, 4> formats{
    {{"text", write_text}, {"markdown", write_markdown}, {"json", write_json}, {"csv", write_csv}}};

}  // namespace

Expected<std::string> render_advice(const Advice& advice, std::string_view format, bool all,
                                    const TextStyle& style) {
  return render_as(formats, format, ShownAdvice{advice, all}, style, "advice");
}

}  // namespace forewarp::report
