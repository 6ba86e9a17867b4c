// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "result/result.h"
#include "result/simulation_fields.h"

namespace forewarp::result::result_fields {

/// The one list of keys of the JSON, in their order; the writer and the reader both walk it. A new
/// member of Result becomes a key by one line here. A visitor is called with (key, member);
/// `large` marks what a lean style leaves out.
template <typename V>
void fields(V& v, Like<Result::KernelFacts> auto& k) {
  v("name", k.name);
  v("mangled", k.mangled);
  v("input", k.input);
  v("arch", k.arch);
  v("sha256", k.sha256);
  v("registers", k.registers);
  v("registers_source", k.registers_source);
  v("static_shared", k.static_shared);
  v("local_bytes", k.local_bytes);
  v("instructions", k.instructions);
  v("unknown_opcodes", k.unknown_opcodes);
}

template <typename V>
void fields(V& v, Like<Result::GpuFacts> auto& g) {
  v("id", g.id);
  v("name", g.name);
  v("cc", g.cc);
  v("clock_mhz", g.clock_mhz);
  v("sms", g.sms);
  v("file", g.file);
  v("parameter_set", g.parameter_set);
}

template <typename V>
void fields(V& v, Like<Result::LaunchFacts> auto& l) {
  v("grid", l.grid);
  v("block", l.block);
  v("dynamic_shared", l.dynamic_shared);
  v("args", l.arguments);
}

template <typename V>
void fields(V& v, Like<Result::LimitedBy> auto& l) {
  v("resource", l.resource);
  v("share", l.share);
  v("sentence", l.sentence);
}

template <typename V>
void fields(V& v, Like<Result::Copy> auto& c) {
  v("bytes", c.bytes);
  v("direction", c.direction);
  v("memory", c.memory);
  v("time_ms", c.time_ms);
  v("model", c.model);
}

template <typename V>
void fields(V& v, Like<Result::Power> auto& p) {
  v("watts", p.watts);
  v("limit_w", p.limit_w);
  v("joules", p.joules);
}

template <typename V>
void fields(V& v, Like<Result::LinkFacts> auto& l) {
  v("id", l.id);
  v("name", l.name);
}

template <typename V>
void fields(V& v, Like<Result::Occupancy> auto& o) {
  v("blocks_per_sm", o.blocks_per_sm);
  v("warps_per_sm", o.warps_per_sm);
  v("max_warps_per_sm", o.max_warps_per_sm);
  v("limiter", o.limiter);
  v("needed_warps", o.needed_warps);
  v("waves", o.waves);
  v("latency_hidden", o.latency_hidden);
  v("curve", o.curve);
}

template <typename V>
void fields(V& v, Like<Result::Latency> auto& l) {
  v("cycles", l.cycles);
  v("formula", l.formula);
}

template <typename V>
void fields(V& v, Like<Result::Bound> auto& b) {
  v("resource", b.resource);
  v("label", b.label);
  v("cycles_per_warp", b.cycles_per_warp);
  v("time_ms", b.time_ms);
  v("share", b.share);
  v("formula", b.formula);
}

template <typename V>
void fields(V& v, Like<Result::Profile> auto& p) {
  v("warp_instructions", p.warp_instructions);
  v("thread_instructions", p.thread_instructions);
  v("executed_blocks", p.executed_blocks);
  v("of_blocks", p.of_blocks);
  v("by_class", p.by_class);
  v("global_load_requests", p.global_load_requests);
  v("global_load_sectors", p.global_load_sectors);
  v("global_store_sectors", p.global_store_sectors);
  v("shared_wavefronts", p.shared_wavefronts);
  v("l2_read_sectors", p.l2_read_sectors);
  v("l2_write_sectors", p.l2_write_sectors);
  v("l1_hit_rate", p.l1_hit_rate);
  v("l2_hit_rate", p.l2_hit_rate);
  v("dram_read_bytes", p.dram_read_bytes);
  v("dram_write_bytes", p.dram_write_bytes);
  v("source", p.source);
  v("relative_error", p.relative_error);
  v("memory_error", p.memory_error);
  v("branch_efficiency", p.branch_efficiency);
  v("local_sectors", p.local_sectors);
  v("atomic_requests", p.atomic_requests);
  v("unique_read_bytes", p.unique_read_bytes);
  v("unique_write_bytes", p.unique_write_bytes);
  v("pages", p.pages);
  v("page_bytes", p.page_bytes);
  v("hit_rate_error", p.hit_rate_error);
  v("dram_error", p.dram_error);
  v("replayed_share", p.replayed_share);
  v("left_out_blocks", p.left_out_blocks);
  v("left_out_instructions", p.left_out_instructions);
  v("threads_by_class", p.threads_by_class);
  v("threads_by_opcode", p.threads_by_opcode);
}

template <typename V>
void fields(V& v, Like<Result::Execution::Loop> auto& l) {
  v("begin", l.begin);
  v("end", l.end);
  v("entries", l.entries);
  v("mean_passes", l.mean_passes);
  v("formula", l.formula);
  v("passes", l.passes);
}

template <typename V>
void fields(V& v, Like<Result::Execution::Branch> auto& b) {
  v("address", b.address);
  v("executed", b.executed);
  v("taken_share", b.taken_share);
  v("divergent", b.divergent);
}

template <typename V>
void fields(V& v, Like<Result::Execution::Path> auto& p) {
  v("warps", p.warps);
  v("instructions", p.instructions);
  v("block", p.block);
  v("warp", p.warp);
}

template <typename V>
void fields(V& v, Like<Result::Execution::Access> auto& a) {
  v("address", a.address);
  v("text", a.text);
  v("space", a.space);
  v("requests", a.requests);
  v("lanes", a.lanes);
  v("sectors", a.sectors);
  v("lines", a.lines);
  v("transactions", a.transactions);
  v("wavefronts", a.wavefronts);
  v("tag_lookups", a.tag_lookups);
  v("sectors_per_request", a.sectors_per_request);
  v("l1_hit_rate", a.l1_hit_rate);
  v("l2_hit_rate", a.l2_hit_rate);
}

template <typename V>
void fields(V& v, Like<Result::Execution> auto& e) {
  v("loops", e.loops);
  v("branches", e.branches);
  v("paths", e.paths);
  v("other_paths_warps", e.other_paths_warps);
  v("accesses", e.accesses);
}

template <typename V>
void fields(V& v, Like<Result::ModelTime> auto& m) {
  v("name", m.name);
  v("time_ms", m.time_ms);
  v("applies", m.applies);
  v("why", m.why);
  v("numbers", m.numbers);
  if (V::reads || !m.stack.empty()) v("stack", m.stack);
}

template <typename V>
void fields(V& v, Like<Result::ClockedWarp> auto& c) {
  v("block", c.block);
  v("warp", c.warp);
  v("used_cycles", c.used_cycles);
  v("read_cycles", c.read_cycles);
}

template <typename V>
void fields(V& v, Like<Result::WorstCase::Component> auto& c) {
  v("name", c.name);
  v("class", c.timing_class);
  v("because", c.because);
  v("cycles", c.cycles);
}

template <typename V>
void fields(V& v, Like<Result::WorstCase::Region> auto& r) {
  v("begin", r.begin);
  v("end", r.end);
  v("part", r.part);
  v("count", r.count);
  v("cycles", r.cycles);
  v("longest", r.longest);
  v("load_cycles", r.load_cycles);
  v("compute_cycles", r.compute_cycles);
  v("store_cycles", r.store_cycles);
}

template <typename V>
void fields(V& v, Like<Result::WorstCase> auto& w) {
  v("cycles", w.cycles);
  v("time_ms", w.time_ms);
  v("interference_cycles", w.interference_cycles);
  v("warps", w.warps);
  v("path", w.path);
  v("component", w.component);
  v("class", w.timing_class);
  v("components", w.components);
  v("assumptions", w.assumptions);
  v("per_region", w.per_region);
}

template <typename V>
void fields(V& v, Like<Result::Counterfactual> auto& c) {
  v("free", c.free);
  v("label", c.label);
  v("time_ms", c.time_ms);
  v("ratio", c.ratio);
  v("then", c.then);
}

template <typename V>
void fields(V& v, Like<Result::Finding> auto& f) {
  v("kind", f.kind);
  v("text", f.text);
}

template <typename V>
void fields(V& v, Like<Result::Assumption> auto& a) {
  v("id", a.id);
  v("text", a.text);
  v("change_with", a.change_with);
}

template <typename V>
void fields(V& v, Like<Result::ListingLine> auto& l) {
  v("address", l.address);
  v("text", l.text);
  v("class", l.instruction_class);
  v("pipe", l.pipe);
  v("executions", l.executions);
  v("lanes", l.lanes);
  v("memory", l.memory);
  v("executions_formula", l.executions_formula);
  v("latency", l.latency);
  v("issue_cycle", l.issue_cycle);
  v("critical", l.critical);
  v("path_cycles", l.path_cycles);
  v("waits_for", l.waits_for);
  v("loop_head", l.loop_head);
  v("loop_depth", l.loop_depth);
  v("dual_with_next", l.dual_with_next);
  v("control", l.control);
  v("source_file", l.source_file);
  v("source_line", l.source_line);
  v("time_share", l.time_share);
}

template <typename V>
void fields(V& v, Like<Result::SourceLine> auto& l) {
  v("file", l.file);
  v("line", l.line);
  v("text", l.text);
  v("instructions", l.instructions);
  v("executions", l.executions);
  v("issue_share", l.issue_share);
  v("time_share", l.time_share);
  v("traffic_share", l.traffic_share);
  v("memory", l.memory);
  v("waits", l.waits);
  v("loop_depth", l.loop_depth);
}

template <typename V>
void fields(V& v, Like<Result::SourceLoop> auto& l) {
  v("file", l.file);
  v("first_line", l.first_line);
  v("last_line", l.last_line);
  v("address", l.address);
  v("trips", l.trips);
  v("formula", l.formula);
  v("time_share", l.time_share);
  v("depth", l.depth);
}

template <typename V>
void fields(V& v, Like<Result::Provenance> auto& p) {
  v("path", p.path);
  v("value", p.value);
  v("unit", p.unit);
  v("source", p.source);
  v("confidence", p.confidence);
}

/// What only a result with a prediction has.
template <typename V>
void prediction_fields(V& v, Like<Result> auto& r) {
  v("time_ms", r.time_ms);
  v("interval_ms", r.interval_ms);
  v("interval_meaning", r.interval_meaning);
  v("interval_class", r.interval_class);
  v("timing", r.timing);
  if (V::reads || !r.copies.empty()) {
    v("device_ms", r.device_ms);
    v("link", r.link);
    v("copies", r.copies);
  }
  v("model", r.model);
  v("chosen_because", r.chosen_because);
  v("models_differ", r.models_differ);
  v("model_options", r.model_options);
  v("limited_by", r.limited_by);
  v("occupancy", r.occupancy);
  v("latency", r.latency);
  v("bounds", r.bounds);
  v("models", r.models);
  if (V::reads || !r.clocks.empty()) v("clocks", r.clocks);
  if (V::reads || r.power.limit_w > 0) v("power", r.power);
  if (V::reads || r.wcet.cycles > 0) v("wcet", r.wcet);
}

template <typename V>
void fields(V& v, Like<Result> auto& r) {
  v("id", r.id);
  v("kernel", r.kernel);
  v("gpu", r.gpu);
  v("launch", r.launch);
  v("options", r.options);
  const bool predicted = V::reads || r.predicted();
  const bool profiled = V::reads || !r.error;
  if (predicted) prediction_fields(v, r);
  if (profiled) v("profile", r.profile);
  v("findings", r.findings);
  if (predicted) v("stalls", r.stalls);
  if (V::reads || (predicted && r.simulation.cycles > 0)) v("simulation", r.simulation);
  if (predicted && (V::reads || !r.counterfactuals.empty())) {
    v("counterfactuals", r.counterfactuals);
  }
  v("assumptions", r.assumptions);
  if (profiled) {
    v.large("execution", r.execution);
    v.large("listing", r.listing);
    v.large("source", r.source);
    v.large("source_loops", r.source_loops);
    v("source_weighed_by", r.source_weighed_by);
    v.large("provenance", r.provenance);
  }
  v("tool_version", r.tool_version);
  if constexpr (!V::reads) {
    if (predicted) v.metrics("nsight_compute", r);
  }
  v("error", r.error);
}

}  // namespace forewarp::result::result_fields
