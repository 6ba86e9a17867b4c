// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace_script.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/parts.h"
#include "base/text.h"
#ifdef FOREWARP_STORE
#include "store/trace_database.h"
#endif

namespace forewarp::cli {
namespace {

using Json = nlohmann::json;

/// Everything but letters and digits as a number: what a name holds ends no text.
std::string lua_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    const bool plain = code >= ' ' && code < 127 && c != '"' && c != '\\';
    quoted += plain ? std::string(1, c) : fmt::format("\\{:03}", static_cast<unsigned>(code));
  }
  return quoted + '"';
}

std::string lua_value(const Json& value) {
  if (value.is_string()) return lua_text(value.get<std::string>());
  if (value.is_array()) {
    std::string items;
    for (const Json& item : value) items += lua_value(item) + ", ";
    return "{" + items + "}";
  }
  if (value.is_object()) {
    std::string items;
    for (const auto& [key, item] : value.items()) {
      items += "[" + lua_text(key) + "] = " + lua_value(item) + ", ";
    }
    return "{" + items + "}";
  }
  return value.is_null() ? "nil" : value.dump();
}

/// What an operation of the trace waited for, as far as times tell.
struct Wait {
  std::size_t cause = 0;  ///< number of an operation, from 1; 0: the beginning
  double gap_s = 0;       ///< from its end until this one began
};

/// Two clocks of a trace differ by rounding; an operation that began so much earlier began after.
constexpr double rounding_s = 1e-9;

std::vector<Wait> waits_of(const std::vector<DeviceOperation>& operations) {
  std::vector<Wait> waits(operations.size());
  std::vector<std::size_t> by_end(operations.size());
  for (std::size_t i = 0; i < by_end.size(); ++i) by_end[i] = i;
  std::stable_sort(by_end.begin(), by_end.end(), [&](std::size_t a, std::size_t b) {
    return operations[a].end_s < operations[b].end_s;
  });
  std::size_t ended = 0;
  std::optional<std::size_t> last;  // of those that ended, and began, before
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const double begin = operations[i].begin_s;
    while (ended < by_end.size() && operations[by_end[ended]].end_s <= begin + rounding_s &&
           by_end[ended] < i) {
      last = by_end[ended++];
    }
    if (last) {
      waits[i] = {*last + 1, std::max(0.0, begin - operations[*last].end_s)};
    } else {
      waits[i] = {0, begin - operations.front().begin_s};
    }
  }
  return waits;
}

/// Which kernels ran while another one of their device did. In the order of their beginnings, one
/// does so with the latest end before it or with the next.
std::vector<bool> beside_others(const std::vector<DeviceOperation>& operations) {
  std::vector<bool> beside(operations.size());
  std::map<std::uint64_t, std::size_t> latest;  // kernel that ends last so far, by device
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (operations[i].direction) continue;
    const auto [last, is_first] = latest.try_emplace(operations[i].device, i);
    if (is_first) continue;
    if (operations[last->second].end_s > operations[i].begin_s + rounding_s) {
      beside[i] = beside[last->second] = true;
    }
    if (operations[i].end_s > operations[last->second].end_s) last->second = i;
  }
  return beside;
}

/// Numbers from 1 on for what is met, in the order in which it is.
template <typename Key>
class Numbers {
 public:
  std::size_t of(const Key& key) {
    const auto [place, is_new] = numbers_.try_emplace(key, numbers_.size() + 1);
    if (is_new) keys_.push_back(key);
    return place->second;
  }
  [[nodiscard]] const std::vector<Key>& keys() const { return keys_; }

 private:
  std::map<Key, std::size_t> numbers_;
  std::vector<Key> keys_;
};

std::string extent_text(const std::optional<Extent>& extent) {
  if (!extent) return "false";
  return fmt::format("{{{}, {}, {}}}", (*extent)[0], (*extent)[1], (*extent)[2]);
}

constexpr const char* body = R"lua(
if v.copies ~= "modelled" and v.copies ~= "measured" then
  error("copies is '" .. v.copies .. "'; expected modelled or measured", 0)
end

-- What waits for an operation of another stream is found once.
local awaited = {}
for i, o in ipairs(operations) do
  if o[5] > 0 and operations[o[5]][2] ~= o[2] then awaited[o[5]] = true end
end

sim.process("TRACE", function()
  local lanes, events = {}, {}
  for i, gpu in ipairs(streams) do lanes[i] = sim.stream(gpu) end
  for i, o in ipairs(operations) do
    local stream, cause = lanes[o[2]], o[5]
    if events[cause] then sim.stream_wait(stream, events[cause]) end
    if o[4] > 0 then sim.delay(o[4], {stream = stream}) end
    if o[6] then
      local seconds = v.copies == "measured" and o[3] or nil
      sim.copy(o[6], o[7], {memory = o[8], stream = stream, seconds = seconds})
    elseif cases[o[1]] then
      local launch = {stream = stream, name = names[o[1]], beside = o[9]}
      for key, value in pairs(cases[o[1]]) do launch[key] = value end
      launch.grid = launch.grid or o[7] or nil
      launch.block = launch.block or o[8] or nil
      sim.kernel(launch)
    else
      sim.kernel{seconds = o[3], name = names[o[1]], stream = stream, beside = o[9]}
    end
    if awaited[i] then events[i] = sim.record(stream) end
  end
  sim.synchronise()
end)
)lua";

}  // namespace

bool is_trace(const std::string& file) {
  const std::string kind = std::filesystem::path(file).extension().string();
  return kind == ".sqlite" || kind == ".csv" || kind == ".json";
}

Expected<DeviceTrace> read_device_trace(const std::string& file) {
  if (file.ends_with(".sqlite")) {
#ifdef FOREWARP_STORE
    return store::read_trace_database(file);
#else
    return Diagnostic{file, "is SQLite, which this build does not read",
                      "CSV of nsys stats --report cuda_gpu_trace", build_all_parts};
#endif
  }
  const auto text = read_file(file);
  if (!text) return text.error();
  return file.ends_with(".csv") ? parse_systems_trace(*text, file)
                                : parse_chrome_trace(*text, file);
}

Expected<KernelCases> read_kernel_cases(const std::string& file) {
  const auto text = read_file(file);
  if (!text) return text.error();
  KernelCases cases;
  std::size_t number = 0;
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  for (const std::string_view line : split(*text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    Json json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("kernel") || !json["kernel"].is_string()) {
      return Diagnostic{file + ":" + std::to_string(number), "is no case that names its kernel",
                        "{\"kernel\": \"axpy\", \"input\": \"axpy.sass\", ..}", ""};
    }
    if (json.contains("input") && json["input"].is_string()) {
      json["input"] = (folder / json["input"].get<std::string>()).lexically_normal().string();
    }
    for (const char* key : {"id", "gpu", "count", "measured_ms"}) json.erase(key);
    const std::string kernel = json["kernel"];
    cases[kernel] = lua_value(json);
  }
  return cases;
}

std::string trace_script(const DeviceTrace& trace, const KernelCases& cases) {
  Numbers<std::string> names;
  Numbers<std::pair<std::uint64_t, std::uint64_t>> streams;
  Numbers<std::uint64_t> devices;
  const std::vector<Wait> waits = waits_of(trace.operations);
  const std::vector<bool> beside = beside_others(trace.operations);
  std::string rows;
  for (std::size_t i = 0; i < trace.operations.size(); ++i) {
    const DeviceOperation& one = trace.operations[i];
    devices.of(one.device);
    rows += fmt::format("  {{{}, {}, {:.17g}, {:.17g}, {}, ", names.of(one.name),
                        streams.of({one.device, one.stream}), one.end_s - one.begin_s,
                        waits[i].gap_s, waits[i].cause);
    if (one.direction) {
      rows += fmt::format("\"{}\", {:.17g}, \"{}\"}},\n", direction_name(*one.direction), one.bytes,
                          memory_name(one.memory));
    } else {
      rows += fmt::format("false, {}, {}{}}},\n", extent_text(one.grid), extent_text(one.block),
                          beside[i] ? ", true" : "");
    }
  }
  std::string text = "-- " + lua_text(trace.file) +
                     ": operations as {name, stream, seconds, seconds before, after which one, "
                     "direction of a copy or false, its bytes or the grid, its memory or the "
                     "block, whether the kernel ran beside another}\nlocal v = "
                     "sim.variables{copies = \"modelled\"}  -- or measured\n";
  text += "local names = {\n";
  for (const std::string& name : names.keys()) text += "  " + lua_text(name) + ",\n";
  text += "}\nlocal cases = {\n";
  for (const std::string& name : names.keys()) {
    const auto found = cases.find(name);
    if (found != cases.end()) {
      text += "  [" + std::to_string(names.of(name)) + "] = " + found->second + ",\n";
    }
  }
  text += "}\nlocal streams = {";
  for (const auto& [device, stream] : streams.keys()) {
    text += std::to_string(devices.of(device) - 1) + ", ";
  }
  return text + "}  -- the GPU of each\nlocal operations = {\n" + rows + "}\n" + body;
}

}  // namespace forewarp::cli
