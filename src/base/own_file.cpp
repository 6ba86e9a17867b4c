// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/own_file.h"

#include <cstddef>
#include <cstdint>
#include <link.h>
#include <string>
#include <system_error>

namespace forewarp::base {
namespace {

/// An address, and the name of the loaded object that holds it.
struct Holder {
  std::uintptr_t address = 0;
  std::string name;
};

int look_into(dl_phdr_info* object, std::size_t /*size*/, void* asked) {
  auto& holder = *static_cast<Holder*>(asked);
  for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || holder.address < begin) continue;
    if (holder.address - begin >= part.p_memsz) continue;
    holder.name = object->dlpi_name;
    return 1;
  }
  return 0;
}

int list_layer(dl_phdr_info* object, std::size_t /*size*/, void* files) {
  const std::filesystem::path file = object->dlpi_name;
  if (file.filename().string().starts_with("libforewarp_"))
    static_cast<std::vector<std::filesystem::path>*>(files)->push_back(file);
  return 0;
}

}  // namespace

std::vector<std::filesystem::path> own_files() {
  std::vector<std::filesystem::path> files{own_file()};
  dl_iterate_phdr(list_layer, &files);
  return files;
}

std::filesystem::path own_file() {
  Holder holder;
  holder.address = reinterpret_cast<std::uintptr_t>(&look_into);
  dl_iterate_phdr(look_into, &holder);
  std::error_code ignored;
  // The program itself has no name in the list of loaded objects.
  if (holder.name.empty()) return std::filesystem::read_symlink("/proc/self/exe", ignored);
  return std::filesystem::absolute(holder.name, ignored);
}

}  // namespace forewarp::base
