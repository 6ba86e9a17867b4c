// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>

#include "command.h"

namespace forewarp::cli {
namespace {

constexpr std::uint64_t usual_rows = 20;

struct Options {
  ResultsOptions order;
  std::int64_t run = 0, second = 0;
};

Flag store_flag(Options& options) {
  Flag flag{"--store", &options.order.store, "the file of results"};
  flag.required = true;
  return flag;
}

Flag run_flag(const std::string& name, std::int64_t& run) {
  Flag flag{name, &run, "number of a run, as list shows it"};
  flag.required = true;
  return flag;
}

Flag output_flag(Options& options) {
  return {"-o,--output", &options.order.output, "file instead of standard output"};
}

std::vector<Flag> row_flags(Options& options) {
  return {{"--where", &options.order.where, "COLUMN=V, also != < <= > >=; several may stand"},
          {"--order", &options.order.order, "by this column; -COLUMN: from the largest on"}};
}

Command part(StudyHost& host, const std::shared_ptr<Options>& options, std::string name,
             std::string sentence, std::vector<Flag> flags) {
  options->order.what = name;
  Command command{std::move(name), std::move(sentence), std::move(flags)};
  command.flags.push_back(store_flag(*options));
  command.flags.push_back(output_flag(*options));
  command.action = [&host, options] {
    ResultsOptions order = options->order;
    order.runs.push_back(options->run);
    if (order.what == "diff") order.runs.push_back(options->second);
    return host.results(order);
  };
  return command;
}

Command list_part(StudyHost& host) {
  auto options = std::make_shared<Options>();
  Flag format{"--format", &options->order.format, "text (default), json"};
  format.one_of = {"text", "json"};
  return part(host, options, "list", "the runs of a store", {format});
}

Command show_part(StudyHost& host) {
  auto options = std::make_shared<Options>();
  options->order.limit = usual_rows;
  std::vector<Flag> flags{run_flag("RUN", options->run)};
  for (Flag& flag : row_flags(*options)) flags.push_back(std::move(flag));
  flags.push_back({"--limit", &options->order.limit, "rows, 20 unless stated; 0: all"});
  Flag columns{"--columns", &options->order.columns, "a,b,c instead of those that have values"};
  columns.comma = true;
  flags.push_back(std::move(columns));
  flags.push_back({"--point", &options->order.detail,
                   "the whole result of the point of this number (from 0) as JSON"});
  return part(host, options, "show", "the points of a run as a table", std::move(flags));
}

Command diff_part(StudyHost& host) {
  auto options = std::make_shared<Options>();
  options->order.limit = usual_rows;
  Flag format{"--format", &options->order.format, "text (default), csv, json"};
  format.one_of = {"text", "csv", "json"};
  return part(host, options, "diff", "points of two runs that are alike, most changed first",
              {run_flag("FIRST", options->run),
               run_flag("SECOND", options->second),
               {"--limit", &options->order.limit, "rows, 20 unless stated"},
               format});
}

Command export_part(StudyHost& host) {
  auto options = std::make_shared<Options>();
  std::vector<Flag> flags{run_flag("RUN", options->run)};
  for (Flag& flag : row_flags(*options)) flags.push_back(std::move(flag));
  flags.push_back({"--limit", &options->order.limit, "rows; 0 (default): all"});
  Flag format{"--format", &options->order.format, "csv (default), jsonl, json"};
  format.one_of = {"csv", "jsonl", "json"};
  flags.push_back(std::move(format));
  return part(host, options, "export", "every column of a run's points", std::move(flags));
}

Command merge_part(StudyHost& host) {
  auto options = std::make_shared<Options>();
  Flag files{"FILE", &options->order.files, "stores whose points and runs are taken over"};
  files.required = true;
  return part(host, options, "merge", "points that other processes kept in stores of their own",
              {files});
}

}  // namespace

Command results_command(StudyHost& host) {
  Command command{"results", "what --store kept: list, show, diff, export, merge"};
  command.commands = {list_part(host), show_part(host), diff_part(host), export_part(host),
                      merge_part(host)};
  return command;
}

}  // namespace forewarp::cli
