// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/script/context.h"

#include <algorithm>

#include <fmt/format.h>

#include "system/description/factors.h"
#include "system/engine/fault.h"

namespace forewarp::system {

Sending Application::send(Process& process, std::uint32_t to, double bytes, std::int64_t tag) {
  const std::size_t from_unit = process.place.component;
  const std::size_t to_unit = world->processes()[to].place.component;
  return world->send(process, to, bytes, tag, false,
                     collectives->message_time(from_unit, to_unit, bytes));
}

void Application::answer(const std::string& name, double value) {
  constexpr std::size_t most_answers = 1000;
  const auto is_it = [&](const Answer& one) { return one.name == name; };
  const auto is_control = [](unsigned char c) { return c < ' '; };
  if (name.empty() || name.size() > Timeline::longest_name ||
      std::any_of(name.begin(), name.end(), is_control)) {
    throw CallFault(
        "answer: the name is empty, long or has control characters; expected a few words");
  }
  if (std::any_of(answers.begin(), answers.end(), is_it)) {
    throw CallFault("answer: '" + name + "' was given before; expected each name once");
  }
  if (answers.size() >= most_answers) throw CallFault("answer: there are 1000 already");
  answers.push_back({name, value});
}

void Application::allocate(std::size_t component, double bytes) {
  const Component& unit = world->system().components[component];
  double& used = allocated[component];
  const bool fitted = unit.memory_bytes <= 0 || used <= unit.memory_bytes;
  used += bytes;
  if (unit.memory_bytes <= 0 || used <= unit.memory_bytes) return;
  const std::string found = fmt::format("{} has {:.1f} GB of memory, {:.1f} GB are allocated",
                                        unit.name, unit.memory_bytes / per_giga, used / per_giga);
  if (!beyond_memory) throw CallFault("allocate: " + found + "; --beyond-memory goes past it");
  if (fitted) warnings.push_back(found + " or more");
}

}  // namespace forewarp::system
