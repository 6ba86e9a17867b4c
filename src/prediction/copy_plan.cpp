// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/copy_plan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/quantities.h"
#include "base/text.h"
#include "request/copy_request.h"

namespace forewarp::prediction {
namespace {

std::optional<std::size_t> parameter_named(const Kernel& kernel, const std::string& name) {
  if (const auto index = parse_natural(name)) return index_of_declared(kernel, *index);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (kernel.parameters[i].name == name) return i;
  }
  return std::nullopt;
}

Expected<double> bytes_of(const CopyRequest& copy, const Kernel& kernel,
                          const BoundArguments& arguments) {
  if (copy.same.empty()) return static_cast<double>(copy.bytes);
  const Diagnostic no_buffer{"copy " + copy_text(copy),
                             "argument '" + copy.same + "' has no buffer of a known size",
                             "a buffer argument: " + parameter_list(kernel.parameters),
                             "give the bytes, or the argument as buffer:BYTES"};
  const auto index = parameter_named(kernel, copy.same);
  if (!index || *index >= arguments.parameters.size()) return no_buffer;
  const std::uint32_t buffer = arguments.parameters[*index].buffer;
  if (buffer == BoundParameter::no_buffer || !arguments.buffers[buffer].sized) return no_buffer;
  return static_cast<double>(arguments.buffers[buffer].bytes);
}

Expected<Link> link_for(const LinkDatabase& links, const Gpu& gpu, const Query& query) {
  std::string name = query.link.value;
  if (name.empty()) {
    if (gpu.host_link.empty()) {
      return Diagnostic{gpu.file, "names no link to the host", "link.host = \"PCIe 3.0 x16\"",
                        "--link ID; forewarp link list shows all"};
    }
    name = gpu.host_link;
  }
  return links.load(name, query.options.link_overrides);
}

/// Kinds of copies whose numbers are not measured, such as "h2d pageable".
std::string guessed_kinds(const CopyPlan& plan, const Link& link) {
  std::vector<std::string> kinds;
  for (const PlannedCopy& copy : plan.copies) {
    const CopyRequest& asked = copy.request;
    if (link.path(asked.direction, asked.memory).confidence != Confidence::assumed) continue;
    std::string kind =
        std::string(direction_name(asked.direction)) + ' ' + std::string(memory_name(asked.memory));
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
      kinds.push_back(std::move(kind));
  }
  return join(kinds, ", ");
}

}  // namespace

double CopyPlan::milliseconds() const {
  double sum = 0;
  for (const PlannedCopy& copy : copies) sum += to_milliseconds(Microseconds(copy.time.us)).value();
  return sum;
}

namespace {

Expected<CopyPlan> planned(const LinkDatabase& links, const Kernel& kernel, const Gpu& gpu,
                           const BoundArguments& arguments, const Query& query) {
  CopyPlan plan;
  const auto link = link_for(links, gpu, query);
  if (!link) return link.error();
  plan.link_id = link->id + (link->parameter_set.empty() ? "" : "@" + link->parameter_set);
  plan.link_name = link->name;
  for (const CopyRequest& copy : query.request.copies) {
    const auto bytes = bytes_of(copy, kernel, arguments);
    if (!bytes) return bytes.error();
    plan.copies.push_back({copy, *bytes, copy_time(*link, copy.direction, copy.memory, *bytes)});
  }
  plan.guessed = guessed_kinds(plan, *link);
  return plan;
}

}  // namespace

Expected<CopyPlan> plan_copies(const LinkDatabase& links, const Launch& launch,
                               const Query& query) {
  if (query.request.copies.empty() || launch.timing != Timing::host) return CopyPlan{};
  return planned(links, *launch.code.kernel, *launch.gpu, launch.arguments, query);
}

void add_plan(const CopyPlan& plan, KeyBytes& key) {
  key.add_text(plan.link_id).add_text(plan.link_name).add_text(plan.guessed);
  for (const PlannedCopy& copy : plan.copies) key.add(copy.bytes).add(copy.time.us);
}

void add_copies(const CopyPlan& plan, Result& result) {
  result.link = {plan.link_id, plan.link_name};
  for (const PlannedCopy& copy : plan.copies) {
    result.copies.push_back({copy.bytes, std::string(direction_name(copy.request.direction)),
                             std::string(memory_name(copy.request.memory)),
                             to_milliseconds(Microseconds(copy.time.us)).value(),
                             std::string(copy_model_name(copy.time.model))});
  }
  result.time_ms += plan.milliseconds();
}

Expected<Result> copies_result(const LinkDatabase& links, const Gpu& gpu, const Query& query) {
  const auto plan = planned(links, {}, gpu, {}, query);
  if (!plan) return plan.error();
  Result result;
  result.kernel.name = "copies";
  result.gpu.id = gpu.id;
  result.gpu.name = gpu.name;
  result.gpu.cc = gpu.cc.text();
  result.gpu.file = gpu.file;
  result.gpu.parameter_set = gpu.parameter_set;
  add_copies(*plan, result);
  result.interval_ms = {result.time_ms, result.time_ms};
  result.interval_meaning = "one model applies: no range";
  result.timing = timing_name(Timing::host);
  result.model = plan->copies.front().time.model == CopyModel::staging ? "staging" : "linear";
  result.chosen_because = "copies alone: no code was given";
  result.models.push_back({result.model, result.time_ms, true, "", {}, {}});
  result.limited_by = {"link", 1, plan->link_name + ": there is no kernel"};
  result.assumptions = copy_assumptions(*plan, Timing::host, query.request);
  result.tool_version = FOREWARP_VERSION;
  return result;
}

std::vector<Result::Assumption> copy_assumptions(const CopyPlan& plan, Timing timing,
                                                 const Case& request) {
  if (request.copies.empty()) return {};
  if (plan.copies.empty()) {
    return {{"copies-left-out",
             std::to_string(request.copies.size()) +
                 " copies are not in the time: it is timed by " + std::string(timing_name(timing)),
             "--timing host"}};
  }
  std::vector<Result::Assumption> list;
  list.push_back({"copies-blocking",
                  "copies are blocking, one after the other; none overlaps the kernel or another",
                  ""});
  list.push_back(
      {"link", "copies go over " + plan.link_name + " (" + plan.link_id + ")", "--link ID"});
  const bool staged = std::any_of(plan.copies.begin(), plan.copies.end(), [](const auto& copy) {
    return copy.time.model == CopyModel::staging;
  });
  if (staged) {
    list.push_back(
        {"copies-staged",
         "pageable copies pass through a pinned buffer in pieces, at the rate of another "
         "host where this one was not measured",
         "--set link.staging.host_gbs=GBS, or memory pinned"});
  }
  if (!plan.guessed.empty()) {
    list.push_back({"copies-assumed",
                    "start-up and share of " + plan.guessed + " copies over " + plan.link_name +
                        " were not measured: taken from another link",
                    "--set link.PATH=VALUE"});
  }
  return list;
}

}  // namespace forewarp::prediction
