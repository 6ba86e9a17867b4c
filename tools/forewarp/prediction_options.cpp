// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "driver/recorded_launch.h"
#include "report/documents/report.h"
#include "request/files/launch_file.h"

namespace forewarp::cli {
namespace {

constexpr int widest_text = 140;

std::string view_names() {
  std::vector<std::string> names;
  for (ReportChoice& view : report_views()) names.push_back(std::move(view.name));
  return join(names, ", ");
}

std::string flag_names(const OptionRow& row) {
  const std::string title = option_title(row);
  return row.short_name.empty() ? title : '-' + std::string(row.short_name) + ',' + title;
}

bool several(const OptionRow& row) {
  return row.kind == OptionKind::repeated || row.kind == OptionKind::pairs;
}

Expected<void> set_texts(const OptionRow& row, const std::vector<std::string>& texts,
                         Asked& asked) {
  const OptionTarget into{asked.request, asked.options, asked.delivery};
  const std::string title = option_title(row);
  if (row.kind == OptionKind::list) return row.set(row, join(texts, ","), title, into);
  for (const std::string& text : texts) {
    if (text.empty() && !several(row)) continue;  // as if left out
    if (auto done = row.set(row, text, title, into); !done) return done;
  }
  return {};
}

/// Cases are predicted side by side; a single launch may use every core for itself.
unsigned jobs_of_one(const Delivery& delivery) {
  if (!delivery.cases.empty()) return 1;
  if (delivery.jobs > 0) return delivery.jobs;
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

Flag PredictionOptions::flag(std::string_view name, std::string help, std::string names) {
  const OptionRow& row = *option_named(name);
  Flag flag{names.empty() ? flag_names(row) : std::move(names), GivenTexts{&row, &texts_[&row]},
            help.empty() ? std::string(row.help) : std::move(help)};
  if (name == "view") flag.help += ": " + view_names();
  flag.comma = row.kind == OptionKind::list;
  return flag;
}

std::vector<Flag> PredictionOptions::flags(std::initializer_list<std::string_view> left_out) {
  std::vector<Flag> flags;
  for (const OptionRow& row : option_rows()) {
    if (!row.may_stand(on_command_line)) continue;
    if (std::find(left_out.begin(), left_out.end(), row.name) != left_out.end()) continue;
    flags.push_back(flag(row.name));
  }
  return flags;
}

const std::vector<std::string>& PredictionOptions::texts(std::string_view name) const {
  static const std::vector<std::string> none;
  const auto found = texts_.find(option_named(name));
  return found == texts_.end() ? none : found->second;
}

void PredictionOptions::give(const OptionRow& row, std::vector<std::string> texts) {
  texts_[&row] = std::move(texts);
}

void PredictionOptions::add(const OptionRow& row, std::string text) {
  texts_[&row].push_back(std::move(text));
}

Expected<Asked> PredictionOptions::asked() const {
  if (given("cases")) {
    for (const OptionRow& row : option_rows()) {
      if (row.beside != BesideCases::refused || !given(row.name)) continue;
      return Diagnostic{option_title(row), "cannot be combined with --cases",
                        "a launch that each case states by itself",
                        "leave out " + option_title(row) + ", or --cases"};
    }
  }
  Asked base;
  if (given("launch") && given("INPUT") && is_recording(texts("INPUT").front())) {
    const std::string& text = texts("launch").front();
    std::uint64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || end != text.data() + text.size()) {
      return Diagnostic{"--launch", "'" + text + "' is not a number", "a launch of the recording",
                        "--launch 1"};
    }
    return asked_of_recording(number);
  }
  if (given("launch")) {
    auto file = read_launch_file(texts("launch").front());
    if (!file) return std::move(file).error();
    base.request = *std::move(file);
  }
  return asked_over(std::move(base));
}

Expected<Asked> PredictionOptions::asked_of_recording(std::uint64_t number) const {
  auto recorded = read_recorded_launch(texts("INPUT").front(), number);
  if (!recorded) return std::move(recorded).error();
  Asked base;
  base.request = recorded->request;
  auto asked = asked_over(std::move(base));
  if (!asked) return asked;
  asked->request.input = recorded->request.input;
  asked->options.device = std::move(recorded->image);
  return asked;
}

Expected<Asked> PredictionOptions::asked_over(Asked base) const {
  for (const OptionRow& row : option_rows()) {
    const auto found = texts_.find(&row);
    if (found == texts_.end() || found->second.empty()) continue;
    if (auto done = set_texts(row, found->second, base); !done) return done.error();
  }
  base.options.jobs = jobs_of_one(base.delivery);
  return base;
}

std::string PredictionOptions::key() const {
  std::string key;
  for (const OptionRow& row : option_rows()) {
    const auto found = texts_.find(&row);
    if (row.changes == OptionEffect::nothing || found == texts_.end()) continue;
    if (found->second.empty()) continue;
    key += '|' + std::string(row.name) + ' ' + join(found->second, ",");
  }
  return key;
}

TextStyle terminal_style() {
  TextStyle style;
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  style.colour = terminal && std::getenv("NO_COLOR") == nullptr;
  struct winsize size {};
  if (terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 40) {
    style.width = std::min<int>(size.ws_col, widest_text);
  }
  return style;
}

Expected<void> deliver(const std::string& text, const std::string& output) {
  if (!output.empty()) return write_file(output, text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    return Diagnostic{"standard output", "cannot be written", "", ""};
  }
  return {};
}

}  // namespace forewarp::cli
