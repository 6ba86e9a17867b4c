// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/expression_text.h"
#include "analysis_view.h"
#include "base/text.h"

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

std::string address_of(const Kernel& kernel, std::uint32_t instruction) {
  return hex(kernel.instructions[instruction].address, 4);
}

Json resources_json(const Resources& r) {
  return {{"registers", optional_json(r.registers)},
          {"registers_source", source_name(r.registers_source)},
          {"static_shared", optional_json(r.static_shared)},
          {"local_bytes", optional_json(r.local_bytes)},
          {"constant_bytes", optional_json(r.constant_bytes)},
          {"barriers", optional_json(r.barriers)},
          {"most_threads", optional_json(r.most_threads)},
          {"required_block", r.required_block ? Json(*r.required_block) : Json(nullptr)}};
}

Json parameters_json(const Kernel& kernel) {
  Json list = Json::array();
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Parameter& p = kernel.parameters[i];
    list.push_back({{"index", i},
                    {"name", parameter_name(kernel, i)},
                    {"type", text_or_null(p.type)},
                    {"offset", p.offset},
                    {"bytes", p.size},
                    {"pointer", p.pointer}});
  }
  return list;
}

Json loops_json(const KernelAnalysis& analysis) {
  Json list = Json::array();
  for (LoopId id = 0; id < analysis.loops().all().size(); ++id) {
    const Loop& loop = analysis.loops().all()[id];
    const LoopTrip& trip = analysis.trip(id);
    list.push_back({{"id", id},
                    {"begin", hex(loop.begin, 4)},
                    {"end", hex(loop.end, 4)},
                    {"depth", loop.depth},
                    {"parent", loop.parent == no_loop ? Json(nullptr) : Json(loop.parent)},
                    {"blocks", loop.blocks},
                    {"passes", text_or_null(analysis.pass_text(id))},
                    {"back_edges", text_or_null(analysis.trip_text(id))},
                    {"reason", text_or_null(trip.reason)},
                    {"assumptions", trip.assumptions}});
  }
  return list;
}

Json mix_json(const Mix& mix) {
  Json classes = Json::object();
  for (std::size_t c = 0; c < mix.by_class.size(); ++c) {
    if (mix.by_class[c] == 0) continue;
    classes[std::string(class_name(static_cast<InstructionClass>(c)))] = mix.by_class[c];
  }
  return {{"instructions", mix.instructions},
          {"dual_pairs", mix.dual_pairs},
          {"guarded", mix.guarded},
          {"by_class", classes}};
}

Json blocks_json(const KernelAnalysis& analysis) {
  Json list = Json::array();
  for (BlockId b = 0; b < analysis.flow().blocks().size(); ++b) {
    const BasicBlock& block = analysis.flow().blocks()[b];
    const LoopId loop = analysis.loops().innermost(b);
    Json next = Json::array();
    for (const ControlEdge& e : analysis.flow().successors(b)) next.push_back(e.to);
    list.push_back({{"id", b},
                    {"begin", address_of(analysis.kernel(), block.first)},
                    {"last", address_of(analysis.kernel(), block.end - 1)},
                    {"routine", block.routine},
                    {"loop", loop == no_loop ? Json(nullptr) : Json(loop)},
                    {"next", next},
                    {"exits", block.exits},
                    {"mix", mix_json(analysis.mixes()[b])}});
  }
  return list;
}

Json conditions_json(const KernelAnalysis& analysis) {
  const Kernel& kernel = analysis.kernel();
  Json list = Json::array();
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const Condition* condition = analysis.condition(i);
    if (condition == nullptr) continue;
    list.push_back({{"address", address_of(kernel, i)},
                    {"instruction", kernel.text_of(kernel.instructions[i])},
                    {"when", condition->reason.empty() ? Json(analysis.text(condition->effect))
                                                       : Json(nullptr)},
                    {"reason", text_or_null(condition->reason)}});
  }
  return list;
}

Json memory_json(const KernelAnalysis& analysis) {
  const Kernel& kernel = analysis.kernel();
  Json list = Json::array();
  for (const AddressForm& form : analysis.addresses()) {
    Json row = {{"address", address_of(kernel, form.instruction)},
                {"instruction", kernel.text_of(kernel.instructions[form.instruction])},
                {"value", form.reason.empty() ? Json(analysis.text(form.value)) : Json(nullptr)},
                {"reason", text_or_null(form.reason)},
                {"affine", form.affine}};
    if (form.affine) {
      Json thread = Json::array(), block = Json::array(), loops = Json::object();
      for (const Expression e : form.thread) thread.push_back(analysis.text(e));
      for (const Expression e : form.block_index) block.push_back(analysis.text(e));
      for (const auto& [loop, e] : form.loops) loops[std::to_string(loop)] = analysis.text(e);
      row["base"] = analysis.text(form.base);
      row["threadIdx"] = thread;
      row["blockIdx"] = block;
      row["loops"] = loops;
    }
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace

Json analysis_as_json(const KernelAnalysis& analysis) {
  const Kernel& kernel = analysis.kernel();
  Mix total;
  for (const Mix& mix : analysis.mixes()) total += mix;
  return {{"name", kernel.name},
          {"mangled", kernel.mangled},
          {"arch", "sm_" + std::to_string(kernel.sm)},
          {"instructions", analysis.flow().instruction_count()},
          {"resources", resources_json(kernel.resources)},
          {"parameters_source", source_name(kernel.parameters_source)},
          {"parameters", parameters_json(kernel)},
          {"loops", loops_json(analysis)},
          {"blocks", blocks_json(analysis)},
          {"mix", mix_json(total)},
          {"conditions", conditions_json(analysis)},
          {"memory", memory_json(analysis)},
          {"unknown_opcodes", kernel.unknown_opcodes},
          {"undecoded", kernel.undecoded},
          {"notes", analysis.flow().notes()}};
}

}  // namespace forewarp::cli
