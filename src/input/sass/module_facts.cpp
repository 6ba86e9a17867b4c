// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/module_facts.h"

#include <utility>

namespace forewarp::input {

void ModuleFacts::forget(const std::string& section) {
  contents.erase(section);
  relocations.erase(section);
  std::erase_if(symbols, [&](const Symbol& symbol) { return symbol.section == section; });
}

ModuleFacts& ModuleStore::begin(std::uint32_t sm, bool keep) {
  if (!keep) std::erase_if(modules_, [](const Entry& entry) { return !entry.keep; });
  modules_.push_back({{}, keep});
  modules_.back().facts.sm = sm;
  return modules_.back().facts;
}

ModuleFacts& ModuleStore::current() {
  return modules_.empty() ? begin(0, false) : modules_.back().facts;
}

const ModuleFacts* ModuleStore::find(std::uint32_t sm, std::string_view mangled) const {
  const ModuleFacts* nameless = nullptr;
  for (auto entry = modules_.rbegin(); entry != modules_.rend(); ++entry) {
    const ModuleFacts& facts = entry->facts;
    if (facts.sm != 0 && sm != 0 && facts.sm != sm) continue;
    if (facts.kernels.contains(mangled)) return &facts;
    if (nameless == nullptr && facts.kernels.empty()) nameless = &facts;
  }
  return nameless;
}

}  // namespace forewarp::input
