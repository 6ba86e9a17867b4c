// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lua.hpp>

#include "system/script/context.h"

namespace forewarp::system {

/// Each puts its functions into the table `sim` on top of the stack (docs/system.md).
void add_declarations(lua_State* state);  ///< variables, process
void add_work(lua_State* state);          ///< compute, kernel, copy, delay, streams
void add_messages(lua_State* state);      ///< send, isend, notify, receive, wait
void add_collectives(lua_State* state);   ///< barrier, broadcast, reduce, all_reduce ..

/// The process that calls; a CallFault where only declarations are read.
Process& calling(ScriptContext& context, const char* call);

}  // namespace forewarp::system
