// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "system/engine/stream.h"
#include "system/script/arguments.h"
#include "system/script/calls.h"

namespace forewarp::system {
namespace {

/// Calls a function of the unit's model with the value on top of the stack, which it replaces.
std::optional<double> from_model(ScriptContext& context, lua_State* state, const char* function,
                                 const CallArguments& arguments) {
  if (context.model == 0) return std::nullopt;
  lua_rawgeti(state, LUA_REGISTRYINDEX, context.model);
  lua_pushstring(state, function);
  const int type = lua_rawget(state, -2);  // of its own: it may do without
  lua_remove(state, -2);
  if (type == LUA_TNIL) {
    lua_pop(state, 1);
    return std::nullopt;
  }
  lua_pushvalue(state, -2);
  Sandbox::call_back(state, 1, 1);
  const double value = arguments.number(lua_gettop(state), function);
  lua_pop(state, 1);
  return value;
}

/// The name of what a table describes; what scripts keep in queues is short.
std::optional<std::string> name_field(const CallArguments& arguments) {
  auto name = arguments.text_field(1, "name");
  if (name) *name = name->substr(0, Timeline::longest_name);
  return name;
}

/// compute(size, function) or compute{operations = } or compute{seconds = } or compute{parameters
/// of the unit's model}.
int compute(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "compute");
  const CallArguments arguments(state, "compute");
  World& world = *context.application.world;
  const Component& unit = world.system().components[process.place.component];
  std::optional<double> seconds, operations, watts;
  std::string name;
  if (lua_istable(state, 1)) {
    name = name_field(arguments).value_or("");
    lua_settop(state, 1);
    static constexpr const char* known[] = {"seconds", "operations", "name", nullptr};
    if (context.model == 0) arguments.only(1, known);
    seconds = from_model(context, state, "compute_time", arguments);
    watts = from_model(context, state, "active_power", arguments);
    if (!seconds) seconds = arguments.number_field(1, "seconds");
    if (!seconds) operations = arguments.number_field(1, "operations");
    if (!seconds && !operations) {
      arguments.fault(
          "no time follows from the table; expected operations, seconds, or a model of " +
          unit.name + " with compute_time");
    }
  } else {
    const double size = arguments.number(1, "the data size");
    arguments.function(2, "the complexity");
    lua_settop(state, 2);
    lua_pushnumber(state, size);
    Sandbox::call_back(state, 1, 1);
    operations = arguments.number(lua_gettop(state), "the number of operations");
  }
  if (!seconds && unit.performance <= 0) {
    arguments.fault(unit.name + " has no performance, in operations per second, in " +
                    world.system().file);
  }
  world.compute(process, seconds ? *seconds : *operations / unit.performance, Activity::compute,
                name, watts.value_or(-1));
  return 0;
}

/// The stream of a table's field; null: none.
Stream* stream_field(Process& process, lua_State* state, int index,
                     const CallArguments& arguments) {
  const auto number = arguments.count_field(index, "stream");
  if (!number) return nullptr;
  if (*number < 1 || *number > process.streams.size()) {
    arguments.fault("stream " + std::to_string(*number) +
                    " is none; expected a value of sim.stream()");
  }
  (void)state;
  return process.streams[*number - 1].get();
}

/// The device that a call means, and the stream that it goes to.
Issue issue_of(ScriptContext& context, Process& process, lua_State* state, int index,
               const CallArguments& arguments) {
  Stream* const stream = stream_field(process, state, index, arguments);
  const auto gpu = arguments.count_field(index, "gpu");
  if (stream != nullptr && gpu)
    arguments.fault("both gpu and stream stand there; a stream has a GPU");
  const std::size_t device = stream != nullptr
                                 ? stream->device()
                                 : context.application.world->device_of(process, gpu.value_or(0));
  return {process, device, stream};
}

/// The graph of a handle at `index`.
Graph& graph_at(Process& process, int index, const CallArguments& arguments) {
  std::uint32_t number = 0;
  if (lua_istable(arguments.state(), index)) {
    number = arguments.count_field(index, "graph").value_or(0);
  }
  if (number < 1 || number > process.graphs.size()) {
    arguments.fault("the graph is none; expected a value of sim.graph()");
  }
  return *process.graphs[number - 1];
}

bool has_field(lua_State* state, int index, const char* name) {
  lua_pushstring(state, name);
  const bool is_there = lua_rawget(state, index) != LUA_TNIL;
  lua_pop(state, 1);
  return is_there;
}

bool flag_field(lua_State* state, int index, const char* name) {
  lua_pushstring(state, name);
  lua_rawget(state, index);
  const bool is_set = lua_toboolean(state, -1) != 0;
  lua_pop(state, 1);
  return is_set;
}

/// The graph that a table's field names; null: none.
Graph* graph_field(Process& process, int index, const CallArguments& arguments) {
  lua_State* const state = arguments.state();
  if (!lua_istable(state, index)) return nullptr;
  lua_pushliteral(state, "graph");
  const bool is_there = lua_rawget(state, index) != LUA_TNIL;
  Graph* const graph = is_there ? &graph_at(process, lua_gettop(state), arguments) : nullptr;
  lua_pop(state, 1);
  if (graph == nullptr && has_field(state, index, "after")) {
    arguments.fault("after stands without graph; nodes of a graph follow others");
  }
  if (graph != nullptr && (arguments.count_field(index, "stream").has_value() ||
                           arguments.count_field(index, "gpu").has_value())) {
    arguments.fault("graph stands beside gpu or stream; a graph has a GPU, its launch a stream");
  }
  return graph;
}

/// A node's number, which scripts count from 1.
std::size_t node_at(int index, const CallArguments& arguments) {
  const double number = arguments.number(index, "after");
  if (number < 1 || number != std::floor(number)) {
    arguments.fault("after is " + significant(number) + "; expected numbers of nodes");
  }
  return static_cast<std::size_t>(number) - 1;
}

/// after = NODE or {NODE, ..}; without: the node before.
NodeOrder order_field(int index, const CallArguments& arguments) {
  lua_State* const state = arguments.state();
  lua_pushliteral(state, "after");
  NodeOrder order;
  const int type = lua_rawget(state, index);
  if (type == LUA_TTABLE) {
    const int list = lua_gettop(state);
    order.emplace();
    for (lua_Integer i = 1; lua_rawgeti(state, list, i) != LUA_TNIL; ++i) {
      order->push_back(node_at(lua_gettop(state), arguments));
      lua_pop(state, 1);
    }
    lua_pop(state, 1);
  } else if (type != LUA_TNIL) {
    order = {node_at(lua_gettop(state), arguments)};
  }
  lua_pop(state, 1);
  return order;
}

/// A kernel or a copy that goes into a graph answers with its node's number.
template <typename Run>
int add_node(ScriptContext& context, Graph& graph, const Run& run, int index,
             const CallArguments& arguments) {
  const NodeOrder order = order_field(index, arguments);
  const std::size_t node = context.application.devices->add(*context.process, graph, run, order);
  lua_pushinteger(arguments.state(), static_cast<lua_Integer>(node) + 1);
  return 1;
}

/// A launch as a case: without what only says where it goes.
std::string case_of(lua_State* state, const std::string& gpu) {
  auto json = nlohmann::json::parse(json_of(state, 1));
  for (const char* key : {"stream", "gpu", "name", "graph", "after", "beside"}) json.erase(key);
  json["gpu"] = gpu;
  return json.dump();
}

/// kernel{input = , grid = , block = , args = ..} as a case of predict, or kernel{seconds = };
/// answers with the seconds that it takes.
int kernel(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "kernel");
  const CallArguments arguments(state, "kernel");
  arguments.table(1, "the argument");
  Graph* const graph = graph_field(process, 1, arguments);
  const Issue issue = graph != nullptr ? Issue{process, graph->device}
                                       : issue_of(context, process, state, 1, arguments);
  KernelRun run;
  const auto name = name_field(arguments);
  run.name = name.value_or("kernel");
  run.is_beside = flag_field(state, 1, "beside");
  if (const auto seconds = arguments.number_field(1, "seconds")) {
    static constexpr const char* known[] = {"seconds", "name",  "gpu",    "stream",
                                            "graph",   "after", "beside", nullptr};
    arguments.only(1, known);
    run.seconds = *seconds;
  } else {
    const Component& unit = context.application.world->system().components[issue.device];
    if (unit.hardware.empty()) {
      arguments.fault(unit.name + " has no hardware; expected hardware = \"ID\" in " +
                      context.application.world->system().file);
    }
    const auto predicted =
        context.application.kernels->predict(case_of(state, unit.hardware), unit.memory_bytes);
    if (!predicted) arguments.fault(predicted.error().line());
    run.seconds = predicted->seconds;
    run.costs = predicted->costs;
    if (!name) run.name = predicted->name;
  }
  if (graph != nullptr) return add_node(context, *graph, run, 1, arguments);
  context.application.devices->kernel(issue, run);
  lua_pushnumber(state, run.seconds);
  return 1;
}

/// copy("h2d", bytes, {memory = , stream = , gpu = }).
int copy(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "copy");
  const CallArguments arguments(state, "copy");
  const auto direction = direction_named(arguments.text(1, "the direction"));
  if (!direction) arguments.fault("the direction is none; expected h2d or d2h");
  CopyRun run{*direction, arguments.number(2, "the size in bytes"), HostSide::pageable};
  static constexpr const char* known[] = {"memory", "stream", "gpu",  "seconds",
                                          "graph",  "after",  nullptr};
  arguments.only(3, known);
  run.seconds = arguments.number_field(3, "seconds").value_or(-1);
  if (const auto text = arguments.text_field(3, "memory")) {
    const auto side = host_side_named(*text);
    if (!side) arguments.fault("the memory is none; expected pageable, pinned or untouched");
    if (*side == HostSide::untouched && *direction == CopyDirection::to_device) {
      arguments.fault("untouched memory has nothing to copy; expected d2h");
    }
    run.side = *side;
  }
  Graph* const graph = graph_field(process, 3, arguments);
  if (graph != nullptr) return add_node(context, *graph, run, 3, arguments);
  context.application.devices->copy(issue_of(context, process, state, 3, arguments), run);
  return 0;
}

/// graph() or graph(gpu) -> a handle.
int graph(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "graph");
  const CallArguments arguments(state, "graph");
  const double gpu = lua_isnoneornil(state, 1) ? 0 : arguments.number(1, "the GPU's number");
  const std::size_t device =
      context.application.world->device_of(process, static_cast<std::uint32_t>(gpu));
  context.application.devices->open_graph(process, device);
  lua_createtable(state, 0, 1);
  lua_pushinteger(state, static_cast<lua_Integer>(process.graphs.size()));
  lua_setfield(state, -2, "graph");
  return 1;
}

/// launch(graph, {stream = }).
int launch(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "launch");
  const CallArguments arguments(state, "launch");
  Graph& graph = graph_at(process, 1, arguments);
  static constexpr const char* known[] = {"stream", nullptr};
  arguments.only(2, known);
  Stream* const stream = stream_field(process, state, 2, arguments);
  context.application.devices->launch(process, graph, stream);
  return 0;
}

/// calls(count).
int calls(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "calls");
  const double count = CallArguments(state, "calls").number(1, "how many");
  context.application.devices->calls(process, count);
  return 0;
}

/// delay(seconds) of the process, or delay(seconds, {stream = }).
int delay(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "delay");
  const CallArguments arguments(state, "delay");
  const double seconds = arguments.number(1, "the time in seconds");
  static constexpr const char* known[] = {"stream", nullptr};
  arguments.only(2, known);
  if (Stream* const stream = stream_field(process, state, 2, arguments)) {
    context.application.devices->delay(process, *stream, seconds);
  } else {
    context.application.world->delay(process, seconds);
  }
  return 0;
}

/// stream() or stream(gpu) -> a handle.
int stream(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "stream");
  const CallArguments arguments(state, "stream");
  const double gpu = lua_isnoneornil(state, 1) ? 0 : arguments.number(1, "the GPU's number");
  const std::size_t device =
      context.application.world->device_of(process, static_cast<std::uint32_t>(gpu));
  context.application.devices->open_stream(process, device);
  lua_pushinteger(state, static_cast<lua_Integer>(process.streams.size()));
  return 1;
}

Stream& stream_at(Process& process, int index, const CallArguments& arguments) {
  const double number = arguments.number(index, "the stream");
  if (!(number >= 1 && number <= static_cast<double>(process.streams.size()))) {
    arguments.fault("the stream is none; expected a value of sim.stream()");
  }
  return *process.streams[static_cast<std::size_t>(number) - 1];
}

/// synchronise() or synchronise(stream).
int synchronise(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "synchronise");
  const CallArguments arguments(state, "synchronise");
  Stream* const one = lua_isnoneornil(state, 1) ? nullptr : &stream_at(process, 1, arguments);
  context.application.devices->synchronise(process, one);
  return 0;
}

constexpr std::size_t most_events = 1'000'000;

/// record(stream) -> an event: what is in the stream so far.
int record(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "record");
  const CallArguments arguments(state, "record");
  Stream& stream = stream_at(process, 1, arguments);
  if (context.events.size() >= most_events) arguments.fault("more than 1000000 events");
  context.events.push_back({&stream, stream.given()});
  lua_createtable(state, 0, 1);
  lua_pushinteger(state, static_cast<lua_Integer>(context.events.size()));
  lua_setfield(state, -2, "event");
  return 1;
}

/// stream_wait(stream, other): what follows in one waits for what is in the other so far, or for an
/// event.
int stream_wait(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "stream_wait");
  const CallArguments arguments(state, "stream_wait");
  Stream& stream = stream_at(process, 1, arguments);
  StreamEvent event;
  if (lua_istable(state, 2)) {
    const std::uint32_t number = arguments.count_field(2, "event").value_or(0);
    if (number < 1 || number > context.events.size()) {
      arguments.fault("the event is none; expected a value of sim.record()");
    }
    event = context.events[number - 1];
  } else {
    Stream& other = stream_at(process, 2, arguments);
    event = {&other, other.given()};
  }
  context.application.devices->wait_for(process, stream, event);
  return 0;
}

int transferred(ScriptContext& context, lua_State* state, const char* call, bool is_read) {
  Process& process = calling(context, call);
  const CallArguments arguments(state, call);
  const double bytes = arguments.number(1, "the size in bytes");
  static constexpr const char* known[] = {"disk", nullptr};
  arguments.only(2, known);
  World& world = *context.application.world;
  const std::size_t disk = world.disk_of(process, arguments.text_field(2, "disk").value_or(""));
  world.transfer(process, disk, bytes, is_read);
  return 0;
}

/// read(bytes, {disk = }), write(bytes, {disk = }).
int read(ScriptContext& context, lua_State* state) {
  return transferred(context, state, "read", true);
}
int write(ScriptContext& context, lua_State* state) {
  return transferred(context, state, "write", false);
}

/// clock(share): of the process's unit; clock(share, {gpu = }): of one of its GPUs.
int clock(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "clock");
  const CallArguments arguments(state, "clock");
  const double share = arguments.number(1, "the share of the usual clock");
  static constexpr const char* known[] = {"gpu", nullptr};
  arguments.only(2, known);
  World& world = *context.application.world;
  const auto gpu = arguments.count_field(2, "gpu");
  world.set_clock(gpu ? world.device_of(process, *gpu) : process.place.component, share);
  return 0;
}

/// allocate(bytes, {gpu = }): memory of the process's unit or of its GPU, until the end.
int allocate(ScriptContext& context, lua_State* state) {
  Process& process = calling(context, "allocate");
  const CallArguments arguments(state, "allocate");
  const double bytes = arguments.number(1, "the size in bytes");
  static constexpr const char* known[] = {"gpu", nullptr};
  arguments.only(2, known);
  World& world = *context.application.world;
  const auto gpu = arguments.count_field(2, "gpu");
  context.application.allocate(gpu ? world.device_of(process, *gpu) : process.place.component,
                               bytes);
  return 0;
}

/// answer("tokens/s", number): a figure of the whole run.
int answer(ScriptContext& context, lua_State* state) {
  (void)calling(context, "answer");
  const CallArguments arguments(state, "answer");
  const std::string name = arguments.text(1, "the name");
  context.application.answer(name, arguments.number(2, "the value"));
  return 0;
}

int now(ScriptContext& context, lua_State* state) {
  (void)calling(context, "now");
  lua_pushnumber(state, World::now());
  return 1;
}

}  // namespace

void add_work(lua_State* state) {
  add_call(state, "compute", compute);
  add_call(state, "kernel", kernel);
  add_call(state, "copy", copy);
  add_call(state, "graph", graph);
  add_call(state, "launch", launch);
  add_call(state, "calls", calls);
  add_call(state, "delay", delay);
  add_call(state, "stream", stream);
  add_call(state, "synchronise", synchronise);
  add_call(state, "record", record);
  add_call(state, "stream_wait", stream_wait);
  add_call(state, "allocate", allocate);
  add_call(state, "answer", answer);
  add_call(state, "now", now);
  add_call(state, "read", read);
  add_call(state, "write", write);
  add_call(state, "clock", clock);
}

}  // namespace forewarp::system
