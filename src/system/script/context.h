// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/expected.h"
#include "system/engine/collectives.h"
#include "system/engine/devices.h"
#include "system/engine/world.h"
#include "system/script/budget.h"
#include "system/script/sandbox.h"
#include "system/script/variables.h"

namespace forewarp::system {

/// Where durations of kernels come from.
class KernelTimes {
 public:
  virtual ~KernelTimes() = default;
  /// `launch`: a case as JSON, with its GPU. `memory_bytes` of that GPU; 0: as its data say.
  /// `seconds` are those of the run's place in the interval. Refused: what `forewarp predict`
  /// refuses.
  virtual Expected<PredictedKernel> predict(const std::string& launch, double memory_bytes) = 0;
};

/// The processes of a group, by rank, and its number.
struct Group {
  std::uint32_t number = 0;
  std::vector<std::uint32_t> ranks;
};

/// A figure that the application names.
struct Answer {
  std::string name;
  double value = 0;
};

/// What the scripts of one run share.
struct Application {
  std::string source, file;  ///< of the script
  Variables variables;
  Budget budget{};
  std::map<std::string, std::string> models{};  ///< file of Lua functions -> its text
  World* world = nullptr;                       ///< null while only declarations are read
  Devices* devices = nullptr;
  Collectives* collectives = nullptr;
  KernelTimes* kernels = nullptr;
  std::map<std::string, Group> groups{};  ///< by label; "" are all
  /// Groups that scripts listed, by their ranks in order.
  std::map<std::vector<std::uint32_t>, Group> listed_groups{};
  std::vector<Answer> answers{};  ///< in the order in which they were given

  bool beyond_memory = false;                 ///< more may be allocated than a unit has
  std::map<std::size_t, double> allocated{};  ///< bytes, by component
  std::vector<std::string> warnings{};

  /// A message; between GPUs as the library of collectives sends it.
  Sending send(Process& process, std::uint32_t to, double bytes, std::int64_t tag);
  void answer(const std::string& name, double value);  ///< refused (CallFault): given twice
  /// Refused: more than the component's memory; a component whose memory nobody states has enough.
  void allocate(std::size_t component, double bytes);
};

/// One script: that of a process, or the one whose declarations are read.
struct ScriptContext {
  Application& application;
  Sandbox& sandbox;
  Process* process = nullptr;           ///< null: declarations
  std::vector<std::string> labels{};    ///< of the bodies, in order
  std::map<std::string, int> bodies{};  ///< references to their functions
  std::vector<Sending> sendings{};      ///< not waited for yet, by handle
  std::vector<StreamEvent> events{};    ///< recorded, by handle
  int model = 0;                        ///< reference to the unit's functions; 0: none
};

}  // namespace forewarp::system
