// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/expected.h"
#include "program/launch.h"

namespace forewarp::request {

/// Reads one value as a command line or a sweep gives it:
///   7  -3  0x40                  integer, sized by the kernel's signature
///   2.5  1e6  inf                floating
///   i32:7  f64:2.5               with the type stated (i8 .. u64, f16, bf16, f32, f64)
///   hex:00ff                     bytes of a structure passed by value, lowest address first
///   buffer:BYTES[:CONTENT]       buffer.TYPE:BYTES[:CONTENT] where the element type matters
///   same:INDEX                   the buffer of another argument
///   tensor:TYPE:SIZES:..         a tensor map: see tensor_text.h
/// `place` names the option in messages.
Expected<Argument> parse_argument_value(std::string_view text, std::string_view place);

/// The argument as parse_argument_value() reads it: "128", "f32:2.5", "buffer:4096:random:1".
[[nodiscard]] std::string text_of(const Argument& argument);
[[nodiscard]] std::string text_of(const BufferContent& content);

/// The shortest digits that read back as the same number.
[[nodiscard]] std::string exact_text(double value);

/// `number` with this type; its kind follows the type. The value must fit the type.
[[nodiscard]] Argument with_type(Argument number, std::string_view type_name);

/// Reads NAME=VALUE or INDEX=VALUE of --arg.
Expected<NamedArgument> parse_argument(std::string_view text, std::string_view place = "--arg");

/// Reads NAME or INDEX alone; the value stays empty.
Expected<NamedArgument> parse_argument_name(std::string_view text, std::string_view place);
/// "NAME" or "INDEX", as parse_argument_name() reads it.
[[nodiscard]] std::string name_text(const NamedArgument& argument);

/// Reads unknown, zeros, ones, iota, random[:SEED[:LOW:HIGH]], fill:V or file:PATH.
Expected<BufferContent> parse_content(std::string_view text, std::string_view place);

}  // namespace forewarp::request
