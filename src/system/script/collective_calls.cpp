// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "system/script/arguments.h"
#include "system/script/calls.h"

namespace forewarp::system {
namespace {

/// The ranks of `group = {0, 4, 8}`; nullopt: the field is no table.
std::optional<std::vector<std::uint32_t>> listed_ranks(const CallArguments& arguments, int index) {
  lua_State* state = arguments.state();
  if (!lua_istable(state, index)) return std::nullopt;
  lua_getfield(state, index, "group");
  if (!lua_istable(state, -1)) {
    lua_pop(state, 1);
    return std::nullopt;
  }
  std::vector<std::uint32_t> ranks;
  const auto count = static_cast<lua_Integer>(lua_rawlen(state, -1));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(state, -1, i);
    int is_whole = 0;
    const lua_Integer rank = lua_tointegerx(state, -1, &is_whole);
    lua_pop(state, 1);
    if (is_whole == 0 || rank < 0 || rank > UINT32_MAX) {
      arguments.fault("entry " + std::to_string(i) + " of the group is no rank");
    }
    ranks.push_back(static_cast<std::uint32_t>(rank));
  }
  lua_pop(state, 1);
  return ranks;
}

/// A group of listed ranks, the same for all that list the same in the same order.
Collectives::Call listed_group(ScriptContext& context, std::vector<std::uint32_t> ranks,
                               Process& process, const CallArguments& arguments) {
  constexpr std::size_t most_groups = 1 << 16;  // that tags of messages tell apart
  Application& application = context.application;
  const std::size_t size = application.groups.at("").ranks.size();
  const auto own = std::find(ranks.begin(), ranks.end(), process.rank);
  if (own == ranks.end()) arguments.fault("the group does not contain the caller");
  const auto place = static_cast<std::uint32_t>(own - ranks.begin());
  const auto known = application.listed_groups.find(ranks);
  if (known != application.listed_groups.end()) {
    return {process, known->second.ranks, place, known->second.number};
  }
  std::vector<std::uint32_t> sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end() || sorted.back() >= size) {
    arguments.fault("the group names a rank twice, or one that is not below " +
                    std::to_string(size));
  }
  const std::size_t number = application.groups.size() + application.listed_groups.size();
  if (number >= most_groups) arguments.fault("there are more than 65,536 groups");
  Group group{static_cast<std::uint32_t>(number), ranks};
  const auto added = application.listed_groups.emplace(std::move(ranks), std::move(group)).first;
  return {process, added->second.ranks, place, added->second.number};
}

/// A collective's group: the processes of the caller's label, or all with group = "all".
Collectives::Call call_of(ScriptContext& context, int index, const CallArguments& arguments,
                          const char* name) {
  Process& process = calling(context, name);
  if (auto listed = listed_ranks(arguments, index)) {
    return listed_group(context, *std::move(listed), process, arguments);
  }
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
  const std::string named = arguments.text_field(2, "way").value_or("auto");
  const auto way = reduce_way_named(named);
  if (!way)
    arguments.fault("no way is '" + named +
                    "'; expected ring, tree, hierarchical, library or auto");
  const auto across = reduce_way_named(arguments.text_field(2, "across").value_or("ring"));
  if (!across || (*across != ReduceWay::ring && *across != ReduceWay::tree)) {
    arguments.fault("the way across islands is none; expected ring or tree");
  }
  const auto level = reduce_level_named(arguments.text_field(2, "level").value_or("auto"));
  if (!level) arguments.fault("the level is none; expected auto, closed or messages");
  context.application.collectives->all_reduce(call_of(context, 2, arguments, "all_reduce"), bytes,
                                              {*way, *across, *level});
  return 0;
}

using Parted = void (Collectives::*)(const Collectives::Call&, double, ReduceWay);

int parted(ScriptContext& context, lua_State* state, const char* name, Parted operation) {
  const CallArguments arguments(state, name);
  const double bytes = arguments.number(1, "the size in bytes");
  static constexpr const char* known[] = {"group", "way", nullptr};
  arguments.only(2, known);
  const std::string named = arguments.text_field(2, "way").value_or("auto");
  const auto way = reduce_way_named(named);
  if (!way || *way == ReduceWay::tree || *way == ReduceWay::hierarchical) {
    arguments.fault("no way is '" + named + "'; expected ring, library or auto");
  }
  (context.application.collectives->*operation)(call_of(context, 2, arguments, name), bytes, *way);
  return 0;
}

int all_gather(ScriptContext& context, lua_State* state) {
  return parted(context, state, "all_gather", &Collectives::all_gather);
}
int reduce_scatter(ScriptContext& context, lua_State* state) {
  return parted(context, state, "reduce_scatter", &Collectives::reduce_scatter);
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
  const CallArguments arguments(state, "broadcast");
  const double bytes = arguments.number(1, "the size in bytes");
  static constexpr const char* known[] = {"group", "root", "way", nullptr};
  arguments.only(2, known);
  const std::string named = arguments.text_field(2, "way").value_or("auto");
  const auto way = reduce_way_named(named);
  if (!way || *way == ReduceWay::ring || *way == ReduceWay::hierarchical) {
    arguments.fault("no way is '" + named + "'; expected tree, library or auto");
  }
  const Collectives::Call call = call_of(context, 2, arguments, "broadcast");
  context.application.collectives->broadcast(call, bytes, root_of(call, 2, arguments), *way);
  return 0;
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
  add_call(state, "all_gather", all_gather);
  add_call(state, "reduce_scatter", reduce_scatter);
  add_call(state, "all_to_all", all_to_all);
}

}  // namespace forewarp::system
