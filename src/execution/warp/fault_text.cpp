// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/fault_text.h"

#include <bit>

#include "base/text.h"
#include "execution/storage/buffer_content.h"

namespace forewarp::execution {
namespace {

std::string place_of(const Kernel& kernel, std::uint32_t index) {
  return kernel.name + " " +
         (index < kernel.instructions.size() ? hex(kernel.instructions[index].address, 4)
                                             : std::string("past the end"));
}

/// "block (1,0,0), thread 37"
std::string lane_text(const Block& block, const BlockFault& failed) {
  const std::string text = "block " + extent_text(block.index);
  if (failed.fault.lanes == 0) return text + ", warp " + std::to_string(failed.warp);
  const auto lane = static_cast<unsigned>(std::countr_zero(failed.fault.lanes));
  return text + ", thread " + std::to_string(failed.warp * lane_count + lane);
}

/// Name of the argument at byte `offset`, or its index if it has no name.
std::string parameter_name(const Kernel& kernel, std::uint32_t offset) {
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Parameter& parameter = kernel.parameters[i];
    if (offset < parameter.offset || offset >= parameter.offset + parameter.size) continue;
    return parameter.name.empty() ? std::to_string(i) : parameter.name;
  }
  return "INDEX";
}

struct Missing {
  std::string what;     ///< where the unknown value comes from
  std::string way_out;  ///< the option that supplies it
};

Missing missing_value(const Block& block, Origin origin) {
  const Environment& environment = *block.environment;
  const Kernel& kernel = *environment.program->kernel;
  if (origin == no_origin) return {"", ""};
  if ((origin & parameter_origin) != 0) {
    if ((origin & 0x40000000U) != 0) {
      const std::uint32_t bank = origin >> 20 & 0x3ffU;
      return {
          " comes from constant bank " + std::to_string(bank) + ", whose content the input lacks",
          "give the cubin instead of its listing, or the constants of the launch"};
    }
    const std::string name = parameter_name(kernel, origin & 0x3fffffffU);
    return {" comes from parameter " + name + ", which no argument gives",
            "--arg " + name + "=VALUE"};
  }
  Missing missing{" comes from " + instruction_text(kernel, origin), ""};
  const std::uint32_t buffer = environment.unknown_buffer[origin];
  if (buffer != GlobalMemory::no_buffer && buffer < environment.memory->buffer_count()) {
    const ExecutionBuffer& from = environment.memory->buffer(buffer);
    missing.what += " in buffer " + from.name;
    const std::string size = from.sized ? std::to_string(from.bytes) : "BYTES";
    const bool typed = !from.content.type.empty();
    // What a poll waits for is written by others: it begins with no such value.
    const bool polled = environment.program->ops[origin].has(flag::strong);
    const std::string drawn = holds_floats(from.content) ? ":random:1" : ":random:1:LOW:HIGH";
    missing.way_out = "--arg " + from.name + (typed ? "=buffer:" : "=buffer.TYPE:") + size +
                      (polled ? ":zeros" : drawn);
  }
  return missing;
}

Diagnostic unknown_text(const Block& block, const BlockFault& failed, const std::string& what) {
  const Kernel& kernel = *block.environment->program->kernel;
  const Fault& fault = failed.fault;
  const Missing missing = missing_value(block, fault.origin);
  Diagnostic result;
  result.place = place_of(kernel, fault.instruction);
  result.found = what + " of '" +
                 std::string(kernel.text_of(kernel.instructions[fault.instruction])) +
                 "' is not known (" + lane_text(block, failed) + ")";
  if (!missing.what.empty()) result.found += ": it" + missing.what;
  const bool by_option = missing.way_out.starts_with("--");
  result.way_out = (by_option ? "give it by " : "") + missing.way_out;
  if (fault.kind == Fault::Kind::unknown_condition) {
    const std::string address = hex(kernel.instructions[fault.instruction].address);
    result.way_out += result.way_out.empty() ? "" : ", or ";
    result.way_out += "say how often it holds by --assume-branch " + address + "=P";
  }
  return result;
}

/// A tensor copy whose map was not given as one.
Diagnostic unknown_map_text(const Block& block, const BlockFault& failed) {
  const Kernel& kernel = *block.environment->program->kernel;
  Diagnostic result;
  result.place = place_of(kernel, failed.fault.instruction);
  result.found = "the tensor map of '" +
                 std::string(kernel.text_of(kernel.instructions[failed.fault.instruction])) +
                 "' is not known (" + lane_text(block, failed) + ")";
  std::string name = "NAME";
  if (failed.fault.origin != no_origin) {
    name = parameter_name(kernel, failed.fault.origin & 0x3fffffffU);
    result.found += ": it is parameter " + name;
  }
  result.way_out = "give it by --arg " + name +
                   "=tensor:TYPE:SIZExSIZE:box=SIZExSIZE:swizzle=128B:BUFFER, innermost first";
  return result;
}

/// A function of the driver that is not there.
Diagnostic outside_text(const Kernel& kernel, const Fault& fault) {
  const bool launches = fault.detail.starts_with("cnp");
  return {place_of(kernel, fault.instruction), "it calls " + fault.detail,
          "no other function of the driver than printf, malloc, free and failed assertions",
          launches ? "kernels cannot launch kernels here: launch them from the host" : ""};
}

std::string plain_reason(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::bad_target:
      return "control leaves the kernel's code";
    case Fault::Kind::trap:
      return "the kernel stops itself (trap or failed assertion)";
    case Fault::Kind::stack_overflow:
      return "calls or divergent branches nest too deeply";
    case Fault::Kind::deadlock:
      return "all warps wait for a barrier or for lanes that never come";
    case Fault::Kind::step_limit:
      return "the limit on executed instructions is reached: the budget is spent";
    default:
      return "the warp cannot go on";
  }
}

}  // namespace

Diagnostic describe_fault(const Block& block, const BlockFault& failed) {
  const Kernel& kernel = *block.environment->program->kernel;
  switch (failed.fault.kind) {
    case Fault::Kind::unknown_address:
      return unknown_text(block, failed, "the address");
    case Fault::Kind::unknown_condition:
      return unknown_text(block, failed, "the condition");
    case Fault::Kind::unknown_target:
      return unknown_text(block, failed, "the target");
    case Fault::Kind::unknown_map:
      return unknown_map_text(block, failed);
    case Fault::Kind::bad_map:
      return {place_of(kernel, failed.fault.instruction),
              "'" + std::string(kernel.text_of(kernel.instructions[failed.fault.instruction])) +
                  "' " + failed.fault.detail,
              "", "give the map as tensor:TYPE:SIZExSIZE..:box=SIZExSIZE.., innermost first"};
    case Fault::Kind::unsupported:
      if (!failed.fault.detail.empty()) return outside_text(kernel, failed.fault);
      return {place_of(kernel, failed.fault.instruction),
              "'" + std::string(kernel.text_of(kernel.instructions[failed.fault.instruction])) +
                  "' cannot be executed",
              "", "counts from the static analysis remain"};
    default:
      break;
  }
  Diagnostic result{place_of(kernel, failed.fault.instruction),
                    plain_reason(failed.fault.kind) + " (" + lane_text(block, failed) + ")", "",
                    ""};
  if (failed.fault.kind == Fault::Kind::deadlock && !failed.fault.detail.empty()) {
    result.found = "warp " + std::to_string(failed.warp) + " " + failed.fault.detail + " (" +
                   lane_text(block, failed) + ")";
    result.expected = failed.expected;
  }
  if (failed.fault.kind == Fault::Kind::step_limit) {
    result.way_out = "a larger --budget; a loop may wait for what does not happen here";
  }
  return result;
}

}  // namespace forewarp::execution
