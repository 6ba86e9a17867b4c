// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/module_facts.h"

#include <algorithm>
#include <utility>

namespace forewarp::input {

bool ModuleFacts::has_kernel(std::string_view mangled) const {
  return std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
    return symbol.name == mangled && symbol.section.starts_with(".text.");
  });
}

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
    if (facts.has_kernel(mangled)) return &facts;
    const bool names_kernels =
        std::any_of(facts.symbols.begin(), facts.symbols.end(),
                    [](const auto& symbol) { return symbol.section.starts_with(".text."); });
    if (nameless == nullptr && !names_kernels) nameless = &facts;
  }
  return nameless;
}

}  // namespace forewarp::input
