// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <lua.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/expected.h"
#include "system/script/budget.h"

namespace forewarp::system {

/// A Lua state that can only compute: no files, no system, no loading of code, no finalizers; the
/// same order of keys and the same random numbers each time (pairs refuses keys that have no order:
/// tables, functions). It stops at the limits of its budget.
class Sandbox {
 public:
  /// Called from inside when a limit is reached: with the line and what was too much. It does not
  /// come back.
  using Exceeded = std::function<void(const std::string& place, const std::string& text)>;

  /// `seed` of math.random. Budget and owner outlive the state.
  Sandbox(Budget& budget, std::uint32_t seed, Exceeded exceeded);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  [[nodiscard]] lua_State* state() const { return state_; }

  /// Compiles Lua source as a function on the stack. Refuses bytecode and what is no Lua; `name` is
  /// the file in messages.
  Expected<void> load(std::string_view source, const std::string& name);

  /// Calls a function of a script from a function of ours that it called.
  static void call_back(lua_State* state, int arguments, int results);

  /// Calls the function below `arguments` values; results stay on the stack. A fault is "NAME:LINE"
  /// and its text.
  Expected<void> call(int arguments, int results);

  /// "app.lua:12": the line that the innermost function of the script has come to.
  [[nodiscard]] std::string line() const;

  /// What belongs to the state's owner, for functions that are called from inside.
  void set_owner(void* owner) { owner_ = owner; }
  [[nodiscard]] static Sandbox& of(lua_State* state);
  template <typename Owner>
  [[nodiscard]] static Owner& owner_of(lua_State* state) {
    return *static_cast<Owner*>(of(state).owner_);
  }
  [[nodiscard]] Budget& budget() const { return budget_; }
  /// Charges as many instructions as pass from one look at the limits to the next, and looks.
  static void beat(lua_State* state);
  void exceed(lua_State* at, const std::string& text) const;

 private:
  static void* allocate(void* budget, void* block, std::size_t old_size, std::size_t new_size);
  static void at_count(lua_State* state, lua_Debug* where);
  void count_time();
  void prepare(std::uint32_t seed);
  [[nodiscard]] Diagnostic fault();
  [[nodiscard]] std::string line_of(lua_State* state) const;
  [[nodiscard]] std::string name_of(std::string_view chunk) const;

  Budget& budget_;
  Exceeded exceeded_;
  std::vector<std::string> names_;  ///< of what was loaded; a chunk is called after its number
  void* owner_ = nullptr;
  lua_State* state_ = nullptr;
  std::clock_t beat_at_ = std::clock();
  std::uint64_t calls_at_beat_ = 0;
};

}  // namespace forewarp::system
