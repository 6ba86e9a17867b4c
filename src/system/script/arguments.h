// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <optional>
#include <string>

#include "system/script/context.h"

namespace forewarp::system {

/// A function that scripts call; a CallFault becomes an error of the script, with its line.
using Call = int (*)(ScriptContext&, lua_State*);

/// Puts `call` into the table on top of the stack.
void add_call(lua_State* state, const char* name, Call call);

/// Values of a call. A wrong one is a CallFault that names the call and what it expects.
class CallArguments {
 public:
  CallArguments(lua_State* state, const char* call) : state_(state), call_(call) {}

  [[nodiscard]] double number(int index, const char* what) const;  ///< finite, from 0 on
  [[nodiscard]] std::string text(int index, const char* what) const;
  void table(int index, const char* what) const;
  void function(int index, const char* what) const;

  /// Fields of the table at `index`; nullopt: it has none of this name, or is nil.
  [[nodiscard]] std::optional<double> number_field(int index, const char* field) const;
  [[nodiscard]] std::optional<std::string> text_field(int index, const char* field) const;
  [[nodiscard]] std::optional<std::uint32_t> count_field(int index, const char* field) const;

  /// Refuses fields of the table that are none of `names` (ending with nullptr).
  void only(int index, const char* const* names) const;

  [[nodiscard]] lua_State* state() const { return state_; }
  [[noreturn]] void fault(const std::string& text) const;

 private:
  [[nodiscard]] bool field(int index, const char* name) const;
  [[nodiscard]] std::string described(int index) const;

  lua_State* state_;
  const char* call_;
};

/// The value at `index` as JSON text, with sorted keys; numbers without a fraction are whole.
/// Refused: functions, tables in themselves, keys that are neither texts nor 1 to n, more than
/// 10,000 names and values or 1 MiB of text.
std::string json_of(lua_State* state, int index);

}  // namespace forewarp::system
