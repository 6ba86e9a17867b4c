// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/result_builder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/counted.h"
#include "base/quantities.h"
#include "base/text.h"
#include "binding/bound_kernel.h"
#include "binding/formula_text.h"
#include "binding/occupancy_curve.h"
#include "explain/counterfactuals.h"
#include "explain/limit.h"
#include "explain/listing_builder.h"
#include "explain/source_report.h"
#include "hardware/fill_rule.h"
#include "hardware/schema.h"
#include "model/automatic/automatic_rule.h"
#include "model/automatic/interval_rule.h"
#include "model/simulated_time.h"
#include "prediction/evaluation.h"
#include "prediction/execution_report.h"
#include "prediction/load_clock.h"
#include "result/labels.h"
#include "timing/simulation_result.h"

namespace forewarp::driver {
namespace {

void fill_kernel(const Launch& launch, Result& result) {
  const Kernel& kernel = *launch.code.kernel;
  result.kernel.name = kernel.name;
  result.kernel.mangled = kernel.mangled;
  result.kernel.input = launch.code.input;
  result.kernel.arch = "sm_" + std::to_string(kernel.sm);
  result.kernel.sha256 = launch.code.hash;
  result.kernel.registers = launch.needs.registers;
  result.kernel.registers_source =
      kernel.resources.registers_source == FactSource::inferred ? "inferred" : "stated";
  result.kernel.static_shared = launch.needs.static_shared;
  result.kernel.local_bytes = kernel.resources.local_bytes.value_or(0);
  result.kernel.instructions = static_cast<std::uint32_t>(kernel.instructions.size());
  result.kernel.unknown_opcodes = kernel.unknown_opcodes;
}

void fill_gpu_and_launch(const Launch& launch, Result& result) {
  const Gpu& gpu = *launch.gpu;
  result.gpu = {
      gpu.id, gpu.name, gpu.cc.text(), gpu.file, gpu.parameter_set, gpu.sms, launch.clock.value()};
  result.launch.grid = launch.config.grid;
  result.launch.block = launch.config.block;
  result.launch.dynamic_shared = launch.config.dynamic_shared;
  const Kernel& kernel = *launch.code.kernel;
  const auto& parameters = launch.arguments.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].source == BoundParameter::Source::unset ||
        parameters[i].source == BoundParameter::Source::assumed_buffer) {
      continue;
    }
    const bool named = i < kernel.parameters.size() && !kernel.parameters[i].name.empty();
    std::string value =
        parameters[i].source == BoundParameter::Source::buffer
            ? "buffer of " + std::to_string(launch.arguments.buffers[parameters[i].buffer].bytes) +
                  " bytes"
        : parameters[i].floating ? significant(parameters[i].number, 9)
                                 : std::to_string(parameters[i].integer);
    result.launch.arguments.emplace_back(named ? kernel.parameters[i].name : std::to_string(i),
                                         std::move(value));
  }
}

void fill_occupancy(const Evaluation& evaluation, const Prediction& first,
                    const ResultDetail& detail, Result& result) {
  const SmLimits& limits = evaluation.launch->gpu->limits;
  result.occupancy.blocks_per_sm = evaluation.launch->occupancy.blocks;
  result.occupancy.warps_per_sm = evaluation.launch->occupancy.warps;
  result.occupancy.max_warps_per_sm = limits.warps_per_sm;
  result.occupancy.limiter = limiter_names(evaluation.launch->occupancy.limiters);
  result.occupancy.needed_warps = first.needed_warps;
  result.occupancy.waves = first.waves;
  result.occupancy.latency_hidden = first.resident_warps >= first.needed_warps;
  const bool any_block = !evaluation.launch->code.kernel->resources.required_block;
  if (!detail.curve || !any_block) return;
  for (std::uint32_t block = limits.warp_lanes; block <= limits.threads_per_block;
       block += limits.warp_lanes) {
    BlockNeeds needs = evaluation.launch->needs;
    needs.threads = block;
    result.occupancy.curve.emplace_back(block, occupancy(limits, needs).warps);
  }
}

/// The polynomial behind a bound, if it has one: of a resource by its name, of DRAM from its bytes.
std::string bound_formula(const Evaluation& evaluation, const ResourceInfo& info, double cycles) {
  const auto& resources = evaluation.bound->kernel->resources();
  for (std::size_t r = 0; r < resources.size(); ++r) {
    if (resources[r].name != info.name) continue;
    const TripPolynomial formula = evaluation.bound->kernel->cycles_formula(r);
    if (std::fabs(formula.evaluate(evaluation.bound->kernel->trips()) - cycles) > 1e-6) return {};
    return formula.is_constant() ? std::string{}
                                 : formula_text(formula, evaluation.bound->kernel->loops());
  }
  return {};
}

void fill_bounds(const Evaluation& evaluation, const ModelRun& run, const Prediction& first,
                 Result& result) {
  const std::vector<ResourceInfo> infos = run.model->bounds(evaluation.bound->kernel->resources());
  for (std::size_t b = 0; b < first.bound_count && b < infos.size(); ++b) {
    if (first.bound_cycles[b] <= 0) continue;
    Result::Bound bound;
    bound.resource = infos[b].name;
    bound.label = infos[b].label;
    bound.cycles_per_warp = first.bound_cycles[b];
    bound.time_ms = bound_ms(evaluation, first.bound_cycles[b]);
    bound.share = bound.time_ms / first.time_ms;
    bound.formula = bound_formula(evaluation, infos[b], bound.cycles_per_warp);
    result.bounds.push_back(std::move(bound));
  }
  std::stable_sort(result.bounds.begin(), result.bounds.end(), [](const auto& a, const auto& b) {
    return a.cycles_per_warp > b.cycles_per_warp;
  });
}

/// Fills the limit of a launch that waits for a block far longer than most.
void fill_longest(const Evaluation& evaluation, const ModelRun& run, Result::LimitedBy& limit) {
  const double blocks = evaluation.trace->profile->longest.blocks;
  const std::string all = std::to_string(evaluation.launch->config.blocks()) + " blocks take",
                    cycles = counted(run.longest_block.value(), 4) + " cycles";
  limit.resource = "latency";
  limit.share = 1;
  limit.sentence = blocks > 0 ? "latency: " + counted(blocks, 6) + " of " + all +
                                    " far longer than the others: " + cycles
                              : "latency: the longest of " + all + "s " + cycles;
}

/// Fills the limit of a launch whose time is that of the order between its blocks.
void fill_order(const Evaluation& evaluation, Result::LimitedBy& limit) {
  const OrderedTime& order = *evaluation.bound->order;
  const OrderRecord& record = order.record;
  limit.resource = "order";
  limit.share = 1;
  limit.sentence = "order between blocks: ";
  const bool chain = record.chain > 1;
  if (!chain && order.followed < 1) {
    limit.sentence += "the launch takes " + counted(order.cycles, 4) +
                      " cycles at the pace of the part of it that was followed";
    return;
  }
  if (!chain) {
    limit.sentence += "the last block ends after " + counted(order.cycles, 4) +
                      " cycles, however fast the others are";
    return;
  }
  const auto edges = static_cast<double>(record.chain);
  const double all = edges / order.followed;
  limit.sentence += "a chain of " + counted(all, 3) + " waits, one after the other, of " +
                    counted(order.cycles / all, 3) + " cycles each, " +
                    counted(std::min(record.handed / edges, order.cycles / all), 3) +
                    " of them from a block's write to "
                    "another's poll";
  if (record.instruction != OrderRecord::nowhere)
    limit.sentence +=
        "; the last at " + instruction_text(*evaluation.bound->code, record.instruction);
}

void fill_limit(const Evaluation& evaluation, const ModelRun& run, const Prediction& first,
                Result& result) {
  Result::LimitedBy& limit = result.limited_by;
  if (first.waits_for_longest) return fill_longest(evaluation, run, limit);
  if (waits_for_order(run, model_input(evaluation, run, evaluation.demand).launch, first))
    return fill_order(evaluation, limit);
  limit = limit_of_model(first, result);
}

void fill_profile(const Evaluation& evaluation, const Demand& demand, Result& result) {
  const double warps = evaluation.trace->working_warps();
  Result::Profile& profile = result.profile;
  const auto grid = [&](Count kind) { return warps * demand.count(kind); };
  profile.warp_instructions = grid(Count::instructions);
  profile.thread_instructions = evaluation.trace->working_blocks() *
                                evaluation.launch->config.threads_per_block() *
                                demand.count(Count::instructions);
  profile.of_blocks = static_cast<double>(evaluation.launch->config.blocks());
  profile.global_load_requests = grid(Count::load_requests);
  profile.global_load_sectors = grid(Count::load_sectors);
  profile.global_store_sectors = grid(Count::store_sectors);
  profile.shared_wavefronts = grid(Count::shared_wavefronts);
  profile.l2_read_sectors = grid(Count::load_sectors);
  profile.l2_write_sectors = grid(Count::store_sectors);
  profile.dram_read_bytes = grid(Count::read_bytes);
  profile.dram_write_bytes = grid(Count::write_bytes);
  for (std::size_t c = 0; c < class_kinds; ++c) {
    const auto instruction_class = static_cast<InstructionClass>(c);
    const double count = warps * demand.of_class(instruction_class);
    if (count > 0) profile.by_class.emplace_back(class_name(instruction_class), count);
  }
  profile.source = "static";
}

/// Fills the copies between host and device, and the kernel's time without them and without what
/// timing adds.
void fill_copies(const Evaluation& evaluation, const ModelRun& run, const Demand& demand,
                 Result& result) {
  const CopyPlan& plan = evaluation.copies;
  if (plan.copies.empty()) return;
  ModelInput alone = model_input(evaluation, run, demand);
  alone.launch.added = {};
  result.device_ms = predict_run(run, alone).time_ms;
  add_copies(plan, result);
  const double copying = plan.milliseconds();
  for (double& end : result.interval_ms) end += copying;
  result.interval_meaning += "; of the launch, copies are taken as they are";
  if (copying < result.device_ms) return;
  Result::LimitedBy& limit = result.limited_by;
  limit.sentence = plan.link_name + ": copies take " +
                   significant(100 * copying / result.time_ms, 3) +
                   " % of the time; the kernel: " + limit.sentence;
  limit.resource = "link";
  limit.share = copying / result.time_ms;
}

/// Why a model that was named is taken: it gives its time even where it does not apply, and then
/// the first screen says so.
std::string asked_for(const ModelRun& run, const Prediction& prediction) {
  const std::string_view why = run.caveat.empty() ? prediction.why : run.caveat;
  if (prediction.applies && run.caveat.empty()) return "it was asked for";
  return "it was asked for, but does not apply here: " + std::string(why);
}

/// Whether the model was run at all (a skipped one has NaN).
bool run_of(const Prediction& prediction) {
  return !std::isnan(prediction.time_ms);
}

void fill_models(const Evaluation& evaluation, Result& result) {
  for (std::size_t i = 0; i < evaluation.runs.size(); ++i) {
    const ModelRun& run = evaluation.runs[i];
    const Prediction& prediction = run.prediction;
    Result::ModelTime entry;
    entry.name = run.model->name();
    entry.time_ms = prediction.time_ms + evaluation.copies.milliseconds();
    entry.applies = prediction.applies && run.caveat.empty();
    entry.why = run.caveat.empty() ? prediction.why : run.caveat;
    if (!run_of(prediction)) {  // the rule of `auto` did not ask it
      result.models.push_back(std::move(entry));
      continue;
    }
    const ModelInput input = model_input(evaluation, run, evaluation.demand);
    for (const ModelNumber& number : run.model->numbers(input, run.options, prediction)) {
      entry.numbers.emplace_back(number.name, number.value);
    }
    for (const StackPart& part : run.model->stack(input, run.options, prediction)) {
      entry.stack.emplace_back(part.name, part.cycles);
    }
    result.models.push_back(std::move(entry));
  }
}

/// Whether the share of theoretical bandwidth for this mix of reads and writes was measured on this
/// board, not on another with memory of the same kind.
bool memory_is_measured(const Gpu& gpu, const Demand& demand) {
  const bool reads = demand.count(Count::read_bytes) > 0;
  const bool writes = demand.count(Count::write_bytes) > 0;
  const Fact* fact = fact_of(gpu, reads && writes ? &MemoryFacts::mixed_share
                                  : writes        ? &MemoryFacts::write_share
                                                  : &MemoryFacts::read_share);
  return fact != nullptr && fact->confidence <= Confidence::published && is_own(gpu.facts, *fact);
}

IntervalFacts interval_facts(const Evaluation& evaluation, const Result& result) {
  const Result::Profile& profile = result.profile;
  const double sectors = profile.l2_read_sectors + profile.l2_write_sectors;
  IntervalFacts facts;
  const Milliseconds added = to_milliseconds(evaluation.launch->added);
  facts.added_share = share_of(added, Milliseconds(result.time_ms)).value();
  facts.waves = result.occupancy.waves;
  facts.local_share = sectors > 0 ? profile.local_sectors / sectors : 0;
  facts.limited_by = role_of_resource(result.limited_by.resource);
  facts.executed = evaluation.trace->profile != nullptr;
  facts.memory_measured = memory_is_measured(*evaluation.launch->gpu, evaluation.demand);
  facts.clock_known = evaluation.launch->clock_known;
  facts.other_over_chosen = evaluation.other_over_chosen;
  facts.longest_unseen = longest_unseen(evaluation);
  if (evaluation.trace->profile) {
    const auto seen = [&](double error, std::string_view what) {
      if (!(error > facts.sampled_error)) return;
      facts.sampled_error = error;
      facts.sampled_what = what;
    };
    seen(profile.relative_error, "instructions");
    seen(profile.memory_error, "traffic");
    if (facts.limited_by == ResourceRole::device_memory)
      seen(profile.dram_error, "device memory traffic");
  }
  for (const Result::Assumption& assumed : evaluation.notes.assumptions)
    facts.named.push_back(assumed.id);
  for (const Result::Finding& found : evaluation.notes.findings) facts.named.push_back(found.kind);
  return facts;
}

/// Fills the interval. Residuals are known for `auto`, and for a simulation that was asked for
/// alone; not for other models that were asked for.
void fill_interval(const Evaluation& evaluation, const IntervalTable* intervals, Result& result) {
  result.interval_ms = {result.time_ms, result.time_ms};
  const bool simulated = evaluation.taken().model->simulates();
  if (!evaluation.automatic && !simulated) {
    result.interval_meaning =
        "none: how far off measurements are is known of --model auto and sim alone";
    return;
  }
  IntervalFacts facts = interval_facts(evaluation, result);
  if (!evaluation.automatic) facts.named.push_back("simulation-asked");
  result.interval_class = interval_class(facts);
  if (intervals == nullptr) {
    result.interval_meaning = "none: the hardware data come without intervals.toml";
    return;
  }
  TimeInterval interval = interval_of(result.time_ms, facts, *intervals);
  result.interval_ms = interval.ms;
  result.interval_meaning = std::move(interval.meaning);
  const bool uneven =
      evaluation.trace->profile != nullptr && evaluation.trace->profile->executed.paths.uneven;
  if (evaluation.trace->executed_share >= 1 && !uneven) return;
  if (intervals->widenings.contains("cut")) return;  // widened by name, above
  const double factor = own_work_rates().cut_factor;
  result.interval_ms = {result.interval_ms[0] / factor, result.interval_ms[1] * factor};
  result.interval_meaning += ", wider because the budget cut the execution";
}

/// Adds the launch without its copies to the what-ifs, in its place.
void free_copies(const Evaluation& evaluation, Result& result) {
  Result::Counterfactual without{{"link"},
                                 "copies over " + evaluation.copies.link_name,
                                 result.time_ms - evaluation.copies.milliseconds(),
                                 0,
                                 "the kernel"};
  without.ratio = without.time_ms / result.time_ms;
  auto& rows = result.counterfactuals;
  const auto place = std::ranges::find_if(rows, [&](const Result::Counterfactual& row) {
    return row.free.size() > 1 || row.time_ms > without.time_ms;
  });
  rows.insert(place, std::move(without));
}

/// Fills the stalls of the chosen run and the what-ifs. A what-if of a simulation would be another
/// simulation, so the closed form beside it gives the ratio.
void fill_what_ifs(const Evaluation& evaluation, const ResultDetail& detail, bool simulated,
                   Result& result) {
  const std::size_t asked =
      simulated ? first_usable(candidates_of(evaluation)).value_or(evaluation.chosen)
                : evaluation.chosen;
  const ModelRun& run = evaluation.runs[asked];
  const bool stalls = detail.stalls && !simulated;
  if (run.model->simulates() || (!stalls && detail.counterfactuals == WhatIfDepth::none)) return;
  const Prediction& prediction = run.prediction;
  WhatIf what_if(evaluation, run);
  if (stalls) result.stalls = stall_shares(evaluation, run, prediction, what_if);
  if (detail.counterfactuals == WhatIfDepth::best) {
    result.counterfactuals = best_counterfactuals(evaluation, run, prediction, what_if);
  } else if (detail.counterfactuals == WhatIfDepth::all) {
    result.counterfactuals = counterfactuals(evaluation, run, prediction, what_if);
  }
  const double copies = evaluation.copies.milliseconds();  // no what-if of the kernel changes them
  const double scale = (result.time_ms - copies) / prediction.time_ms;
  for (Result::Counterfactual& free : result.counterfactuals) {
    free.time_ms = free.time_ms * scale + copies;
    free.ratio = free.time_ms / result.time_ms;
  }
  if (detail.counterfactuals != WhatIfDepth::none && copies > 0) free_copies(evaluation, result);
}

/// Names what limits by the what-ifs, where there are any. The link of copies and an order between
/// blocks stay named as they are where nothing else brings more.
void name_limit(const Evaluation& evaluation, const Prediction& first, Result& result) {
  const double working = evaluation.trace->working_blocks();
  const auto grid = static_cast<double>(evaluation.launch->config.blocks());
  auto limit = limit_of_what_ifs(first, result, working < result.gpu.sms ? working : grid);
  if (limit) result.limited_by = std::move(*limit);
}

}  // namespace

void describe_launch(const Launch& launch, const Notes& notes, Result& result) {
  fill_kernel(launch, result);
  fill_gpu_and_launch(launch, result);
  result.timing = timing_name(launch.timing);
  result.assumptions = notes.assumptions;
  result.findings = notes.findings;
  result.options = launch.options;
  result.tool_version = FOREWARP_VERSION;
}

Result build_result(const Evaluation& evaluation, const ResultDetail& detail,
                    const IntervalTable* intervals) {
  Result result;
  const ModelRun& chosen = evaluation.taken();
  const Prediction& first = chosen.prediction;
  const std::vector<Candidate> candidates = candidates_of(evaluation);
  describe_launch(*evaluation.launch, evaluation.notes, result);
  result.time_ms = first.time_ms;
  result.model = chosen.model->name();
  result.chosen_because = evaluation.automatic
                              ? choice_reason(candidates, evaluation.chosen, evaluation.met,
                                              evaluation.trace->profile != nullptr)
                              : asked_for(chosen, first);
  result.models_differ = why_they_differ(candidates, evaluation.chosen, evaluation.met);
  for (std::size_t i = 0; i < chosen.options.size(); ++i) {
    result.model_options.emplace_back(chosen.model->options()[i].name,
                                      option_text(chosen.model->options()[i], chosen.options[i]));
  }
  fill_occupancy(evaluation, first, detail, result);
  result.latency.cycles = first.latency_cycles;
  const auto& valid_from = chosen.latency->path.valid_from;
  const bool closed = std::all_of(valid_from.begin(), valid_from.end(),
                                  [](double trips) { return std::isfinite(trips); });
  if (chosen.latency->formula_valid && closed) {
    TripPolynomial formula = chosen.latency->formula;
    formula.add(first.latency_cycles - chosen.latency->cycles, 0);  // the model's own additions
    result.latency.formula = formula_text(formula, evaluation.bound->kernel->loops());
  }
  fill_bounds(evaluation, chosen, first, result);
  fill_limit(evaluation, chosen, first, result);
  fill_profile(evaluation, evaluation.demand, result);
  if (evaluation.trace->profile) {
    fill_executed(*evaluation.launch->code.analysis, *evaluation.trace->profile, result);
    fill_memory(*evaluation.launch->code.analysis, *evaluation.trace->memory, result);
  }
  result.power = evaluation.power;
  if (detail.power && result.power.limit_w == 0) {
    const PowerDraw draw = launch_draw(evaluation, evaluation.demand, first.time_ms);
    result.power = {draw.watts, evaluation.launch->gpu->power.limit_w, draw.joules};
  }
  fill_interval(evaluation, intervals, result);
  fill_copies(evaluation, chosen, evaluation.demand, result);
  fill_models(evaluation, result);
  const auto seen =
      chosen.model->simulated(model_input(evaluation, chosen, evaluation.demand), chosen.options);
  if (seen != nullptr) {
    result.simulation = simulation_facts(*seen, *evaluation.launch->code.kernel, detail.simulation);
    add_clocks_and_warning(*seen, result);
    if (detail.stalls) result.stalls = simulated_stalls(*seen);
  }
  fill_what_ifs(evaluation, detail, seen != nullptr, result);
  name_limit(evaluation, first, result);
  if (detail.listing) {
    add_listing(evaluation, chosen, result);
    add_source(evaluation, result);
  }
  if (detail.provenance) add_provenance(evaluation, result);
  return result;
}

}  // namespace forewarp::driver
