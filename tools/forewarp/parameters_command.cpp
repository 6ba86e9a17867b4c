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
#include "prediction_options.h"

namespace forewarp::cli {
namespace {

constexpr std::string_view of_model = "gajger";
constexpr int digits = 12;

struct Parameter {
  std::string_view name, unit;
  double value = 0;
};

/// A number of the model's own, as it stands in the result.
double number_of(const Result::ModelTime& model, std::string_view name) {
  for (const auto& [own, value] : model.numbers) {
    if (own == name) return value;
  }
  return 0;
}

/// The eight that Gajger 2017, Fig. 5.22 asks of an application, by the names that it gives them.
Expected<std::vector<Parameter>> parameters_of(const Result& result) {
  const auto model =
      std::find_if(result.models.begin(), result.models.end(),
                   [](const Result::ModelTime& one) { return one.name == of_model; });
  if (model == result.models.end()) {
    return Diagnostic{"parameters", "the model gajger did not run", "a kernel that it can time",
                      ""};
  }
  const auto threads = [](const auto& extent) {
    return static_cast<double>(extent[0]) * extent[1] * extent[2];
  };
  return std::vector<Parameter>{
      {"CUDACoreInstructions", "a warp", number_of(*model, "ins_cuda")},
      {"issuedInstructions", "a warp", number_of(*model, "ins_issued")},
      {"GMEMBytesTransferred", "bytes a warp", number_of(*model, "gmem_bytes")},
      {"latencyBound", "cycles a warp", number_of(*model, "latency_bound")},
      {"blockSize", "threads", threads(result.launch.block)},
      {"gridSize", "blocks", threads(result.launch.grid)},
      {"occupancy", "warps an SM", number_of(*model, "occupancy")},
      {"kernelExecutionLambda", "1", number_of(*model, "lambda")}};
}

std::string as_text(const std::string& kernel, const std::string& gpu,
                    const std::vector<Parameter>& parameters) {
  std::string out =
      fmt::format("{} on {}: what the kernel model of Gajger 2017 asks\n", kernel, gpu);
  for (const Parameter& one : parameters) {
    out += fmt::format("  {:<24} {:>14}  {}\n", one.name, significant(one.value, digits), one.unit);
  }
  return out;
}

std::string as_json(const std::string& kernel, const std::string& gpu,
                    const std::vector<Parameter>& parameters) {
  nlohmann::ordered_json json = {
      {"schema", "forewarp.parameters/1"}, {"kernel", kernel}, {"gpu", gpu}};
  for (const Parameter& one : parameters) json["parameters"][one.name] = one.value;
  return json.dump(2) + "\n";
}

/// An application that computes once; units whose model is warp_rate.lua take as long as predicted.
std::string as_application(const std::string& kernel, const std::vector<Parameter>& parameters) {
  std::string out = "sim.process(\"GPU\", function()\n  sim.compute {\n";
  out += fmt::format("    name = {},\n", nlohmann::json(kernel).dump());
  for (const Parameter& one : parameters) {
    out += fmt::format("    {} = {:.12g},\n", one.name, one.value);
  }
  return out + "  }\nend)\n";
}

Expected<int> show(const PredictionOptions& given, const std::string& format) {
  auto asked = given.asked();
  if (!asked) return std::move(asked).error();
  asked->options.models = {std::string(of_model)};
  auto database = HardwareDatabase::locate();
  if (!database) return std::move(database).error();
  Predictor predictor(std::move(*database));
  const auto result = predictor.predict(asked->request, asked->request.gpu, asked->options, {});
  if (!result) return result.error();
  if (result->error) return *result->error;
  const auto parameters = parameters_of(*result);
  if (!parameters) return parameters.error();
  const std::string& kernel = result->kernel.name;
  const std::string text = format == "json"  ? as_json(kernel, result->gpu.id, *parameters)
                           : format == "lua" ? as_application(kernel, *parameters)
                                             : as_text(kernel, result->gpu.name, *parameters);
  if (auto written = deliver(text, asked->delivery.output); !written) return written.error();
  return 0;
}

}  // namespace

Command parameters_command() {
  struct Own {
    PredictionOptions options;
    std::string format = "text";
  };
  auto own = std::make_shared<Own>();
  Command command{"parameters", "the eight numbers of a launch that a simulated application takes"};
  command.flags =
      own->options.flags({"format", "store", "again", "model", "sweep", "cases", "view", "jobs"});
  command.flags.push_back(
      {"--format",
       &own->format,
       "text, json, or lua: an application for forewarp simulate, on units whose model is "
       "warp_rate.lua",
       {"text", "json", "lua"}});
  command.action = [own]() -> Expected<int> { return show(own->options, own->format); };
  return command;
}

}  // namespace forewarp::cli
