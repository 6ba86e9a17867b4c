// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "base/text.h"
#include "system/script/arguments.h"
#include "system/script/calls.h"

namespace forewarp::system {
namespace {

constexpr double most_tag = 2147483647.0;

/// A rank, "LABEL:INDEX", or the label of a single process.
std::uint32_t rank_at(ScriptContext& context, lua_State* state, int index,
                      const CallArguments& arguments) {
  if (lua_type(state, index) == LUA_TNUMBER) {
    const double rank = arguments.number(index, "the process");
    const std::size_t count = context.application.world->processes().size();
    if (rank != std::floor(rank) || rank >= static_cast<double>(count)) {
      arguments.fault("there is no process " + significant(rank, 6) + "; expected 0 to " +
                      std::to_string(count - 1));
    }
    return static_cast<std::uint32_t>(rank);
  }
  const auto& groups = context.application.groups;
  const std::string text = arguments.text(index, "the process");
  const std::size_t colon = text.find(':');
  const auto group = groups.find(text.substr(0, colon));
  if (group == groups.end() || group->first.empty()) {
    arguments.fault("no process has the label '" + text.substr(0, colon) + "'");
  }
  const auto& ranks = group->second.ranks;
  if (colon == std::string::npos) {
    if (ranks.size() != 1) {
      arguments.fault("there are " + std::to_string(ranks.size()) + " processes of the label '" +
                      text + "'; expected one, or '" + text + ":INDEX'");
    }
    return ranks.front();
  }
  const auto number = parse_natural(std::string_view(text).substr(colon + 1));
  if (!number || *number >= ranks.size()) {
    arguments.fault("there is no process '" + text + "'; expected an index of 0 to " +
                    std::to_string(ranks.size() - 1));
  }
  return ranks[*number];
}

std::int64_t tag_of(const CallArguments& arguments, int index) {
  if (lua_gettop(arguments.state()) < index) return 0;
  static constexpr const char* known[] = {"tag", nullptr};
  arguments.only(index, known);
  const double tag = arguments.number_field(index, "tag").value_or(0);
  if (tag != std::floor(tag) || tag > most_tag)
    arguments.fault("the tag is no whole number below 2^31");
  return static_cast<std::int64_t>(tag);
}

Sending sent(ScriptContext& context, lua_State* state, const char* call) {
  Process& process = calling(context, call);
  const CallArguments arguments(state, call);
  const std::uint32_t to = rank_at(context, state, 1, arguments);
  const double bytes = arguments.number(2, "the size in bytes");
  return context.application.send(process, to, bytes, tag_of(arguments, 3));
}

/// send(to, bytes, {tag = }): until the data are there.
int send(ScriptContext& context, lua_State* state) {
  const Sending sending = sent(context, state, "send");
  context.application.world->wait_sent(*context.process, sending);
  return 0;
}

/// isend(to, bytes, {tag = }) -> a handle for wait().
int isend(ScriptContext& context, lua_State* state) {
  context.sendings.push_back(sent(context, state, "isend"));
  lua_pushinteger(state, static_cast<lua_Integer>(context.sendings.size()));
  return 1;
}

int wait(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "wait");
  const CallArguments arguments(state, "wait");
  const double handle = arguments.number(1, "the handle");
  if (!(handle >= 1 && handle <= static_cast<double>(context.sendings.size()))) {
    arguments.fault("the handle is none; expected a value of sim.isend()");
  }
  context.application.world->wait_sent(process,
                                       context.sendings[static_cast<std::size_t>(handle) - 1]);
  return 0;
}

/// notify(to): an order of events, which takes no time.
int notify(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "notify");
  const CallArguments arguments(state, "notify");
  const std::uint32_t to = rank_at(context, state, 1, arguments);
  context.application.world->send(process, to, 0, tag_of(arguments, 2), true);
  return 0;
}

/// receive(from, {tag = }) -> bytes and the sender's rank; from: a process, a label, or nil for
/// anybody.
int receive(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "receive");
  const CallArguments arguments(state, "receive");
  Expectation expected;
  const auto& groups = context.application.groups;
  const bool names_label = lua_type(state, 1) == LUA_TSTRING &&
                           groups.contains(lua_tostring(state, 1)) && *lua_tostring(state, 1) != 0;
  if (names_label) {
    expected.label = lua_tostring(state, 1);
  } else if (!lua_isnoneornil(state, 1)) {
    expected.from = rank_at(context, state, 1, arguments);
  }
  expected.tag = tag_of(arguments, 2);
  const Message message = context.application.world->receive(process, expected);
  lua_pushnumber(state, message.bytes);
  lua_pushinteger(state, message.from);
  return 2;
}

}  // namespace

void add_messages(lua_State* state) {
  add_call(state, "send", send);
  add_call(state, "isend", isend);
  add_call(state, "wait", wait);
  add_call(state, "notify", notify);
  add_call(state, "receive", receive);
}

}  // namespace forewarp::system
