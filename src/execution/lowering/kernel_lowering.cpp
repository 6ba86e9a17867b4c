// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/lowering/kernel_lowering.h"

#include <algorithm>

#include "execution/lowering/idioms.h"
#include "execution/lowering/lowering.h"
#include "execution/lowering/moving_work.h"
#include "execution/state/lane_handlers.h"
#include "execution/state/matrix_form.h"
#include "execution/state/warp_handlers.h"
#include "program/roles.h"
#include "program/widths.h"

namespace forewarp::execution {
namespace {

OperationKind kind_of(Operation operation) {
  if (operation == Operation::wait_phase || operation == Operation::cluster_wait ||
      operation == Operation::grant)
    return OperationKind::wait;
  if (operation >= Operation::branch) return OperationKind::flow;
  return operation >= Operation::special_register ? OperationKind::warp : OperationKind::lane;
}

/// Registers of one lane of a product's source: A, B, or the sums.
std::uint32_t matrix_registers(const MicroOp& op, unsigned source) {
  if (op.immediate == 0) return 0;
  constexpr std::uint32_t columns = 8, bits_of_all = 32 * lane_count;
  const MatrixForm form = MatrixForm::unpacked(op.immediate);
  const std::uint32_t kept = form.sparse ? form.depth / 2 : form.depth;
  if (source == 0) return form.rows * kept * bits_of(form.left) / bits_of_all;
  if (source == 1) return columns * form.depth * bits_of(form.right) / bits_of_all;
  return form.rows * columns * 8 * bytes_of(op.type) / bits_of_all;
}

/// Collects the cells and predicates that an instruction reads and writes, by operand roles.
class FlowCollector {
 public:
  FlowCollector(Program& program, const Lowering& lowering)
      : program_(program), lowering_(lowering) {}

  DataFlow collect(const Instruction& instruction, const MicroOp& op) {
    const Roles roles = roles_of(lowering_.kernel(), instruction);
    DataFlow flow;
    flow.first_read = cells();
    for (const RegisterRange& range : roles.read()) {
      if (range.use != RoleUse::guard && range.use != RoleUse::uniform_descriptor) add_cells(range);
    }
    for (const Source& source : op.source) {
      if (!source.pool) continue;
      program_.flow_cells.push_back(source.cell | DataFlow::pool_bit);
    }
    add_led(op);
    flow.reads = static_cast<std::uint8_t>(cells() - flow.first_read);
    flow.first_write = cells();
    for (const RegisterRange& range : roles.written()) add_cells(range);
    flow.writes = static_cast<std::uint8_t>(cells() - flow.first_write);
    flow.first_predicate_read = predicates();
    for (const RegisterRange& range : roles.read()) {
      if (range.use != RoleUse::guard) add_predicates(range);
    }
    flow.predicate_reads = static_cast<std::uint8_t>(predicates() - flow.first_predicate_read);
    flow.first_predicate_write = predicates();
    for (const RegisterRange& range : roles.written()) add_predicates(range);
    flow.predicate_writes = static_cast<std::uint8_t>(predicates() - flow.first_predicate_write);
    return flow;
  }

 private:
  [[nodiscard]] std::uint32_t cells() const {
    return static_cast<std::uint32_t>(program_.flow_cells.size());
  }
  [[nodiscard]] std::uint32_t predicates() const {
    return static_cast<std::uint32_t>(program_.flow_predicates.size());
  }

  /// Cells beside those that operands name, of operations that follow unknown values themselves:
  /// the rest of a group of which the listing names the first.
  void add_led(const MicroOp& op) {
    const auto add = [&](std::uint32_t first, std::uint32_t count) {
      for (std::uint32_t at = first; at < first + count; ++at) {
        if (at < program_.cell_count) program_.flow_cells.push_back(at);
      }
    };
    const auto add_source = [&](unsigned index, std::uint32_t count) {
      if (!op.source[index].pool) add(op.source[index].cell, count);
    };
    if (!op.has(flag::own_unknown)) return;
    constexpr std::uint32_t most_coordinates = 4;
    switch (op.operation) {
      case Operation::atomic:
        add_source(1, op.bytes / 4U * (op.has(flag::packed) ? 2 : 1));
        add_source(2, op.bytes / 4U);
        break;
      case Operation::store_matrix:
        add_source(1, op.second);
        break;
      case Operation::texture:
      case Operation::surface:
        for (unsigned s = 0; s < 3; ++s) add_source(s, most_coordinates);
        break;
      case Operation::matrix_product:
        for (unsigned s = 0; s < 3; ++s) add_source(s, matrix_registers(op, s));
        add(op.uniform_cell, 1);
        break;
      default:
        break;
    }
    if (op.operation == Operation::group_product && op.immediate != 0) {
      const std::uint32_t skipped = MatrixForm::unpacked(op.immediate).left_in_registers ? 2 : 0;
      add(op.source[1].cell + skipped, 4 - skipped);
    }
    if (op.operation != Operation::bulk_copy && op.operation != Operation::tensor_copy) return;
    const std::uint32_t dimensions = op.operation == Operation::tensor_copy ? op.second & 7U : 0;
    add(op.source[0].cell, 2 + dimensions);
    add(op.source[1].cell, 2);
    add(op.source[2].cell, 1);
  }

  void add_cells(const RegisterRange& range) {
    for (std::uint16_t i = 0; i < range.count; ++i) {
      const auto number = static_cast<std::uint16_t>(range.first + i);
      if (range.file == RegisterFile::general)
        program_.flow_cells.push_back(lowering_.general_cell(number));
      if (range.file == RegisterFile::uniform)
        program_.flow_cells.push_back(lowering_.uniform_cell(number));
    }
  }

  void add_predicates(const RegisterRange& range) {
    for (std::uint16_t i = 0; i < range.count; ++i) {
      const auto number = static_cast<std::uint8_t>(range.first + i);
      if (range.file == RegisterFile::predicate) program_.flow_predicates.push_back(number);
      if (range.file == RegisterFile::uniform_predicate) {
        program_.flow_predicates.push_back(static_cast<std::uint8_t>(predicate::uniform + number));
      }
    }
    if (range.file != RegisterFile::condition_code) return;
    for (std::uint8_t p = predicate::condition_code; p < predicate::count; ++p) {
      program_.flow_predicates.push_back(p);
    }
  }

  Program& program_;
  const Lowering& lowering_;
};

/// Register counts: one more than the highest register of each file, register groups included.
void count_registers(const Kernel& kernel, Program& program) {
  std::uint32_t general = 6, uniform = 0;  // R4 and R5 may be a call's result
  const auto see = [](std::uint32_t& most, std::uint16_t number, std::uint16_t zero) {
    if (number < zero) most = std::max<std::uint32_t>(most, number + 1U);
  };
  for (const Operand& operand : kernel.operands) {
    if (operand.kind == OperandKind::register_) see(general, operand.index, zero_register);
    if (operand.kind == OperandKind::uniform_register)
      see(uniform, operand.index, zero_uniform_register);
    see(general, operand.base, zero_register);
    see(uniform, operand.uniform_base, zero_uniform_register);
  }
  for (const Instruction& instruction : kernel.instructions) {
    const auto operands = kernel.operands_of(instruction);
    if (operands.empty() || operands.front().kind != OperandKind::register_) continue;
    const std::uint32_t width = widths_of(kernel, instruction).destination;
    if (width > cell::pad && operands.front().index < zero_register)
      general = std::max(general, operands.front().index + width);
  }
  // Copies in bulk read up to seven uniform registers from the one that is named.
  constexpr std::uint32_t copy_group = 8;
  program.uniform_cell = cell::general + general + cell::pad;
  program.cell_count = program.uniform_cell + uniform + std::max(cell::pad, copy_group);
}

void lower_one(Lowering& lowering, std::uint32_t index) {
  Program& program = lowering.program();
  lowering.begin(index);
  const LowerFunction function = lowering_of(lowering.instruction().opcode);
  if (function == nullptr || !function(lowering)) {
    lowering.begin(index);
    lowering.op.operation = Operation::unsupported;
    if (!lowering.instruction().dead()) program.unsupported.push_back(index);
  }
  MicroOp& op = lowering.op;
  op.kind = kind_of(op.operation);
  const auto number = static_cast<std::size_t>(op.operation);
  op.handler = op.kind == OperationKind::lane ? lane_handlers()[number] : warp_handlers()[number];
  if (op.indexed_constant && op.kind == OperationKind::lane) {
    op.inner = op.handler;
    op.handler = indexed_constant_handler();
    op.kind = OperationKind::warp;
  }
  if (program.control_stack && lowering.instruction().pops_convergence) op.flags |= flag::pops;
  program.ops.push_back(op);
  program.flows.push_back(FlowCollector(program, lowering).collect(lowering.instruction(), op));
}

/// Whether an operation accesses memory at an address that a register holds.
bool has_address(const MicroOp& op) {
  return op.operation == Operation::load || op.operation == Operation::store ||
         op.operation == Operation::atomic;
}

/// Instructions whose results may become part of an address: those that write what an address, or
/// another one of them, reads. The order of instructions is not followed.
std::vector<std::uint8_t> address_parts(const Program& program) {
  std::vector<bool> wanted(program.cell_count, false);
  for (const MicroOp& op : program.ops) {
    if (!has_address(op)) continue;
    if (!op.source[0].pool) wanted[op.source[0].cell] = true;
    if (!op.source[0].pool && op.has(flag::wide_address)) wanted[op.source[0].cell + 1] = true;
    wanted[op.uniform_cell] = wanted[op.uniform_cell + 1] = true;
  }
  std::fill_n(wanted.begin(), cell::general, false);
  std::vector<std::uint8_t> parts(program.ops.size(), 0);
  for (bool grows = true; grows;) {
    grows = false;
    for (std::uint32_t i = 0; i < program.ops.size(); ++i) {
      const auto written = program.writes(i);
      const bool part = parts[i] == 0 && std::any_of(written.begin(), written.end(),
                                                     [&](auto at) { return wanted[at]; });
      if (!part) continue;
      parts[i] = 1;
      grows = true;
      for (const std::uint32_t at : program.reads(i)) {
        if ((at & DataFlow::pool_bit) == 0 && at >= cell::general) wanted[at] = true;
      }
    }
  }
  return parts;
}

}  // namespace

Expected<Program> lower_kernel(const Kernel& kernel) {
  if (kernel.instructions.empty()) {
    return Diagnostic{kernel.name, "the kernel has no instructions", "", ""};
  }
  Program program;
  program.kernel = &kernel;
  program.control_stack = kernel.sm < 70;
  count_registers(kernel, program);
  std::map<std::uint64_t, std::uint32_t> pool;
  Lowering lowering(kernel, program, pool);
  program.ops.reserve(kernel.instructions.size());
  program.flows.reserve(kernel.instructions.size());
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) lower_one(lowering, i);
  program.usual = usual_outcomes(kernel);
  program.in_addresses = address_parts(program);
  program.moving = moving_work(program);
  program.waiting_loops = waiting_loops(program);
  // A wait for a phase is executed once it holds, so that the sleeps and clocks of its loop, which
  // limits its tries, are never reached.
  const bool waits = std::any_of(program.ops.begin(), program.ops.end(), [](const MicroOp& op) {
    return op.operation == Operation::wait_phase;
  });
  const bool by_atomics =
      program.moving && program.moving->source == MovingWork::Source::read_modify_write;
  if (waits && !by_atomics) program.moving.reset();
  program.ordered = blocks_steer(program) || (sleeps(program) && !waits);
  return program;
}

bool holds_functions(const Kernel& kernel) {
  return std::ranges::any_of(kernel.instructions, [](const Instruction& instruction) {
    return instruction.instruction_class == InstructionClass::return_ &&
           instruction.has(modifier::abs);
  });
}

bool may_call_driver(const Program& program) {
  return std::ranges::any_of(program.ops, [](const MicroOp& op) {
    return op.operation == Operation::outside_call ||
           ((op.operation == Operation::call_indirect ||
             op.operation == Operation::branch_indirect) &&
            op.has(flag::own_unknown));
  });
}

}  // namespace forewarp::execution
