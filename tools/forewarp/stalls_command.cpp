// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "command.h"
#include "driver/predictor.h"
#include "explain/stall_split.h"
#include "prediction_options.h"

namespace forewarp::cli {
namespace {

constexpr std::string_view usual_form = "volkov";

constexpr std::array<std::pair<StallKind, std::string_view>, 3> kinds{
    {{StallKind::bandwidth, "bandwidth"},
     {StallKind::latency, "latency"},
     {StallKind::rest, "rest"}}};

std::string_view name_of(StallKind kind) {
  return std::ranges::find(kinds, kind, &decltype(kinds)::value_type::first)->second;
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string as_text(const Evaluation& evaluation, const StallSplit& split) {
  std::string out = fmt::format("{} on {}: {} cycles simulated, {} ms by {}\n\n",
                                evaluation.launch->code.kernel->name, evaluation.launch->gpu->name,
                                significant(split.simulated_cycles, 6),
                                significant(split.closed_ms, 4), split.closed_model);
  out += fmt::format("{:<10} {:<44} {:>9} {:>9}  {}\n", "vanishes", "time that it takes",
                     "simulated", split.closed_model, "why they differ");
  for (const auto& [kind, name] : kinds) {
    const std::string_view when = kind == StallKind::bandwidth ? "with rates without a limit"
                                  : kind == StallKind::latency ? "without latencies, too"
                                                               : "with neither";
    out += fmt::format("{:<10} {:<44} {:>9} {:>9}\n", name, when, percent(split.simulated(kind)),
                       percent(split.closed(kind)));
    for (const StallPart& part : split.parts) {
      if (part.kind != kind || (kind == StallKind::rest && part.why.empty())) continue;
      if (part.simulated == 0 && part.closed == 0) continue;
      out +=
          fmt::format("{:<10}   {:<42} {:>9} {:>9}{}{}\n", "", part.label, percent(part.simulated),
                      percent(part.closed), part.why.empty() ? "" : "  ", part.why);
    }
  }
  return out +
         "\nParts are taken away one after the other, barriers first, then from top to "
         "bottom; each side says what its own time loses.\n";
}

std::string as_json(const Evaluation& evaluation, const StallSplit& split) {
  using Json = nlohmann::ordered_json;
  Json json = {{"schema", "forewarp.stalls/1"},
               {"kernel", evaluation.launch->code.kernel->name},
               {"gpu", evaluation.launch->gpu->id},
               {"model", split.closed_model},
               {"simulated_cycles", split.simulated_cycles},
               {"time_ms", split.closed_ms}};
  for (const auto& [kind, name] : kinds) {
    json["simulated"][std::string(name)] = split.simulated(kind);
    json["closed"][std::string(name)] = split.closed(kind);
  }
  json["parts"] = Json::array();
  for (const StallPart& part : split.parts) {
    json["parts"].push_back({{"part", part.name},
                             {"kind", name_of(part.kind)},
                             {"simulated", part.simulated},
                             {"closed", part.closed},
                             {"why", part.why}});
  }
  return json.dump(2) + "\n";
}

Expected<int> show(const PredictionOptions& given, const std::string& form,
                   const std::string& format) {
  auto asked = given.asked();
  if (!asked) return std::move(asked).error();
  if (form == "sim") {
    return Diagnostic{"--beside", "is 'sim', which it stands beside", "a closed form",
                      "see 'forewarp model list'"};
  }
  asked->options.models = {form, "sim"};
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  Predictor predictor(std::move(*database));
  const std::string gpu =
      asked->options.gpus.empty() ? asked->request.gpu : asked->options.gpus.front();
  const auto evaluation = predictor.evaluate(asked->request, gpu, asked->options);
  if (!evaluation) return evaluation.error();
  const auto split = stall_split(**evaluation);
  if (!split) return split.error();
  const std::string text =
      format == "json" ? as_json(**evaluation, *split) : as_text(**evaluation, *split);
  if (auto written = deliver(text, asked->delivery.output); !written) return written.error();
  return 0;
}

}  // namespace

Command stalls_command() {
  struct Own {
    PredictionOptions options;
    std::string form{usual_form}, format = "text";
  };
  auto own = std::make_shared<Own>();
  Command command{"stalls",
                  "latency stalls apart from bandwidth stalls, simulated and in closed form"};
  command.flags =
      own->options.flags({"format", "store", "again", "model", "sweep", "cases", "view", "jobs"});
  command.flags.push_back({"--beside", &own->form, "the closed form beside the simulated SM"});
  command.flags.push_back({"--format", &own->format, "text or json", {"text", "json"}});
  command.action = [own]() -> Expected<int> { return show(own->options, own->form, own->format); };
  return command;
}

}  // namespace forewarp::cli
