// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/ordinary_values.h"

#include <algorithm>

#include "execution/grid/control_slice.h"
#include "execution/storage/buffer_content.h"

namespace forewarp::execution {
namespace {

bool steered_by_memory(const Program& program) {
  const Program slice = control_slice(program);
  return std::any_of(slice.ops.begin(), slice.ops.end(), [](const MicroOp& op) {
    return op.operation == Operation::load && op.space != MemorySpace::shared &&
           op.space != MemorySpace::local;
  });
}

}  // namespace

std::vector<std::string> take_ordinary_values(const Program& program, ExecutionInput& input) {
  std::vector<ExecutionBuffer*> meant;
  for (ExecutionBuffer& buffer : input.buffers) {
    const bool unknown =
        buffer.content.kind == BufferContent::Kind::unknown && buffer.place == nullptr;
    if (unknown && holds_floats(buffer.content)) meant.push_back(&buffer);
  }
  std::vector<std::string> names;
  if (!input.ordinary_floats || meant.empty() || !steered_by_memory(program)) return names;
  for (ExecutionBuffer* buffer : meant) {
    buffer->ordinary = true;
    names.push_back(buffer->name);
  }
  return names;
}

}  // namespace forewarp::execution
