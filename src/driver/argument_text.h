// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/expected.h"
#include "driver/case.h"
#include "driver/predict_options.h"
#include "hardware/database.h"
#include "program/launch.h"

namespace forewarp {

/// One value as a command line or a sweep gives it:
///   7  -3  0x40                  integer, sized by the kernel's signature
///   2.5  1e6  inf                floating
///   i32:7  f64:2.5               with the type stated (i8 .. u64, f16, bf16, f32, f64)
///   hex:00ff                     bytes of a structure passed by value, lowest address first
///   buffer:BYTES[:CONTENT]       buffer.TYPE:BYTES[:CONTENT] where the element type matters
///   same:INDEX                   the buffer of another argument
/// `place` names the option in messages.
Expected<Argument> parse_argument_value(std::string_view text, std::string_view place);

/// `number` with its type stated; the kind follows the type. The value must fit it.
[[nodiscard]] Argument with_type(Argument number, std::string_view type_name);

/// NAME=VALUE or INDEX=VALUE of --arg.
Expected<NamedArgument> parse_argument(std::string_view text, std::string_view place = "--arg");

/// "NAME" or "INDEX" with an empty value.
Expected<NamedArgument> parse_argument_name(std::string_view text, std::string_view place);

/// unknown, zeros, ones, iota, random:SEED[:LOW:HIGH], fill:V, file:PATH.
Expected<BufferContent> parse_content(std::string_view text, std::string_view place);

/// X[,Y[,Z]], each at least 1. `separator` is 'x' inside a list of a sweep.
Expected<Extent> parse_extent(std::string_view text, std::string_view place, char separator = ',');

/// MHZ, base, boost or sustained.
Expected<ClockChoice> parse_clock(std::string_view text, std::string_view place = "--clock");

/// device, event, stream, graph, host.
Expected<Timing> parse_timing(std::string_view text, std::string_view place = "--timing");

/// auto, all or a number of blocks.
Expected<SampleChoice> parse_sample(std::string_view text, std::string_view place = "--sample");

/// ADDRESS=N; the address is hexadecimal, as listings print it, with or without 0x.
Expected<std::pair<std::uint32_t, double>> parse_trip(std::string_view text);

/// ADDRESS=P: share of the warps that take the branch, 0 to 1.
Expected<std::pair<std::uint32_t, double>> parse_branch_probability(std::string_view text);

/// hw.PATH=VALUE; the path comes back without its `hw.`.
Expected<FactOverride> parse_override(std::string_view text, std::string_view place = "--set");

}  // namespace forewarp
