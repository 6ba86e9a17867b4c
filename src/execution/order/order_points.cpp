// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/order/order_points.h"

#include "execution/state/clocks.h"

namespace forewarp::execution {
namespace {

OrderPoint point_of(const MicroOp& op, const Instruction& instruction) {
  if (instruction.instruction_class == InstructionClass::memory_fence) return OrderPoint::fence;
  const bool outside = op.space == MemorySpace::global || op.space == MemorySpace::generic;
  switch (op.operation) {
    case Operation::atomic:
      return outside ? OrderPoint::access : OrderPoint::none;
    case Operation::load:
      return outside && op.has(flag::strong) ? OrderPoint::access : OrderPoint::none;
    case Operation::store:
      if (!outside) return OrderPoint::none;
      return op.has(flag::strong) ? OrderPoint::access : OrderPoint::store;
    case Operation::special_register:
      return reads_time(static_cast<SpecialRegister>(op.immediate)) ? OrderPoint::clock
                                                                    : OrderPoint::none;
    default:
      return OrderPoint::none;
  }
}

}  // namespace

std::vector<OrderPoint> order_points(const Program& program) {
  std::vector<OrderPoint> points;
  points.reserve(program.ops.size());
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    points.push_back(point_of(program.ops[i], program.kernel->instructions[i]));
  }
  return points;
}

std::vector<bool> shared_writes(const Program& program) {
  const std::vector<OrderPoint> points = order_points(program);
  std::vector<bool> writes(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const MicroOp& op = program.ops[i];
    const bool always = op.operation == Operation::store ||
                        (op.operation == Operation::atomic && op.destination == cell::sink);
    writes[i] = points[i] == OrderPoint::access && op.space == MemorySpace::global && always;
  }
  return writes;
}

}  // namespace forewarp::execution
