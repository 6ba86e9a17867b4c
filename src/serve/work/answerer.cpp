// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/work/answerer.h"

#include <exception>
#include <new>
#include <utility>

#include <nlohmann/json.hpp>

#include "input/kernel_choice.h"
#include "input/source.h"
#include "result/result_json.h"
#include "serve/process/frame.h"
#include "serve/work/prediction_request.h"

namespace forewarp::serve {
namespace {

using Json = nlohmann::ordered_json;

std::pair<std::string, std::string_view> split(std::string_view text) {
  const std::size_t zero = text.find('\0');
  if (zero == std::string_view::npos) return {std::string(text), {}};
  return {std::string(text.substr(0, zero)), text.substr(zero + 1)};
}

Json kernel_json(const program::Kernel& kernel) {
  Json parameters = Json::array();
  for (const program::Parameter& parameter : kernel.parameters) {
    parameters.push_back({{"name", parameter.name},
                          {"type", parameter.type},
                          {"size", parameter.size},
                          {"pointer", parameter.pointer}});
  }
  Json json{{"name", kernel.name},
            {"mangled", kernel.mangled},
            {"arch", "sm_" + std::to_string(kernel.sm)},
            {"instructions", kernel.instructions.size()}};
  const auto& needs = kernel.resources;
  json["registers"] = needs.registers ? Json(*needs.registers) : Json();
  json["static_shared"] = needs.static_shared ? Json(*needs.static_shared) : Json();
  json["parameters"] = std::move(parameters);
  return json;
}

}  // namespace

Answerer::Answerer(HardwareDatabase database)
    : database_(database), predictor_(std::move(database)) {}

void Answerer::take_input(std::string_view name_and_bytes) {
  const auto [name, bytes] = split(name_and_bytes);
  inputs_[name] = std::string(bytes);
  predictor_.give_input(name, std::string(bytes));
}

Expected<std::string> Answerer::predict(std::string_view text) {
  auto asked = read_prediction_request(text, database_);
  if (!asked) return asked.error();
  if (!inputs_.contains(asked->request.input)) {
    return Diagnostic{"input", "is not there", "an input that was uploaded", ""};
  }
  const auto results = predictor_.predict_all(asked->request, asked->options, asked->detail);
  return to_json(results.front(), {false, asked->detail.listing, asked->detail.provenance});
}

Expected<std::string> Answerer::kernels(std::string_view name_and_gpu) {
  const auto [name, gpu_name] = split(name_and_gpu);
  const auto found = inputs_.find(name);
  if (found == inputs_.end()) {
    return Diagnostic{"input", "is not there", "an input that was uploaded", ""};
  }
  const auto board = database_.load(gpu_name);
  if (!board) return board.error();
  ReadOptions reading;
  reading.target_sm = static_cast<std::uint32_t>(board->cc.sm());
  reading.assume_isa = true;
  const InputSource source = InputSource::of_text(name, found->second);
  const auto stream = open_kernels(source, reading);
  if (!stream) return stream.error();
  Json list = Json::array();
  for (;;) {
    const auto kernel = (*stream)->next();
    if (!kernel) return kernel.error();
    if (!*kernel) break;
    list.push_back(kernel_json(**kernel));
  }
  return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void work(Answerer& answerer, int in, int out) {
  Frame frame;
  while (read_frame(in, frame) == FrameEnd::whole) {
    if (frame.kind == message::input) {
      answerer.take_input(frame.text);
      continue;
    }
    Expected<std::string> answer = Diagnostic{"worker", "no such message", "", ""};
    try {
      if (frame.kind == message::predict) answer = answerer.predict(frame.text);
      if (frame.kind == message::kernels) answer = answerer.kernels(frame.text);
    } catch (const std::bad_alloc&) {
      answer = Diagnostic{"this prediction", "needs more memory than one may use", "",
                          "a smaller grid, fewer blocks (sample), or forewarp on the command line"};
    } catch (const std::exception& fault) {
      answer =
          Diagnostic{"this prediction", std::string("internal fault: ") + fault.what(), "", ""};
    }
    const bool sent = answer ? write_frame(out, message::result, *answer)
                             : write_frame(out, message::refused, answer.error().line());
    if (!sent) return;
  }
}

}  // namespace forewarp::serve
