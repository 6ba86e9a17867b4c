// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "result/json_style.h"
#include "result/result.h"

namespace forewarp::result {

/// One JSON object, schema "forewarp.result/1"; compact style has no newline in it.
///
///   schema id kernel{name mangled input arch sha256 registers registers_source static_shared
///   local_bytes instructions unknown_opcodes} gpu{id name cc clock_mhz sms file parameter_set}
///   launch{grid block dynamic_shared args{}} options{}
///   time_ms interval_ms[low, high] interval_meaning timing model chosen_because model_options{}
///   limited_by{resource share sentence}
///   occupancy{blocks_per_sm warps_per_sm max_warps_per_sm limiter[] needed_warps waves
///   latency_hidden curve[[block, warps]]} latency{cycles formula}
///   bounds[{resource label cycles_per_warp time_ms share formula}]
///   profile{warp_instructions thread_instructions executed_blocks of_blocks by_class{}
///   global_load_requests global_load_sectors global_store_sectors shared_wavefronts
///   l2_read_sectors l2_write_sectors l1_hit_rate l2_hit_rate dram_read_bytes dram_write_bytes
///   source}
///   models[{name time_ms applies why numbers{} stack{}}] findings[{kind text}] stalls{}
///   simulation{cycles followed_cycles ipc issue_cycles schedulers stack{} occupancy{mean_warps
///   most_warps deviation below_half imbalance points[[cycle, warps]]} blocks{count first q25
///   median q75 last} instructions[{address issues stalls{}}] causes[] timeline[[cycle, scheduler,
///   block, warp, address, cause]] simulated_instructions of_instructions error}
///   counterfactuals[{free[] label time_ms ratio then}]
///   assumptions[{id text change_with}] listing[{..}] provenance[{..}] tool_version error
///
/// Times are milliseconds, sizes bytes, clocks MHz, shares 0..1. A number that is not finite is
/// written as null. A result with `error` has no time_ms, nor any other key that predicts.
/// Numbers are the shortest text that reads back as the same value. Keys keep this order.
[[nodiscard]] std::string to_json(const Result& result, const JsonStyle& style);

/// One result. Keys that are missing keep their defaults, unknown keys are passed over (a newer
/// writer); another schema or a value of the wrong type is refused with its place ("/gpu/sms").
Expected<Result> from_json(std::string_view text);

/// One object, an array of them, or one object per line (JSON lines).
Expected<std::vector<Result>> results_from_json(std::string_view text);

}  // namespace forewarp::result
