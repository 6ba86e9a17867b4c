// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/script/arguments.h"

#include <cmath>
#include <cstring>

#include <nlohmann/json.hpp>

namespace forewarp::system {
namespace {

using Json = nlohmann::json;

constexpr double most = 1e18;
constexpr int deepest = 16;
constexpr std::size_t most_values = 10'000, most_text = std::size_t{1} << 20U;

/// A table that stands in several places is written out in each, so what comes of it is counted.
struct Written {
  std::size_t values = 0, text = 0;

  void add(std::size_t size) {
    if (++values > most_values) throw CallFault("a table has more than 10000 values");
    text += size;
    if (text > most_text) throw CallFault("a table has more than 1 MiB of text");
  }
};

/// The function itself is the first upvalue.
int guarded(lua_State* state) {
  const auto call = reinterpret_cast<Call>(lua_touserdata(state, lua_upvalueindex(1)));
  ScriptContext& context = Sandbox::owner_of<ScriptContext>(state);
  Budget& budget = context.application.budget;
  if (++budget.calls > budget.most_calls) {
    context.sandbox.exceed(
        state, "the scripts called sim " + std::to_string(budget.most_calls) + " times, the limit");
  }
  if (budget.pulse != nullptr) budget.pulse->in_script = false;
  std::string fault;
  try {
    const int results = call(context, state);
    if (budget.pulse != nullptr) {
      ++budget.pulse->beats;
      budget.pulse->in_script = true;
    }
    return results;
  } catch (const CallFault& failed) {
    fault = failed.what();
  }
  if (budget.pulse != nullptr) {
    ++budget.pulse->beats;
    budget.pulse->in_script = true;
  }
  luaL_where(state, 1);
  lua_pushlstring(state, fault.data(), fault.size());
  lua_concat(state, 2);
  return lua_error(state);
}

Json value_of(lua_State* state, int index, int depth, Written& written);

Json table_of(lua_State* state, int index, int depth, Written& written) {
  if (depth > deepest) throw CallFault("a table is nested more than 16 deep, or in itself");
  if (lua_checkstack(state, 4) == 0) throw CallFault("a table is nested too deep");
  const auto length = static_cast<std::size_t>(lua_rawlen(state, index));
  Json list = Json::array(), object = Json::object();
  lua_pushnil(state);
  while (lua_next(state, index) != 0) {
    const int value = lua_gettop(state);
    if (lua_type(state, -2) == LUA_TSTRING) {
      written.add(lua_rawlen(state, -2));
      object[lua_tostring(state, -2)] = value_of(state, value, depth + 1, written);
    } else if (lua_isinteger(state, -2) == 0 || lua_tointeger(state, -2) < 1 ||
               lua_tointeger(state, -2) > static_cast<lua_Integer>(length)) {
      throw CallFault("a table has a key that is neither a text nor one of 1 to n");
    }
    lua_pop(state, 1);
  }
  if (length > 0 && !object.empty()) throw CallFault("a table is a list and has names, too");
  for (std::size_t i = 1; i <= length; ++i) {
    lua_rawgeti(state, index, static_cast<lua_Integer>(i));
    list.push_back(value_of(state, lua_gettop(state), depth + 1, written));
    lua_pop(state, 1);
  }
  return length > 0 ? list : object;
}

Json value_of(lua_State* state, int index, int depth, Written& written) {
  written.add(lua_type(state, index) == LUA_TSTRING ? lua_rawlen(state, index) : 0);
  switch (lua_type(state, index)) {
    case LUA_TBOOLEAN:
      return lua_toboolean(state, index) != 0;
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* const text = lua_tolstring(state, index, &size);
      return std::string(text, size);
    }
    case LUA_TNUMBER: {
      int whole = 0;
      const lua_Integer integer = lua_tointegerx(state, index, &whole);
      if (whole != 0) return integer;
      return lua_tonumber(state, index);
    }
    case LUA_TTABLE:
      return table_of(state, index, depth, written);
    default:
      throw CallFault(std::string("a ") + luaL_typename(state, index) +
                      " stands where a number, a text or a table is expected");
  }
}

}  // namespace

void add_call(lua_State* state, const char* name, Call call) {
  lua_pushlightuserdata(state, reinterpret_cast<void*>(call));
  lua_pushcclosure(state, guarded, 1);
  lua_setfield(state, -2, name);
}

void CallArguments::fault(const std::string& text) const {
  throw CallFault("sim." + std::string(call_) + ": " + text);
}

std::string CallArguments::described(int index) const {
  if (lua_isnumber(state_, index) != 0) return std::to_string(lua_tonumber(state_, index));
  return lua_isnoneornil(state_, index) ? "not given"
                                        : std::string("a ") + luaL_typename(state_, index);
}

double CallArguments::number(int index, const char* what) const {
  const double value = lua_type(state_, index) == LUA_TNUMBER ? lua_tonumber(state_, index) : -1;
  if (!(value >= 0 && value <= most)) {
    fault(std::string(what) + " is " + described(index) + "; expected a number from 0 to 1e18");
  }
  return value;
}

std::string CallArguments::text(int index, const char* what) const {
  if (lua_type(state_, index) != LUA_TSTRING) {
    fault(std::string(what) + " is " + described(index) + "; expected a text");
  }
  return lua_tostring(state_, index);
}

void CallArguments::table(int index, const char* what) const {
  if (!lua_istable(state_, index)) {
    fault(std::string(what) + " is " + described(index) + "; expected a table");
  }
}

void CallArguments::function(int index, const char* what) const {
  if (!lua_isfunction(state_, index)) {
    fault(std::string(what) + " is " + described(index) + "; expected a function");
  }
}

bool CallArguments::field(int index, const char* name) const {
  if (lua_isnoneornil(state_, index)) return false;
  table(index, "the last argument");
  lua_pushstring(state_, name);
  lua_rawget(state_, index);
  if (!lua_isnil(state_, -1)) return true;
  lua_pop(state_, 1);
  return false;
}

std::optional<double> CallArguments::number_field(int index, const char* name) const {
  if (!field(index, name)) return std::nullopt;
  const double value = number(lua_gettop(state_), name);
  lua_pop(state_, 1);
  return value;
}

std::optional<std::string> CallArguments::text_field(int index, const char* name) const {
  if (!field(index, name)) return std::nullopt;
  std::string value = text(lua_gettop(state_), name);
  lua_pop(state_, 1);
  return value;
}

std::optional<std::uint32_t> CallArguments::count_field(int index, const char* name) const {
  const auto value = number_field(index, name);
  constexpr double largest = 4294967295.0;
  if (!value) return std::nullopt;
  if (*value != std::floor(*value) || *value > largest) {
    fault(std::string(name) + " is " + std::to_string(*value) +
          "; expected a whole number from 0 on");
  }
  return static_cast<std::uint32_t>(*value);
}

void CallArguments::only(int index, const char* const* names) const {
  if (!lua_istable(state_, index)) return;
  lua_pushnil(state_);
  while (lua_next(state_, index) != 0) {
    const char* const key =
        lua_type(state_, -2) == LUA_TSTRING ? lua_tostring(state_, -2) : nullptr;
    bool known = false;
    std::string list;
    for (const char* const* name = names; *name != nullptr; ++name) {
      known = known || (key != nullptr && std::strcmp(key, *name) == 0);
      list += (list.empty() ? "" : ", ") + std::string(*name);
    }
    if (!known) {
      fault(
          (key != nullptr ? "'" + std::string(key) + "'" : std::string("a value without a name")) +
          " is not known here; expected " + list);
    }
    lua_pop(state_, 1);
  }
}

std::string json_of(lua_State* state, int index) {
  Written written;
  return value_of(state, lua_absindex(state, index), 0, written)
      .dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace forewarp::system
