// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/script/script.h"

#include <utility>

#include "system/script/calls.h"

namespace forewarp::system {
namespace {

constexpr std::uint32_t first_seed = 1;

void set_text(lua_State* state, const char* field, const std::string& text) {
  lua_pushlstring(state, text.data(), text.size());
  lua_setfield(state, -2, field);
}

void set_number(lua_State* state, const char* field, std::uint64_t number) {
  lua_pushinteger(state, static_cast<lua_Integer>(number));
  lua_setfield(state, -2, field);
}

/// A name of a model that is neither its own nor an attribute: one of the sandbox's functions.
int behind_attributes(lua_State* state) {
  lua_pushglobaltable(state);
  lua_pushvalue(state, 2);
  if (lua_rawget(state, -2) != LUA_TNIL || lua_type(state, 2) != LUA_TSTRING) return 1;
  const auto* unit = static_cast<const Component*>(lua_touserdata(state, lua_upvalueindex(1)));
  const char* name = lua_tostring(state, 2);
  return luaL_error(state,
                    "'%s' is no attribute of %s; expected a number; attributes = { %s = .. } of "
                    "it in the system's file, or hardware = \"ID\" of a board that has it",
                    name, unit->name.c_str(), name);
}

/// A table of the unit's attributes, which sees the sandbox's functions behind them.
void push_attributes(lua_State* state, const Component& unit) {
  lua_newtable(state);
  lua_pushnumber(state, unit.performance);
  lua_setfield(state, -2, "performance");
  for (const auto& [name, value] : unit.attributes) {
    if (const auto* number = std::get_if<double>(&value)) {
      lua_pushnumber(state, *number);
      lua_setfield(state, -2, name.c_str());
    } else {
      set_text(state, name.c_str(), std::get<std::string>(value));
    }
  }
  lua_newtable(state);
  lua_pushlightuserdata(state, const_cast<Component*>(&unit));
  lua_pushcclosure(state, behind_attributes, 1);
  lua_setfield(state, -2, "__index");
  lua_setmetatable(state, -2);
}

}  // namespace

Script::Script(Application& application, Process* process, Sandbox::Exceeded exceeded)
    : sandbox_(application.budget, first_seed + (process == nullptr ? 0 : process->rank),
               std::move(exceeded)),
      context_{application, sandbox_, process} {
  sandbox_.set_owner(&context_);
  lua_pushcfunction(sandbox_.state(), add_sim);
  if (const auto added = sandbox_.call(0, 0); !added) sandbox_.exceed(nullptr, added.error().found);
}

int Script::add_sim(lua_State* state) {
  const ScriptContext& context = Sandbox::owner_of<ScriptContext>(state);
  lua_newtable(state);
  add_declarations(state);
  add_work(state);
  add_messages(state);
  add_collectives(state);
  if (context.process != nullptr) {
    const Process& process = *context.process;
    const Application& application = context.application;
    set_text(state, "label", process.place.label);
    set_number(state, "index", process.place.index);
    set_number(state, "count", application.groups.at(process.place.label).ranks.size());
    set_number(state, "rank", process.rank);
    set_number(state, "size", application.groups.at("").ranks.size());
    set_text(state, "unit", application.world->system().components[process.place.component].name);
  }
  lua_setglobal(state, "sim");
  return 0;
}

Expected<void> Script::call_script(int arguments) {
  Pulse* const pulse = context_.application.budget.pulse;
  if (pulse != nullptr) pulse->in_script = true;
  auto done = sandbox_.call(arguments, 0);
  if (pulse != nullptr) pulse->in_script = false;
  return done;
}

Expected<void> Script::declare() {
  if (auto loaded = sandbox_.load(context_.application.source, context_.application.file);
      !loaded) {
    return loaded;
  }
  return call_script(0);
}

/// Called with the model's file as a function, and the unit.
int Script::start_model(lua_State* state) {
  push_attributes(state, *static_cast<const Component*>(lua_touserdata(state, 2)));
  lua_pushvalue(state, -1);
  Sandbox::owner_of<ScriptContext>(state).model = luaL_ref(state, LUA_REGISTRYINDEX);
  lua_setupvalue(state, 1, 1);
  lua_settop(state, 1);
  lua_call(state, 0, 0);
  return 0;
}

Expected<void> Script::load_model(const Component& unit) {
  if (unit.model.empty()) return {};
  lua_State* const state = sandbox_.state();
  if (auto loaded = sandbox_.load(context_.application.models.at(unit.model), unit.model);
      !loaded) {
    return loaded;
  }
  lua_pushcfunction(state, start_model);
  lua_insert(state, -2);
  lua_pushlightuserdata(state, const_cast<Component*>(&unit));
  return call_script(2);
}

Expected<void> Script::run() {
  lua_State* const state = sandbox_.state();
  const Process& process = *context_.process;
  const Component& unit = context_.application.world->system().components[process.place.component];
  if (auto loaded = load_model(unit); !loaded) return loaded;
  if (auto declared = declare(); !declared) return declared;
  const auto body = context_.bodies.find(process.place.label);
  if (body == context_.bodies.end()) {
    return Diagnostic{context_.application.file,
                      "the label '" + process.place.label + "' has a body only sometimes",
                      "the same declarations in every process", ""};
  }
  lua_rawgeti(state, LUA_REGISTRYINDEX, body->second);
  return call_script(0);
}

}  // namespace forewarp::system
