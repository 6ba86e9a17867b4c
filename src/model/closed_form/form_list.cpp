// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/closed_form/form_list.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "model/closed_form/counting_forms.h"
#include "model/closed_form/parallelism_forms.h"

namespace forewarp::model {
namespace {

using Inputs = std::map<std::string, double, std::less<>>;

double in(const Inputs& inputs, std::string_view name) {
  return inputs.find(name)->second;
}

constexpr double infinity = std::numeric_limits<double>::infinity();

NamedValues little(const Inputs& inputs) {
  const double throughput = in(inputs, "items") / in(inputs, "interval");
  return {{"throughput", throughput}, {"concurrency", throughput * in(inputs, "latency")}};
}

NamedValues needed_instructions(const Inputs& inputs) {
  const double instructions = in(inputs, "latency") * in(inputs, "throughput");
  return {{"instructions", instructions},
          {"warps", instructions / in(inputs, "in_flight_per_warp")}};
}

/// Memory instructions per cycle and SM that arithmetic, memory and issue allow.
double mix_bound(const Inputs& inputs) {
  const double alpha = in(inputs, "alpha");
  const double by_arithmetic = alpha > 0 ? in(inputs, "alu_thru") / alpha : infinity;
  return std::min({in(inputs, "mem_thru"), by_arithmetic, in(inputs, "issue_thru") / (alpha + 1)});
}

NamedValues alpha_mix(const Inputs& inputs) {
  const double alpha = in(inputs, "alpha");
  const double latency = in(inputs, "mem_lat") + alpha * in(inputs, "alu_lat");
  const double bound = mix_bound(inputs);
  const double memory = std::min(in(inputs, "n") / latency, bound);
  return {{"latency", latency},
          {"memory_ipc", memory},
          {"arithmetic_ipc", alpha * memory},
          {"instruction_ipc", (alpha + 1) * memory},
          {"needed_warps", latency * bound}};
}

/// Intensity at which most warps are needed: where memory and arithmetic bind together.
NamedValues cusp(const Inputs& inputs) {
  const double memory = in(inputs, "mem_thru");
  const double arithmetic = in(inputs, "alu_thru") / memory;
  const double issue = in(inputs, "issue_thru") / memory - 1;
  const double alpha = std::min(arithmetic, issue);
  return {{"alpha", alpha},
          {"warps", (in(inputs, "mem_lat") + alpha * in(inputs, "alu_lat")) * memory}};
}

/// The knee of a kernel whose latency and issue grow linearly with intensity while its memory
/// cycles do not.
NamedValues knee(const Inputs& inputs) {
  const double memory = in(inputs, "memory"), base = in(inputs, "issue"),
               step = in(inputs, "issue_step"), at = in(inputs, "intensity");
  const double latency = in(inputs, "latency") + at * in(inputs, "latency_step");
  return {{"occupancy", latency / std::max(memory, base + at * step)},
          {"intensity", step > 0 ? std::max(0.0, (memory - base) / step) : infinity}};
}

NamedValues contention(const Inputs& inputs) {
  const double gbs = in(inputs, "gbs");
  if (gbs >= std::min(in(inputs, "c"), in(inputs, "c2"))) return {{"latency", infinity}};
  double latency = in(inputs, "a") + in(inputs, "b") * gbs / (in(inputs, "c") - gbs);
  latency += in(inputs, "b2") * gbs / (in(inputs, "c2") - gbs);
  return {{"latency", latency}};
}

NamedValues imbalance(const Inputs& inputs) {
  const double warps = in(inputs, "n"), schedulers = in(inputs, "schedulers");
  return {{"share", warps / (schedulers * std::ceil(warps / schedulers))}};
}

NamedValues divergence_increment(const Inputs& inputs) {
  return {
      {"cycles_per_transaction", (in(inputs, "latency_random") - in(inputs, "latency_stream")) /
                                     (in(inputs, "lanes") - in(inputs, "transactions_stream"))}};
}

NamedValues access_traffic(const Inputs& inputs) {
  const double coalesced = in(inputs, "coalesced") * in(inputs, "lanes") * in(inputs, "bytes");
  const double divergent =
      in(inputs, "divergent") * in(inputs, "lanes") * in(inputs, "transaction_bytes");
  const double ideal = (in(inputs, "coalesced") + in(inputs, "divergent")) * in(inputs, "lanes") *
                       in(inputs, "bytes");
  return {{"bytes_per_warp", coalesced + divergent}, {"ratio", (coalesced + divergent) / ideal}};
}

NamedValues memory_bandwidth(const Inputs& inputs) {
  const double gbs =
      in(inputs, "clock_mhz") * in(inputs, "bus_bits") / 8 * in(inputs, "data_rate") / 1e3;
  return {{"gbs", gbs},
          {"bytes_per_cycle_sm", gbs * 1e3 / (in(inputs, "sms") * in(inputs, "sm_clock_mhz"))}};
}

NamedValues copy_time(const Inputs& inputs) {
  const double seconds = in(inputs, "startup_us") * 1e-6 +
                         in(inputs, "bytes") / (in(inputs, "gbs") * 1e9 * in(inputs, "lambda"));
  return {{"us", seconds * 1e6}, {"ms", seconds * 1e3}};
}

NamedValues application_time(const Inputs& inputs) {
  return {{"ms", in(inputs, "copies_in") * in(inputs, "in_ms") + in(inputs, "kernel_ms") +
                     in(inputs, "copies_out") * in(inputs, "out_ms")}};
}

std::vector<ClosedForm> plain_forms() {
  return {
      {"little",
       "mean concurrency of a process by Little's law",
       "Volkov 2016, section 3.1",
       {{"items", "items", "items in the interval"},
        {"interval", "cycles", "length of the interval"},
        {"latency", "cycles", "mean latency of an item"}},
       little},
      {"needed",
       "instructions and warps in flight that a rate needs",
       "Volkov 2016, sections 3.2-3.3",
       {{"latency", "cycles", "latency of the instruction"},
        {"throughput", "IPC/SM", "rate to reach"},
        {"in_flight_per_warp", "instructions", "of this kind, mean, in one warp", false, 1}},
       needed_instructions},
      {"alpha-mix",
       "throughput of one memory instruction and alpha arithmetic ones, dependent",
       "Volkov 2016, section 4.1",
       {{"alpha", "1", "arithmetic instructions per memory instruction"},
        {"n", "warps/SM", "occupancy"},
        {"mem_lat", "cycles", "latency of the memory instruction"},
        {"alu_lat", "cycles", "latency of the arithmetic instruction"},
        {"mem_thru", "IPC/SM", "peak rate of memory instructions", false, infinity},
        {"alu_thru", "IPC/SM", "peak rate of arithmetic instructions", false, infinity},
        {"issue_thru", "IPC/SM", "peak issue rate", false, infinity}},
       alpha_mix},
      {"cusp",
       "arithmetic intensity at which most warps are needed, and how many",
       "Volkov 2016, sections 4.5-4.6",
       {{"mem_lat", "cycles", "latency of the memory instruction"},
        {"alu_lat", "cycles", "latency of the arithmetic instruction"},
        {"mem_thru", "IPC/SM", "peak rate of memory instructions"},
        {"alu_thru", "IPC/SM", "peak rate of arithmetic instructions", false, infinity},
        {"issue_thru", "IPC/SM", "peak issue rate", false, infinity}},
       cusp},
      {"knee",
       "warps per SM from which on throughput limits, and intensity from which on it is not memory",
       "Gajger 2017, equations 3.4 and 4.3",
       {{"latency", "cycles", "latency of a warp, without what grows with the intensity"},
        {.name = "latency_step",
         .unit = "cycles",
         .sentence = "growth of it per step of intensity",
         .may_fall = true},
        {"memory", "cycles", "of the memory, per warp and SM"},
        {"issue", "cycles", "of issue or cores, per warp and SM, without what grows"},
        {.name = "issue_step",
         .unit = "cycles",
         .sentence = "growth of it per step of intensity",
         .may_fall = true},
        {"intensity", "1", "steps", false, 0}},
       knee},
      {"contention",
       "latency of an access when memory moves so much",
       "Volkov 2016, section 6.4",
       {{"gbs", "GB/s", "traffic"},
        {"a", "cycles", "latency without load"},
        {"b", "cycles", "growth"},
        {"c", "GB/s", "pole"},
        {"b2", "cycles", "growth of a second term", false, 0},
        {"c2", "GB/s", "its pole", false, infinity}},
       contention},
      {"imbalance",
       "share of the peak that warps unevenly spread over schedulers reach",
       "Volkov 2016, section 5.8",
       {{"n", "warps/SM", "of equal work"}, {"schedulers", "1/SM", "warp schedulers"}},
       imbalance},
      {"divergence",
       "latency that each further transaction of a divergent access adds",
       "Volkov 2016, section 6.7",
       {{"latency_random", "cycles", "of a fully divergent access"},
        {"latency_stream", "cycles", "of a coalesced access"},
        {"transactions_stream", "1", "transactions of a coalesced access"},
        {"lanes", "threads", "of a warp"}},
       divergence_increment},
      {"traffic",
       "bytes that a warp moves by coalesced and divergent accesses",
       "Volkov 2016, section 3.10",
       {{"coalesced", "1", "coalesced accesses per warp"},
        {"divergent", "1", "fully divergent accesses per warp"},
        {"transaction_bytes", "bytes", "of one transaction of a divergent access"},
        {"bytes", "bytes", "per thread and access", false, 4},
        {"lanes", "threads", "of a warp"}},
       access_traffic},
      {"bandwidth",
       "peak device-memory bandwidth, also per SM and clock",
       "Gajger 2017, eq. 4.7",
       {{"clock_mhz", "MHz", "memory clock"},
        {"bus_bits", "bits", "memory bus"},
        {"data_rate", "1", "transfers per clock (4 for GDDR5)"},
        {"sms", "1", "SMs"},
        {"sm_clock_mhz", "MHz", "SM clock"}},
       memory_bandwidth},
      {"copy",
       "time of one copy between host and device",
       "Gajger 2017, eq. 5.5",
       {{"bytes", "bytes", "size"},
        {"startup_us", "us", "start-up time"},
        {"gbs", "GB/s", "theoretical bandwidth of the link"},
        {"lambda", "1", "share of it that is reached", false, 1}},
       copy_time},
      {"application",
       "copies in, one kernel, copies out, one after the other",
       "Gajger 2017, section 6.3",
       {{"in_ms", "ms", "one copy to the device"},
        {"kernel_ms", "ms", "the kernel"},
        {"out_ms", "ms", "one copy to the host"},
        {"copies_in", "1", "number of copies in", false, 1},
        {"copies_out", "1", "number of copies out", false, 1}},
       application_time},
  };
}

const std::vector<ClosedForm>& forms() {
  static const std::vector<ClosedForm> list = [] {
    std::vector<ClosedForm> all = plain_forms();
    for (ClosedForm& form : parallelism_forms()) all.push_back(std::move(form));
    for (ClosedForm& form : counting_forms()) all.push_back(std::move(form));
    return all;
  }();
  return list;
}

std::string input_names(const ClosedForm& form) {
  std::vector<std::string> names;
  for (const FormulaInput& input : form.inputs) {
    names.push_back(std::string(input.name) + (input.required ? "" : " (optional)"));
  }
  return join(names, ", ");
}

}  // namespace

std::span<const ClosedForm> closed_forms() {
  return forms();
}

Expected<const ClosedForm*> find_closed_form(std::string_view name) {
  const auto form = std::find_if(forms().begin(), forms().end(),
                                 [&](const ClosedForm& f) { return f.name == name; });
  if (form != forms().end()) return &*form;
  std::vector<std::string> names;
  for (const ClosedForm& known : forms()) names.emplace_back(known.name);
  return Diagnostic{"model calc", "no formula is named '" + std::string(name) + "'",
                    join(names, ", "), ""};
}

std::vector<FormParameter> form_parameters(const ClosedForm& form, const Gpu& gpu,
                                           std::string_view preset) {
  std::vector<FormParameter> list;
  const std::string own = "model." + std::string(form.name) + ".";
  for (const FormulaInput& input : form.inputs) {
    FormParameter parameter{&input};
    const auto look = [&](const std::string& path, double factor) {
      const auto found = gpu.facts.find(path);
      if (parameter.fact != nullptr || found == gpu.facts.end()) return;
      parameter.fact = &found->second;
      parameter.value = found->second.value * factor;
    };
    const std::string name(input.name);
    if (!preset.empty()) look(own + std::string(preset) + "." + name, 1);
    look(own + name, 1);
    if (!input.fact.empty()) look(std::string(input.fact), input.per_fact);
    if (parameter.fact != nullptr || !input.fact.empty()) list.push_back(parameter);
  }
  return list;
}

Expected<NamedValues> evaluate_closed_form(std::string_view name, const Inputs& inputs) {
  const auto known_form = find_closed_form(name);
  if (!known_form) return known_form.error();
  const ClosedForm* form = *known_form;
  Inputs complete = inputs;
  for (const auto& [key, value] : inputs) {
    const auto known = std::find_if(form->inputs.begin(), form->inputs.end(),
                                    [&, &k = key](const FormulaInput& i) { return i.name == k; });
    if (known != form->inputs.end() && value < 0 && !known->may_fall) {
      return Diagnostic{"model calc " + std::string(name),
                        "'" + key + "=" + significant(value) + "'", "a number not below 0", ""};
    }
    if (known == form->inputs.end()) {
      return Diagnostic{"model calc " + std::string(name), "has no input '" + key + "'",
                        input_names(*form), ""};
    }
  }
  for (const FormulaInput& input : form->inputs) {
    if (complete.find(input.name) != complete.end()) continue;
    if (input.required) {
      return Diagnostic{"model calc " + std::string(name),
                        "input '" + std::string(input.name) + "' is missing", input_names(*form),
                        ""};
    }
    complete.emplace(std::string(input.name), input.otherwise);
  }
  return form->evaluate(complete);
}

}  // namespace forewarp::model
