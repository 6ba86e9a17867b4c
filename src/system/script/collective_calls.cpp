// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "system/script/arguments.h"
#include "system/script/calls.h"

namespace forewarp::system {
namespace {

/// A collective's group: the processes of the caller's label, or all with group = "all".
Collectives::Call call_of(ScriptContext& context, int index, const CallArguments& arguments,
                          const char* name) {
  Process& process = calling(context, name);
  const std::string which = arguments.text_field(index, "group").value_or(process.place.label);
  if (which != "all" && which != process.place.label) {
    arguments.fault("the group '" + which + "' is not the caller's; expected all or " +
                    process.place.label);
  }
  const Group& group = context.application.groups.at(which == "all" ? "" : which);
  const std::uint32_t own = which == "all" ? process.rank : process.place.index;
  return {process, group.ranks, own, group.number};
}

std::uint32_t root_of(const Collectives::Call& call, int index, const CallArguments& arguments) {
  const std::uint32_t root = arguments.count_field(index, "root").value_or(0);
  if (root >= call.ranks.size()) {
    arguments.fault("root is " + std::to_string(root) + "; expected 0 to " +
                    std::to_string(call.ranks.size() - 1));
  }
  return root;
}

int barrier(ScriptContext& context, lua_State* state) {
  const CallArguments arguments(state, "barrier");
  static constexpr const char* known[] = {"group", nullptr};
  arguments.only(1, known);
  context.application.collectives->barrier(call_of(context, 1, arguments, "barrier"));
  return 0;
}

int all_reduce(ScriptContext& context, lua_State* state) {
  const CallArguments arguments(state, "all_reduce");
  const double bytes = arguments.number(1, "the size in bytes");
  static constexpr const char* known[] = {"group", "way", "across", "level", nullptr};
  arguments.only(2, known);
  const auto way = reduce_way_named(arguments.text_field(2, "way").value_or("ring"));
  if (!way) arguments.fault("the way is none; expected ring, tree or hierarchical");
  const auto across = reduce_way_named(arguments.text_field(2, "across").value_or("ring"));
  if (!across || *across == ReduceWay::hierarchical) {
    arguments.fault("the way across islands is none; expected ring or tree");
  }
  const auto level = reduce_level_named(arguments.text_field(2, "level").value_or("auto"));
  if (!level) arguments.fault("the level is none; expected auto, closed or messages");
  context.application.collectives->all_reduce(call_of(context, 2, arguments, "all_reduce"), bytes,
                                              {*way, *across, *level});
  return 0;
}

int all_to_all(ScriptContext& context, lua_State* state) {
  const CallArguments arguments(state, "all_to_all");
  const double bytes = arguments.number(1, "the size in bytes");
  static constexpr const char* known[] = {"group", nullptr};
  arguments.only(2, known);
  context.application.collectives->all_to_all(call_of(context, 2, arguments, "all_to_all"), bytes);
  return 0;
}

using Rooted = void (Collectives::*)(const Collectives::Call&, double, std::uint32_t);

int rooted(ScriptContext& context, lua_State* state, const char* name, Rooted operation) {
  const CallArguments arguments(state, name);
  const double bytes = arguments.number(1, "the size in bytes");
  static constexpr const char* known[] = {"group", "root", nullptr};
  arguments.only(2, known);
  const Collectives::Call call = call_of(context, 2, arguments, name);
  (context.application.collectives->*operation)(call, bytes, root_of(call, 2, arguments));
  return 0;
}

int broadcast(ScriptContext& context, lua_State* state) {
  return rooted(context, state, "broadcast", &Collectives::broadcast);
}
int reduce(ScriptContext& context, lua_State* state) {
  return rooted(context, state, "reduce", &Collectives::reduce);
}
int scatter(ScriptContext& context, lua_State* state) {
  return rooted(context, state, "scatter", &Collectives::scatter);
}
int gather(ScriptContext& context, lua_State* state) {
  return rooted(context, state, "gather", &Collectives::gather);
}

}  // namespace

void add_collectives(lua_State* state) {
  add_call(state, "barrier", barrier);
  add_call(state, "broadcast", broadcast);
  add_call(state, "reduce", reduce);
  add_call(state, "all_reduce", all_reduce);
  add_call(state, "scatter", scatter);
  add_call(state, "gather", gather);
  add_call(state, "all_to_all", all_to_all);
}

}  // namespace forewarp::system
