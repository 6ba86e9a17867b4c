// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/control_stack.h"

namespace forewarp::execution::control_stack {
namespace {

constexpr std::size_t most_tokens = 1 << 16;

}  // namespace

bool push(Warp& warp, TokenKind kind, LaneMask lanes, std::uint32_t pc) {
  auto& stack = warp.divergence.stack;
  if (stack.size() >= most_tokens) {
    warp.fault.kind = Fault::Kind::stack_overflow;
    warp.fault.instruction = warp.pc;
    return false;
  }
  stack.push_back({kind, lanes, pc});
  return true;
}

WarpState pop(Warp& warp) {
  auto& stack = warp.divergence.stack;
  while (!stack.empty()) {
    const StackToken token = stack.back();
    stack.pop_back();
    const LaneMask lanes = token.lanes & warp.alive;
    if (lanes == 0) continue;
    warp.active = lanes;
    warp.pc = token.pc;
    return WarpState::runs;
  }
  warp.active = 0;
  if (warp.alive == 0) return WarpState::ended;
  warp.fault.kind = Fault::Kind::bad_target;
  warp.fault.instruction = warp.pc;
  warp.fault.lanes = warp.alive;
  return WarpState::faulted;
}

bool leave(Warp& warp, TokenKind kind, LaneMask lanes) {
  auto& stack = warp.divergence.stack;
  std::size_t at = stack.size();
  while (at > 0 && stack[at - 1].kind != kind) --at;
  if (at == 0) return false;
  for (std::size_t i = at; i < stack.size(); ++i) stack[i].lanes &= ~lanes;
  warp.active &= ~lanes;
  return true;
}

}  // namespace forewarp::execution::control_stack
