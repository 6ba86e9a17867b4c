// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/script/arguments.h"
#include "system/script/calls.h"

namespace forewarp::system {
namespace {

VariableValue value_at(lua_State* state, int index, const CallArguments& arguments) {
  switch (lua_type(state, index)) {
    case LUA_TBOOLEAN:
      return lua_toboolean(state, index) != 0;
    case LUA_TSTRING:
      return std::string(lua_tostring(state, index));
    case LUA_TNUMBER:
      if (lua_isinteger(state, index) != 0) {
        return static_cast<std::int64_t>(lua_tointeger(state, index));
      }
      return lua_tonumber(state, index);
    default:
      arguments.fault(std::string("a default is a ") + luaL_typename(state, index) +
                      "; expected a number, a text, true or false");
  }
}

void push(lua_State* state, const VariableValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) {
    lua_pushboolean(state, *truth ? 1 : 0);
  } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    lua_pushinteger(state, *whole);
  } else if (const auto* number = std::get_if<double>(&value)) {
    lua_pushnumber(state, *number);
  } else {
    const auto& text = std::get<std::string>(value);
    lua_pushlstring(state, text.data(), text.size());
  }
}

/// variables{name = default, ..} -> a table of the values.
int variables(ScriptContext& context, lua_State* state) {
  const CallArguments arguments(state, "variables");
  arguments.table(1, "the argument");
  lua_newtable(state);
  const int values = lua_gettop(state);
  lua_pushnil(state);
  while (lua_next(state, 1) != 0) {
    if (lua_type(state, -2) != LUA_TSTRING)
      arguments.fault("a variable has no name; expected name = default");
    const std::string name = lua_tostring(state, -2);
    const auto value =
        context.application.variables.declare(name, value_at(state, lua_gettop(state), arguments));
    if (!value) throw CallFault(value.error().line());
    push(state, *value);
    lua_setfield(state, values, name.c_str());
    lua_pop(state, 1);
  }
  return 1;
}

/// process("LABEL", function() .. end): what the processes of a label do.
int process(ScriptContext& context, lua_State* state) {
  const CallArguments arguments(state, "process");
  const std::string label = arguments.text(1, "the label");
  arguments.function(2, "the body");
  lua_pushvalue(state, 2);
  const int body = luaL_ref(state, LUA_REGISTRYINDEX);
  if (!context.bodies.emplace(label, body).second) {
    arguments.fault("the label '" + label + "' has a body already");
  }
  context.labels.push_back(label);
  return 0;
}

}  // namespace

Process& calling(ScriptContext& context, const char* call) {
  if (context.process == nullptr) {
    throw CallFault("sim." + std::string(call) + " stands outside of a process");
  }
  return *context.process;
}

void add_declarations(lua_State* state) {
  add_call(state, "variables", variables);
  add_call(state, "process", process);
}

}  // namespace forewarp::system
