// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/execution_launch.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "execution/storage/device_image.h"

namespace forewarp::prediction {
namespace {

std::string buffer_name(const Kernel& kernel, std::uint32_t parameter) {
  const bool named =
      parameter < kernel.parameters.size() && !kernel.parameters[parameter].name.empty();
  return named ? kernel.parameters[parameter].name : std::to_string(parameter);
}

Expected<ExecutionBuffer> execution_buffer(const Kernel& kernel, const BoundBuffer& bound) {
  ExecutionBuffer buffer;
  buffer.address = bound.address;
  buffer.bytes = bound.sized ? bound.bytes : unsized_reserve;
  buffer.sized = bound.sized;
  buffer.content = bound.content;
  buffer.name = buffer_name(kernel, bound.parameter);
  if (bound.content.kind != BufferContent::Kind::file) return buffer;
  if (!bound.given.empty()) {
    const auto size = std::min<std::uint64_t>(bound.given.size(), bound.bytes);
    buffer.data.assign(bound.given.begin(),
                       bound.given.begin() + static_cast<std::ptrdiff_t>(size));
    return buffer;
  }
  auto text = read_file(bound.content.path);
  if (!text) return std::move(text).error();
  const auto size = std::min<std::size_t>(text->size(), bound.bytes);
  buffer.data.assign(text->begin(), text->begin() + static_cast<std::ptrdiff_t>(size));
  return buffer;
}

/// Of a launch by a running program: its memory and its module as they are.
Expected<ExecutionLaunch> with_device(const Kernel& kernel, const DeviceImage& device,
                                      ExecutionLaunch result) {
  auto module = module_image(kernel, {}, device.module_address, device.apart);
  if (!module) return std::move(module).error();
  result.input.buffers = device.buffers;
  result.input.banks = device.banks;
  result.input.services = device.services;
  if (!device.parameters.empty()) {
    result.input.parameters = device.parameters;
    result.input.parameters_known.clear();
  }
  result.module = std::move(*module);
  return result;
}

/// Only then does what is executed hang on the launch's registers.
bool hands_registers_over(const Kernel& kernel) {
  const Opcode handing = find_opcode("USETMAXREG");
  return std::ranges::any_of(kernel.instructions, [&](const Instruction& instruction) {
    return instruction.opcode == handing;
  });
}

}  // namespace

Expected<ExecutionLaunch> execution_launch(const Kernel& kernel, const LaunchConfig& launch,
                                           const BoundArguments& arguments,
                                           const PredictOptions& options,
                                           std::uint32_t most_shared) {
  ExecutionLaunch result;
  ExecutionInput& input = result.input;
  input.grid = launch.grid;
  input.block = launch.block;
  if (launch.cluster[0] != 0) input.cluster = launch.cluster;
  const std::uint32_t rest = most_shared - std::min(most_shared, launch.dynamic_shared);
  input.static_shared = kernel.resources.static_shared.value_or(rest);
  input.dynamic_shared = launch.dynamic_shared;
  if (hands_registers_over(kernel)) input.registers = options.registers.value_or(0);
  input.parameters = arguments.bytes;
  input.parameters_known = arguments.known;
  input.ordinary_floats = !options.unknown_floats;
  input.tensor_maps = arguments.tensor_maps;
  if (options.device) return with_device(kernel, *options.device, std::move(result));
  std::uint64_t end = 0;
  for (const BoundBuffer& bound : arguments.buffers) {
    auto buffer = execution_buffer(kernel, bound);
    if (!buffer) return std::move(buffer).error();
    end = std::max(end, buffer->address + buffer->bytes);
    input.buffers.push_back(std::move(*buffer));
  }
  auto module = module_image(kernel, launch, end);
  if (!module) return std::move(module).error();
  input.banks = module->banks;
  for (const ExecutionBuffer& buffer : module->buffers) input.buffers.push_back(buffer);
  for (const auto& [address, share] : options.branch_probabilities) {
    input.assumed_branches.push_back({address, share});
  }
  result.module = std::move(*module);
  return result;
}

}  // namespace forewarp::prediction
