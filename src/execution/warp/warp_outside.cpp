// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Calls of functions that the driver has: printf, failed assertions, malloc and free. They are done
// where a program runs; elsewhere their results are unknown.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>
#include <string_view>

#include "execution/storage/address_space.h"
#include "execution/storage/program_services.h"
#include "execution/warp/warp_memory.h"
#include "program/outside_function.h"

namespace forewarp::execution::warp_operation {
namespace {

constexpr std::uint32_t first_argument = 4;      // R4
constexpr std::size_t longest_string = 1 << 16;  // that is printed

/// One lane's view of its registers and memory.
class Caller {
 public:
  Caller(Warp& warp, unsigned lane) : warp_(warp), lane_(lane) {}

  [[nodiscard]] std::uint32_t word(std::uint32_t number) const {
    return warp_.cell_at(cell::general + number)[lane_];
  }
  [[nodiscard]] std::uint64_t pair(std::uint32_t number) const {
    return std::uint64_t{word(number + 1)} << 32 | word(number);
  }
  void result(std::uint64_t value) {
    warp_.cell_at(cell::general + first_argument)[lane_] = static_cast<std::uint32_t>(value);
    warp_.cell_at(cell::general + first_argument + 1)[lane_] =
        static_cast<std::uint32_t>(value >> 32);
  }

  /// A byte at a generic address; zero outside.
  [[nodiscard]] std::uint8_t byte(std::uint64_t address) const {
    switch (space_of_generic(address)) {
      case MemorySpace::local: {
        const std::uint64_t depth =
            address_space::stack_top - address % address_space::window_bytes;
        const std::uint64_t at = (depth - 1) / 4 * lane_count + lane_;
        if (at >= warp_.local.size()) return 0;
        return static_cast<std::uint8_t>(warp_.local[at] >> (8 * (address % 4)));
      }
      case MemorySpace::shared: {
        const std::uint64_t at = within_space(address);
        return at < warp_.block->shared.size() ? warp_.block->shared[at] : std::uint8_t{0};
      }
      default: {
        const GlobalMemory& memory = *warp_.block->environment->memory;
        const std::uint32_t buffer = memory.buffer_of(address, 1);
        if (buffer == GlobalMemory::no_buffer) return 0;
        return memory.buffer(buffer).place[address - memory.buffer(buffer).address];
      }
    }
  }
  [[nodiscard]] std::uint64_t number(std::uint64_t address, unsigned bytes) const {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{byte(address + i)} << (8 * i);
    return value;
  }
  [[nodiscard]] std::string string(std::uint64_t address) const {
    std::string text;
    for (std::uint8_t c = byte(address); c != 0 && text.size() < longest_string;
         c = byte(++address))
      text += static_cast<char>(c);
    return text;
  }

 private:
  Warp& warp_;
  unsigned lane_;
};

// The conversion was read from the kernel's own format and fits the type.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
template <class Value>
std::string printed_as(const std::string& form, Value value) {
  std::string text(longest_string, '\0');
  const int size = std::snprintf(text.data(), text.size(), form.c_str(), value);  // NOLINT
  text.resize(size > 0 ? std::min<std::size_t>(static_cast<std::size_t>(size), text.size() - 1)
                       : 0);
  return text;
}
#pragma GCC diagnostic pop

/// The arguments of a printf, in memory one behind the other, each at a multiple of its size.
class PrintArguments {
 public:
  PrintArguments(const Caller& caller, std::uint64_t at) : caller_(caller), at_(at) {}
  std::uint64_t next(unsigned bytes) {
    offset_ = (offset_ + bytes - 1) / bytes * bytes;
    const std::uint64_t value = caller_.number(at_ + offset_, bytes);
    offset_ += bytes;
    ++count_;
    return value;
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  const Caller& caller_;
  std::uint64_t at_, offset_ = 0, count_ = 0;
};

/// One conversion from "%" on; `at` is left behind it.
std::string converted(const std::string& format, std::size_t& at, const Caller& caller,
                      PrintArguments& arguments) {
  std::string form = "%";
  bool wide = false;
  for (++at; at < format.size(); ++at) {
    const char c = format[at];
    if (c == '*') {
      form += std::to_string(static_cast<std::int32_t>(arguments.next(4)));
    } else if (c == 'l' || c == 'z' || c == 'j' || c == 't') {
      wide = true;
    } else if (c == 'h') {
      continue;
    } else if (std::string_view("-+ #0.123456789").find(c) != std::string_view::npos) {
      form += c;
    } else {
      break;
    }
  }
  if (at >= format.size()) return form;
  const char c = format[at++];
  constexpr unsigned narrow_bytes = 4, wide_bytes = 8;
  switch (c) {
    case '%':
      return "%";
    case 'd':
    case 'i':
      if (wide) return printed_as(form + "lld", static_cast<long long>(arguments.next(wide_bytes)));
      return printed_as(form + "d", static_cast<std::int32_t>(arguments.next(narrow_bytes)));
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      if (wide)
        return printed_as(form + "ll" + c,
                          static_cast<unsigned long long>(arguments.next(wide_bytes)));
      return printed_as(form + c, static_cast<std::uint32_t>(arguments.next(narrow_bytes)));
    case 'c':
      return printed_as(form + c, static_cast<std::int32_t>(arguments.next(narrow_bytes)));
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return printed_as(form + c, std::bit_cast<double>(arguments.next(wide_bytes)));
    case 's':
      return printed_as(form + c, caller.string(arguments.next(wide_bytes)).c_str());
    case 'p':
      return printed_as(form + c, reinterpret_cast<const void*>(  // NOLINT: printed only
                                      arguments.next(wide_bytes)));
    default:
      return form + c;
  }
}

void print(Caller caller, ProgramServices& services) {
  const std::string format = caller.string(caller.pair(first_argument));
  PrintArguments arguments(caller, caller.pair(first_argument + 2));
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] == '%') {
      services.printed += converted(format, at, caller, arguments);
    } else {
      services.printed += format[at++];
    }
  }
  caller.result(arguments.count());
}

std::string bracketed(const Extent& at) {
  return "[" + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) +
         "]";
}

/// Arguments: message, file, line, function.
void fail_assertion(const Caller& caller, const Warp& warp, unsigned lane,
                    ProgramServices& services) {
  const Extent& block = warp.block->environment->image->input().block;
  const std::uint32_t thread = warp.number * lane_count + lane;
  const Extent place{thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1]};
  services.failed_assertion += caller.string(caller.pair(first_argument + 2)) + ":" +
                               std::to_string(caller.word(first_argument + 4)) + ": " +
                               caller.string(caller.pair(first_argument + 6)) +
                               ": block: " + bracketed(warp.block->index) +
                               ", thread: " + bracketed(place) + " Assertion `" +
                               caller.string(caller.pair(first_argument)) + "` failed.\n";
}

OutsideFunction called(const Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (op.second != 0) return static_cast<OutsideFunction>(op.second);
  const Source& from = op.source[0];
  if (from.pool || from.cell == cell::zero) return OutsideFunction::other;
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes)) & 31U;
  if (op.operation == Operation::branch_indirect) {  // by 32 bits
    const bool known = (warp.unknown.cells[from.cell] & lanes) == 0;
    return known ? outside_function_at(plain_source(warp, from)[lane]) : OutsideFunction::other;
  }
  if (((warp.unknown.cells[from.cell] | warp.unknown.cells[from.cell + 1]) & lanes) != 0)
    return OutsideFunction::other;
  return outside_function_at(std::uint64_t{plain_source(warp, from, 1)[lane]} << 32 |
                             plain_source(warp, from)[lane]);
}

/// Of what the instruction calls; its text where it does not say.
std::string outside_name(const Kernel& kernel, std::uint32_t index) {
  const Instruction& instruction = kernel.instructions[index];
  for (std::uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = kernel.operands[instruction.first_operand + i];
    if (operand.kind == OperandKind::word) return std::string(kernel.text_of(operand));
  }
  return std::string(kernel.text_of(instruction));
}

}  // namespace

bool calls_outside(const Warp& warp, const MicroOp& op, LaneMask lanes) {
  return called(warp, op, lanes) != OutsideFunction::other;
}

void outside_call(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t index = index_of(warp, op);
  Environment& environment = *warp.block->environment;
  const auto& services = environment.image->input().services;
  const OutsideFunction function = called(warp, op, lanes);
  const bool in_program = environment.memory->in_place() && services;
  if (in_program && function == OutsideFunction::other) {
    warp.fault.kind = Fault::Kind::unsupported;
    warp.fault.lanes = lanes;
    warp.fault.instruction = index;
    warp.fault.detail = outside_name(*environment.program->kernel, index);
    return;
  }
  if (!in_program) {
    environment.assumed[index] |= assumed_condition;
    for (std::uint32_t i = 0; i < 2; ++i)
      warp.unknown.mark(op.destination + i, lanes, lanes, index);
    return;
  }
  ++services->outside_calls;
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    if (!has_lane(lanes, lane)) continue;
    Caller caller(warp, lane);
    switch (function) {
      case OutsideFunction::print:
        print(caller, *services);
        break;
      case OutsideFunction::allocate:
        caller.result(services->heap.allocate(caller.pair(first_argument)));
        break;
      case OutsideFunction::release:
        services->heap.release(caller.pair(first_argument));
        break;
      default:
        fail_assertion(caller, warp, lane, *services);
    }
  }
  for (std::uint32_t i = 0; i < 2 && warp.unknown.any; ++i)
    warp.unknown.mark(op.destination + i, lanes, 0, no_origin);
  if (function != OutsideFunction::fail_assertion) return;
  warp.fault.kind = Fault::Kind::trap;
  warp.fault.lanes = lanes;
  warp.fault.instruction = index;
}

}  // namespace forewarp::execution::warp_operation
