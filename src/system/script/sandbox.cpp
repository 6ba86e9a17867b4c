// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/script/sandbox.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>

#include "base/text.h"

namespace forewarp::system {
namespace {

constexpr int instructions_per_beat = 10'000;
constexpr std::size_t longest_text = 400;

// pairs() goes through keys in an order that is the same each time; a finalizer would run outside
// of all limits.
constexpr const char* prelude = R"lua(
local random_seed, raw_setmetatable = math.randomseed, setmetatable
local rawget, type, sort, next, error = rawget, type, table.sort, next, error
random_seed(...)
math.randomseed = nil
local ranks = {number = 1, string = 2, boolean = 3}
local function before(a, b)
  local ta, tb = ranks[type(a)], ranks[type(b)]
  if ta ~= tb then return ta < tb end
  if ta == 3 then return not a and b end
  return a < b
end
function pairs(t)
  local keys, n = {}, 0
  for key in next, t do
    if not ranks[type(key)] then error("pairs has no order for keys of type " .. type(key), 2) end
    n = n + 1; keys[n] = key
  end
  sort(keys, before)
  local i = 0
  return function()
    i = i + 1
    while i <= n and rawget(t, keys[i]) == nil do i = i + 1 end
    if i <= n then return keys[i], t[keys[i]] end
  end
end
function setmetatable(t, m)
  if type(m) == "table" and rawget(m, "__gc") ~= nil then error("__gc is not allowed here", 2) end
  return raw_setmetatable(t, m)
end
_G.next = nil  -- the name alone is the local function that pairs needs
dofile, loadfile, load, collectgarbage, require, string.dump, warn = nil
)lua";

int say(lua_State* state) {
  Budget& budget = Sandbox::of(state).budget();
  std::size_t size = 0;
  lua_settop(state, 1);
  const char* text = luaL_tolstring(state, 1, &size);
  if (budget.said.size() < budget.most_lines) {
    budget.said.emplace_back(text, size < longest_text ? size : longest_text);
  }
  return 0;
}

/// What stands on top of the stack. Nothing here may make Lua allocate: out of memory, that would
/// end the program, as no protected call is around it. (lua_tolstring makes a text of a number.)
std::string error_text(lua_State* state) {
  switch (lua_type(state, -1)) {
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* const text = lua_tolstring(state, -1, &size);
      return {text, std::min(size, longest_text)};
    }
    case LUA_TNUMBER:
      return lua_isinteger(state, -1) != 0 ? std::to_string(lua_tointeger(state, -1))
                                           : significant(lua_tonumber(state, -1), 14);
    default:
      return std::string("an error that is no text (") + luaL_typename(state, -1) + ")";
  }
}

/// A coroutine counts its instructions from 0 on, so each costs a beat beforehand.
int charged(lua_State* state) {
  Sandbox::beat(state);
  return lua_tocfunction(state, lua_upvalueindex(1))(state);
}

/// Called with the seed.
int open_libraries(lua_State* state) {
  const luaL_Reg libraries[] = {
      {LUA_GNAME, luaopen_base},        {LUA_TABLIBNAME, luaopen_table},
      {LUA_STRLIBNAME, luaopen_string}, {LUA_MATHLIBNAME, luaopen_math},
      {LUA_UTF8LIBNAME, luaopen_utf8},  {LUA_COLIBNAME, luaopen_coroutine}};
  for (const luaL_Reg& library : libraries) {
    luaL_requiref(state, library.name, library.func, 1);
    lua_pop(state, 1);
  }
  lua_getglobal(state, LUA_COLIBNAME);
  for (const char* const name : {"create", "wrap"}) {
    lua_getfield(state, -1, name);
    lua_pushcclosure(state, charged, 1);
    lua_setfield(state, -2, name);
  }
  if (luaL_loadbufferx(state, prelude, std::strlen(prelude), "=prelude", "t") != LUA_OK) {
    return lua_error(state);
  }
  lua_pushvalue(state, 1);
  lua_call(state, 1, 0);
  lua_register(state, "print", say);
  return 0;
}

}  // namespace

Sandbox::Sandbox(Budget& budget, std::uint32_t seed, Exceeded exceeded)
    : budget_(budget), exceeded_(std::move(exceeded)) {
  state_ = lua_newstate(allocate, &budget_);
  if (state_ == nullptr) {
    exceed(nullptr, "the scripts need more memory than the limit");
    throw std::bad_alloc();
  }
  *static_cast<Sandbox**>(lua_getextraspace(state_)) = this;
  prepare(seed);
}

Sandbox::~Sandbox() {
  if (state_ != nullptr) lua_close(state_);
}

void Sandbox::prepare(std::uint32_t seed) {
  lua_pushcfunction(state_, open_libraries);
  lua_pushinteger(state_, seed);
  if (const auto made = call(1, 0); !made) exceed(nullptr, made.error().found);
  lua_sethook(state_, at_count, LUA_MASKCOUNT, instructions_per_beat);
}

Sandbox& Sandbox::of(lua_State* state) {
  return **static_cast<Sandbox**>(lua_getextraspace(state));
}

void* Sandbox::allocate(void* budget, void* block, std::size_t old_size, std::size_t new_size) {
  Budget& own = *static_cast<Budget*>(budget);
  const std::size_t had = block == nullptr ? 0 : old_size;
  if (new_size == 0) {
    own.bytes -= had;
    std::free(block);
    return nullptr;
  }
  if (new_size > had && own.bytes + (new_size - had) > own.most_bytes) return nullptr;
  void* const moved = std::realloc(block, new_size);
  if (moved != nullptr) own.bytes += new_size - had;
  return moved;
}

void Sandbox::count_time() {
  const std::clock_t now = std::clock();
  // Whatever passes while `sim` is called is the simulation's time.
  if (budget_.calls == calls_at_beat_) {
    budget_.seconds += static_cast<double>(now - beat_at_) / CLOCKS_PER_SEC;
  }
  beat_at_ = now;
  calls_at_beat_ = budget_.calls;
}

void Sandbox::at_count(lua_State* state, lua_Debug* /*where*/) {
  beat(state);
}

void Sandbox::beat(lua_State* state) {
  Sandbox& own = of(state);
  Budget& budget = own.budget_;
  own.count_time();
  budget.instructions += instructions_per_beat;
  if (budget.pulse != nullptr) {
    lua_Debug where;
    if (lua_getstack(state, 0, &where) != 0 && lua_getinfo(state, "l", &where) != 0 &&
        where.currentline > 0) {
      budget.pulse->line = static_cast<std::uint32_t>(where.currentline);
    }
    ++budget.pulse->beats;
  }
  if (budget.instructions > budget.most_instructions) {
    own.exceed(state, "the scripts ran " + std::to_string(budget.most_instructions) +
                          " instructions, the limit");
  }
  // Unwinding a deep stack, or collecting much garbage, takes long for few instructions.
  if (budget.seconds > budget.most_seconds) {
    own.exceed(state,
               "the scripts computed for " + significant(budget.most_seconds) + " s, the limit");
  }
}

void Sandbox::exceed(lua_State* at, const std::string& text) const {
  exceeded_(at == nullptr ? "" : line_of(at), text);
}

/// "#1" is the second that was loaded.
std::string Sandbox::name_of(std::string_view chunk) const {
  const auto number = chunk.starts_with('#') ? parse_natural(chunk.substr(1)) : std::nullopt;
  return number && *number < names_.size() ? names_[*number] : std::string();
}

std::string Sandbox::line_of(lua_State* state) const {
  lua_Debug where;
  for (int level = 0; lua_getstack(state, level, &where) != 0; ++level) {
    lua_getinfo(state, "Sl", &where);
    const std::string name = name_of(where.short_src);
    if (where.currentline > 0 && !name.empty()) {
      return name + ':' + std::to_string(where.currentline);
    }
  }
  return names_.empty() ? "" : names_.back();
}

std::string Sandbox::line() const {
  return line_of(state_);
}

Expected<void> Sandbox::load(std::string_view source, const std::string& name) {
  if (source.starts_with(LUA_SIGNATURE)) {
    return Diagnostic{name, "is compiled Lua", "Lua source", ""};
  }
  const std::string chunk = "=#" + std::to_string(names_.size());
  names_.push_back(name);
  if (luaL_loadbufferx(state_, source.data(), source.size(), chunk.c_str(), "t") == LUA_OK) {
    return {};
  }
  return fault();
}

void Sandbox::call_back(lua_State* state, int arguments, int results) {
  Pulse* const pulse = of(state).budget_.pulse;
  if (pulse != nullptr) pulse->in_script = true;
  lua_call(state, arguments, results);
  if (pulse != nullptr) pulse->in_script = false;
}

Expected<void> Sandbox::call(int arguments, int results) {
  if (lua_pcall(state_, arguments, results, 0) == LUA_OK) return {};
  return fault();
}

Diagnostic Sandbox::fault() {
  std::string found = error_text(state_);
  lua_pop(state_, 1);
  std::replace_if(
      found.begin(), found.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  std::string place = names_.empty() ? "" : names_.back();
  const std::size_t line = found.find(':');
  const std::size_t end = line == std::string::npos ? line : found.find(':', line + 1);
  const std::string name = end == std::string::npos ? "" : name_of(found.substr(0, line));
  if (!name.empty()) {
    place = name + found.substr(line, end - line);
    found = std::string(trim(std::string_view(found).substr(end + 1)));
  }
  return {place, found, "", ""};
}

}  // namespace forewarp::system
