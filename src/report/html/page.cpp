// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/html/page.h"

#include <fmt/format.h>

#include "base/markup_text.h"
#include "embedded/report_css.h"
#include "embedded/report_sort_js.h"
#include "report/comparison.h"
#include "report/html/cards.h"
#include "report/html/markup.h"
#include "report/html/time_plot.h"
#include "report/phrases.h"
#include "report/quantity.h"

namespace forewarp::report::html {
namespace {

constexpr std::size_t most_details = 12;
constexpr std::size_t most_rows = 2000;

std::string sections(const Result& result, const std::vector<const View*>& views) {
  if (result.error) return "";
  std::string out = "<div class=\"sections\">\n";
  for (const View* view : views) {
    const Section section = view->content(result);
    if (!is_empty(section)) out += section_markup(section, view->name());
  }
  return out + "</div>\n";
}

std::string details(const std::vector<Result>& results, const std::vector<const View*>& views) {
  if (results.size() > most_details) return "";
  std::string out;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result& result = results[i];
    out += fmt::format("<details><summary>{}<span>{}</span></summary>\n{}</details>\n",
                       escaped(where_of(results, i)),
                       result.error ? "no prediction" : duration(result.time_ms),
                       result_markup(result, views));
  }
  return out;
}

std::string several_results(const std::vector<Result>& results,
                            const std::vector<const View*>& views) {
  Section table = comparison(results);
  std::string out = fmt::format(
      "<header><p class=\"eyebrow\">Forewarp comparison</p>\n<h1>{}</h1></header>\n"
      "<div class=\"cards\"></div>\n<div class=\"sections\">\n",
      escaped(table.title));
  table.title = "all predictions";
  for (Block& block : table.blocks) {
    Table* rows = std::get_if<Table>(&block);
    if (rows == nullptr || rows->rows.size() <= most_rows) continue;
    table.aside =
        fmt::format("the first {} of {}; CSV and JSON have all", most_rows, rows->rows.size());
    rows->rows.resize(most_rows);
  }
  out += time_plot(results) + section_markup(table, "comparison", true) + "</div>\n";
  return out + details(results, views);
}

std::string footer(const std::vector<Result>& results) {
  std::string version;
  std::string hash;
  if (!results.empty()) version = results.front().tool_version;
  if (results.size() == 1) hash = results.front().kernel.sha256;
  std::string out = "<footer>Forewarp" + (version.empty() ? "" : " " + escaped(version)) +
                    ", result schema forewarp.result/1";
  if (!hash.empty()) out += ", kernel <span class=\"mono\">" + escaped(hash) + "</span>";
  return out + "</footer>\n";
}

std::string title_of(const std::vector<Result>& results) {
  if (results.size() != 1) return comparison_title(results);
  return dash_if_empty(results.front().kernel.name) + " on " + gpu_label(results.front());
}

}  // namespace

std::string result_markup(const Result& result, const std::vector<const View*>& views) {
  return head_markup(result) + alerts_markup(result) + cards_markup(result) +
         sections(result, views);
}

std::string page_begin(const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{} - Forewarp</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
      escaped(title), embedded::report_css);
}

std::string page_end(bool sortable) {
  std::string out = "</main>\n";
  if (sortable) out += fmt::format("<script>\n{}</script>\n", embedded::report_sort_js);
  return out + "</body>\n</html>\n";
}

std::string page(const std::vector<Result>& results, const std::vector<const View*>& views) {
  const bool one = results.size() == 1;
  std::string out = page_begin(title_of(results));
  out += one ? result_markup(results.front(), views) : several_results(results, views);
  return out + footer(results) + page_end(!one);
}

}  // namespace forewarp::report::html
