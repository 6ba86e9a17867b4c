// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "result/result.h"

namespace forewarp::tests {

/// A result in which every member differs from its default (but `error`), with one element in every
/// list: a key that the writer or the reader forgets shows.
inline Result full_result() {
  Result r;
  r.id = "case/1";
  r.kernel = {"k<int>", "_Z1kIiE", "k.sass", "sm_52", "abcd", 8, 48, 16, "stated", 31, 2};
  r.gpu = {"board", "A Board", "5.2", "board.toml", "default", 13, 1253.5};
  r.launch.grid = {4, 3, 2};
  r.launch.block = {32, 2, 1};
  r.launch.dynamic_shared = 1024;
  r.launch.arguments = {{"n", "400000000"}, {"x", "buffer:1600"}, {"f", "2.5"}};
  r.time_ms = 146.6549187;
  r.interval_ms = {138.25, 155.5};
  r.interval_meaning = "lowest and highest";
  r.interval_class = "memory";
  r.timing = "device";
  r.device_ms = 0.5;
  r.link = {"pcie-3-x16", "PCIe 3.0 x16"};
  r.copies = {{4000000, "h2d", "pageable", 0.3714, "staging"},
              {8, "d2h", "pinned", 0.02, "linear"}};
  r.model = "first";
  r.chosen_because = "it applies";
  r.models_differ = "gajger leaves out caches: 0.7x";
  r.model_options = {{"lambda", "0.703787"}};
  r.limited_by = {"fp32", 0.98, "cores: 98 %"};
  r.occupancy = {8, 64, 64, {"warps"}, 32.1, 15024, true, {{32, 32}, {64, 64}}};
  r.latency = {3990, "918 + 24*a"};
  r.clocks = {{3, 2, 48, 50}};
  r.wcet.cycles = 5544;
  r.wcet.time_ms = 4.563e-3;
  r.wcet.interference_cycles = 12;
  r.wcet.warps = 6;
  r.wcet.path = "executed";
  r.wcet.component = "write buffer";
  r.wcet.timing_class = "limited-information";
  r.wcet.components = {{"arithmetic units", "constant", "fixed latency", 2344}};
  r.wcet.assumptions = {"nothing else runs"};
  r.wcet.per_region = {{16, 48, "load", 2, 1100, 560, 1000, 60, 40}};
  r.bounds = {{"fp32", "CUDA cores", 134.5, 146.65, 1, "6.5 + 1*a"}};
  r.profile = {6725,
               215200,
               12,
               4096,
               {{"fadd", 1612}, {"mov", 75}},
               25,
               100,
               50,
               7,
               101,
               51,
               0.25,
               0.5,
               3200,
               1600,
               "executed",
               0.01,
               0.02,
               0.9,
               9,
               8,
               6400,
               1280,
               3,
               2097152,
               0.03,
               0.04,
               0.5,
               2,
               9000,
               {{"fadd", 51584}},
               {{"FADD", 51584}}};
  r.execution = {
      {{0x118, 0x158, 32, 2.5, "a", {{2, 16}, {3, 16}}}},
      {{0x150, 80, 0.6, 4}},
      {{28, 538, 0, 1}},
      4,
      {{0x118, "LDG.E R5, [R2];", "global", 64, 2000, 256, 96, 250, 3, 72, 4, 0.5, 0.25}}};
  r.models = {{"first", 146.65, false, "because", {{"lambda", 0.7}}, {{"issue", 30}}}};
  r.counterfactuals = {{{"dram", "memory_latency"}, "both", 90.5, 0.617, "CUDA cores"}};
  r.simulation.cycles = 1000;
  r.simulation.followed_cycles = 500;
  r.simulation.ipc = 1.5;
  r.simulation.issue_cycles = 2;
  r.simulation.schedulers = 4;
  r.simulation.stack = {{"issue", 0.25}, {"memory", 0.75}};
  r.simulation.occupancy = {12.5, 16, 1.25, 0.1, 0.9, {{0, 16}, {250, 9.5}}};
  r.simulation.blocks = {8, 100, 200, 300, 400, 500};
  r.simulation.instructions = {{0x118, 64, {{"l2", 212.5}}}};
  r.simulation.causes = {"issue", "memory"};
  r.simulation.timeline = {{12.25, 1, 2, 3, 0x118, 1}};
  r.simulation.simulated_instructions = 750;
  r.simulation.of_instructions = 1500;
  r.simulation.error = 0.02;
  r.findings = {{"out-of-bounds", "reads past x"}};
  r.assumptions = {{"l2-cold", "nothing in L2", "--warm"}};
  r.stalls = {{"issued", 0.1}, {"memory", 0.9}};
  r.listing = {{0x118,       "LDG.E R5, [R2];",
                "load",      "lsu",
                2,           31.5,
                "4 sectors", "a",
                350,         459,
                true,        812,
                "R3",        true,
                1,           true,
                "stall 2",   "k.cu",
                17,          0.75}};
  r.source = {{"k.cu", 17, "y = x[i];", 3, 6, 0.5, 0.75, 1, "4 sectors", "memory", 1}};
  r.source_loops = {{"k.cu", 16, 18, 0x100, 64, "n/16", 0.9, 1}};
  r.source_weighed_by = "what it moves";
  r.provenance = {{"sm.count", "1", "a table", "published", 13}};
  r.options = {{"clock", "sustained"}};
  r.tool_version = "0.1.0";
  return r;
}

}  // namespace forewarp::tests
