// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/expected.h"
#include "system/script/context.h"

namespace forewarp::system {

/// An application's script in a Lua state of its own: what processes have in common are messages
/// alone.
class Script {
 public:
  /// `process`: null to read declarations only. `exceeded`: as of Sandbox.
  Script(Application& application, Process* process, Sandbox::Exceeded exceeded);

  /// Runs the file: variables are declared and bodies noted.
  Expected<void> declare();
  /// Labels that have a body, in the order of the file.
  [[nodiscard]] const std::vector<std::string>& labels() const { return context_.labels; }

  /// Runs the body of the process's label, with the functions of its unit's model.
  Expected<void> run();

  [[nodiscard]] std::string line() const { return sandbox_.line(); }

 private:
  // Lua ends the program when memory runs out outside of a protected call: these two are called so.
  static int add_sim(lua_State* state);
  static int start_model(lua_State* state);
  Expected<void> load_model(const Component& unit);
  Expected<void> call_script(int arguments);

  Sandbox sandbox_;
  ScriptContext context_;
};

}  // namespace forewarp::system
